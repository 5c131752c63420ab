import path from 'node:path';
import type { Adapter } from './adapter';

/** The whole line that delve prints; of a program that a signal ended, the signal's number below zero. */
const EXIT = /^Process \d{1,10} has exited with status (-?\d{1,10})\s*$/;

/** Go's debugger. */
export const delve: Adapter = {
  name: 'go',
  types: ['go'],
  seenIn: 'delve 1.20.2',
  languages: ['go'],
  extension: 'golang.go',

  exceptionFilters: [],
  evaluatesBracesOnly: true,
  logsPlainVariables: true,
  repeatsReferences: true,

  // It sends no `exited`.
  printedExit: ({ category, output }) => {
    const code = category === 'console' ? EXIT.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : { kind: 'exited', code: Number(code) };
  },

  // It builds a package, which is a folder. A folder outside the workspace is not told from a file.
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
