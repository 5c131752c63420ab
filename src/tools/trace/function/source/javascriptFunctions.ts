import { parse, type ParserPlugin } from '@babel/parser';
import {
  fields,
  isFields,
  listOf,
  numberOf,
  textOf,
  type Fields,
} from '../../../../debugger/protocol';
import type { Parameter } from '../callTrace';
import type { SourceFunction } from './sourceFunction';

/** A function of JavaScript or TypeScript, with what a recorder has to know of it. */
export interface JavaScriptFunction extends SourceFunction {
  /** The names that it declares, each with the lines in which it can be seen. */
  readonly declared: readonly {
    readonly name: string;
    readonly start: Position;
    readonly end: Position;
  }[];
  /** The functions within it, of which nothing is recorded. */
  readonly inner: readonly { readonly start: Position; readonly end: Position }[];
  /** Where statements begin that leave the call: `return`, and `throw`. */
  readonly exits: readonly Exit[];
  /** Where rounds of its loops begin: what a `for` tests, and what it assigns in each round. */
  readonly rounds: readonly Position[];
  readonly bodyStart: Position;
  readonly bodyEnd: Position;
  readonly usesThis: boolean;
}

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Exit extends Position {
  /** The name whose value is returned there, where it is no more than a name and nothing of the function runs after it. */
  readonly returns?: string;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);
/** What holds `let`, `const` and classes. */
const SCOPES: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
]);

/** The functions of a file; none where it cannot be parsed. */
export function javaScriptFunctions(text: string, file: string): readonly JavaScriptFunction[] {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return [];
  const functions: JavaScriptFunction[] = [];
  walk(program, [], (node, parents) => {
    if (FUNCTIONS.has(typeOf(node))) functions.push(functionOf(node, parents));
    return true;
  });
  return functions;
}

/** The syntax tree of a file, as Babel has it (ESTree with differences); undefined where it cannot be parsed. */
export function parsedJavaScript(text: string, file: string): Fields | undefined {
  const isTypeScript = /\.[cm]?tsx?$/i.test(file);
  const plugins: ParserPlugin[] = [
    ...(isTypeScript ? (['typescript'] as const) : []),
    ...(isTypeScript && !/x$/i.test(file) ? [] : (['jsx'] as const)),
    'decorators',
  ];
  try {
    const tree: unknown = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      plugins,
    });
    return fields(fields(tree)['program']);
  } catch {
    return undefined;
  }
}

function functionOf(node: Fields, parents: readonly Fields[]): JavaScriptFunction {
  const body = fields(node['body']);
  const isBlock = typeOf(body) === 'BlockStatement';
  const [first] = listOf(body['body'])
    .map((each) => fields(each))
    .filter(isExecutable);
  const entry = entryOf(isBlock ? (first ?? body) : body);
  const start = startOf(node);
  const found = contentsOf(node, body);
  return {
    name: nameOf(node, parents),
    container: classOf(parents),
    start: start.line,
    end: endOf(node).line,
    entry:
      isBlock && first === undefined ? { ...endOf(body), column: endOf(body).column - 1 } : entry,
    entryRepeats: isBlock && first !== undefined && isRepeated(first),
    parameters: parametersOf(node),
    suspends: suspensionOf(node),
    ...found,
    bodyStart: startOf(body),
    bodyEnd: endOf(body),
  };
}

function suspensionOf(node: Fields): 'generator' | 'async' | undefined {
  if (node['generator'] === true) return 'generator';
  return node['async'] === true ? 'async' : undefined;
}

/**
 * From where on the first place at which V8 can stop is one that each call comes by once. Of a `for` that is behind what
 * its rounds begin with.
 */
