import { fields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import {
  contains,
  isFunctionNode,
  parsedJavaScript,
  typeOf,
  walk,
  type Position,
} from '../../../../syntax/javascriptTree';

/**
 * What becomes of an exception at a position of a function. `kept`: a promise keeps it, because the function is
 * asynchronous or the executor of a promise. `rejects`: the position itself rejects a promise, and throws nothing.
 * `leaves`: it leaves the function, unless the function handles it.
 */
export type ExceptionAt = 'kept' | 'rejects' | 'leaves';

/** Returns what becomes of an exception at a position of a file. */
export function exceptionAt(text: string, file: string, position: Position): ExceptionAt {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return 'leaves';
  const at: { isKept: boolean; isRejection: boolean } = { isKept: false, isRejection: false };
  walk(program, [], (node, parents) => {
    if (!contains(node, position)) return false;
    if (isFunctionNode(node)) {
      at.isKept = node['async'] === true || isExecutor(node, parents.at(-1));
      at.isRejection = false;
    }
    if (typeOf(node) === 'CallExpression')
      at.isRejection ||= contains(fields(node['callee']), position) && rejects(node);
    return true;
  });
  if (at.isRejection) return 'rejects';
  return at.isKept ? 'kept' : 'leaves';
}

/** Whether a function is that of a `new Promise(…)`. */
function isExecutor(node: Fields, parent: Fields = {}): boolean {
  const callee = fields(parent['callee']);
  return (
    typeOf(parent) === 'NewExpression' &&
    textOf(callee['name']) === 'Promise' &&
    listOf(parent['arguments'])[0] === node
  );
}

/** Whether a call has the name of those that reject a promise: `reject(error)`, `Promise.reject(error)`. */
function rejects({ callee: called }: Fields): boolean {
  const callee = fields(called);
  const named = typeOf(callee) === 'MemberExpression' ? fields(callee['property']) : callee;
  return /reject/i.test(textOf(named['name']) ?? '');
}
