import type { Parameter } from '../callTrace';

/** A function as its source shows it. Lines and columns are 1-based. */
export interface SourceFunction {
  readonly name: string;
  /** The class, receiver or namespace that it belongs to. */
  readonly container?: string | undefined;
  readonly start: number;
  readonly end: number;
  /** Where a call begins: a breakpoint there is reached by each call. */
  readonly entry: { readonly line: number; readonly column?: number | undefined };
  /** Whether the entry is reached by rounds of a loop as well, so that hits are no calls. */
  readonly entryRepeats: boolean;
  readonly parameters: readonly Parameter[];
  /** Its calls can be left in the middle and go on later. */
  readonly suspends?: 'async' | 'generator' | undefined;
}

/** Whether a function is the one that a caller named: `total`, `Cart.total`, `main.total`, `Cart#total`, `shop::total`. */
export function isNamed({ name, container }: SourceFunction, wanted: string): boolean {
  const parts = wanted.split(/::|[.#]/).filter((each) => each !== '');
  const last = (parts.at(-1) ?? '').replace(/\(.*$/, '');
  if (last !== name) return false;
  const owner = parts.at(-2);
  if (owner === undefined || container === undefined) return true;
  return container.split(/::|\./).at(-1) === owner || parts.length === 2;
}

/** The innermost function around a line. */
export function functionAround(
  functions: readonly SourceFunction[],
  line: number,
): SourceFunction | undefined {
  return functions
    .filter(({ start, end }) => line >= start && line <= end)
    .sort(
      (one, other) => one.end - one.start - (other.end - other.start) || other.start - one.start,
    )[0];
}