function entryOf(statement: Fields): Position {
  switch (typeOf(statement)) {
    case 'ForStatement':
      return isFields(statement['init']) ? startOf(statement['init']) : startOf(statement);
    case 'ForOfStatement':
    case 'ForInStatement':
      return startOf(fields(statement['right']));
    case 'TryStatement':
    case 'BlockStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement': {
      const inner = fields(statement['block'] ?? statement['body']);
      const [first] = listOf(inner['body'])
        .map((each) => fields(each))
        .filter(isExecutable);
      return first === undefined ? startOf(statement) : entryOf(first);
    }
    default:
      return startOf(statement);
  }
}

/** Whether one call may come by the first place of a statement again. */
function isRepeated(statement: Fields): boolean {
  switch (typeOf(statement)) {
    case 'WhileStatement':
    case 'DoWhileStatement':
      return true;
    case 'ForStatement':
      return !isFields(statement['init']);
    case 'LabeledStatement':
      return isRepeated(fields(statement['body']));
    case 'TryStatement':
    case 'BlockStatement': {
      const { body } = fields(statement['block'] ?? statement);
      const first = listOf(body)
        .map((each) => fields(each))
        .find(isExecutable);
      return first !== undefined && isRepeated(first);
    }
    default:
      return false;
  }
}

/** Declarations without a value, of functions and of types are nothing that runs. */
function isExecutable(statement: Fields): boolean {
  const type = typeOf(statement);
  if (type === 'VariableDeclaration')
    return (
      statement['declare'] !== true &&
      listOf(statement['declarations']).some((each) => isFields(fields(each)['init']))
    );
  return type !== 'FunctionDeclaration' && type !== 'EmptyStatement' && !type.startsWith('TS');
}

function contentsOf(
  node: Fields,
  body: Fields,
): Pick<JavaScriptFunction, 'declared' | 'inner' | 'exits' | 'rounds' | 'usesThis'> {
  const declared: { name: string; start: Position; end: Position }[] = [];
  const inner: { start: Position; end: Position }[] = [];
  const exits: Exit[] = [];
  const rounds: Position[] = [];
  let [usesThis, hasFinally] = [false, false];
  const declare = (pattern: unknown, scope: Fields): void => {
    for (const name of namesIn(fields(pattern)))
      declared.push({ name, start: startOf(scope), end: endOf(scope) });
  };
  for (const each of listOf(node['params'])) declare(each, body);
  walk(body, [node], (each, parents) => {
    const type = typeOf(each);
    const scope = [...parents].reverse().find((parent) => SCOPES.has(typeOf(parent))) ?? body;
    if (FUNCTIONS.has(type)) {
      if (type === 'ArrowFunctionExpression') usesThis ||= mentionsThis(each);
      if (type === 'FunctionDeclaration') declare(each['id'], scope);
      inner.push({ start: startOf(each), end: endOf(each) });
      return false;
    }
    if (type === 'VariableDeclarator') {
      const isVar = fields(parents.at(-1))['kind'] === 'var';
      declare(each['id'], isVar ? body : scope);
    } else if (type === 'ClassDeclaration') declare(each['id'], scope);
    else if (type === 'CatchClause') declare(each['param'], each);
    else if (type === 'ReturnStatement' || type === 'ThrowStatement') exits.push(exitOf(each));
    else if (type === 'TryStatement') hasFinally ||= isFields(each['finalizer']);
    else if (type === 'ThisExpression') usesThis = true;
    else if (type === 'ForStatement' && isFields(each['test'])) rounds.push(startOf(each['test']));
    else if (type === 'ForOfStatement' || type === 'ForInStatement')
      rounds.push(roundOf(fields(each['left'])));
    return true;
  });
  const left = hasFinally ? exits.map(({ line, column }) => ({ line, column })) : exits;
  return { declared, inner, exits: left, rounds, usesThis };
}

function exitOf(statement: Fields): Exit {
  const value = fields(statement['argument']);
  const isName = typeOf(statement) === 'ReturnStatement' && typeOf(value) === 'Identifier';
  const name = isName ? textOf(value['name']) : undefined;
  return name === undefined ? startOf(statement) : { ...startOf(statement), returns: name };
}

