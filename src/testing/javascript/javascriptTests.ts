import { fields, listOf, numberOf, textOf, type Fields } from '../../debugger/protocol';
import { isFunctionNode, parsedJavaScript, typeOf, walk } from '../../syntax/javascriptTree';
import type { FoundTest } from '../scan/nesting';

/** The functions that declare groups or tests, by the names that runners use. */
const DECLARES =
  /^(?:describe|suite|context|it|test|specify|bench|[xf](?:describe|context|it|test|specify))$/;
const SUITE = /^[xf]?(?:describe|suite|context)$/;
/** The objects whose `test` or `it` declares a subtest. */
const PARENT = /^(?:t|ctx|context|test)$/;
const SUBTEST = /^(?:test|it)$/;
/** The functions and members that declare a skipped test. */
const SKIPS = /^(?:skip|x(?:describe|context|it|test|specify))$/;
/** The members that take a table of rows, and then the name. */
const TABLE = /^(?:each|for)$/;
/** The members that declare no test: they take a table or a condition first, or are part of a test. */
const NO_TEST = /^(?:each|for|skipIf|runIf|step|extend)$/;

/** The packages whose functions declare tests. */
const RUNNERS = /^(?:node:test|bun:test|@jest\/globals|(?:.*\/)?(?:vitest|mocha|jest))$/;

/** Returns the declarations of tests in a file. Returns undefined if the file cannot be parsed. */
export function testsInTree(text: string, file: string): readonly FoundTest[] | undefined {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return undefined;
  const found: FoundTest[] = [];
  const extended = new Set<string>();
  const declared = ownNames(program);
  walk(program, [], (node, parents) => {
    const name = typeOf(node) === 'VariableDeclarator' ? extendedName(node) : undefined;
    if (name !== undefined) extended.add(name);
    if (typeOf(node) !== 'CallExpression') return true;
    const own = new Set([...declared, ...parameterNames(parents)]);
    const test = declarationIn(node, text, extended, own) ?? wrapperIn(node, text, own);
    if (test !== undefined) found.push(test);
    return true;
  });
  return withoutSteps(found);
}

/**
 * Returns the names that the file itself gives to something: a variable, a function, or an import of a module that is
 * no runner. What they declare has other names than the text shows.
 */
function ownNames(program: Fields): ReadonlySet<string> {
  const names = new Set<string>();
  walk(program, [], (node) => {
    const type = typeOf(node);
    if (
      type === 'ImportDeclaration' &&
      !RUNNERS.test(textOf(fields(node['source'])['value']) ?? '')
    )
      for (const each of listOf(node['specifiers']).map(fields)) addNames(each['local'], names);
    if (isFunctionNode(node)) addNames(node['id'], names);
    if (type === 'VariableDeclarator' && !isOfRunner(fields(node['init'])))
      addNames(node['id'], names);
    return true;
  });
  return names;
}

/** Returns the names of the parameters of the functions around a call. */
function parameterNames(parents: readonly Fields[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const parent of parents.filter(isFunctionNode))
    for (const each of listOf(parent['params'])) addNames(each, names);
  return names;
}

/** Whether a variable gets a runner's function: `require('node:test')`, `test.extend(…)`, `it.skip`. */
function isOfRunner(value: Fields): boolean {
  if (typeOf(value) === 'CallExpression') {
    const callee = fields(value['callee']);
    if (textOf(callee['name']) === 'require')
      return RUNNERS.test(textOf(fields(listOf(value['arguments'])[0])['value']) ?? '');
    return isOfRunner(callee);
  }
  return DECLARES.test(namesIn(value)[0] ?? '') || isOfRunnerMember(value);
}

function isOfRunnerMember(value: Fields): boolean {
  return typeOf(value) === 'MemberExpression' && isOfRunner(fields(value['object']));
}

function addNames(pattern: unknown, names: Set<string>): void {
  const node = fields(pattern);
  const name = typeOf(node) === 'Identifier' ? textOf(node['name']) : undefined;
  if (name !== undefined) names.add(name);
  for (const property of listOf(node['properties']).map(fields))
    addNames(property['value'] ?? property['argument'], names);
  for (const element of listOf(node['elements'])) addNames(element, names);
  if (node['left'] !== undefined) addNames(node['left'], names);
}

/**
 * Returns what a call of the person's own function may declare, as in `both('sum', (it) => { … })`: it passes a name and
 * a function on to the runner.
 */
function wrapperIn(call: Fields, text: string, own: ReadonlySet<string>): FoundTest | undefined {
  const [callee = ''] = namesIn(fields(call['callee']));
  if (!own.has(callee) || typeOf(fields(call['callee'])) !== 'Identifier') return undefined;
  const args = listOf(call['arguments']).map(fields);
  const [first, last] = [fields(args[0]), fields(args.at(-1))];
  const isName = typeOf(first) === 'StringLiteral' || typeOf(first) === 'TemplateLiteral';
  const name = isName && isFunctionNode(last) ? nameFrom(first, text) : undefined;
  if (name === undefined) return undefined;
  return {
    kind: 'test',
    name: name.text,
    ...{ start: numberOf(call['start']) ?? 0, end: (numberOf(call['end']) ?? 1) - 1 },
    ...{ isTemplate: name.isTemplate, isLoose: true, isWrapper: true },
  };
}

/** Leaves out the wrappers in tests, which are steps of them. A wrapper around tests is a group. */
function withoutSteps(found: readonly FoundTest[]): readonly FoundTest[] {
  const isIn = (one: FoundTest, other: FoundTest): boolean =>
    one !== other && other.start <= one.start && one.end <= other.end;
  const tests = found.filter(({ kind, isWrapper }) => kind === 'test' && isWrapper !== true);
  return found
    .filter((each) => each.isWrapper !== true || !tests.some((test) => isIn(each, test)))
    .map((each) =>
      each.isWrapper === true && found.some((inner) => isIn(inner, each))
        ? { ...each, kind: 'suite' }
        : each,
    );
}

