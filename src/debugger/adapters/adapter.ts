import type { DeferredFunctions, LeftCall, LoggedCalls, OutsideNames, Panics } from './calls';
import type { Fields } from '../protocol';
import type { AdapterLaunch } from './adapterLaunch';
import type {
  BreakpointParts,
  EveryException,
  HitConditions,
  OfferedFilter,
  PauseLike,
  PrintedExit,
  PrintedLine,
  WrittenAtLine,
} from './adapterParts';

/**
 * The specifics of one debug adapter. Everything that depends on a session's adapter is defined here. An omitted
 * property means that the adapter behaves as the Debug Adapter Protocol specifies.
 */
export interface Adapter extends AdapterLaunch {
  /** The debugger's name. Debug types with the same name share one choice of exception filters. */
  readonly name: string;
  /** The debug types that the adapter serves (`type` in launch.json). */
  readonly types: readonly string[];
  /** The adapter version in which this behaviour was observed. */
  readonly seenIn: string;
  /** The languages for which the adapter is chosen, by VS Code's language ids; `native` for executables. */
  readonly languages: readonly string[];
  /** The extension that contributes the adapter; undefined if it is built into VS Code. */
  readonly extension?: string;

  /**
   * The exception filters that the adapter offers, for use before it has a session. DAP `exceptionBreakpointFilters`.
   */
  readonly exceptionFilters?: readonly OfferedFilter[];
  /** How the adapter stops at every exception that is thrown, handled or not. Default: it cannot. */
  readonly everyException?: EveryException;
  /** Whether a newly enabled filter applies only to functions that are entered afterwards. */
  readonly appliesFiltersLate?: boolean;
  /**
   * The hit counts that the adapter supports. DAP leaves the syntax of `hitCondition` to the adapter. Default: all
   * operators.
   */
  readonly hitConditions?: HitConditions;
  /**
   * Returns a condition that counts the hits of a breakpoint in the program and is true at one of them, if the adapter
   * itself would stop the program at each hit to count it. The count is removed at that hit.
   * @param key a name that nothing else in the program uses
   * @returns the condition, and the expression that removes the count from a program that did not reach that hit
   */
  readonly countsInProgram?: (
    count: number,
    key: string,
  ) => { readonly condition: string; readonly removal: string };
  /**
   * Whether the adapter uses only one of condition, log message and hit count (the first, in this order) and silently
   * ignores the others.
   */
  readonly usesOnePart?: boolean;
  /** Whether the adapter verifies a breakpoint from the file on disk, even if the file is not loaded. */
  readonly verifiesUnloadedFiles?: boolean;
  /**
   * Whether the adapter reports errors for conditions in files that it does not debug. VS Code sends all breakpoints to
   * all sessions.
   */
  readonly reportsForeignFiles?: boolean;
  /**
   * Returns whether the output of a logpoint names its location, which depends on the configuration. Undefined if
   * unknown.
   */
  readonly placesLogpoints?: (configuration: Fields) => boolean;
  /** Whether the adapter stops at a breakpoint whose condition fails, as if the condition were true. */
  readonly stopsAtFailedConditions?: boolean;
  /** Whether the adapter reports only one stop if several threads reach breakpoints at the same time. */
  readonly mergesStops?: boolean;
  /** Whether a condition that fails counts as false, without an error message. */
  readonly hidesFailedConditions?: boolean;
  /**
   * Writes a condition that is also true where the expression fails for the first time, if the adapter goes on at a
   * condition that fails.
   * @param key the name under which the program notes that. `removal` removes it.
   */
  readonly stopsAtFirstFailure?: (
    expression: string,
    key: string,
  ) => { readonly condition: string; readonly removal: string };
  /**
   * Whether the adapter was seen to evaluate only the text in braces of a log message. Otherwise any part of it may be
   * evaluated.
   */
  readonly evaluatesBracesOnly?: boolean;

