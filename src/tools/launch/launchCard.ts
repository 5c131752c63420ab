import * as l10n from '@vscode/l10n';
import { fields, isFields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { shortPath } from '../files/files';
import type { PlannedLaunch } from './launchPlan';
import type { LaunchCommand } from './launchVariables';
import type { AttachedProcess } from './attachedProcess';
import { code, wholeCode } from '../question';
import type { ToolServices } from '../services';

/**
 * The properties that name the program. They differ between debuggers. If a configuration has several, the first one is
 * shown as the program.
 */
const PROGRAMS = ['program', 'module', 'mainClass', 'command', 'file', 'url'];

/** The properties that name the runtime. */
const RUNTIMES = ['runtimeExecutable', 'python', 'javaExec'];

/**
 * The properties that are not shown in the generic lines, because they cannot run anything or because another line
 * shows them. All other properties are on the card, so that an unexpected property is not hidden.
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

/** The properties that define the target of an attach. They are shown in a separate line. */
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
  'gdb-remote-hostname',
  'gdb-remote-port',
]);

/** Matches the names of properties that can run code in addition to the program. */
const CAN_RUN =
  /command|exec|path|args|argv|flags|script|tool|adapter|transport|task|python|server|generator|setup|init|env|sudo|root|hook|plugin|preload|shell/i;

/** Matches environment variables that make programs, runtimes, linkers or shells load or run code. */
const LOADS_CODE =
  /^(?:NODE_|ELECTRON_|PYTHON|LD_|DYLD_|_?JAVA|JDK_|CLASSPATH|PERL|RUBY|LUA_|PHP|BASH|ENV$|ZDOTDIR|GIT_|GO|CARGO|RUST|npm_|DOTNET_|CORECLR_|COR_|COMPLUS_)|PATH$|OPT(?:ION)?S$|FLAGS$|STARTUP|PRELOAD|COMMAND|EDITOR|PAGER|BROWSER|SHELL|WRAPPER/i;

/**
 * Returns the lines about the program that a configuration runs or attaches to. Lines about code other than the program
 * come first. The lines are not cut.
 * @param configuration the configuration that is started, after every merge
 * @param commands the commands that VS Code runs to expand its variables
 * @throws Failure `invalid_input` if it is too long to be shown
 */
export function launchLines(
  services: ToolServices,
  { configuration, folderPath, process }: PlannedLaunch,
  commands: readonly LaunchCommand[],
): readonly string[] {
  const card = new ConfigurationCard(services, configuration, folderPath);
  const others = card.others();
  return [
    ...card.beforehand(process),
    ...commands.map(commandLine),
    ...card.runtime(),
    ...card.environment(true),
    ...others.filter((name) => CAN_RUN.test(name)).map((name) => card.line(name)),
    ...card.program(),
    ...card.folder(),
    ...card.environment(false),
    ...others.filter((name) => !CAN_RUN.test(name)).map((name) => card.line(name)),
  ];
}

function commandLine({ command, args }: LaunchCommand): string {
  return args === undefined
    ? l10n.t('Runs the command {0}', wholeCode(command))
    : l10n.t('Runs the command {0} with {1}', wholeCode(command), wholeCode(JSON.stringify(args)));
}

/** The maximum number of characters of the command line of a process that already runs. */
const MAX_OF_A_COMMAND = 1000;

function processLine(process: AttachedProcess): string {
  if (process === 'unknown') return l10n.t('What the process runs is not known');
  const { command, executable, user } = process;
  const shown = code(command === '' ? executable : command, MAX_OF_A_COMMAND);
  return user === ''
    ? l10n.t('The process runs {0}', shown)
    : l10n.t('The process runs {0} as the user {1}', shown, code(user));
}

/** The lines about one configuration, grouped by subject. */
class ConfigurationCard {
  /** The properties that name the program and its runtime. */
  private readonly runs: string | undefined;
  private readonly runsIn: string | undefined;
  private readonly isAttach: boolean;

  constructor(
    private readonly services: ToolServices,
    private readonly configuration: Fields,
    private readonly folderPath: string | undefined,
  ) {
    this.runs = PROGRAMS.find((name) => this.has(name));
    this.runsIn = RUNTIMES.find((name) => this.has(name));
    this.isAttach = configuration['request'] === 'attach';
  }

