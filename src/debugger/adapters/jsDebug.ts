import path from 'node:path';
import { listOf, textOf } from '../protocol';
import type { Adapter } from './adapter';
import { ALL_BUT_UNEQUAL } from './adapterParts';

/** The line that js-debug prints if a program ended with an exit code other than 0. */
const EXIT = /^Process exited with code (\d{1,10})\s*$/;

/** js-debug puts the process id at the end of a session's name. */
const NAMED_AFTER_PROCESS = /\[(\d{1,10})\]$/;

/** Recognizes assertion errors: by their name in node:assert, chai and vitest, and by a property in jest. */
export const ASSERTION_CONDITION =
  "error?.name === 'AssertionError' || error?.matcherResult !== undefined";

/** Names of test files by the conventions of node:test, mocha, jest and vitest. */
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
  everyException: {
    filters: ['all'],
    // V8 does so ("muted" break locations), seen in Node 20.
    passesAtFalseConditions: true,
    unseen: ({ skipFiles }) => {
      const skipped = listOf(skipFiles).flatMap((pattern) => textOf(pattern) ?? []);
      return skipped.length === 0
        ? undefined
        : `exceptions thrown in files of skipFiles: ${skipped.join(', ')}`;
    },
  },
  hitConditions: ALL_BUT_UNEQUAL,
  countsInProgram: (count, key) => {
    const hits = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
    const removal = `delete ${hits}`;
    return { condition: `(${hits} = (${hits} || 0) + 1) === ${count} && ${removal}`, removal };
  },
  stopsAtFirstFailure: (expression, key) => {
    const note = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
    const noted = `!${note} && (${note} = true)`;
    const condition = `(() => { try { return !!(${expression}\n) } catch { return ${noted} } })()`;
    return { condition, removal: `delete ${note}` };
  },
  // The adapter's `BreakpointConditionFactory` uses the condition, otherwise the log message, otherwise the hit count.
  usesOnePart: true,
  reportsForeignFiles: true,
  placesLogpoints: ({ outputCapture }) => outputCapture !== 'std',
  evaluatesBracesOnly: true,
  evaluatesWhileRunning: true,
  asksAgainToPauseAfter: 3000,
  pausesWithin: 1800,
  recorder: 'javascript',
  truth: (expression) => `!!(${expression}\n)`,
  mergedCondition: (recording, { condition, hitCondition, logMessage }) =>
    hitCondition === undefined && logMessage === undefined
      ? `(${recording})||(${condition ?? 'true'}\n)`
      : undefined,
  // V8 reports a rejection at once. A handler may be attached a moment later. If none is, Node ends the program.
  mayHandle: ({ description }) =>
    description === 'Paused on promise rejection' ? 'promise rejection' : undefined,
  // V8 completes the step, and the adapter, which expects no stop, takes it for that of a `debugger` statement.
  endsMove: ({ reason }) => reason === 'pause',
  shortensValuesAt: 1000,
  returnedBy: (variable) => (variable === 'Return value' ? '' : undefined),
  leavesGenerators: 'stepOut',
  // The first answers with the address of a socket that takes any command of the Chrome DevTools Protocol, such as
  // `Runtime.evaluate`. The others are commands of that protocol as well.
  opensAccess: ['requestCDPProxy', 'enableNetworking', 'networkCall'],
};

/** The address at which Node's inspector listens by default. `localhost`, js-debug's default, may be another one. */
const NODE_HOST = '127.0.0.1';

/** js-debug puts the address into one of the web, in which those of IPv6 have brackets. */
const inAddress = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