  /**
   * The language of the code that a condition may run to record values without stopping. Default: nothing is recorded.
   */
  readonly recorder?: 'python' | 'javascript';
  /**
   * Whether the recorder of a call sees its beginning and its end by itself, whoever makes it. Default: a stop begins and
   * a step out ends it.
   */
  readonly recorderSeesCalls?: boolean;
  /**
   * Returns an expression for whether another expression counts as true in the adapter's language. The text of a value
   * does not show that.
   */
  readonly truth?: (expression: string) => string;
  /** Whether output says that the program took away what the adapter sees its lines by. Default: never. */
  readonly reportsLostSight?: (output: string) => boolean;
  /** Returns the condition of a breakpoint so that it means what it would mean at its line. Default: unchanged. */
  readonly condition?: WrittenAtLine;
  /** Returns an expression so that it means at a stop what it would mean at its line. Default: unchanged. */
  readonly expression?: WrittenAtLine;
  /**
   * The condition of a breakpoint that records values and also stops if another breakpoint on its line would stop.
   * Undefined if there is no such condition. If a line has two breakpoints, adapters use only one of them.
   */
  readonly mergedCondition?: (recording: string, other: BreakpointParts) => string | undefined;

  /**
   * The library whose values in frames tell what a thread waits for, if the debugger reads them without running code in
   * the program: Go's runtime, or glibc.
   */
  readonly waitsOf?: 'goroutines' | 'glibc';
  /** Set if the program runs in a Java virtual machine, whose JDK lists all threads with their locks. */
  readonly virtualMachine?: {
    /** The request for the id of the program's process. */
    readonly processRequest: string;
    /** The path of the program `java`, if the configuration has it. */
    readonly java: (configuration: Fields) => string | undefined;
  };
  /** The maximum number of threads that the adapter lists. Default: it lists all. */
  readonly mostThreads?: number;

  /** How the names of the variables outside of a function are found, if its source does not tell them. */
  readonly outsideNames?: OutsideNames;
  /** The scope with the variables of the file, if these are not found by names. DAP "Scope". */
  readonly outsideScope?: string;
  /** Whether the adapter's logpoints were seen to insert plain variables at each hit, without stopping. */
  readonly logsPlainVariables?: boolean;
  /**
   * How the adapter's logpoints distinguish the calls of a function. Default: they do not. Such an adapter also answers
   * requests in their order, so that one list of breakpoints may follow another at once.
   */
  readonly loggedCalls?: LoggedCalls;
  /**
   * Set if the debugger is LLDB with Python support. Returns the function that writes an LLDB command as an expression
   * for the context `repl`, or undefined if the configuration turns commands off.
   */
  readonly lldbCommand?: (configuration: Fields) => ((command: string) => string) | undefined;
  /**
   * Returns an expression for the context `repl` that limits breakpoints to one thread, or removes that limit if the
   * thread is undefined. Undefined if the configuration turns such commands off.
   */
  readonly limitToThread?: (
    configuration: Fields,
    breakpoints: readonly number[],
    threadId: number | undefined,
  ) => string | undefined;
  /**
   * Returns a launch configuration with an LLDB command that runs before the program starts, when its target exists.
   * The command's output is shown only if it fails. Undefined if the configuration cannot be changed in this way.
   */
  readonly withCommandBeforeLaunch?: (configuration: Fields, command: string) => Fields | undefined;
  /**
   * Returns a launch configuration whose debugger reads the symbols of libraries only when it needs them, so that a
   * short program starts sooner.
   */
  readonly withLateSymbols?: (configuration: Fields) => Fields;

  /**
   * The time in milliseconds after which a pause without a stop is requested again. V8 answers a pause with success, and
   * forgets it, while the adapter itself holds the program, for example to read the source map of a script that loads.
   */
  readonly asksAgainToPauseAfter?: number;
  /**
   * The time in milliseconds that a program may take to pause at the end of a call, if it may never pause: a thread stops
   * only where it runs code of the language. Default: 10 seconds.
   */
  readonly pausesWithin?: number;
  /**
   * The expression that takes back a pause at which the program has not stopped yet. It is evaluated without a frame. The
   * protocol has no request for that, and debugpy answers no request after a `continue` until a thread has stopped.
   */
  readonly takesBackPause?: string;

  /**
   * Returns the configuration of a launch whose program reads its standard input from a file or a named pipe with this
   * path. No text of the configuration becomes part of a shell's command line. Undefined if the adapter or the
   * configuration does not allow it.
   */
  readonly readingFrom?: (configuration: Fields, path: string) => Fields | undefined;

  /**
   * The adapter's own requests that give others access to the program, such as the address of a socket. Who has it needs
   * no further request.
   */
  readonly opensAccess?: readonly string[];
  /**
   * Whether the adapter may start a program before it has set all breakpoints that it received. VS Code waits for its
   * own.
   */
  readonly setsBreakpointsLate?: boolean;
  /**
   * Whether the adapter hangs if a `stackTrace` request arrives while the program runs and reaches breakpoints that do
   * not stop it, such as logpoints.
   */
  readonly hangsOnStackWhileRunning?: boolean;

