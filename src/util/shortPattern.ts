/** The longest text that a `ShortPattern` reads. */
export const MAX_OF_A_SHORT_TEXT = 400;

/**
 * A pattern for texts that are short by nature, such as one line of code. Its time may grow faster than the text, so a
 * longer text does not match. A unit test checks every other pattern for linear time, and this one up to the limit.
 */
export interface ShortPattern {
  test(text: string): boolean;
  exec(text: string): RegExpExecArray | null;
  /** Matches the last characters of a text of any length. The match has its index in the whole text. */
  atEnd(text: string): RegExpExecArray | null;
  /** Replaces as `String.replace` does. A text that is too long stays as it is. */
  replace(text: string, by: string | ((found: string) => string)): string;
}

export function shortPattern(pattern: RegExp): ShortPattern {
  const isShort = (text: string): boolean => text.length <= MAX_OF_A_SHORT_TEXT;
  return {
    test: (text) => isShort(text) && pattern.test(text),
    exec: (text) => (isShort(text) ? pattern.exec(text) : null),
    atEnd: (text) => {
      const from = Math.max(0, text.length - MAX_OF_A_SHORT_TEXT);
      const match = pattern.exec(text.slice(from));
      if (match !== null) match.index += from;
      return match;
    },
    replace: (text, by) => {
      if (!isShort(text)) return text;
      return typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by);
    },
  };
}
