import type { InjectedPoint } from '../control/injectedLists';
import type { LoggedCalls } from '../debugger/adapters/calls';
import { injectedMessage } from '../debugger/breakpoints/injectedLines';
import type { RecordedCall } from './recordedRows';

/** A function that the logged call may call. */
export interface LoggedCallee {
  readonly name: string;
  readonly path: string;
  /** The line at which a call begins, and the names of the parameters. */
  readonly line: number;
  readonly args: readonly string[];
  /** The lines at which a call ends, with the expressions that they return. */
  readonly ends: readonly { readonly line: number; readonly expressions: readonly string[] }[];
}

/** The number of the first logpoint in a callee. Those of the call itself are numbered by their lines. */
const FIRST = 10_000_000;
/** The maximum number of logged lines. More of them would slow down a program that calls the functions very often. */
const MAX_LINES = 600;

interface CalleePoint {
  readonly callee: LoggedCallee;
  /** The expressions that the line returns. Undefined at the beginning of the function. */
  readonly returns: readonly string[] | undefined;
}

/**
 * The calls that a logged call makes, by logpoints where the functions begin and end. The functions that one call calls
 * directly all have the same activation, which the lines of the call show. Other callers have others.
 */
export class LoggedCallees {
  readonly points: readonly InjectedPoint[];
  private readonly places: readonly CalleePoint[];
  private readonly rows: RecordedCall[] = [];
  /** The activation of the functions that the call calls. Undefined until a line has shown it. */
  private expected: number | undefined;
  /** The name of the newest call, as long as its value was not read at a stop. */
  private open: string | undefined;
  private lines = 0;
  private hasUnknown = false;

  constructor(
    nonce: string,
    callees: readonly LoggedCallee[],
    private readonly facts: LoggedCalls,
    private readonly cut: (text: string) => string,
  ) {
    this.places = callees.flatMap((callee) => [
      { callee, returns: undefined },
      ...callee.ends.map(({ expressions }) => ({ callee, returns: expressions })),
    ]);
    const lines = callees.flatMap(({ line, ends }) => [line, ...ends.map((end) => end.line)]);
    this.points = this.places.map(({ callee, returns }, index) => ({
      path: callee.path,
      line: lines[index] ?? callee.line,
      logMessage: injectedMessage(nonce, FIRST + index, [
        facts.activation,
        ...(returns ?? callee.args),
      ]),
    }));
  }

  /** Whether there are too many lines to log more of them. */
  get isFull(): boolean {
    return this.lines >= MAX_LINES;
  }

  /** Whether lines were logged of which it is unknown whether the call itself made them. */
  get hasLost(): boolean {
    return this.hasUnknown || this.isFull;
  }

  get calls(): readonly RecordedCall[] {
    return this.rows;
  }

  /** Whether a logpoint is in a callee. */
  static has(point: number): boolean {
    return point >= FIRST;
  }

  /** Reads the values of `calleeActivation` at a line of the call. */
  expect([from, base]: readonly string[]): void {
    // Delve shows an address as "824634318264 = 0xc000091db8".
    const activation = parseInt(from ?? '', 10) - parseInt(base ?? '', 10);
    if (Number.isFinite(activation)) this.expected = activation;
  }

  /** Counts a line that a point has logged, of any thread. */
  count(): void {
    this.lines += 1;
  }

  /** Adds a line that one of the points has logged. */
  add(point: number, activation: string | undefined, values: readonly string[], seq: number): void {
    const place = this.places[point - FIRST];
    if (place === undefined) return;
    const { callee, returns } = place;
    if (returns === undefined) this.addCall(callee, activation, values, seq);
    else this.addEnd(activation, values, seq);
  }

  /** Adds the beginning of a function. @param args the values of its parameters */
  addCall(
    { name, args: names }: LoggedCallee,
    activation: string | undefined,
    args: readonly (string | undefined)[],
    seq: number,
  ): void {
    const known = names.flatMap((arg, index) => {
      const value = args[index];
      return value === undefined || this.facts.isMissing(value)
        ? []
        : [[arg, this.cut(value)] as const];
    });
    // A line that returns a call, and a panic, are not seen as an end.
    this.push({ kind: 'called', seq, name, args: known, hasEnds: false }, activation);
  }

  /** Adds the end of a function. @param values the values that it returns */
  addEnd(activation: string | undefined, values: readonly string[], seq: number): void {
    const isKnown = !values.some((value) => this.facts.isMissing(value));
    const value = values.length === 0 ? 'void' : values.map(this.cut).join(', ');
    this.push(
      {
        ...{ kind: 'ended', seq, isChosen: false, hasReturned: true },
        value: isKnown ? value : undefined,
      },
      activation,
    );
  }

  /** Adds the value of the newest call, which the program has just returned, if that call is in the rows. */
  addValue(name: string, value: string | undefined, activation: string, seq: number): void {
    if (Number(activation) !== this.expected || this.isFull || this.open !== name) return;
    this.open = undefined;
    const at = this.rows.length - 1;
    const last = this.rows[at];
    const text = value === undefined ? undefined : this.cut(value);
    if (last?.kind === 'ended') this.rows[at] = { ...last, value: text };
    else
      this.rows.push({
        ...{ kind: 'ended', seq, isChosen: false, hasReturned: true },
        value: text,
      });
  }

  private push(call: RecordedCall, activation: string | undefined): void {
    if (this.expected === undefined) this.hasUnknown = true;
    else if (Number(activation) === this.expected && !this.isFull) {
      if (call.kind === 'called') this.open = call.name;
      this.rows.push(call);
    }
  }
}
