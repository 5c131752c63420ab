import { fields, type Fields } from './protocol';

/** A property of our own in a look, which adapters pass over. */
const FORESEEN = '__agentDebuggerForeseen';

/** Marks a look as sent before the adapter has given out the numbers in it. */
export function asForeseen(args: object): Fields {
  return { ...fields(args), [FORESEEN]: true };
}

/** The look without its mark; undefined for any other. */
export function foreseenIn(args: Fields): Fields | undefined {
  if (args[FORESEEN] !== true) return undefined;
  const { [FORESEEN]: _, ...look } = args;
  return look;
}
