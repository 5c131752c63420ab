/** The text between the braces of a function. */
export interface SourceBody {
  /** The text between the name and the braces, without comments and string literals. */
  readonly header: string;
  readonly text: string;
  /** The same text, with comments and string literals replaced by blanks. */
  readonly code: string;
  readonly lineAt: (offset: number) => number;
}

/** Returns a function that finds the line of an offset in a text. */
export function lineFinder(text: string): (at: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