  /** Returns the lines about the attach, and about tasks before and after the program. */
  beforehand(process: AttachedProcess | undefined): readonly string[] {
    const { preLaunchTask: first, postDebugTask: last } = this.configuration;
    return [
      ...(this.isAttach
        ? [l10n.t('Attaches to {0}', this.show(attachedTo(this.configuration)))]
        : []),
      ...(process === undefined ? [] : [processLine(process)]),
      ...(this.has('preLaunchTask') ? [l10n.t('Runs the task {0} first', taskName(first))] : []),
      ...(this.has('postDebugTask')
        ? [l10n.t('Runs the task {0} at the end', taskName(last))]
        : []),
    ];
  }

  runtime(): readonly string[] {
    const command = [
      ...(this.runsIn === undefined ? [] : [this.configuration[this.runsIn]]),
      ...argumentsOf(this.configuration['runtimeArgs']),
    ];
    return command.length === 0 ? [] : [l10n.t('With {0}', this.show(command))];
  }

  /**
   * Returns the lines about environment variables.
   * @param loadsCode true for the variables that make programs load or run code, false for the other variables
   */
  environment(loadsCode: boolean): readonly string[] {
    const variables = Object.entries(fields(this.configuration['env']))
      .filter(([name]) => LOADS_CODE.test(name) === loadsCode)
      .map(([name, value]) => {
        const text = scalar(value) ?? (value === null ? '' : JSON.stringify(value));
        return `${name}=${text}`;
      });
    return variables.length === 0 ? [] : [l10n.t('With the environment {0}', this.show(variables))];
  }

  program(): readonly string[] {
    if (this.runs === undefined) return [];
    const command = [this.configuration[this.runs], ...argumentsOf(this.configuration['args'])];
    return [l10n.t('Runs {0}', this.show(command))];
  }

  folder(): readonly string[] {
    const cwd = written(this.services, this.configuration['cwd'], this.folderPath);
    if (cwd === '' || cwd === this.folderPath) return [];
    return [l10n.t('In the folder {0}', this.show(cwd))];
  }

  line(name: string): string {
    return l10n.t('{0}: {1}', wholeCode(name), this.show(this.configuration[name]));
  }

  /** Returns the properties that no other line shows. */
  others(): readonly string[] {
    return Object.keys(this.configuration).filter(
      (name) =>
        !this.isShown(name) && this.has(name) && isOfInterest(name, this.configuration[name]),
    );
  }

  private isShown(name: string): boolean {
    // VS Code and debuggers add such names to a configuration that they have resolved.
    if (name.startsWith('__') && !CAN_RUN.test(name)) return true;
    if (QUIET.has(name) || (this.isAttach && PLACES.has(name))) return true;
    if (name === 'env') return isFields(this.configuration['env']);
    if (name === 'args') return this.runs !== undefined;
    return name === this.runs || name === this.runsIn || SHOWN.has(name);
  }

  private has(name: string): boolean {
    return written(this.services, this.configuration[name], this.folderPath) !== '';
  }

  private show(value: unknown): string {
    return wholeCode(written(this.services, value, this.folderPath));
  }
}

/** The properties that are shown in separate lines. */
const SHOWN: ReadonlySet<string> = new Set([
  'runtimeArgs',
  'cwd',
  'preLaunchTask',
  'postDebugTask',
]);

/** Returns the label of a task, or its definition as JSON, in Markdown. */
export function taskName(task: unknown): string {
  return wholeCode(textOf(task) ?? JSON.stringify(task));
}

/**
 * Whether a property is shown. Booleans and numbers are hidden, unless their name suggests that they can run code
 * (`sudo`, `debugServer`).
 */
function isOfInterest(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value && CAN_RUN.test(name);
  if (typeof value === 'number') return CAN_RUN.test(name);
  return (
    typeof value === 'string' || Object.keys(fields(value)).length > 0 || listOf(value).length > 0
  );
}

/** Returns the target to which a configuration attaches: a process, an address, or another name. */
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
    textOf(place['hostname']) ??
    textOf(place['gdb-remote-hostname']);
  const port = scalar(place['port'] ?? place['gdb-remote-port']);
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

function argumentsOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value] : listOf(value);
}

/**
 * Returns a readable form of a value, with arguments that contain blanks in quotes, and paths relative to the
 * workspace.
 */
function written(services: ToolServices, value: unknown, folderPath: string | undefined): string {
  if (Array.isArray(value))
    return value
      .map((element: unknown) => written(services, element, folderPath))
      .map((argument) => (/[\s\p{Cc}]|^$/u.test(argument) ? JSON.stringify(argument) : argument))
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
