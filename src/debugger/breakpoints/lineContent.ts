/** A line that is known by its text rather than by its number. Blanks around the text do not count. */

export interface NumberedLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** The lines that are the text; where there are none, those that hold it. */
export function linesWith(lines: readonly string[], content: string): readonly NumberedLine[] {
  const sought = content.trim();
  const numbered = lines.map((text, index) => ({ line: index + 1, text: text.trim() }));
  const equal = numbered.filter((each) => each.text === sought);
  return equal.length > 0 ? equal : numbered.filter((each) => each.text.includes(sought));
}

/** Where a line has gone: its new number when the text is no longer on the old one and is on exactly one other. */
export function movedTo(
  lines: readonly string[],
  content: string,
  line: number,
): number | undefined {
  if (lines[line - 1]?.includes(content.trim()) === true) return undefined;
  const [only, second] = linesWith(lines, content);
  return second === undefined ? only?.line : undefined;
}
