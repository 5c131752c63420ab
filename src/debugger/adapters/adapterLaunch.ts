import type { Fields } from '../protocol';
import type { AttachTarget, Listening, TestStops } from './adapterParts';

/** How an adapter starts programs and tests, and attaches to them: a part of `Adapter`. */
export interface AdapterLaunch {
  /** The properties that a launch configuration for a program needs in addition to its type. Default: `program`. */
  readonly launch?: (program: string) => Fields;
  /** The further properties of a launch configuration for a program whose file has this text. */
  readonly textProperties?: (text: string) => Fields;
  /** The further properties of a launch configuration for a module. */
  readonly moduleProperties?: (module: string) => Fields;
  /**
   * The properties that a configuration needs, in addition to its type, to attach to a running program. Undefined if
   * the adapter does not support the target or its path mappings. Default: `processId`, or `host` and `port`, without
   * mappings.
   */
  readonly attach?: (target: AttachTarget) => Fields | undefined;
  /** How a program that listens for the adapter is recognized. Default: it is not. */
  readonly listening?: Listening;
  /**
   * The properties that a configuration for a tool, such as a package's script, needs so that all of its output is
   * read.
   */
  readonly toolProperties?: Fields;
  /**
   * Returns the environment variables of a launch configuration in the form that the adapter reads. Default: an object.
   */
  readonly environment?: (variables: Fields) => unknown;
  /** The breakpoints and filters that stop at a test's failure, although the test runner catches the exception. */
  readonly testStops?: TestStops;
  /**
   * The properties that a configuration for one test needs so that no code of the test is skipped and its output is
   * read.
   */
  readonly testProperties?: Fields;
  /**
   * The properties that a configuration needs so that the debugger does not attach to the child processes of a test
   * run, which takes time.
   */
  readonly withoutChildren?: Fields;
  /** The variable of the environment by which a program that was started learns that the debugger attaches to it. */
  readonly attachesBy?: string;
  /**
   * Returns the properties that a configuration needs so that breakpoints in a file that is compiled while the program
   * runs are set before its code runs.
   */
  readonly bindsIn?: (file: string) => Fields;
  /** The lines that the program's runtime prints because of the debugger, in addition to the program's own output. */
  readonly runtimeOutput?: RegExp;
  /** Returns the breakpoints and filters that stop where this failure occurs. Default: the filters of `testStops`. */
  readonly stopsAt?: TestStops;
  /** Returns the filters that stop at each exception at which an expression of the program is true. */
  readonly stopsWhere?: (expression: string) => TestStops;
  /** Whether a configuration runs a test or a test runner, recognized by its name. */
  readonly runsTests?: (configuration: Fields) => boolean;
  /** Returns the changes to a configuration that let the debugger stop where a test fails. */
  readonly forTests?: (configuration: Fields) => Fields;
}
