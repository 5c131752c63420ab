import { fields, isFields, listOf, type Fields } from '../../../../debugger/protocol';
import type { Parameter, ReturnedAt } from '../callModel';
import { callOf } from './javascriptCalls';
import { capturedBy } from './javascriptCaptured';
import { exitOf, returnsOf, withReturned, yieldsOf, type Exit } from './javascriptExits';
import { classOf, nameOf, namesIn } from './javascriptNames';
import {
  endOf,
  isFunctionNode,
  parsedJavaScript,
  SCOPES,
  startOf,
  typeOf,
  walk,
  type Position,
} from '../../../../syntax/javascriptTree';
import type { SourceCall, SourceFunction } from './sourceFunction';

/** A function of JavaScript or TypeScript, with the facts that a recorder needs. */
export interface JavaScriptFunction extends SourceFunction {
  /** The names that the function declares, each with the range of its scope. */
  readonly declared: readonly {
    readonly name: string;
    readonly start: Position;
    readonly end: Position;
  }[];
  /** The inner functions. Nothing is recorded in them. */
  readonly inner: readonly { readonly start: Position; readonly end: Position }[];
  /** The starts of the statements that leave the call (`return` and `throw`), or of an arrow function's expression. */
  readonly exits: readonly Exit[];
  /** Code that reads the values of `return` statements at whose ends V8 has no place (see `readOf`). */
  readonly readReturns: readonly ReturnedAt[];
  /**
   * The places at which the rounds of its loops begin: the test of a `for`, or the variable that a `for-of` or `for-in`
   * assigns.
   */
  readonly rounds: readonly Position[];
  readonly bodyStart: Position;
  readonly bodyEnd: Position;
  readonly usesThis: boolean;
  /** Whether it is not just an expression, as the body of an arrow function may be. */
  readonly hasBlock: boolean;
  /** Whether a call may reach the end of the block. An arrow function without a block returns before. */
  readonly reachesEnd: boolean;
  /** Whether all parameters are just names. Otherwise, V8 has a scope of its own for the body. */
  readonly hasPlainParameters: boolean;
  /** The calls in the function, without those in inner functions. */
  readonly calls: readonly SourceCall[];
}

/** Returns the functions of a file. Returns none if the file cannot be parsed. */
export function javaScriptFunctions(text: string, file: string): readonly JavaScriptFunction[] {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return [];
  const functions: JavaScriptFunction[] = [];
  walk(program, [], (node, parents) => {
    if (isFunctionNode(node)) functions.push(functionOf(node, parents, text));
    return true;
  });
  return functions;
}

function functionOf(node: Fields, parents: readonly Fields[], text: string): JavaScriptFunction {
  const body = fields(node['body']);
  const isBlock = typeOf(body) === 'BlockStatement';
  const [first] = listOf(body['body']).map(fields).filter(isExecutable);
  const entry = entryOf(isBlock ? (first ?? body) : body);
  const start = startOf(node);
  const found = contentsOf(node, body, text);
  return {
    name: nameOf(node, parents),
    container: classOf(parents),
    start: start.line,
    end: endOf(node).line,
    entry:
      isBlock && first === undefined ? { ...endOf(body), column: endOf(body).column - 1 } : entry,
    entryRepeats: isBlock && first !== undefined && isRepeated(first),
    parameters: parametersOf(node),
    hasBlock: isBlock,
    reachesEnd: isBlock && reachesEnd(body),
    hasPlainParameters: listOf(node['params']).every(
      (pattern) => typeOf(fields(pattern)) === 'Identifier',
    ),
    suspends: suspensionOf(node),
    isAsyncGenerator: node['generator'] === true && node['async'] === true,
    ...found,
    ...capturedBy(node, parents, new Set(found.declared.map(({ name }) => name))),
    bodyStart: startOf(body),
    bodyEnd: endOf(body),
  };
}

function suspensionOf(node: Fields): 'generator' | 'async' | undefined {
  if (node['generator'] === true) return 'generator';
  return node['async'] === true ? 'async' : undefined;
}

/**
 * Returns a position after which the first place at which V8 can stop is passed once by each call. In a `for`
 * statement, this is the initial statement, or the iterated expression.
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
    case 'DoWhileStatement': {
      const inner = fields(statement['block'] ?? statement['body']);
      const [first] = listOf(inner['body']).map(fields).filter(isExecutable);
      return first === undefined ? startOf(statement) : entryOf(first);
    }
    case 'LabeledStatement':
      return entryOf(fields(statement['body']));
    default:
      return startOf(statement);
  }
}

/** Whether one call may pass the first place of a statement again. */
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
      const first = listOf(body).map(fields).find(isExecutable);
      return first !== undefined && isRepeated(first);
    }
    default:
      return false;
  }
}

