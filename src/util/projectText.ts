/**
 * The longest text of a project that is scanned as a whole, in characters: for its tests, its functions, or what it
 * configures. Source files are much shorter. A scan is linear, so this bounds the time for which it blocks the host.
 */
export const MAX_SCANNED = 512 * 1024;

const LONG = 32 * 1024;

/** Lets the host do what is waiting before a text is scanned, if the text is long. */
export async function giveWay({ length }: { readonly length: number }): Promise<void> {
  if (length < LONG) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
}
