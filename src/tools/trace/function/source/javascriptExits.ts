import { fields, isFields, numberOf, textOf, type Fields } from '../../../../debugger/protocol';
import type { ReturnedAt } from '../callModel';
import { namesRead, readOf } from './javascriptReads';
import { endOf, startOf, typeOf, type Position } from '../../../../syntax/javascriptTree';

/** A statement that leaves a call (`return` and `throw`), or the expression of an arrow function. */
export interface Exit extends Position {
  /** The end of the statement. V8 stops there before it returns, and shows the value. */
  readonly end: Position;
  /**
   * The name whose value is returned there. It is set only if the expression is just a name and no code of the function
   * runs afterwards.
   */
  readonly returns?: string;
  /**
   * Code that reads the returned value again (see `readOf`). It is undefined if that would run code of the program, or
   * if code of the function runs afterwards.
   */
  readonly read?: string | undefined;
  /** The names of the variables that the expression reads. */
  readonly names?: readonly string[] | undefined;
  /** The source of the exception that the statement throws. */
  readonly throws?: string;
  /** Whether the function itself catches the exception. */
  readonly isCaught?: boolean;
  /** Whether it is in a loop that closes its iterator, or in a `try` with `finally`. V8 has no place at its end. */
  readonly hasNoEnd?: boolean;
}

/** The statements that leave the calls of a function, and how the values are read that they return. */
interface Returns {
  readonly exits: readonly Exit[];
  /** Code that reads the values of `return` statements at whose ends V8 has no place (see `readOf`). */
  readonly readReturns: readonly ReturnedAt[];
}

/**
 * Returns how the calls of a function return. In a function with `finally`, code may run after a value was computed. It
 * may change an object that is returned, but not the returned value.
 */
export function returnsOf(exits: readonly Exit[], hasFinally: boolean): Returns {
  const readReturns = exits.flatMap(({ line, read, names = [], hasNoEnd }) => {
    // A line with several of them may leave at any one.
    const isOnly = exits.filter((other) => other.line === line).length === 1;
    const isRead = hasNoEnd === true && isOnly && !names.includes(READER);
    return isRead && read !== undefined ? [{ line, expressions: [read] }] : [];
  });
  return { exits: hasFinally ? exits.map(withoutValue) : exits, readReturns };
}

/**
 * Returns the code that reads what a `yield` yields. Returns none if that would run code of the program, or if the node
 * is another one.
 */
export function yieldsOf(node: Fields): readonly ReturnedAt[] {
  if (typeOf(node) !== 'YieldExpression' || node['delegate'] === true) return [];
  const value = node['argument'];
  const read = isFields(value) ? readOf(value) : 'undefined';
  const hidesName = isFields(value) && namesRead(value).includes(READER);
  if (read === undefined || hidesName) return [];
  return [{ line: startOf(node).line, expressions: [read] }];
}

/** The name of the reader in the code, which hides a variable of the program. */
const READER = 'g';

/** Returns the facts about a `return` or a `throw`. @param parents the nodes around it, the outermost first */
export function exitOf(statement: Fields, parents: readonly Fields[], text: string): Exit {
  return {
    ...leavingOf(statement, text),
    ...(isCaught(statement, parents) && { isCaught: true }),
    ...(parents.some(runsCodeAtReturn) && { hasNoEnd: true }),
  };
}

function leavingOf(statement: Fields, text: string): Exit {
  const value = fields(statement['argument']);
  if (typeOf(statement) === 'ReturnStatement')
    return isFields(statement['argument'])
      ? withReturned(statement, value)
      : { ...placeOf(statement), read: 'undefined' };
  const [start, end] = [numberOf(value['start']) ?? 0, numberOf(value['end']) ?? 0];
  return { ...placeOf(statement), throws: text.slice(start, end) };
}

/** Whether code runs between a `return` in a statement and the end of the call. */
function runsCodeAtReturn(statement: Fields): boolean {
  return typeOf(statement) === 'ForOfStatement' || isFields(statement['finalizer']);
}

/** Whether a statement is in the block of a `try` with a `catch` in the same function. */
function isCaught(statement: Fields, parents: readonly Fields[]): boolean {
  return [...parents, statement].some((node, index, all) => {
    const parent = fields(all[index - 1]);
    return (
      typeOf(parent) === 'TryStatement' && parent['block'] === node && isFields(parent['handler'])
    );
  });
}

/** Returns the facts about a node that leaves a call with a value. */
export function withReturned(node: Fields, value: Fields): Exit {
  const exit = { ...placeOf(node), read: readOf(value), names: namesRead(value) };
  const name = typeOf(value) === 'Identifier' ? textOf(value['name']) : undefined;
  return name === undefined ? exit : { ...exit, returns: name };
}

function placeOf(node: Fields): Exit {
  return { ...startOf(node), end: endOf(node) };
}

function withoutValue({ returns: _, read: _read, names: _names, ...exit }: Exit): Exit {
  return exit;
}