/** Whether a statement is executed. Declarations without a value, of functions, and of types are not. */
function isExecutable(statement: Fields): boolean {
  const type = typeOf(statement);
  if (type === 'VariableDeclaration')
    return (
      statement['declare'] !== true &&
      listOf(statement['declarations']).some((declaration) => isFields(fields(declaration)['init']))
    );
  return !NOTHING_RUNS.has(type) && !type.startsWith('TS');
}

/** Most class declarations have no place in the function. The places in them are in functions of the class. */
const NOTHING_RUNS: ReadonlySet<string> = new Set([
  ...['FunctionDeclaration', 'ClassDeclaration', 'EmptyStatement'],
]);

/**
 * What runs in a class are functions of their own. V8 gives a constructor that is not written the place of a declared
 * class.
 */
const CLASSES: ReadonlySet<string> = new Set(['ClassDeclaration', 'ClassBody']);

function contentsOf(
  node: Fields,
  body: Fields,
  text: string,
): Pick<
  JavaScriptFunction,
  'declared' | 'inner' | 'exits' | 'readReturns' | 'rounds' | 'usesThis' | 'calls' | 'yields'
> {
  const declared: { name: string; start: Position; end: Position }[] = [];
  const inner: { start: Position; end: Position }[] = [];
  const exits: Exit[] = [];
  const rounds: Position[] = [];
  const calls: SourceCall[] = [];
  const yields: ReturnedAt[] = [];
  let [usesThis, hasFinally] = [false, false];
  const declare = (pattern: unknown, scope: Fields): void => {
    for (const name of namesIn(fields(pattern)))
      declared.push({ name, start: startOf(scope), end: endOf(scope) });
  };
  for (const parameter of listOf(node['params'])) declare(parameter, body);
  walk(body, [node], (child, parents) => {
    const type = typeOf(child);
    const scope = [...parents].reverse().find((parent) => SCOPES.has(typeOf(parent))) ?? body;
    if (isFunctionNode(child) || CLASSES.has(type)) {
      if (type === 'ArrowFunctionExpression') usesThis ||= mentionsThis(child);
      if (type.endsWith('Declaration')) declare(child['id'], scope);
      inner.push({ start: startOf(child), end: endOf(child) });
      return false;
    }
    const call = callOf(child, parents, body, text);
    if (call !== undefined) calls.push(call);
    yields.push(...yieldsOf(child));
    if (type === 'VariableDeclarator') {
      const isVar = fields(parents.at(-1))['kind'] === 'var';
      declare(child['id'], isVar ? body : scope);
    } else if (type === 'CatchClause') declare(child['param'], child);
    else if (type === 'ReturnStatement' || type === 'ThrowStatement')
      exits.push(exitOf(child, parents, text));
    else if (type === 'TryStatement') hasFinally ||= isFields(child['finalizer']);
    else if (type === 'ThisExpression') usesThis = true;
    rounds.push(...roundsOf(child));
    return true;
  });
  if (typeOf(body) !== 'BlockStatement') exits.push(withReturned(body, body));
  const made = hasFinally ? calls.map((call) => ({ ...call, isReturned: false })) : calls;
  const found = { declared, inner, rounds, usesThis, yields, calls: made };
  return { ...found, ...returnsOf(exits, hasFinally) };
}

/** Whether a call may reach the end of a function's block. */
function reachesEnd(statement: Fields): boolean {
  switch (typeOf(statement)) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false;
    case 'BlockStatement':
      return listOf(statement['body']).map(fields).every(reachesEnd);
    case 'IfStatement':
      return (
        !isFields(statement['alternate']) ||
        reachesEnd(fields(statement['consequent'])) ||
        reachesEnd(statement['alternate'])
      );
    default:
      return true;
  }
}

/** Returns the place at which the rounds of a loop begin. Returns none for other nodes. */
function roundsOf(node: Fields): readonly Position[] {
  const [type, test] = [typeOf(node), node['test']];
  if (type === 'ForStatement' && isFields(test)) return [startOf(test)];
  if (type !== 'ForOfStatement' && type !== 'ForInStatement') return [];
  const left = fields(node['left']);
  const [first] = listOf(left['declarations']);
  return [startOf(first === undefined ? left : fields(fields(first)['id']))];
}

function mentionsThis(node: Fields): boolean {
  let found = false;
  walk(node, [], (descendant) => {
    found ||= typeOf(descendant) === 'ThisExpression';
    return !found;
  });
  return found;
}

function parametersOf(node: Fields): readonly Parameter[] {
  return listOf(node['params'])
    .map(fields)
    .flatMap((pattern) =>
      namesIn(pattern).map((name) =>
        typeOf(pattern) === 'RestElement' ? { name, isCollected: true } : { name },
      ),
    );
}
