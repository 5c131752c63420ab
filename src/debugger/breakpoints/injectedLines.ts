/**
 * What injected logpoints print: lines of our own between the program's. A sign that no program prints by accident
 * stands before them, and the nonce of the collection that they belong to, which no program knows.
 */
const SIGN = '@agent-debugger:';

/** Between the values in one line: no value holds it. */
function separator(nonce: string): string {
  return ` |${nonce}| `;
}

/** The message of an injected logpoint: its number, then its expressions, which the adapter fills in. */
export function injectedMessage(
  nonce: string,
  point: number,
  expressions: readonly string[],
): string {
  return [`${SIGN}${nonce} ${point}`, ...expressions.map((expression) => `{${expression}}`)].join(
    separator(nonce),
  );
}

/** Whether a text is what an injected logpoint printed: it is no output of the program. */
export function isInjectedLine(text: string): boolean {
  return text.includes(SIGN);
}

/** What an injected logpoint of a nonce printed; undefined for anything else. */
export function readInjectedLine(
  nonce: string,
  text: string,
): { readonly point: number; readonly values: readonly string[] } | undefined {
  const from = text.indexOf(`${SIGN}${nonce} `);
  if (from === -1) return undefined;
  const [point = '', ...values] = text
    .slice(from + SIGN.length + nonce.length + 1)
    .replace(/\r?\n$/, '')
    .split(separator(nonce));
  return /^\d+$/.test(point) ? { point: Number(point), values } : undefined;
}
