import { plainFilter, type Adapter } from './adapter';

/** The whole line that lldb-dap prints when its own server is gone, or has not answered in time. */
const LOST =
  /^Process \d{1,10} exited with status = -1 \(0xffffffff\) (lost connection|debugserver died\b.*?)\s*$/;

/** LLVM's debugger for C, C++, Rust, Swift and other native programs. */
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
  // A number means: from this hit on, each one (`SBBreakpoint.SetIgnoreCount`); 0 would be never.
  hitConditions: {
    write: ({ operator, count }) => {
      if (operator === '>=') return String(Math.max(1, count));
      return operator === '>' ? String(count + 1) : undefined;
    },
    understands: '">= n" and "> n"',
  },
  evaluatesBracesOnly: true,
  logsPlainVariables: true,

  printedExit: ({ category, output }) => {
    const message = category === 'console' ? LOST.exec(output)?.[1] : undefined;
    return message === undefined ? undefined : { kind: 'lost', message };
  },
  // It pauses a program with a signal, and reports that as an exception.
  isPause: ({ reason, description }) => reason === 'exception' && description === 'signal SIGSTOP',
  // It gives data breakpoints no ids.
  isDataStop: ({ description }) => /^watchpoint \d+$/.test(description ?? ''),
  // It was seen to refuse an assignment, a call and `++`.
  hoversWithoutSideEffects: true,
  repeatsReferences: true,

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
