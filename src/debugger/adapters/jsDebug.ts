import path from 'node:path';
import { listOf, textOf } from '../protocol';
import { ALL_BUT_UNEQUAL, type Adapter } from './adapter';

/** The whole line that js-debug prints where a program ended with another code than 0. */
const EXIT = /^Process exited with code (\d{1,10})\s*$/;

/** js-debug names a session after the process that it belongs to. */
const NAMED_AFTER_PROCESS = /\[(\d{1,10})\]$/;

/** What assertions of node:assert, chai and vitest are named, and what those of jest hold. */
export const ASSERTION_CONDITION =
  "error?.name === 'AssertionError' || error?.matcherResult !== undefined";

/** Names of test files, as node:test, mocha, jest and vitest look for them. */
const NODE_TEST =
  /(?:^|[\\/])(?:[^\\/]*[._-](?:test|spec)|test(?:-[^\\/]*)?)\.[cm]?[jt]sx?$|[\\/]__tests__[\\/][^\\/]*\.[cm]?[jt]sx?$/;

/** Scripts of test runners from npm. */
const NODE_RUNNER = /[\\/]node_modules[\\/](?:mocha|jest|jest-cli|vitest|ava|tap|jasmine|uvu)[\\/]/;

/** Node's internals, as in VS Code's own proposal for Node. */
const SKIPPED: readonly string[] = ['<node_internals>/**'];

const common: Omit<Adapter, 'types' | 'languages'> = {
  name: 'node',
  seenIn: 'js-debug 1.117.0',
  exceptionFilters: [
    { filter: 'all', label: 'Caught Exceptions', takesCondition: true },
    { filter: 'uncaught', label: 'Uncaught Exceptions', takesCondition: true },
  ],
  hitConditions: ALL_BUT_UNEQUAL,
  // Its `BreakpointConditionFactory` takes the condition, else the log message, else the hit count.
  heedsOnePart: true,
  complainsOfForeignFiles: true,
  placesLogpoints: ({ outputCapture }) => outputCapture !== 'std',
  evaluatesBracesOnly: true,
  evaluatesWhileRunning: true,
  recorder: 'javascript',
  truth: (expression) => `!!(${expression}\n)`,
  mergedCondition: (recording, { condition, hitCondition, logMessage }) =>
    hitCondition === undefined && logMessage === undefined
      ? `(${recording})||(${condition ?? 'true'}\n)`
      : undefined,
  shortensValuesAt: 1000,
  returnedBy: (variable) => (variable === 'Return value' ? '' : undefined),
};

/** VS Code's own debugger for JavaScript and TypeScript, for programs that it starts with Node. */
export const jsDebugNode: Adapter = {
  ...common,
  types: ['node', 'pwa-node'],
  languages: ['javascript', 'typescript'],

  // It sends no `exited`. What the program itself logs comes in another category.
  printedExit: ({ category, output }) => {
    const code = category === 'stderr' ? EXIT.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : { kind: 'exited', code: Number(code) };
  },
  // It looks for source maps first, for as long as that takes.
  setsBreakpointsLate: true,
  startsInExtensionHost: true,
  processIdOf: (sessionName) => {
    const id = Number(NAMED_AFTER_PROCESS.exec(sessionName)?.[1] ?? 0);
    return id > 0 ? id : undefined;
  },
  leavesStreamsUnread: ({ request, console = 'internalConsole', outputCapture = 'console' }) =>
    request === 'launch' && console === 'internalConsole' && outputCapture === 'console',

  // Test runners and other tools write to process.stdout itself, which js-debug does not show otherwise. The person's own
  // programs are left as they are: objects that they log can be expanded then.
  launch: (program) => {
    const isTool = program.split(path.sep).includes('node_modules');
    return { program, skipFiles: SKIPPED, ...(isTool ? { outputCapture: 'std' } : {}) };
  },
  // It has one pair of roots. It takes a process id as text alone.
  attach: ({ processId, host, port, paths }) => {
    const [first, second] = paths;
    if (second !== undefined) return undefined;
    return {
      ...(port === undefined ? { processId: String(processId) } : { address: host, port }),
      ...(first === undefined ? {} : { localRoot: first.local, remoteRoot: first.remote }),
      skipFiles: SKIPPED,
    };
  },
  toolProperties: { skipFiles: SKIPPED, outputCapture: 'std' },
  testStops: {
    filters: ['all'],
    conditions: { all: ASSERTION_CONDITION },
    note: "(or another error's name); skipFiles must not hold <node_internals>/** or node_modules, which hide assertions",
  },
  runsTests: ({ program, runtimeArgs }) => {
    const file = textOf(program) ?? '';
    return NODE_TEST.test(file) || NODE_RUNNER.test(file) || listOf(runtimeArgs).includes('--test');
  },
  // It stops at no exception that is thrown in a skipped file, and assertions are thrown in libraries.
  testProperties: { console: 'internalConsole', outputCapture: 'std', skipFiles: [] },
  atPort: (port) => ({ attachSimplePort: port, continueOnAttach: true }),
  withoutChildren: { autoAttachChildProcesses: false },
  printsBeside:
    /^(?:Debugger (?:attached|listening on ws:.*|ending on ws:.*)\.?|Waiting for the debugger to disconnect\.\.\.|For help, see: https:\/\/nodejs\.org\/.*inspector)$/,
  stopsAt: ({ message, rawPlace }) => ({
    filters: ['all'],
    conditions: {
      all:
        rawPlace === undefined
          ? `(error?.message ?? String(error)) === ${JSON.stringify(message)}`
          : `String(error?.stack).includes(${JSON.stringify(rawPlace)})`,
    },
  }),
  // It stops at no exception that is thrown in a skipped file, and node:assert is one of Node's internals. What lies
  // below `internal` stays skipped.
  forTests: ({ skipFiles }) =>
    skipFiles === undefined
      ? {}
      : {
          skipFiles: listOf(skipFiles).map((each) =>
            each === '<node_internals>/**' ? '<node_internals>/internal/**' : each,
          ),
        },
};

/** The same debugger for browsers, terminals and extension hosts. */
export const jsDebugOthers: Adapter = {
  ...common,
  types: [
    'node-terminal',
    'chrome',
    'pwa-chrome',
    'msedge',
    'pwa-msedge',
    'extensionHost',
    'pwa-extensionHost',
    'editor-browser',
    'pwa-editor-browser',
  ],
  languages: [],
  attach: ({ host, port, paths }) =>
    port === undefined
      ? undefined
      : {
          address: host,
          port,
          ...(paths.length === 0
            ? {}
            : { pathMapping: Object.fromEntries(paths.map((each) => [each.remote, each.local])) }),
        },
};
