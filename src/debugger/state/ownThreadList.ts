import { fields, type Fields } from '../protocol';

/** The extension's own property in the arguments of a `threads` request. Adapters ignore it. */
const OWN = '__agentDebuggerThreads';

/** Marks a `threads` request as ours. VS Code does not use the answer for its own list of threads. */
export function asOwnThreadList(args: object): Fields {
  return { ...fields(args), [OWN]: true };
}

export function isOwnThreadList(args: Fields): boolean {
  return args[OWN] === true;
}
