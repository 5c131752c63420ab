/** One cell. Its state is shown in colour and in words. */
export interface Cell {
  readonly text: string;
  readonly state?: CellState | undefined;
}

export type CellState = 'refuted' | 'different' | 'unknown' | 'error' | 'missing';

export interface Row {
  readonly cells: readonly Cell[];
  /** Where a click goes. */
  readonly place?: Place | undefined;
}

export interface Place {
  readonly path: string;
  readonly line: number;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** What holds for the whole table, such as a claim's verdict. */
  readonly remarks: readonly Remark[];
}

export interface Remark {
  readonly text: string;
  readonly isBad?: boolean;
}

/** What the person has chosen in a table. */
export interface Choice {
  readonly filter: string;
  /** The column by which the rows are sorted. By default, they are in the order in which they were recorded. */
  readonly sorted?: { readonly column: number; readonly isDown: boolean } | undefined;
}

/** Returns the rows that contain the filter's text, in the chosen order. Equal rows keep their order. */
export function chosenRows({ rows }: Table, { filter, sorted }: Choice): readonly Row[] {
  const sought = filter.trim().toLowerCase();
  const found =
    sought === ''
      ? rows
      : rows.filter(({ cells }) => cells.some(({ text }) => text.toLowerCase().includes(sought)));
  if (sorted === undefined) return found;
  const sign = sorted.isDown ? -1 : 1;
  return [...found].sort(
    (one, other) => sign * compared(one.cells[sorted.column], other.cells[sorted.column]),
  );
}

/** Numbers come before texts, and missing values come last. */
function compared(one: Cell | undefined, other: Cell | undefined): number {
  const [first, second] = [one?.text ?? '', other?.text ?? ''];
  const [left, right] = [numberIn(first), numberIn(second)];
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  if (first === second) return 0;
  if (first === '' || second === '') return first === '' ? 1 : -1;
  return first < second ? -1 : 1;
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** Returns the number that a text is, and not a number that it only contains. */
export function numberIn(text: string): number | undefined {
  if (text.length > 40 || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
