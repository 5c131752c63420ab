import { fields, listOf, textOf } from '../../debugger/protocol';

/** A place in a generated file, and where it comes from. Lines and columns are 0-based. */
export interface Mapping {
  readonly line: number;
  readonly column: number;
  readonly source: number;
  readonly sourceLine: number;
  readonly sourceColumn: number;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map(Array.from(DIGITS, (digit, value) => [digit, value]));

/** Reads the numbers of one segment of a source map (Base64 VLQ). Empty if it is not valid. */
function numbersIn(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  let factor = 1;
  for (const digit of segment) {
    const bits = VALUES.get(digit);
    if (bits === undefined) return [];
    value += (bits & 31) * factor;
    factor *= 32;
    if (bits >= 32) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -((value - 1) / 2));
    value = 0;
    factor = 1;
  }
  return numbers;
}

/** Reads the mappings of a source map, in the order of the generated file. */
export function mappingsOf(map: unknown): readonly Mapping[] {
  const mappings: Mapping[] = [];
  let [source, sourceLine, sourceColumn] = [0, 0, 0];
  for (const [line, row] of (textOf(fields(map)['mappings']) ?? '').split(';').entries()) {
    let column = 0;
    for (const segment of row === '' ? [] : row.split(',')) {
      const [toColumn = 0, toSource, toLine, toSourceColumn = 0] = numbersIn(segment);
      column += toColumn;
      if (toSource === undefined || toLine === undefined) continue;
      source += toSource;
      sourceLine += toLine;
      sourceColumn += toSourceColumn;
      mappings.push({ line, column, source, sourceLine, sourceColumn });
    }
  }
  return mappings;
}

/** The sources that a source map names. None if it has another root for them. */
export function sourcesOf(map: unknown): readonly string[] {
  if ((textOf(fields(map)['sourceRoot']) ?? '') !== '') return [];
  return listOf(fields(map)['sources']).map((source) => textOf(source) ?? '');
}
