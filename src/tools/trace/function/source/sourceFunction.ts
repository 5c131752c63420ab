import path from 'node:path';
import type { Parameter, ReturnedAt } from '../callModel';

/** A function as it appears in the source. Lines and columns are 1-based. */
export interface SourceFunction {
  readonly name: string;
  /** The class, receiver or namespace that the function belongs to. */
  readonly container?: string | undefined;
  /** The names of the classes and namespaces around it, in languages with braces. */
  readonly owners?: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The place at which a call begins. Each call reaches a breakpoint there. */
  readonly entry: { readonly line: number; readonly column?: number | undefined };
  /** Whether the rounds of a loop also reach the entry. A hit is then not always a new call. */
  readonly entryRepeats: boolean;
  readonly parameters: readonly Parameter[];
  /** Whether the arguments are copies, unless they are references or pointers. */
  readonly copiesArguments?: boolean | undefined;
  /** The variables that the function declares. Only for languages in which they can be read from the text. */
  readonly locals?: readonly string[] | undefined;
  /**
   * The variables outside of the function that it may change. Only for languages in which they can be read from the
   * text.
   */
  readonly captured?: readonly string[] | undefined;
  /** The number of such variables that are not among them, because there are too many. Default: 0. */
  readonly capturedLeftOut?: number | undefined;
  /** The expressions of its `return` statements, for the same languages. */
  readonly returns?: readonly ReturnedAt[] | undefined;
  /** The expressions of its `yield` statements, in Python and JavaScript. Those of JavaScript need a reader. */
  readonly yields?: readonly ReturnedAt[] | undefined;
  /** The names of its results, for the same languages. */
  readonly results?: readonly string[] | undefined;
  /** Whether the values of some `return` statements are not known from these expressions without a call. */
  readonly hasUnreadReturns?: boolean | undefined;
  /** The loops whose headers a breakpoint does not reach in each round, for the same languages. */
  readonly loops?: readonly SourceLoop[] | undefined;
  /** Set if calls of the function can suspend and resume. */
  readonly suspends?: 'async' | 'generator' | undefined;
  /** Whether it is an asynchronous generator (JavaScript only). */
  readonly isAsyncGenerator?: boolean | undefined;
  /** The closures that the function defers, in Go. They may recover from a panic. */
  readonly deferred?: readonly LineRange[] | undefined;
  /** The calls in the function, for JavaScript and Go. */
  readonly calls?: readonly SourceCall[] | undefined;
}

/** A part of a function, from its first to its last line. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A call in the source of a function. */
export interface SourceCall {
  /** The name of the called function or method, or of the class that is created. */
  readonly name: string;
  /** Whether the call creates an object of a class. */
  readonly isNew: boolean;
  /** The name before the dot, in Go: a package or a variable. */
  readonly owner?: string | undefined;
  /** The first line of its statement, and its own last line. */
  readonly start: number;
  readonly end: number;
  /** The variables to which its statement assigns just what the call returns. */
  readonly assigned: readonly string[];
  /** The lines in which these variables exist, if they belong to a block or to its header. */
  readonly block?: { readonly start: number; readonly end: number } | undefined;
  /** Whether the statement declares these variables, so that they have no values before. */
  readonly isDeclared: boolean;
  /** Whether its statement returns just what the call returns. */
  readonly isReturned: boolean;
}

/**
 * A loop whose header is executed before each round, but whose breakpoint is reached only when the program enters the
 * loop.
 */
export interface SourceLoop {
  /** The line of the header. */
  readonly line: number;
  /** The last line of its block. */
  readonly end: number;
  /** The variables that the header assigns. */
  readonly assigned: readonly string[];
}

/** Whether a function has the requested name: `total`, `Cart.total`, `main.total`, `Cart#total`, `shop::total`. */
export function isNamed({ name, container }: SourceFunction, requested: string): boolean {
  const parts = requested.split(/::|[.#]/).filter((part) => part !== '');
  const last = (parts.at(-1) ?? '').replace(/(?<!\boperator)\([^]*/, '');
  if (last !== name) return false;
  const owner = parts.at(-2);
  if (owner === undefined || container === undefined) return true;
  return container.split(/::|\./).at(-1) === owner || parts.length === 2;
}

/**
 * Returns the functions with the requested name. If it has an owner, functions of a class or namespace with that name
 * are preferred. A method of another class fits only if the owner is the name of its file or folder (`cart.total`).
 */
export function withName<T extends { readonly path: string; readonly found: SourceFunction }>(
  candidates: readonly T[],
  requested: string,
): readonly T[] {
  const fitting = candidates.filter(({ found }) => isNamed(found, requested));
  const owner = requested.split(/::|[.#]/).at(-2);
  if (owner === undefined || owner === '') return fitting;
  const owned = fitting.filter(
    ({ found: { container, owners } }) =>
      container?.split(/::|\./).includes(owner) === true || owners?.includes(owner) === true,
  );
  if (owned.length > 0) return owned;
  return fitting.filter(
    ({ path: file, found }) =>
      found.container === undefined ||
      path.parse(file).name === owner ||
      path.basename(path.dirname(file)) === owner,
  );
}

/** Returns the innermost function around a line. */
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
