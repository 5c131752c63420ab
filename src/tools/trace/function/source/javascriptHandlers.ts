import { fields, isFields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { firstPlaceIn } from './javascriptEntry';
import {
  contains,
  isFunctionNode,
  parsedJavaScript,
  typeOf,
  walk,
  type Position,
} from '../../../../syntax/javascriptTree';

/**
 * Returns where an exception continues that is thrown at a position: the first place of the innermost `catch` or
 * `finally` around it, in the same function. `nowhere`: the handler has no place at which a debugger can stop.
 * Undefined if the function has no handler there.
 */
export function handlerAround(
  text: string,
  file: string,
  position: Position,
): Position | 'nowhere' | undefined {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return undefined;
  let innermost: Fields | undefined;
  walk(program, [], (node) => {
    if (!contains(node, position)) return false;
    // An exception leaves a function before it reaches a handler outside of it.
    if (isFunctionNode(node)) innermost = undefined;
    if (typeOf(node) === 'TryStatement' && contains(fields(node['block']), position))
      innermost = node;
    return true;
  });
  if (innermost === undefined) return undefined;
  const handler = fields(fields(innermost['handler'])['body']);
  const finalizer = fields(innermost['finalizer']);
  const statements = [handler, finalizer].flatMap((block) => listOf(block['body']));
  return firstPlaceIn(statements) ?? 'nowhere';
}

/** What a file says about a position that an exception of a call may have led to. */
export interface CaughtAt {
  readonly mayHaveCaught: boolean;
  /** The name under which it is caught. */
  readonly name: string | undefined;
}

/** Returns what `mayHaveCaught` and `catchNameAt` say. */
export function caughtAt(text: string, file: string, position: Position, from: Position): CaughtAt {
  return {
    mayHaveCaught: mayHaveCaught(text, file, position, from),
    name: catchNameAt(text, file, position, from),
  };
}

/**
 * Whether an exception of a call may have led to a position in the same function: from a `try` with the call to a place
 * outside of that.
 * @param from the position of the call
 */
export function mayHaveCaught(
  text: string,
  file: string,
  position: Position,
  from: Position,
): boolean {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return true;
  let tries: Fields[] = [];
  walk(program, [], (node) => {
    if (!contains(node, from)) return false;
    if (isFunctionNode(node)) tries = [];
    if (typeOf(node) === 'TryStatement' && contains(fields(node['block']), from)) tries.push(node);
    return true;
  });
  return tries.some((node) => !contains(fields(node['block']), position));
}

/**
 * Returns the name under which the `catch` around a position has caught what its `try` has thrown. Undefined if there is
 * none in the function, if it catches without a plain name, or if a `finally` is nearer.
 * @param from the position of the call in the same function that was left. It must be in that `try`
 */
export function catchNameAt(
  text: string,
  file: string,
  position: Position,
  from: Position,
): string | undefined {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return undefined;
  let innermost: Fields | undefined;
  walk(program, [], (node) => {
    if (!contains(node, position)) return false;
    if (isFunctionNode(node)) innermost = undefined;
    if (typeOf(node) === 'TryStatement' && !contains(fields(node['block']), position))
      innermost = node;
    return true;
  });
  if (innermost === undefined || !contains(fields(innermost['block']), from)) return undefined;
  const handler = fields(innermost['handler']);
  if (!isFields(handler['loc']) || !contains(handler, position)) return undefined;
  const parameter = fields(handler['param']);
  return typeOf(parameter) === 'Identifier' ? textOf(parameter['name']) : undefined;
}

/**
 * Whether an exception that is thrown at a position never leaves the function, because a `finally` around it is left by
 * a statement of its own: `finally { return 1; }`. V8 reports such an exception as uncaught.
 */
export function isReplacedAt(text: string, file: string, position: Position): boolean {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return false;
  let isReplaced = false;
  walk(program, [], (node) => {
    if (!contains(node, position)) return false;
    if (isFunctionNode(node)) isReplaced = false;
    if (typeOf(node) === 'TryStatement' && isFields(node['finalizer']))
      isReplaced ||= !contains(node['finalizer'], position) && isLeft(node['finalizer']);
    return true;
  });
  return isReplaced;
}

/** Whether a block contains a statement that may leave it. */
function isLeft(block: Fields): boolean {
  let isFound = false;
  walk(block, [], (node, parents) => {
    if (isFunctionNode(node)) return false;
    isFound ||= LEAVES.has(typeOf(node));
    // A label may be within the block, too. That is not told apart.
    if (JUMPS.has(typeOf(node)))
      isFound ||= isFields(node['label']) || !parents.some((parent) => LOOPS.has(typeOf(parent)));
    return !isFound;
  });
  return isFound;
}

const LEAVES: ReadonlySet<string> = new Set(['ReturnStatement', 'ThrowStatement']);
const JUMPS: ReadonlySet<string> = new Set(['BreakStatement', 'ContinueStatement']);
const LOOPS: ReadonlySet<string> = new Set([
  ...['ForStatement', 'ForOfStatement', 'ForInStatement'],
  ...['WhileStatement', 'DoWhileStatement', 'SwitchStatement'],
]);
