/**
 * Matches characters that a reader does not see, or that change the order of text: controls after ASCII, formats such as
 * U+202E, and the separators of lines. Controls of ASCII are escaped in every JSON text.
 */
const INVISIBLE = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;
const HAS_INVISIBLE = /[\u007f-\u009f\p{Cf}\u2028\u2029]/u;

/** Matches a joiner within a word or an emoji, where writing needs it. */
const JOINER = /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]$/u;
const JOINED = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u;

/** Returns a text in which characters that hide or reorder it are shown as escapes, as in JSON: `\u202e`. */
export function visibleText(text: string): string {
  if (!HAS_INVISIBLE.test(text)) return text;
  return text.replace(INVISIBLE, (character, at: number) =>
    isJoiner(text, character, at) ? character : escaped(character),
  );
}

/**
 * Shows such characters as escapes in all texts and names of a value. A program could make its text look like another
 * text, or hide text for a model in it. Returns the same value if it contains none.
 */
export function visible<T>(value: T): T;
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const made = entries.map(([key, member]) => [visibleText(key), visible(member)] as const);
  const isSame = made.every(
    ([key, member], index) => key === entries[index]?.[0] && member === entries[index][1],
  );
  if (isSame) return value;
  return Array.isArray(value) ? made.map(([, member]) => member) : Object.fromEntries(made);
}

function isJoiner(text: string, character: string, at: number): boolean {
  if (character !== '\u200c' && character !== '\u200d') return false;
  // Two code units hold the character before the joiner.
  return (
    JOINER.test(text.slice(Math.max(0, at - 2), at + 1)) && JOINED.test(text.slice(at + 1, at + 3))
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