/** VS Code's built-in debugger for JavaScript and TypeScript, for programs that it starts with Node. */
export const jsDebugNode: Adapter = {
  ...common,
  types: ['node', 'pwa-node'],
  languages: ['javascript', 'typescript'],

  // The adapter sends no `exited` event. The program's own output has another category.
  printedExit: ({ category, output }) => {
    const code = category === 'stderr' ? EXIT.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : { kind: 'exited', code: Number(code) };
  },
  // The adapter searches for source maps first, which may take any amount of time.
  setsBreakpointsLate: true,
  startsInExtensionHost: true,
  processIdOf: (sessionName) => {
    const id = Number(NAMED_AFTER_PROCESS.exec(sessionName)?.[1] ?? 0);
    return id > 0 ? id : undefined;
  },
  // The shell opens the file, and becomes the program. It gets each argument as it is, and parses none of them.
  readingFrom: (configuration, file) => {
    const { runtimeExecutable = 'node', runtimeArgs = [] } = configuration;
    if (typeof runtimeExecutable !== 'string' || !Array.isArray(runtimeArgs)) return undefined;
    const command = [runtimeExecutable, ...listOf(runtimeArgs)];
    return {
      ...configuration,
      runtimeExecutable: '/bin/sh',
      runtimeArgs: ['-c', 'exec "$@" < "$0"', file, ...command],
    };
  },
  leavesStreamsUnread: ({ request, console = 'internalConsole', outputCapture = 'console' }) =>
    request === 'launch' && console === 'internalConsole' && outputCapture === 'console',

  // Test runners and other tools write directly to process.stdout, which js-debug shows only with `outputCapture:
  // 'std'`. It is not set for the person's own programs, so that logged objects can be expanded.
  launch: (program) => {
    const isTool = program.split(path.sep).includes('node_modules');
    return { program, skipFiles: SKIPPED, ...(isTool ? { outputCapture: 'std' } : {}) };
  },
  listening: { inspector: /^node\.js\// },
  // The adapter supports only one pair of roots, and requires the process id as a string.
  attach: ({ processId, host, port, paths }) => {
    const [first, second] = paths;
    if (second !== undefined) return undefined;
    return {
      ...(port === undefined
        ? { processId: String(processId), address: NODE_HOST }
        : { address: inAddress(host), port }),
      ...(first === undefined ? {} : { localRoot: first.local, remoteRoot: first.remote }),
      skipFiles: SKIPPED,
    };
  },
  toolProperties: { skipFiles: SKIPPED, outputCapture: 'std' },
  testStops: {
    filters: ['all'],
    conditions: { all: ASSERTION_CONDITION },
    note: "(or another error's name); skipFiles must not contain <node_internals>/** or node_modules, which hide assertions",
  },
  runsTests: ({ program, runtimeArgs }) => {
    const file = textOf(program) ?? '';
    return NODE_TEST.test(file) || NODE_RUNNER.test(file) || listOf(runtimeArgs).includes('--test');
  },
  // The adapter does not stop at exceptions that are thrown in skipped files, and assertions are thrown in libraries.
  testProperties: { console: 'internalConsole', outputCapture: 'std', skipFiles: [] },
  // It also attaches to a program that is launched without debugging.
  attachesBy: 'VSCODE_INSPECTOR_OPTIONS',
  bindsIn: (file) => ({ runtimeSourcemapPausePatterns: [file] }),
  withoutChildren: { autoAttachChildProcesses: false },
  runtimeOutput:
    /^(?:Debugger (?:attached|listening on ws:.*|ending on ws:.*)\.?|Waiting for the debugger to disconnect\.\.\.|For help, see: https:\/\/nodejs\.org\/.*inspector)$/,
  stopsWhere: (expression) => ({ filters: ['all'], conditions: { all: expression } }),
  // The adapter does not stop at exceptions that are thrown in skipped files, and node:assert is one of Node's
  // internals. Files below `internal` stay skipped.
  forTests: ({ skipFiles }) =>
    skipFiles === undefined
      ? {}
      : {
          skipFiles: listOf(skipFiles).map((pattern) =>
            pattern === '<node_internals>/**' ? '<node_internals>/internal/**' : pattern,
          ),
        },
};

/** VS Code's built-in JavaScript debugger for browsers, terminals and extension hosts. */
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
  listening: { type: 'chrome', inspector: /^[A-Z]/ },
  attach: ({ host, port, paths }) =>
    port === undefined
      ? undefined
      : {
          address: inAddress(host),
          port,
          ...(paths.length === 0
            ? {}
            : {
                pathMapping: Object.fromEntries(paths.map(({ local, remote }) => [remote, local])),
              }),
        },
};