  /** Reads how the program ended from a whole line that the adapter itself printed. */
  readonly printedExit?: (line: PrintedLine) => PrintedExit | undefined;
  /** Whether the exit code in DAP's `exited` event is meaningful. Default: yes. */
  readonly reportsExitCode?: (code: number) => boolean;
  /** Returns the number of the signal that ended the program, if the adapter reports it as an exit code of its own. */
  readonly exitSignal?: (code: number) => number | undefined;
  /**
   * Whether the adapter reports a stop for each thread that has a reason to stop, in the order of the threads. DAP
   * `preserveFocusHint` marks all but one: the thread that was moved, if it is among them.
   */
  readonly reportsEachThread?: boolean;
  /**
   * Whether such an additional stop is only that of a thread which has reached a breakpoint that was removed since, or
   * one that is limited to another thread.
   */
  readonly isAtLostBreakpoint?: (stop: PauseLike) => boolean;
  /** Whether a stop after a pause request is the requested pause, although the adapter reports another reason. */
  readonly isPause?: (stop: PauseLike) => boolean;
  /**
   * Returns the error of a condition that could not be evaluated, if the adapter reports such a stop as an exception of
   * the program. Undefined for any other stop.
   */
  readonly failedCondition?: (stop: PauseLike) => string | undefined;
  /** Names a stop that is no fault yet, because the program may handle it itself. Undefined for any other stop. */
  readonly mayHandle?: (stop: PauseLike) => string | undefined;
  /**
   * Whether a stop is the end of a step if the program was continued from another stop during it, although the adapter
   * gives another reason.
   */
  readonly endsMove?: (stop: PauseLike) => boolean;
  /**
   * Whether a stop is at a data breakpoint, although the adapter neither reports that reason nor names the breakpoint.
   */
  readonly isDataStop?: (stop: PauseLike) => boolean;
  /**
   * Returns the expression for the address of a variable. Set if the adapter takes the value of a name that is in no
   * scope for an address. DAP `dataBreakpointInfo`.
   */
  readonly addressOf?: (name: string) => string;
  /** Whether the adapter's programs are child processes of the extension host, so that Node reports their exits. */
  readonly startsInExtensionHost?: boolean;
  /** Reads the process id from a session's name. */
  readonly processIdOf?: (sessionName: string) => number | undefined;
  /**
   * Whether, with this configuration, the adapter does not read the text that the program writes directly to its
   * streams.
   */
  readonly leavesStreamsUnread?: (configuration: Fields) => boolean;

  /** Whether the adapter evaluates an expression without a frame while the program runs. */
  readonly evaluatesWhileRunning?: boolean;
  /** Whether listing an object's members runs code of the program, such as properties. */
  readonly runsCodeToListMembers?: boolean;
  /** Whether evaluation in the context `hover` was seen to have no side effects. DAP `supportsEvaluateForHovers`. */
  readonly hoversWithoutSideEffects?: boolean;
  /**
   * Whether the adapter answers in order and was seen to give frames and scopes the same numbers at each stop as at the
   * previous one.
   */
  readonly repeatsReferences?: boolean;
  /**
   * The length beyond which the adapter removes the middle of an evaluated value, except in the context `clipboard`.
   */
  readonly shortensValuesAt?: number;

  /**
   * The name of the function whose return value a variable contains. Adapters add such variables to the locals after a
   * step. Empty if the variable does not name the function. Undefined for any other variable.
   */
  readonly returnedBy?: (variable: string) => string | undefined;

  /** How the adapter tells whether a call that a stopped thread has just left has thrown. Default: it cannot. */
  readonly leftCall?: LeftCall;

  /** How a panic is recognized that runs deferred functions while its frames are still on the stack. */
  readonly panics?: Panics;
  /** How the functions that a call defers are recognized. The adapter's steps do not enter all of them. */
  readonly deferred?: DeferredFunctions;
  /**
   * Whether a step from a line that throws does not stop where the exception is caught. The program then runs to its
   * next breakpoint.
   */
  readonly stepsMissHandlers?: boolean;
  /**
   * The step that leads from a `yield` of a generator to the generator's consumer. Other steps continue to the next
   * line of the generator.
   */
  readonly leavesGenerators?: 'stepIn' | 'stepOut';
}
