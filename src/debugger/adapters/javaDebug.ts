import path from 'node:path';
import { listOf, textOf, type Fields } from '../protocol';
import type { Adapter } from './adapter';
import { plainFilter } from './adapterParts';

/**
 * Matches what VS Code does not quote in a shell's command line: it leaves line ends, other control characters, and `~`
 * at the beginning of a word, and takes the words `<` and `>` for redirections.
 */
const UNQUOTED = /\p{Cc}|(?:^|\s)["'\\]{0,9}(?:~|[<>]["'\\]{0,9}(?:\s|$))/u;

function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? listOf(value) : [value]).flatMap((each) => textOf(each) ?? []);
}

/**
 * Returns the configuration of a program in a terminal, which is the only place where the adapter lets a program read
 * something. VS Code writes the words of the command line in quotes, and a word `<` as it is.
 */
function inTerminalReading(configuration: Fields, file: string): Fields | undefined {
  const { args, vmArgs, mainClass, cwd } = configuration;
  const words = [args, vmArgs, mainClass, cwd].flatMap(textsOf);
  if (words.some((word) => UNQUOTED.test(word)) || /\s/.test(file)) return undefined;
  const redirected = Array.isArray(args)
    ? [...textsOf(args), '<', file]
    : [...textsOf(args), '<', file].join(' ');
  return { ...configuration, console: 'integratedTerminal', args: redirected };
}

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
  everyException: { filters: ['caught', 'uncaught'] },
  // A number means that only this hit stops (JDI `EventRequest.addCountFilter`).
  hitConditions: {
    write: ({ operator, count }) => (operator === '==' ? String(count) : undefined),
    understands: '"== n"',
  },

  // The adapter sends 0 regardless of how the program ended.
  reportsExitCode: (code) => code !== 0,

  readingFrom: inTerminalReading,
  // The adapter tells no owner of a monitor, and runs no method in a thread that was paused.
  virtualMachine: {
    processRequest: 'processId',
    java: ({ javaExec }) => textOf(javaExec),
  },
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
