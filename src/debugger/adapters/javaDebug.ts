import path from 'node:path';
import { plainFilter, type Adapter } from './adapter';

/** Microsoft's debugger for Java. */
export const javaDebug: Adapter = {
  name: 'java',
  types: ['java'],
  seenIn: 'java-debug 0.51.0',
  languages: ['java'],

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

  launch: (program) => ({ mainClass: path.basename(program, '.java') }),
};
