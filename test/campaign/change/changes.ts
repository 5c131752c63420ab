import type { Fault, Language } from '../project';
import { maskOf } from './mask';

/** An operator or a constant, and what replaces it. */
interface Operator {
  readonly pattern: RegExp;
  readonly replaced: (found: string) => string;
  readonly languages?: readonly Language[];
}

function swapped(pairs: Readonly<Record<string, string>>): (found: string) => string {
  return (found) => pairs[found] ?? found;
}

const NOT_PYTHON: readonly Language[] = ['javascript', 'go', 'rust', 'cpp', 'java'];

/** Operators have spaces around them: so a generic type or a sign is not taken for one. */
const OPERATORS: readonly Operator[] = [
  {
    pattern: /(?<= )(?:<=?|>=?)(?= )/g,
    replaced: swapped({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  },
  { pattern: /(?<=[\w)\]] )[+-](?= [\w(])/g, replaced: swapped({ '+': '-', '-': '+' }) },
  {
    pattern: /(?<= )[=!]==?(?= )/g,
    replaced: swapped({ '==': '!=', '!=': '==', '===': '!==', '!==': '===' }),
  },
  {
    pattern: /(?<= )(?:&&|\|\|)(?= )/g,
    replaced: swapped({ '&&': '||', '||': '&&' }),
    languages: NOT_PYTHON,
  },
  {
    pattern: /(?<= )(?:and|or)(?= )/g,
    replaced: swapped({ and: 'or', or: 'and' }),
    languages: ['python'],
  },
  {
    pattern: /(?<=\breturn )(?:true|false|True|False)\b/g,
    replaced: swapped({ true: 'false', false: 'true', True: 'False', False: 'True' }),
  },
  // A constant, not a part of a name, of a fraction, of a tuple's field, or of a version.
  { pattern: /(?<![\w.$#])\d{1,3}(?![\w.])/g, replaced: (found) => String(Number(found) + 1) },
];

/** Lines that hold no behaviour of the program. */
const NOT_CHANGED = /^\s*(?:import\b|from\b|#|use\b|package\b|@|__version__|template\s*<|using\b)/;

/** Returns all changes of one operator in a file, in the order of their places. */
export function changesIn(text: string, language: Language, file: string): readonly Fault[] {
  return maskOf(text, language)
    .split('\n')
    .flatMap((line, index) => {
      if (NOT_CHANGED.test(line)) return [];
      return OPERATORS.filter(({ languages }) => languages?.includes(language) ?? true).flatMap(
        ({ pattern, replaced }) =>
          [...line.matchAll(pattern)].map((match) => ({
            file,
            line: index + 1,
            column: match.index + 1,
            from: match[0],
            to: replaced(match[0]),
          })),
      );
    });
}

/** Returns a text with a change. @throws Error if the text is not the one that the change is for */
export function changed(text: string, { line, column, from, to, file }: Fault): string {
  const lines = text.split('\n');
  const before = lines[line - 1] ?? '';
  const at = column - 1;
  if (!before.startsWith(from, at)) throw new Error(`${file}:${line} has no ${from} at ${column}`);
  lines[line - 1] = before.slice(0, at) + to + before.slice(at + from.length);
  return lines.join('\n');
}

/** Returns the items in an order that depends only on the seed. */
export function shuffled<T>(items: readonly T[], seed: string): readonly T[] {
  const next = randomOf(seed);
  return items
    .map((item) => ({ item, rank: next() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** The generator mulberry32, seeded by a text (FNV-1a). */
function randomOf(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
