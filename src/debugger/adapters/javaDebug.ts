import path from 'node:path';
import { plainFilter, type Adapter } from './adapter';

/** Microsoft's debugger for Java. */
export const javaDebug: Adapter = {
  name: 'java',
  types: ['java'],
  seenIn: 'java-debug 0.51.0',
  languages: ['java'],
  extension: 'vscjava.vscode-java-debug',

  exceptionFilters: [
    plainFilter('uncaught', 'Uncaught Exceptions'),
    plainFilter('caught', 'Caught Exceptions'),
  ],
  // A number means: this hit and no other (JDI `EventRequest.addCountFilter`).
  hitConditions: {
    write: ({ operator, count }) => (operator === '==' ? String(count) : undefined),
    understands: '"== n"',
  },

  // It sends 0, however the program ended.
  reportsExitCode: (code) => code !== 0,

  // It finds a source by its class below such folders: where the file was when it was compiled does not matter.
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined ? { processId } : { hostName: host, port }),
    ...(paths.length === 0 ? {} : { sourcePaths: paths.map(({ local }) => local) }),
  }),
  testProperties: { console: 'internalConsole' },
  // It takes no condition, and exceptions only of types that the person's settings name.
  stopsAt: () => ({ filters: ['caught'] }),
  launch: (program) => ({ mainClass: path.basename(program, '.java') }),
};
