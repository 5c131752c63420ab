import { fields, isFields, listOf, type Fields } from '../../../../debugger/protocol';
import { firstPlaceIn } from './javascriptEntry';
import {
  endOf,
  isFunctionNode,
  parsedJavaScript,
  startOf,
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

/** Whether a position is within a node. Nodes without a position, such as the root, contain all. */
function contains(node: Fields, position: Position): boolean {
  if (!isFields(node['loc'])) return true;
  const [start, end] = [startOf(node), endOf(node)];
  return !isBefore(position, start) && isBefore(position, end);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}
