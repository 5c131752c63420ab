/**
 * The marker of the lines that injected logpoints print between the program's own lines. Each line begins with this
 * marker, which no program prints by accident, and with the nonce of its collection, which no program knows.
 */
const MARKER = '@agent-debugger:';

/** The separator between the values in one line. No value contains it. */
function separator(nonce: string): string {
  return ` |${nonce}| `;
}

/**
 * The message of an injected logpoint: its number, then its expressions, which the adapter replaces with their values.
 */
export function injectedMessage(
  nonce: string,
  point: number,
  expressions: readonly string[],
): string {
  return [`${MARKER}${nonce} ${point}`, ...expressions.map((expression) => `{${expression}}`)].join(
    separator(nonce),
  );
}

/** Returns the nonce of a line that an injected logpoint printed; undefined for any other text. */
export function nonceIn(text: string): string | undefined {
  const from = text.indexOf(MARKER);
  return from === -1 ? undefined : /^\w+(?= )/.exec(text.slice(from + MARKER.length))?.[0];
}

/** Whether a text was printed by an injected logpoint and not by the program. */
export function isInjectedLine(text: string): boolean {
  return text.includes(MARKER);
}

/** Reads a line that an injected logpoint with this nonce printed; undefined for any other text. */
export function readInjectedLine(
  nonce: string,
  text: string,
): { readonly point: number; readonly values: readonly string[] } | undefined {
  const from = text.indexOf(`${MARKER}${nonce} `);
  if (from === -1) return undefined;
  const [point = '', ...values] = text
    .slice(from + MARKER.length + nonce.length + 1)
    .replace(/\r?\n$/, '')
    .split(separator(nonce));
  return /^\d+$/.test(point) ? { point: Number(point), values } : undefined;
}
