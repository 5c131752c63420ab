/** Returns the entries of the first parenthesized list in a header, as source text. */
export function listedNames(header: string, from = 0): readonly string[] {
  const open = header.indexOf('(', from);
  if (open < 0) return [];
  const entries: string[] = [];
  let depth = 0;
  let entry = '';
  // The signs of a Go channel and of a returned type are no brackets.
  for (const sign of header.slice(open).replace(/<-|->/g, '  ')) {
    if ('([{<'.includes(sign)) depth += 1;
    if (')]}>'.includes(sign)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && sign === ',') {
      entries.push(entry);
      entry = '';
    } else if (!(depth === 1 && sign === '(' && entry === '')) entry += sign;
  }
  return [...entries, entry].map((text) => text.trim()).filter((text) => text !== '');
}