function roundOf(left: Fields): Position {
  const [first] = listOf(left['declarations']);
  return startOf(first === undefined ? left : fields(fields(first)['id']));
}

function mentionsThis(node: Fields): boolean {
  let found = false;
  walk(node, [], (each) => {
    found ||= typeOf(each) === 'ThisExpression';
    return !found;
  });
  return found;
}

function parametersOf(node: Fields): readonly Parameter[] {
  return listOf(node['params']).flatMap((each) => namesIn(fields(each)).map((name) => ({ name })));
}

/** The names that a pattern gives values to. */
function namesIn(pattern: Fields): readonly string[] {
  switch (typeOf(pattern)) {
    case 'Identifier': {
      const name = textOf(pattern['name']);
      return name === undefined || name === 'this' ? [] : [name];
    }
    case 'ObjectPattern':
      return listOf(pattern['properties']).flatMap((each) => {
        const property = fields(each);
        return namesIn(fields(property['value'] ?? property['argument']));
      });
    case 'ArrayPattern':
      return listOf(pattern['elements']).flatMap((each) => namesIn(fields(each)));
    case 'AssignmentPattern':
      return namesIn(fields(pattern['left']));
    case 'RestElement':
      return namesIn(fields(pattern['argument']));
    case 'TSParameterProperty':
      return namesIn(fields(pattern['parameter']));
    default:
      return [];
  }
}

/** The name that a function is known by: its own, or that of what holds it. */
function nameOf(node: Fields, parents: readonly Fields[]): string {
  const own = nameIn(node['id']) ?? nameIn(node['key']);
  if (own !== undefined) return own;
  const parent = fields(parents.at(-1));
  switch (typeOf(parent)) {
    case 'VariableDeclarator':
      return nameIn(parent['id']) ?? '';
    case 'AssignmentExpression':
      return nameIn(parent['left']) ?? nameIn(fields(parent['left'])['property']) ?? '';
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return nameIn(parent['key']) ?? '';
    default:
      return '';
  }
}

function nameIn(node: unknown): string | undefined {
  const { name, value, id } = fields(node);
  return textOf(name) ?? textOf(value) ?? textOf(fields(id)['name']);
}

function classOf(parents: readonly Fields[]): string | undefined {
  const owner = [...parents]
    .reverse()
    .find((each) => /^Class(?:Declaration|Expression)$/.test(typeOf(each)));
  return owner === undefined ? undefined : nameIn(owner['id']);
}

/** Visits a node and what it holds; what `visit` answers with false is not entered. */
function walk(
  node: Fields,
  parents: readonly Fields[],
  visit: (node: Fields, parents: readonly Fields[]) => boolean,
): void {
  if (parents.length > MOST_NESTED) return;
  if (typeOf(node) !== '' && !visit(node, parents)) return;
  const inner = typeOf(node) === '' ? parents : [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (NO_CHILDREN.has(key)) continue;
    if (Array.isArray(value)) {
      for (const each of listOf(value)) if (isFields(each)) walk(each, inner, visit);
    } else if (isFields(value) && typeOf(value) !== '') walk(value, inner, visit);
  }
}

/** A chain of calls is as deep as it is long. */
const MOST_NESTED = 1000;
const NO_CHILDREN: ReadonlySet<string> = new Set([
  'loc',
  'extra',
  'errors',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'typeAnnotation',
  'returnType',
  'typeParameters',
]);

function typeOf(node: Fields): string {
  return textOf(node['type']) ?? '';
}

function startOf(node: Fields): Position {
  return positionOf(fields(node['loc'])['start']);
}

function endOf(node: Fields): Position {
  return positionOf(fields(node['loc'])['end']);
}

/** A position of Babel's, whose columns begin with 0. */
export function positionOf(position: unknown): Position {
  const { line, column } = fields(position);
  return { line: numberOf(line) ?? 1, column: (numberOf(column) ?? 0) + 1 };
}
