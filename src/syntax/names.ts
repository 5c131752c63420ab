/** Returns the parts of a qualified name, without type arguments. */
export function partsOf(name: string): readonly string[] {
  return withoutArguments(name)
    .split(/::|[.\\]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function withoutArguments(name: string): string {
  let [bare, depth] = ['', 0];
  for (const sign of name) {
    if (sign === '<') depth += 1;
    if (depth === 0) bare += sign;
    if (sign === '>') depth -= 1;
  }
  return bare;
}
