import type { SourceLines } from './branches';

/** The texts of the variables of a frame, by name. The name of an object's member is `order.total` or `items[0]`. */
export type Values = ReadonlyMap<string, string>;

/** One value that a line changed; `before` is undefined for a new name. */
export interface Change {
  readonly name: string;
  readonly before: string | undefined;
  readonly now: string;
  /** Whether other code may have made the change, because the call was suspended. Default: no. */
  readonly wasSuspended?: boolean;
}

/** A call that a line made. */
export interface Callee {
  readonly name: string;
  /** The arguments of the call. Undefined if unknown. */
  readonly args?: readonly Argument[] | undefined;
  readonly end: CallEnd;
  /** Whether the function is not the person's own. Default: it is, or that is not known. */
  readonly isLibrary?: boolean | undefined;
  /** Whether its end would have been seen if it had returned. Default: it would. */
  readonly hasEnds?: boolean | undefined;
  /** The source of an exception that it has thrown, and may have caught. */
  readonly throws?: string | undefined;
  /** The trace of the callee, if it was opened. */
  readonly history?: CallHistory | undefined;
}

export type Argument = readonly [name: string, value: string];

/**
 * The end of a call. `open`: the trace ended before the call, or (`isLeft`) the program has left the call and how is not
 * known. A value that the adapter does not show is undefined. */
export type CallEnd =
  | {
      readonly kind: 'returned';
      readonly value: string | undefined;
      /** Whether the call is a generator that is suspended at a `yield`. Default: no. */
      readonly isSuspended?: boolean;
    }
  | {
      readonly kind: 'threw';
      readonly exception: string | undefined;
      /** The source of the exception, which is shown if its text is unknown. */
      readonly source?: string | undefined;
    }
  | { readonly kind: 'open'; readonly isLeft?: boolean };

/** A line that was executed. Consecutive events of one line are merged. */
export interface ExecutedLine {
  readonly line: number;
  readonly changes: readonly Change[];
  /** Whether the line assigns a value, but its changes could not be read. Default: no. */
  readonly hasUnknownChanges?: boolean;
  readonly callees: readonly Callee[];
  /** Whether the condition was true, if the line is an `if`. */
  readonly branch?: boolean | undefined;
  /** An exception that the line threw, and the line of this call that caught it. */
  readonly thrown?: { readonly text: string | undefined; readonly caughtAt: number | undefined };
}

/** The trace of one call. */
export interface CallHistory {
  readonly name: string;
  readonly path: string | undefined;
  readonly source: SourceLines;
  readonly args: readonly Argument[];
  readonly lines: readonly ExecutedLine[];
  /** The number of executed lines, including repetitions. */
  readonly executed: number;
  readonly end: CallEnd;
  /** The changes that the call made to objects that its caller passed. */
  readonly argumentChanges: readonly Change[];
  /** The number of variables outside of the function whose changes are not in the trace. Default: 0. */
  readonly outsideLeftOut?: number | undefined;
}

/** A parameter, by its name in the source. */
export interface Parameter {
  readonly name: string;
  /** Whether the parameter refers to the caller's own variable (`int &sum`). */
  readonly isReference?: boolean;
  /** Whether the call itself creates the value from several arguments (`*args`, `...rest`). */
  readonly isCollected?: boolean;
}

/** The expressions that a line returns. */
export interface ReturnedAt {
  readonly line: number;
  readonly expressions: readonly string[];
  /** Whether they contain a call, so that a debugger may be unable to evaluate them. */
  readonly hasCalls?: true;
}

export interface TracedFunction {
  readonly name: string;
  readonly path: string | undefined;
  readonly source: SourceLines;
  /** The lines of the function in its source. Undefined if unknown. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  /** The parameters. If they are unknown (undefined), all variables at the beginning count as parameters. */
  readonly parameters?: readonly Parameter[] | undefined;
  /** Whether the arguments are copies, unless they are references or pointers. */
  readonly copiesArguments?: boolean | undefined;
  /** Whether one call may reach the function's first line again because of a loop. Undefined if unknown. */
  readonly entryRepeats?: boolean | undefined;
  /** The variables outside of the function that it may change. */
  readonly captured?: readonly string[] | undefined;
  /** The number of such variables that are not read, because there are too many. Default: 0. */
  readonly capturedLeftOut?: number | undefined;
  /** The expressions of its `return` statements, if the debugger shows no returned values. */
  readonly returns?: readonly ReturnedAt[] | undefined;
  /** The expressions of its `yield` statements, as far as they can be evaluated without code of the program. */
  readonly yields?: readonly ReturnedAt[] | undefined;
  /** Whether the values of some `return` statements are not known from these expressions without a call. */
  readonly hasUnreadReturns?: boolean | undefined;
  /** The names of its results, in Go. Results without names have none. */
  readonly results?: readonly string[] | undefined;
  /** Whether the variables that are visible when a call begins are all from outside, if that is known. */
  readonly beginsEmpty?: boolean | undefined;
  /** Set if calls of the function can suspend and resume. */
  readonly suspends?: 'async' | 'generator' | undefined;
  /** Whether it is an asynchronous generator. Its callers differ after an `await`. */
  readonly isAsyncGenerator?: boolean | undefined;
  /** Whether the debugger's steps may miss the end of a call, if that is known. */
  readonly mayMissEnd?: boolean | undefined;
  /** Whether the function uses `this`, if that is known. Debuggers show it in any case. */
  readonly usesThis?: boolean | undefined;
}
