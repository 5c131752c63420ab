import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { TracedFunction } from './callModel';
import type { ForeignStops } from './foreignStops';
import type { HandlerStop } from './handlerStop';
import type { ThreadStack } from './threadStack';

export interface SteppingPlan {
  /** How many levels of callees are traced, too. */
  readonly depth: number;
  readonly maxSteps: number;
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly foreign: ForeignStops;
  /** Describes the function of a frame. */
  readonly functionAt: (stack: ThreadStack) => Promise<TracedFunction>;
  /** Whether a callee is the person's own code. Other callees are not traced. */
  readonly isOwn: (frame: Frame) => boolean;
  /** A breakpoint of the trace where an exception that leaves the call is caught. */
  readonly handler?: Pick<HandlerStop, 'isHit'> | undefined;
  /** Stops the program after a call whose end steps may miss. */
  readonly stopBehind?: (entry: ThreadStack) => Promise<Stops>;
  /**
   * Stops the program in the function of a stop, if a step into its line may lead to a callback that runs later. Set for
   * JavaScript.
   */
  readonly stopInside?: ((now: ThreadStack, mayReturn: boolean) => Promise<Stops>) | undefined;
  /**
   * Stops the program at places in a call that steps miss: where an exception is caught, and in the generators that the
   * call iterates over.
   * @param depth how many levels of its callees are traced, too
   */
  readonly stopAtMissed: (
    called: TracedFunction,
    entry: ThreadStack,
    depth: number,
  ) => Promise<Stops | undefined>;
  /** Stops the program in the function that iterates over a generator, if steps out of the generator miss it. */
  readonly stopAtConsumer?: (now: ThreadStack) => Promise<Stops>;
  /**
   * Whether a stop is at the last place in the traced call, and no own code follows. The trace then ends there. Set for
   * asynchronous functions in JavaScript.
   */
  readonly lastPlace?: ((now: ThreadStack) => 'return' | 'block' | undefined) | undefined;
  /**
   * Returns the source of the exception that the current line throws out of the traced call, if no stop would follow. Set
   * for asynchronous functions in JavaScript.
   */
  readonly thrownFrom?: ((now: ThreadStack) => string | undefined) | undefined;
  readonly progress: (lines: number) => void;
}

/** Breakpoints that are not in VS Code's list. They are disposed when the call has ended. */
export interface Stops {
  dispose(): Promise<void>;
}
