import * as l10n from '@vscode/l10n';
import { fields, isFields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { shortPath } from '../files/files';
import type { PlannedLaunch } from './launchPlan';
import type { LaunchCommand } from './launchVariables';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';

/** Each debugger has names of its own for what is run. Of several, the first is told as what runs. */
const PROGRAMS = ['program', 'module', 'mainClass', 'command', 'file', 'url'];

/** The same for what runs it. */
const RUNTIMES = ['runtimeExecutable', 'python', 'javaExec'];

/**
 * Properties that cannot make anything run, and those that a line of their own tells. All others are on the card, so
 * that one which nobody has thought of is not hidden.
 */
const QUIET: ReadonlySet<string> = new Set([
  'name',
  'type',
  'request',
  'presentation',
  'order',
  'group',
  'hidden',
  'noDebug',
  'console',
  'internalConsoleOptions',
  'debugViewLocation',
  'suppressMultipleSessionWarning',
  'skipFiles',
  'stepFilters',
  'justMyCode',
  'rules',
  'variablePresentation',
  'outFiles',
  'resolveSourceMapLocations',
  'sourceMapPathOverrides',
  'sourceMaps',
  'sourceMap',
  'substitutePath',
  'pathMappings',
  'localRoot',
  'remoteRoot',
  'webRoot',
  'mode',
  'MIMode',
  'projectName',
  'protocol',
  'outputCapture',
  'encoding',
  'shortenCommandLine',
  'trace',
  'timeout',
  'restart',
]);

/** Where a configuration attaches; told in its own line there. */
const PLACES: ReadonlySet<string> = new Set([
  'port',
  'host',
  'hostName',
  'hostname',
  'address',
  'connect',
  'listen',
  'processId',
  'pid',
  'websocketAddress',
  'urlFilter',
]);

/** Properties that can run code beside the program, by what debuggers call such things. */
const CAN_RUN =
  /command|exec|path|args|argv|flags|script|tool|adapter|transport|task|python|server|generator|setup|init|env|sudo|root|hook|plugin|preload|shell/i;

/** Environment variables by which programs, runtimes, linkers and shells load or run something. */
const LOADS_CODE =
  /^(?:NODE_|ELECTRON_|PYTHON|LD_|DYLD_|_?JAVA|JDK_|CLASSPATH|PERL|RUBY|LUA_|PHP|BASH|ENV$|ZDOTDIR|GIT_|GO|CARGO|RUST|npm_|DOTNET_|CORECLR_|COR_|COMPLUS_)|PATH$|OPT(?:ION)?S$|FLAGS$|STARTUP|PRELOAD|COMMAND|EDITOR|PAGER|BROWSER|SHELL|WRAPPER/i;

/**
 * What a configuration runs, or attaches to, a line each: first what can run code beside the program. Nothing is cut.
 * @param configuration as it runs, after every merge
 * @param commands what VS Code runs to fill its variables in
 * @throws Failure `invalid_input` where it is too long to be shown
 */
export function launchLines(
  services: ToolServices,
  { configuration, folderPath }: PlannedLaunch,
  commands: readonly LaunchCommand[],
): readonly string[] {
  const show = (value: unknown): string => wholeCode(written(services, value, folderPath));
  const has = (name: string): boolean => written(services, configuration[name], folderPath) !== '';
  const runs = PROGRAMS.find(has);
  const runtime = RUNTIMES.find(has);
  const isAttach = configuration['request'] === 'attach';
  const isTold = (name: string): boolean =>
    QUIET.has(name) ||
    (isAttach && PLACES.has(name)) ||
    [
      runs,
      runtime,
      runs === undefined ? undefined : 'args',
      'runtimeArgs',
      'cwd',
      'preLaunchTask',
      'postDebugTask',
    ].includes(name) ||
    (name === 'env' && isFields(configuration['env']));
  const others = Object.keys(configuration).filter(
    (name) => !isTold(name) && has(name) && isOfInterest(name, configuration[name]),
  );
  const line = (name: string): string =>
    l10n.t('{0}: {1}', wholeCode(name), show(configuration[name]));
  const environment = Object.entries(fields(configuration['env'])).map(([name, value]) => ({
    name,
    text: `${name}=${scalar(value) ?? (value === null ? '' : JSON.stringify(value))}`,
  }));
  const loading = environment.filter(({ name }) => LOADS_CODE.test(name)).map(({ text }) => text);
  const plain = environment.filter(({ name }) => !LOADS_CODE.test(name)).map(({ text }) => text);
  const runtimeWords = [
    ...(runtime === undefined ? [] : [configuration[runtime]]),
    ...wordsOf(configuration['runtimeArgs']),
  ];
  const cwd = written(services, configuration['cwd'], folderPath);
  return [
    ...(isAttach ? [l10n.t('Attaches to {0}', show(attachedTo(configuration)))] : []),
    ...(has('preLaunchTask')
      ? [l10n.t('Runs the task {0} first', taskName(configuration['preLaunchTask']))]
      : []),
    ...(has('postDebugTask')
      ? [l10n.t('Runs the task {0} at the end', taskName(configuration['postDebugTask']))]
      : []),
    ...commands.map(({ command, args }) =>
      args === undefined
        ? l10n.t('Runs the command {0}', wholeCode(command))
        : l10n.t(
            'Runs the command {0} with {1}',
            wholeCode(command),
            wholeCode(JSON.stringify(args)),
          ),
    ),
    ...(runtimeWords.length === 0 ? [] : [l10n.t('With {0}', show(runtimeWords))]),
    ...(loading.length === 0 ? [] : [l10n.t('With the environment {0}', show(loading))]),
    ...others.filter((name) => CAN_RUN.test(name)).map(line),
    ...(runs === undefined
      ? []
      : [l10n.t('Runs {0}', show([configuration[runs], ...wordsOf(configuration['args'])]))]),
    ...(cwd === '' || cwd === folderPath ? [] : [l10n.t('In the folder {0}', show(cwd))]),
    ...(plain.length === 0 ? [] : [l10n.t('With the environment {0}', show(plain))]),
    ...others.filter((name) => !CAN_RUN.test(name)).map(line),
  ];
}

/** A task by its label, or a definition as it stands. */
export function taskName(task: unknown): string {
  return wholeCode(textOf(task) ?? JSON.stringify(task));
}

/** A switch or a number runs nothing, unless its name says that it does (`sudo`, `debugServer`). */
function isOfInterest(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value && CAN_RUN.test(name);
  if (typeof value === 'number') return CAN_RUN.test(name);
  return (
    typeof value === 'string' || Object.keys(fields(value)).length > 0 || listOf(value).length > 0
  );
}

/** Where a configuration attaches: a process, an address, or what else it names. */
function attachedTo(configuration: Fields): unknown {
  const process = scalar(configuration['processId'] ?? configuration['pid']);
  if (process !== undefined) return `pid ${process}`;
  const place = {
    ...configuration,
    ...fields(configuration['connect']),
    ...fields(configuration['listen']),
  };
  const host =
    textOf(place['address']) ??
    textOf(place['host']) ??
    textOf(place['hostName']) ??
    textOf(place['hostname']);
  const port = scalar(place['port']);
  if (port !== undefined) return `${host ?? 'localhost'}:${port}`;
  return (
    host ??
    configuration['websocketAddress'] ??
    configuration['url'] ??
    configuration['urlFilter'] ??
    configuration['program'] ??
    configuration['name']
  );
}

function scalar(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function wordsOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value] : listOf(value);
}

/** A value as a person reads it: words with blanks in quotes, and paths in the workspace as they know them. */
function written(services: ToolServices, value: unknown, folderPath: string | undefined): string {
  if (Array.isArray(value))
    return value
      .map((element: unknown) => written(services, element, folderPath))
      .map((word) => (/[\s\p{Cc}]|^$/u.test(word) ? JSON.stringify(word) : word))
      .join(' ');
  if (typeof value === 'string')
    return shortPath(
      services,
      folderPath === undefined
        ? value
        : value.replace(/\$\{workspace(?:Folder|Root)\}/g, () => folderPath),
    );
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
