import type { Redactor } from '../results/redact';
import { withoutPersonalData } from './personalData';

/** Takes credentials and personal data out of whatever is written to an investigation. */
export interface Scrub {
  /** Each text of at most `MOST_OF_A_TEXT` characters. */
  texts(texts: readonly string[]): Promise<readonly string[]>;
  text(text: string): Promise<string>;
  /** All texts of a value. Their names count: `password: …` is redacted by its name. */
  value<T extends object>(value: T): Promise<T>;
}

/** The redactor looks through so many characters of one text, and through so many in all. */
export const MOST_OF_A_TEXT = 50_000;
const MOST_IN_ALL = 2_000_000;
const PIECES_AT_ONCE = MOST_IN_ALL / MOST_OF_A_TEXT;

/** @param isOn whether the person wants redaction (`agentDebugger.redactSecrets`) */
export function scrubWith(redactor: Redactor, isOn: () => boolean): Scrub {
  const texts = async (all: readonly string[]): Promise<readonly string[]> => {
    const { lines } = await redactor.redact({ lines: [...all] });
    return isOn() ? lines.map(withoutPersonalData) : lines;
  };
  return {
    texts,
    text: async (text) => {
      if (text.length <= MOST_OF_A_TEXT) return (await texts([text]))[0] ?? '';
      const pieces = piecesOf(text);
      let shown = '';
      // More at once would be cut.
      for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE)
        shown += (await texts(pieces.slice(at, at + PIECES_AT_ONCE))).join('');
      return shown;
    },
    value: async (value) => {
      const redacted = await redactor.redact({ value });
      return isOn() ? deepMap(redacted.value) : redacted.value;
    },
  };
}

/** A batch that the redactor looks through whole. */
export function fitsBatch(count: number, longest: number): boolean {
  return count * Math.max(longest, 1) <= MOST_IN_ALL;
}

/** Pieces that end at line ends where there are some. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const limit = Math.min(text.length, at + MOST_OF_A_TEXT);
    const lineEnd = limit === text.length ? limit : text.lastIndexOf('\n', limit - 1) + 1;
    const end = lineEnd > at ? lineEnd : limit;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function deepMap<T>(value: T): T;
function deepMap(value: unknown): unknown {
  if (typeof value === 'string') return withoutPersonalData(value);
  if (Array.isArray(value)) return value.map((each: unknown) => deepMap(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deepMap(each)]));
}
