import { listOf, textOf, type Fields } from '../protocol';
import type { Adapter } from './adapter';
import { plainFilter } from './adapterParts';

/** The whole line that lldb-dap prints when its own server has ended or has not answered in time. */
const LOST =
  /^Process \d{1,10} exited with status = -1 \(0xffffffff\) (lost connection|debugserver died\b(?:.*\S)?)\s*$/;

/** The signals by which programs do their daily work: timers, children, and messages of other processes. */
const NO_FAULT =
  /^signal SIG(?:USR[12]|ALRM|VTALRM|PROF|CHLD|CONT|IO|POLL|URG|WINCH|PIPE|RT(?:MIN|MAX)(?:[+-]\d{1,2})?)$/;

/** Returns the function that writes an LLDB command, unless the configuration turns commands off. */
function command({
  commandEscapePrefix: prefix = '`',
}: Fields): ((command: string) => string) | undefined {
  return typeof prefix === 'string' && prefix !== '' ? (text) => `${prefix}${text}` : undefined;
}

/** The id with which LLDB's Python API removes the limit of a breakpoint to one thread. */
const NO_THREAD = 'lldb.LLDB_INVALID_THREAD_ID';

/** Returns a configuration with a command before the launch, unless it has commands of its own for that. */
function commandBeforeLaunch(configuration: Fields, text: string): Fields | undefined {
  const { request, launchCommands, preRunCommands: own = [] } = configuration;
  if (request === 'attach' || launchCommands !== undefined || !Array.isArray(own)) return undefined;
  // `?` hides the output of a command that succeeds (since LLDB 17).
  return { ...configuration, preRunCommands: [...listOf(own), `?${text}`] };
}

/** The debugger of LLVM for C, C++, Rust, Swift and other native programs. */
export const lldbDap: Adapter = {
  name: 'lldb-dap',
  types: ['lldb-dap'],
  seenIn: 'lldb-dap 19.1.7',
  languages: ['native'],
  extension: 'llvm-vs-code-extensions.lldb-dap',

  exceptionFilters: [
    plainFilter('cpp_catch', 'C++ Catch'),
    plainFilter('cpp_throw', 'C++ Throw'),
    plainFilter('objc_catch', 'Objective-C Catch'),
    plainFilter('objc_throw', 'Objective-C Throw'),
  ],
  everyException: {
    filters: ['cpp_throw'],
    namesAll: 'cpp_throw',
    // Signals are exceptions of the adapter as well.
    isThrow: ({ reason, description }) => reason === 'exception' && description === 'C++ Throw',
  },
  // A number means that this hit and all later ones stop (`SBBreakpoint.SetIgnoreCount`). 0 would mean never.
  hitConditions: {
    write: ({ operator, count }) => {
      if (operator === '>=') return String(Math.max(1, count));
      return operator === '>' ? String(count + 1) : undefined;
    },
    understands: '">= n" and "> n"',
  },
  stopsAtFailedConditions: true,
  waitsOf: 'glibc',
  evaluatesBracesOnly: true,
  logsPlainVariables: true,
  // The adapter's `stackTrace` reads the exception backtrace of a running thread. It was seen to hang with VS Code's
  // own logpoints as well.
  hangsOnStackWhileRunning: true,
  lldbCommand: command,
  limitToThread: (configuration, breakpoints, threadId) =>
    command(configuration)?.(
      `script [lldb.debugger.GetSelectedTarget().FindBreakpointByID(id).SetThreadID(${threadId ?? NO_THREAD}) for id in [${breakpoints.join(', ')}]]`,
    ),
  withCommandBeforeLaunch: (configuration, text) =>
    command(configuration) === undefined ? undefined : commandBeforeLaunch(configuration, text),
  // The setting takes the rest of its line as the path. A program in a terminal keeps the terminal's input.
  readingFrom: (configuration, file) => {
    const { runInTerminal = false, console: place = 'internalConsole', stdio } = configuration;
    const isPlain = runInTerminal === false && place === 'internalConsole' && stdio === undefined;
    return isPlain
      ? commandBeforeLaunch(configuration, `settings set target.input-path ${file}`)
      : undefined;
  },
  withLateSymbols: (configuration) => ({
    ...configuration,
    initCommands: [
      ...listOf(configuration['initCommands']),
      '?settings set target.preload-symbols false',
    ],
  }),

  // It ignores an object (seen in LLDB 19).
  environment: (variables) =>
    Object.entries(variables).flatMap(([name, value]) =>
      value === null ? [] : [`${name}=${textOf(value) ?? JSON.stringify(value)}`],
    ),

  printedExit: ({ category, output }) => {
    const message = category === 'console' ? LOST.exec(output)?.[1] : undefined;
    return message === undefined ? undefined : { kind: 'lost', message };
  },
  // LLDB's own remarks about debug information.
  runtimeOutput: /^(?:error|warning): .{0,300}\bDW_(?:TAG|AT|OP|FORM)_\w+/,
  // The adapter pauses a program with a signal, and reports that as an exception.
  isPause: ({ reason, description }) => reason === 'exception' && description === 'signal SIGSTOP',
  // Without a scope, the adapter evaluates the name, and takes the value for an address.
  addressOf: (name) => `&(${name})`,
  // A program that continues receives the signal.
  mayHandle: ({ reason, description }) =>
    reason === 'exception' ? NO_FAULT.exec(description ?? '')?.[0] : undefined,
  // The adapter reports no ids for data breakpoints.
  isDataStop: ({ description }) => /^watchpoint \d+$/.test(description ?? ''),
  // The adapter was seen to refuse an assignment, a call and `++`.
  hoversWithoutSideEffects: true,
  repeatsReferences: true,
  reportsEachThread: true,
  isAtLostBreakpoint: ({ description }) =>
    description === 'breakpoint 0.0' || description === 'signal SIGTRAP',
  stepsMissHandlers: true,
  // It also has the static variables of functions and classes.
  outsideScope: 'Globals',

  listening: { executables: ['lldb-server', 'debugserver', 'gdbserver'] },
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined
      ? { pid: processId }
      : { 'gdb-remote-hostname': host, 'gdb-remote-port': port }),
    ...(paths.length === 0 ? {} : { sourceMap: paths.map(({ local, remote }) => [remote, local]) }),
  }),

  testStops: {
    env: 'GTEST_BREAK_ON_FAILURE=1 for GoogleTest',
    filters: ['cpp_throw'],
  },
};
