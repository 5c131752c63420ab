import type { InjectedPoint } from '../control/injectedLists';
import type { LoggedCalls } from '../debugger/adapters/adapter';
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
const MOST_LINES = 600;

interface CalleePoint {
  readonly callee: LoggedCallee;
  /** The expressions that the line returns. Undefined at the beginning of the function. */
  readonly returns: readonly string[] | undefined;
}

/**
 * The calls that a logged call makes, by logpoints where the functions begin and end. The functions that one call calls
 * directly have the same address of their frames, which is the nearest one to the call. Functions that are called by
 * these have addresses further away.
 */
export class LoggedCallees {
  readonly points: readonly InjectedPoint[];
  private readonly places: readonly CalleePoint[];
  private readonly rows: { readonly call: RecordedCall; readonly distance: number }[] = [];

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
    return this.rows.length >= MOST_LINES;
  }

  /** The calls that the call itself made. */
  get calls(): readonly RecordedCall[] {
    const nearest = Math.min(
      ...this.rows.flatMap(({ call, distance }) => (call.kind === 'called' ? [distance] : [])),
    );
    return this.rows.flatMap(({ call, distance }) => (distance === nearest ? [call] : []));
  }

  /** Whether a logpoint is in a callee. */
  static has(point: number): boolean {
    return point >= FIRST;
  }

  /** Adds a line that one of the points has logged. @param distance how far the frame is from that of the call */
  add(point: number, values: readonly string[], distance: number, seq: number): void {
    const place = this.places[point - FIRST];
    if (place === undefined) return;
    const { callee, returns } = place;
    if (returns === undefined) this.addCall(callee, values, distance, seq);
    else this.addEnd(values, distance, seq);
  }

  /** Adds the beginning of a function. @param args the values of its parameters */
  addCall(
    { name, args: names }: LoggedCallee,
    args: readonly (string | undefined)[],
    distance: number,
    seq: number,
  ): void {
    const known = names.flatMap((arg, index) => {
      const value = args[index];
      return value === undefined || this.facts.isMissing(value)
        ? []
        : [[arg, this.cut(value)] as const];
    });
    this.push({ kind: 'called', seq, name, args: known }, distance);
  }

  /** Adds the end of a function. @param values the values that it returns */
  addEnd(values: readonly string[], distance: number, seq: number): void {
    const isKnown = !values.some((value) => this.facts.isMissing(value));
    const value = values.length === 0 ? 'void' : values.map(this.cut).join(', ');
    this.push(
      {
        ...{ kind: 'ended', seq, isChosen: false, hasReturned: true },
        value: isKnown ? value : undefined,
      },
      distance,
    );
  }

  private push(call: RecordedCall, distance: number): void {
    // The stack grows towards lower addresses.
    if (distance > 0 && !this.isFull) this.rows.push({ call, distance });
  }
}
