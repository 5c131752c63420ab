import type { Redactor } from '../results/redact';
import { withoutPersonalData } from './personalData';

/** Removes credentials and personal data from all data that is written to an investigation. */
export interface Scrub {
  /** @param texts of at most `MAX_OF_A_TEXT` characters each */
  texts(texts: readonly string[]): Promise<readonly string[]>;
  text(text: string): Promise<string>;
  /**
   * Scrubs all texts of a value. Property names are taken into account: the value of `password` is redacted because of
   * its name.
   */
  value<T extends object>(value: T): Promise<T>;
}

/** The maximum number of characters that the redactor checks in one text, and in total. */
export const MAX_OF_A_TEXT = 50_000;
const MAX_IN_ALL = 2_000_000;
const PIECES_AT_ONCE = MAX_IN_ALL / MAX_OF_A_TEXT;

/** @param isOn whether redaction is on (`agentDebugger.redactSecrets`) */
export function scrubWith(redactor: Redactor, isOn: () => boolean): Scrub {
  const texts = async (all: readonly string[]): Promise<readonly string[]> => {
    const { lines } = await redactor.redact({ lines: [...all] });
    return isOn() ? lines.map(withoutPersonalData) : lines;
  };
  return {
    texts,
    text: async (text) => {
      if (text.length <= MAX_OF_A_TEXT) return (await texts([text]))[0] ?? '';
      const pieces = piecesOf(text);
      let shown = '';
      // With more pieces at once, the redactor would cut them.
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

/** Whether the redactor checks a batch completely. */
export function fitsBatch(count: number, longest: number): boolean {
  return count * Math.max(longest, 1) <= MAX_IN_ALL;
}

/** Splits a text into pieces, at line ends if there are any. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const limit = Math.min(text.length, at + MAX_OF_A_TEXT);
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
  if (Array.isArray(value)) return value.map((item: unknown) => deepMap(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, property]) => [key, deepMap(property)]),
  );
}
