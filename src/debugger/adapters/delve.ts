import path from 'node:path';
import type { Adapter } from './adapter';

/**
 * The whole line that delve prints when the program ends. If a signal ended the program, the status is the negated
 * number of the signal.
 */
const EXIT = /^Process \d{1,10} has exited with status (-?\d{1,10})\s*$/;

/** The Go debugger. */
export const delve: Adapter = {
  name: 'go',
  types: ['go'],
  seenIn: 'delve 1.20.2',
  languages: ['go'],
  extension: 'golang.go',

  exceptionFilters: [],
  evaluatesBracesOnly: true,
  logsPlainVariables: true,
  loggedCalls: {
    // The frame's offset on its goroutine's stack, which stays the same when the stack is moved.
    activation: 'runtime.frameoff',
    // A function's frame begins where the stack of its caller ends. Go's frames have a fixed size.
    calleeActivation: [process.arch === 'arm64' ? 'SP' : 'RSP', 'runtime.curg.stack.hi'],
    threadOf: (output) => {
      const goroutine = /^> \[Go (\d+)\]: /.exec(output)?.[1];
      return goroutine === undefined ? undefined : Number(goroutine);
    },
    isMissing: (value) => value.startsWith('{eval err: '),
  },
  repeatsReferences: true,

  // The adapter sends no `exited` event.
  printedExit: ({ category, output }) => {
    const code = category === 'console' ? EXIT.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : { kind: 'exited', code: Number(code) };
  },

  // The adapter builds a package, which is a folder. Outside the workspace, a folder cannot be distinguished from a
  // file.
  launch: (program) => ({
    mode: 'debug',
    program: path.extname(program) === '.go' ? path.dirname(program) : program,
  }),
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined ? { mode: 'local', processId } : { mode: 'remote', host, port }),
    ...(paths.length === 0
      ? {}
      : { substitutePath: paths.map(({ local, remote }) => ({ from: local, to: remote })) }),
  }),
  testStops: { functionName: 'testing.(*common).Fail' },
};
