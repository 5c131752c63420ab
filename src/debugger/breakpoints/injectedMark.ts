import { defined } from '../../util/defined';
import { fields, isFields, wholeOf, type Fields } from '../protocol';

/**
 * The extension's own properties in `setBreakpoints` requests: one on the list and one on a breakpoint in it. Adapters
 * ignore them.
 */
const OWN_LIST = '__agentDebuggerList';
const INJECTED = '__agentDebuggerPoint';

let lastList = 0;

/** Marks a list as sent by the extension, not by VS Code. Each marked list is unique. */
export function asOwnList(args: Fields): Fields {
  lastList += 1;
  return { ...args, [OWN_LIST]: lastList };
}

export function isOwnList(args: Fields): boolean {
  return typeof args[OWN_LIST] === 'number';
}

/** Marks a breakpoint as injected. @param other VS Code's breakpoint that it also represents */
export function asInjected(sent: Fields, id: number, other?: Fields): Fields {
  return { ...sent, [INJECTED]: defined({ id, other }) };
}

export function injectedIn(
  sent: Fields,
): { readonly id: number; readonly other: Fields | undefined } | undefined {
  const mark = fields(sent[INJECTED]);
  const id = wholeOf(mark['id']);
  if (id === undefined) return undefined;
  const other = mark['other'];
  return { id, other: isFields(other) ? other : undefined };
}
