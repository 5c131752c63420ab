import { fields, type Fields } from './protocol';

/** The extension's own property in a request's arguments. Adapters ignore it. */
const SPECULATIVE = '__agentDebuggerForeseen';

/** Marks a read-only request as sent before the adapter has issued the references in it. */
export function asSpeculative(args: object): Fields {
  return { ...fields(args), [SPECULATIVE]: true };
}

/** The arguments without the mark; undefined if they are not marked. */
export function speculativeIn(args: Fields): Fields | undefined {
  if (args[SPECULATIVE] !== true) return undefined;
  const { [SPECULATIVE]: _, ...unmarked } = args;
  return unmarked;
}
