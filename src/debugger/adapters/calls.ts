import type { Fields } from '../protocol';

/** The facts that a logpoint's output shows about the call that hit it. */
export interface LoggedCalls {
  /**
   * An expression whose value is constant during a call and different in every other call that is active at the same
   * time.
   */
  readonly activation: string;
  /**
   * Two expressions at a line of a call. Their difference is the value of `activation` in each function that the call
   * calls directly.
   */
  readonly calleeActivation: readonly [from: string, base: string];
  /** Reads the thread that hit the logpoint from the adapter's output. */
  readonly threadOf: (output: string) => number | undefined;
  /** Whether a printed value means that the expression could not be evaluated. */
  readonly isMissing: (value: string) => boolean;
  /** How to stop at the ends of calls, for values that a logpoint cannot evaluate. */
  readonly ends?: CallEnds;
}

/** The instructions at which calls end, and the values that the debugger shows there. */
export interface CallEnds {
  /** Whether an instruction ends a call. @param instruction its text (DAP "DisassembledInstruction") */
  readonly isReturn: (instruction: string) => boolean;
  /** The number of bytes by which an instruction at the beginning of a function moves the stack pointer down. */
  readonly allocated: (instruction: string) => number;
  /** Returns the function that an instruction calls. Undefined if it calls none, or one that is not known before. */
  readonly called: (
    instruction: Fields,
  ) => { readonly name: string; readonly address: string } | undefined;
  /** A condition that is true in one thread, in the calls with the given values of `activation`. None: in each call. */
  readonly condition: (threadId: number, activations: readonly string[]) => string;
  /** Whether a variable is a result without a name. */
  readonly isResult: (variable: string) => boolean;
}

/** How the names of the variables outside of a function are found that its code uses. */
export interface OutsideNames {
  /** An expression in a frame of the function. @param line the frame's line @param file the name of its file */
  readonly expression: (line: number, file: string) => string;
  readonly read: (result: string) => readonly string[];
}

/** How the adapter shows the function that a thread has deferred last. */
export interface DeferredFunctions {
  /** The expression for its name. */
  readonly name: string;
  /** The expression for the address of its first instruction. */
  readonly address: string;
  /**
   * The expressions for the newest record of the thread. Each deferred function has one. While a function runs that a
   * panic runs, the newest one is its own (up to Go 1.21). At the end of a call, and in newer versions of Go, it is the
   * one of the function that was deferred before it.
   */
  readonly record: readonly string[];
  /** Returns a name of the record that stays the same while it exists. Undefined if it is not known. */
  readonly readRecord: (values: readonly string[]) => string | undefined;
  /** Reads the address of the first instruction. Undefined if it is not known. */
  readonly read: (value: string) => string | undefined;
}

/** How the adapter shows a panic whose deferred functions run. */
export interface Panics {
  /** The function of the runtime that runs deferred functions. */
  readonly frame: string;
  /** The expression for the value of the panic. */
  readonly expression: string;
  /** Reads the text of the expression's value. Undefined if it is not known. */
  readonly read: (value: string) => string | undefined;
  /** The expressions that tell which call has deferred the function that runs. */
  readonly deferring: readonly string[];
  /** Reads the activation of that call (`LoggedCalls.activation`). Undefined if this version does not tell it. */
  readonly readDeferring: (values: readonly string[]) => string | undefined;
}

/** The function of a call that was left. */
export interface LeftFunction {
  readonly name: string;
  readonly path: string;
  /** Code that reads the fields of the objects among the variables, in the language of the program. */
  readonly fields: string;
}

/** An expression that tells how a stopped thread has left a call. */
export interface LeftCall {
  /**
   * An expression whose value shows how the call was left. If the call's variables are still known, the value has the
   * members `locals`, an object with the variables, and `fields`, the answer of the code in `LeftFunction.fields`.
   */
  readonly expression: (left: LeftFunction) => string;
  /** Reads the text of the expression's value. Undefined if it is unknown how the call was left. */
  readonly read: (
    value: string,
  ) => { readonly hasThrown: boolean; readonly exception?: string | undefined } | undefined;
}
