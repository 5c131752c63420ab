/**
 * Returns the offset of the bracket that closes another one.
 * @param brackets the opening and the closing bracket
 */
export function closing(code: string, open: number, [opening, closed]: string): number | undefined {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === opening) depth += 1;
    if (code[at] === closed) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
