import { numberIn, type Row } from './table';

/** A line through the numbers of a column, in a box of `WIDTH` by `HEIGHT`. */
export interface Chart {
  /** The parts of the line, as SVG's `points`. A value that is missing interrupts the line. */
  readonly lines: readonly string[];
  readonly least: number;
  readonly most: number;
  readonly values: number;
}

export const WIDTH = 120;
export const HEIGHT = 24;
/** The maximum number of points. There are not more pixels. */
const MAX_POINTS = 240;

/** Returns the chart of a column. Undefined if it has fewer than two values, or a value that is no number. */
export function chartOf(rows: readonly Row[], column: number): Chart | undefined {
  const texts = rows.map(({ cells }) => cells[column]?.text ?? '');
  const values = texts.map((text) => (text === '' ? null : numberIn(text)));
  if (values.includes(undefined)) return undefined;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < 2) return undefined;
  const least = numbers.reduce((one, other) => Math.min(one, other));
  const most = numbers.reduce((one, other) => Math.max(one, other));
  return { lines: linesOf(values, least, most), least, most, values: numbers.length };
}

function linesOf(
  values: readonly (number | null | undefined)[],
  least: number,
  most: number,
): readonly string[] {
  const lines: string[][] = [];
  let isOpen = false;
  for (const index of pickedOf(values)) {
    const value = values[index];
    if (typeof value !== 'number') {
      isOpen = false;
      continue;
    }
    const x = (index / Math.max(1, values.length - 1)) * WIDTH;
    const part = most === least ? 0.5 : share(value, least, most);
    const point = `${round(x)},${round(HEIGHT - 1 - part * (HEIGHT - 2))}`;
    if (isOpen) lines.at(-1)?.push(point);
    else lines.push([point]);
    isOpen = true;
  }
  return lines.map((points) => points.join(' '));
}

/** The difference of two large numbers may be infinite, that of their halves is not. */
function share(value: number, least: number, most: number): number {
  return (value / 2 - least / 2) / (most / 2 - least / 2);
}

/** Returns the indexes that are drawn: all, or of each group the least and the greatest value. */
function pickedOf(values: readonly (number | null | undefined)[]): readonly number[] {
  if (values.length <= MAX_POINTS) return values.map((_, index) => index);
  const size = Math.ceil(values.length / (MAX_POINTS / 2));
  const picked: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    let [low, high] = [from, from];
    for (let index = from; index < Math.min(from + size, values.length); index += 1) {
      const value = values[index];
      if (typeof value !== 'number') continue;
      if (value < (values[low] ?? Infinity)) low = index;
      if (value > (values[high] ?? -Infinity)) high = index;
    }
    picked.push(...[...new Set([low, high])].sort((one, other) => one - other));
  }
  return picked;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
