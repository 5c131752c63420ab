import { listOf, textOf } from '../protocol';
import { ALL_BUT_UNEQUAL, plainFilter, type Adapter } from './adapter';
import { enclosingClass, hasPrivateNames, pythonCondition } from './pythonCondition';
import { globalNames, leftCall, readLeftCall } from './debugpyCalls';

/** Names of test files by the conventions of pytest and unittest. */
const PYTHON_TEST = /(?:^|[\\/])(?:test_[^\\/]*|[^\\/]*_test|tests?)\.py$/;
const PYTHON_RUNNER = /^(?:pytest|unittest|nose2)(?:\.|$)/;

/** The signals that end crashed and killed programs: SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM. */
const SIGNALS: ReadonlySet<number> = new Set([4, 6, 7, 8, 9, 10, 11, 15]);

/**
 * Python code that opens a file as standard input and then becomes the command of its other arguments: the same Python
 * with the debugger and the program. The frames of the program stay what they are.
 */
const READ_FROM =
  'import os,sys; os.dup2(os.open(sys.argv[1],os.O_RDONLY),0); os.execv(sys.executable,[sys.executable,*sys.argv[2:]])';

/** Microsoft's debugger for Python. */
export const debugpy: Adapter = {
  name: 'debugpy',
  types: ['debugpy', 'python'],
  seenIn: 'debugpy 1.6.6',
  languages: ['python'],
  extension: 'ms-python.debugpy',

  exceptionFilters: [
    plainFilter('raised', 'Raised Exceptions'),
    plainFilter('uncaught', 'Uncaught Exceptions'),
    plainFilter('userUnhandled', 'User Uncaught Exceptions'),
  ],
  // The adapter traces only frames that are entered while `raised` or `userUnhandled` is active.
  appliesFiltersLate: true,
  hitConditions: ALL_BUT_UNEQUAL,
  hidesFailedConditions: true,
  verifiesUnloadedFiles: true,
  placesLogpoints: () => false,
  evaluatesBracesOnly: true,
  recorder: 'python',
  recorderSeesCalls: true,
  // pydevd's warning. A profiler or a tool for coverage does that as well.
  reportsLostSight: (output) =>
    output.includes('sys.settrace() should not be used when the debugger is being used'),
  condition: {
    needsSource: hasPrivateNames,
    at: (condition, lines, line) => pythonCondition(condition, enclosingClass(lines, line)),
  },
  truth: (expression) => `bool((${expression}\n))`,
  // The adapter checks a hit count before the condition, and then does not evaluate the condition.
  mergedCondition: (recording, { condition, hitCondition }) =>
    hitCondition === undefined ? `(${recording}) or (${condition ?? 'True'}\n)` : undefined,

  // The adapter's `variables` calls `getattr` for every name, which runs properties.
  runsCodeToListMembers: true,

  returnedBy: (variable) => /^\(return\) (.+)$/.exec(variable)?.[1],

  leftCall: { expression: leftCall, read: readLeftCall },
  outsideNames: {
    expression: globalNames,
    read: (result) => result.match(/[\p{L}\p{N}_]+/gu) ?? [],
  },
  leavesGenerators: 'stepIn',

  readingFrom: (configuration, file) => {
    const { pythonArgs = [] } = configuration;
    if (!Array.isArray(pythonArgs)) return undefined;
    return { ...configuration, pythonArgs: ['-c', READ_FROM, file, ...listOf(pythonArgs)] };
  },

  // A function's return value is shown only if the configuration requests it.
  launch: (program) => ({ program, showReturnValue: true }),
  toolProperties: { showReturnValue: true },
  listening: { command: /\bdebugpy\b/ },
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined ? { processId } : { connect: { host, port } }),
    ...(paths.length === 0
      ? {}
      : {
          pathMappings: paths.map(({ local, remote }) => ({
            localRoot: local,
            remoteRoot: remote,
          })),
        }),
  }),
  testStops: { filters: ['userUnhandled'] },
  // The launcher reports the lowest eight bits of Python's `-signal`.
  exitSignal: (code) => (SIGNALS.has(256 - code) ? 256 - code : undefined),
  testProperties: {
    console: 'internalConsole',
    justMyCode: true,
    subProcess: false,
    showReturnValue: true,
  },
  runsTests: ({ program, module }) =>
    PYTHON_RUNNER.test(textOf(module) ?? '') || PYTHON_TEST.test(textOf(program) ?? ''),
};