/** Returns the name of a function that is made from another one, as in `const itWithDatabase = test.extend({ … })`. */
function extendedName(declarator: Fields): string | undefined {
  const init = fields(declarator['init']);
  if (typeOf(init) !== 'CallExpression') return undefined;
  const isExtended = namesIn(fields(init['callee'])).slice(1).at(-1) === 'extend';
  const isWithFixtures = typeOf(fields(listOf(init['arguments'])[0])) === 'ObjectExpression';
  return isExtended && isWithFixtures ? textOf(fields(declarator['id'])['name']) : undefined;
}

function declarationIn(
  call: Fields,
  text: string,
  extended: ReadonlySet<string>,
  own: ReadonlySet<string>,
): FoundTest | undefined {
  const { names, isDirect, isTable } = declared(fields(call['callee']));
  const [word = '', ...more] = names;
  const isSubtest = PARENT.test(word) && more.length === 1 && SUBTEST.test(more[0] ?? '');
  if (!DECLARES.test(word) && !extended.has(word) && !isSubtest) return undefined;
  if (isDirect && NO_TEST.test(more.at(-1) ?? '')) return undefined;
  const name = nameFrom(fields(listOf(call['arguments'])[0]), text);
  if (name === undefined) return undefined;
  const [, options] = listOf(call['arguments']).map(fields);
  const isSkipped =
    SKIPS.test(word) || more.some((member) => SKIPS.test(member)) || isSkippedBy(options);
  const isSuite = !isSubtest && (SUITE.test(word) || more.includes('describe'));
  return {
    kind: isSuite ? 'suite' : 'test',
    name: name.text,
    start: numberOf(call['start']) ?? 0,
    end: (numberOf(call['end']) ?? 1) - 1,
    isTemplate: isTable || name.isTemplate,
    isSkipped,
    isLoose: !isSubtest && own.has(word) && !extended.has(word),
  };
}

/** Whether options such as `{ skip: 'not yet' }` skip a test in any case. */
function isSkippedBy(options: Fields | undefined): boolean {
  return listOf(options?.['properties'])
    .map(fields)
    .some((property) => {
      const value = fields(property['value']);
      const isOn = typeOf(value) === 'StringLiteral' || value['value'] === true;
      return textOf(fields(property['key'])['name']) === 'skip' && isOn;
    });
}

/** Returns the names of a called function: `it.only`, `` it.each`…` ``, `it.each(rows)`, `it.skipIf(condition)`. */
function declared(callee: Fields): {
  readonly names: readonly string[];
  /** Whether nothing else is called before the function. */
  readonly isDirect: boolean;
  readonly isTable: boolean;
} {
  const isCall = typeOf(callee) === 'CallExpression';
  const isTagged = typeOf(callee) === 'TaggedTemplateExpression';
  const isDirect = !isCall && !isTagged;
  const names = namesIn(isDirect ? callee : fields(callee[isCall ? 'callee' : 'tag']));
  return { names, isDirect, isTable: !isDirect && TABLE.test(names.at(-1) ?? '') };
}

/** Returns the names of `a.b.c`. Returns none for any other expression. */
function namesIn(callee: Fields): readonly string[] {
  if (typeOf(callee) === 'Identifier') return [textOf(callee['name']) ?? ''];
  if (typeOf(callee) !== 'MemberExpression' || callee['computed'] === true) return [];
  const object = namesIn(fields(callee['object']));
  return object.length === 0 ? [] : [...object, textOf(fields(callee['property'])['name']) ?? ''];
}

interface Name {
  readonly text: string;
  /** Whether the name is created when the program runs. */
  readonly isTemplate: boolean;
}

/** Returns the name that an argument gives. A name that is not a literal is a template that matches any name. */
function nameFrom(argument: Fields, text: string): Name | undefined {
  switch (typeOf(argument)) {
    case '':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'ObjectExpression':
    case 'ArrayExpression':
      return undefined;
    case 'StringLiteral':
      return { text: textOf(argument['value']) ?? '', isTemplate: false };
    case 'TemplateLiteral':
      return templateName(argument, text);
    case 'BinaryExpression': {
      if (argument['operator'] !== '+') return madeName(argument, text);
      const left = nameFrom(fields(argument['left']), text);
      const right = nameFrom(fields(argument['right']), text);
      if (left === undefined || right === undefined) return undefined;
      return { text: left.text + right.text, isTemplate: left.isTemplate || right.isTemplate };
    }
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return nameFrom(fields(argument['expression']), text);
    default:
      return madeName(argument, text);
  }
}

/** Returns a template for a name that only the program knows. */
function madeName(expression: Fields, text: string): Name {
  return { text: `\${${sourceOf(expression, text)}}`, isTemplate: true };
}

function templateName(literal: Fields, text: string): Name {
  const expressions = listOf(literal['expressions']).map(fields);
  const parts = listOf(literal['quasis']).map((quasi, index) => {
    const cooked = textOf(fields(fields(quasi)['value'])['cooked']) ?? '';
    const expression = expressions[index];
    return expression === undefined ? cooked : `${cooked}\${${sourceOf(expression, text)}}`;
  });
  return { text: parts.join(''), isTemplate: expressions.length > 0 };
}

/** Returns the source of an expression, without braces that would end its placeholder. */
function sourceOf(node: Fields, text: string): string {
  const source = text.slice(numberOf(node['start']) ?? 0, numberOf(node['end']) ?? 0);
  return /^[^{}\n]{1,60}$/.test(source) ? source : '…';
}
