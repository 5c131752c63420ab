import path from 'node:path';
import { plainFilter, type Adapter } from './adapter';

/** The Java debugger of Microsoft. */
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
  // A number means that only this hit stops (JDI `EventRequest.addCountFilter`).
  hitConditions: {
    write: ({ operator, count }) => (operator === '==' ? String(count) : undefined),
    understands: '"== n"',
  },

  // The adapter sends 0 regardless of how the program ended.
  reportsExitCode: (code) => code !== 0,

  listening: { command: /\bjdwp[=:]/, handshake: 'JDWP-Handshake' },
  // The adapter finds a source file by its class in these folders. The path at compile time does not matter.
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined ? { processId } : { hostName: host, port }),
    ...(paths.length === 0 ? {} : { sourcePaths: paths.map(({ local }) => local) }),
  }),
  testProperties: { console: 'internalConsole' },
  // The adapter supports no conditions. It supports exception types only through the person's settings.
  stopsAt: { filters: ['caught'] },
  launch: (program) => ({ mainClass: path.basename(program, '.java') }),
};
