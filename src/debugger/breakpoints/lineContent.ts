/** A line that was found by its text instead of its number. Whitespace around the text is ignored. */

export interface NumberedLine {
  /** The line number, 1-based. */
  readonly line: number;
  readonly text: string;
}

/** The lines that equal the text. If there are none, the lines that contain it. */
export function linesWith(lines: readonly string[], content: string): readonly NumberedLine[] {
  const sought = content.trim();
  const numbered = lines.map((text, index) => ({ line: index + 1, text: text.trim() }));
  const equal = numbered.filter(({ text }) => text === sought);
  return equal.length > 0 ? equal : numbered.filter(({ text }) => text.includes(sought));
}

/**
 * The new number of a moved line. Defined only if the text is no longer on the old line and is on exactly one other
 * line.
 */
export function movedTo(
  lines: readonly string[],
  content: string,
  line: number,
): number | undefined {
  if (lines[line - 1]?.includes(content.trim()) === true) return undefined;
  const [only, second] = linesWith(lines, content);
  return second === undefined ? only?.line : undefined;
}
