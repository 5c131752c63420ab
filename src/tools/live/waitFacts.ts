import type { Frame } from '../../debugger/inspection/stackAndVariables';

/** What the values in a thread's frames tell about its wait, beyond the names of the functions. */
export interface WaitFacts {
  readonly kind?: string;
  readonly what?: string;
  /** The id of the thread that has what is waited for, as the debugger numbers threads. It was read, never guessed. */
  readonly ownerId?: number;
  /** Whether the wait ends by itself. */
  readonly limited?: true;
}

/** Evaluates an expression without calls in a frame. Returns undefined if that fails. */
export type Evaluate = (frame: Frame, expression: string) => Promise<string | undefined>;

/** Reads what a thread waits for. Gets the frames of its innermost call that is not the person's own. */
export type FactReader = (frames: readonly Frame[], evaluate: Evaluate) => Promise<WaitFacts>;

/** Reads an address from the text of a value: the last hexadecimal number, without leading zeros. */
export function addressIn(text: string | undefined): string | undefined {
  const digits = /0x0*([\da-f]{1,16})$/i.exec(text?.trim() ?? '')?.[1];
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`;
}
