import { listOf, textOf, type Fields } from '../protocol';
import type { Adapter } from './adapter';
import { ALL_BUT_UNEQUAL, plainFilter } from './adapterParts';
import {
  enclosingClass,
  hasPrivateNames,
  pythonCondition,
  pythonExpression,
} from './pythonCondition';
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

/**
 * Returns the property that the adapter knows a web framework by. It tells the exit of a process that is to be loaded
 * again, `SystemExit(3)`, from a crash: without it, the server stands still after each edit.
 */
function ofFramework(program: string): Fields {
  if (program === 'django' || DJANGO.test(program)) return { django: true };
  return program === 'flask' ? { jinja: true } : {};
}

const DJANGO = /(?:^|[\\/])manage\.py$/;

/** Returns the same for a program that starts the framework's server itself. */
function ofFrameworkIn(text: string): Fields {
  const startsServer = text.includes('.run(') && WITH_RELOADER.test(text);
  return startsServer || FRAMEWORK.test(text) ? { jinja: true } : {};
}

const FRAMEWORK = /^[ \t]*(?:from|import)[ \t]+(?:flask|werkzeug|django)\b/m;
/** Matches an argument of Flask's `run`. The application may come from another file. */
const WITH_RELOADER = /\b(?:debug|use_reloader)[ \t]*=[ \t]*True\b/;

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
  everyException: {
    filters: ['raised', 'uncaught'],
    reportsUnhandled: 'afterwards',
    unseen: ({ justMyCode }) =>
      justMyCode === false ? undefined : 'exceptions that libraries handle themselves (justMyCode)',
  },
  // The adapter traces only frames that are entered while `raised` or `userUnhandled` is active.
  appliesFiltersLate: true,
  hitConditions: ALL_BUT_UNEQUAL,
  hidesFailedConditions: true,
  verifiesUnloadedFiles: true,
  placesLogpoints: () => false,
  evaluatesBracesOnly: true,
  pausesWithin: 1800,
  takesBackPause:
    "__import__('_pydevd_bundle.pydevd_thread_lifecycle', fromlist=['x']).resume_threads('*')",
  recorder: 'python',
  recorderSeesCalls: true,
  // pydevd's warning. A profiler or a tool for coverage does that as well.
  reportsLostSight: (output) =>
    output.includes('sys.settrace() should not be used when the debugger is being used'),
  condition: {
    needsSource: hasPrivateNames,
    at: (condition, lines, line) => pythonCondition(condition, enclosingClass(lines, line)),
  },
  // At a stop, the adapter shows the locals to functions in an expression.
  expression: { needsSource: hasPrivateNames, at: pythonExpression },
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
  launch: (program) => ({ program, showReturnValue: true, ...ofFramework(program) }),
  textProperties: ofFrameworkIn,
  moduleProperties: ofFramework,
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
