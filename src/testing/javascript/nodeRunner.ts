import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { fields, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { packageProgram } from '../../tools/launch/namedProgram';
import { defined } from '../../util/defined';
import { readOwnReport } from '../report/readReport';
import { scriptsOf, type ScriptOptions } from './commandLine';
import { REPORT } from './reporters';
import { requestedTests } from './requestedTests';
import { scanJavaScript } from './scanJavaScript';
import { namedTest } from './testNames';
import type { RunnerContext, RunnerPlan, TestFramework, TestProject } from '../testFramework';

/**
 * The recorder makes it true at the exception at which the program is to stay, or while it still looks at one. Code may
 * have names of its own for what is global, as jest's has, so a function of the global scope looks.
 */
const STAYS_WHERE = `(() => {}).constructor("return globalThis[Symbol.for('agent-debugger.stop')] === true || globalThis[Symbol.for('agent-debugger.recorder')]?.mayStop() === true")()`;

/** The properties that the JavaScript frameworks share. */
export const JAVASCRIPT_FRAMEWORK = {
  files: /\.[cm]?[jt]sx?$/,
  markers: ['package.json'],
  list: scanJavaScript,
  named: namedTest,
  readOutcome: (report, output, test) => {
    const read = readOwnReport(report, output, test);
    return { ...read, tests: requestedTests(read.tests, test) };
  },
  runsOnce: true,
  // The reporter defines the symbol in the context of the frame that throws the failure.
  staysWhere: STAYS_WHERE,
} satisfies Partial<TestFramework>;

export const TYPESCRIPT_FILE = /\.(?:[cm]?ts|tsx)$/;

/** The signs by which a package shows that it uses a runner. */
export interface PackageSigns {
  /** Matches the import of the runner's package in a test file. */
  readonly imported: RegExp;
  /** Matches a script of package.json that starts the runner. */
  readonly inScript: RegExp;
  readonly packageName?: string;
  readonly configurationFiles: readonly string[];
}

/** The strengths of signs: an import in the file, a script or a configuration of the package, a dependency of it. */
export const IMPORTED = 10;
const IN_SCRIPT = 6;
const CONFIGURED = 5;
export const INSTALLED = 3;

export async function strengthOf(
  { text, manifest, folder, services }: TestProject,
  { imported, inScript, packageName, configurationFiles }: PackageSigns,
): Promise<number> {
  if (imported.test(text)) return IMPORTED;
  if (scriptsOf(manifest).some((script) => inScript.test(script))) return IN_SCRIPT;
  if (packageName !== undefined && manifest[packageName] !== undefined) return CONFIGURED;
  for (const file of configurationFiles)
    if ((await services.workspace.exists(path.join(folder, file))) === true) return CONFIGURED;
  const dependencies = {
    ...fields(manifest['dependencies']),
    ...fields(manifest['devDependencies']),
  };
  return packageName !== undefined && Object.hasOwn(dependencies, packageName) ? INSTALLED : 0;
}

/** Returns the path of a runner's script in its package. @throws Failure `runner_not_installed` */
export async function runnerScript(
  { services, folder }: TestProject,
  name: string,
): Promise<string> {
  const script = await packageProgram(services, name, folder);
  if (script !== undefined) return script;
  throw new Failure(
    'runner_not_installed',
    l10n.t('{0} is not installed: there is no node_modules/{0} in {1} or above.', name, folder),
    `Install the project's packages (npm install), or pass another framework.`,
    { package: name },
  );
}

/** The runner, its arguments, and what they are made of. */
interface NodeRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: ScriptOptions;
  /** Options of Node in addition to those of the project. */
  readonly nodeArgs?: readonly string[];
  /** Whether tests run in a child process. */
  readonly hasChildren?: boolean;
  /** Whether they run in child processes only, so that the debugger does not attach to the runner itself. */
  readonly hasOnlyChildren?: boolean;
  /** Arguments of runs under the debugger only, as `--name=value`. They replace arguments with the same name. */
  readonly debugArgs?: readonly string[];
}

export function nodeRun({ project, scratch }: RunnerContext, run: NodeRun): RunnerPlan {
  const type = typeOfLanguage(project.services, 'javascript', project.file);
  const adapter = adapterOf(type);
  const { debugArgs = [], args, options, program } = run;
  const nodeArgs = [...options.node, ...(run.nodeArgs ?? [])];
  const isLaunched = run.hasOnlyChildren === true && adapter.attachesBy !== undefined;
  const debugged = replacing(args, debugArgs);
  return {
    configuration: {
      type,
      ...adapter.testProperties,
      ...(run.hasChildren === true ? {} : adapter.withoutChildren),
      ...(isLaunched ? adapter.bindsIn?.(project.file) : {}),
      program: isLaunched ? reporterOf(project, 'launch.cjs') : program,
      args: isLaunched ? [program, ...debugged] : debugged,
      ...defined({ runtimeArgs: nodeArgs.length === 0 ? undefined : nodeArgs }),
      env: {
        ...options.env,
        ...(isLaunched ? { AGENT_DEBUGGER_ATTACHES: adapter.attachesBy } : {}),
        AGENT_DEBUGGER_REPORT: path.join(scratch, REPORT),
      },
    },
    quick: {
      program,
      args,
      ...undebugged(project, nodeArgs, adapter.attachesBy),
    },
    files: {},
    report: REPORT,
    droppedOptions: options.dropped,
  };
}

/**
 * Returns the properties of a run to which the debugger does not attach. Attaching takes time, and the program would wait
 * for the debugger at each exception that the reporter reads.
 */
function undebugged(
  project: TestProject,
  nodeArgs: readonly string[],
  attachesBy: string | undefined,
): Fields {
  if (attachesBy === undefined) return {};
  if (project.services.workspace.platform !== 'windows')
    return {
      runtimeExecutable: '/usr/bin/env',
      runtimeArgs: ['-u', attachesBy, 'node', ...nodeArgs],
    };
  const file = reporterOf(project, 'undebugged.cjs').replaceAll('\\', '\\\\');
  return { env: { NODE_OPTIONS: `--require "${file}"` } };
}

/** Adds arguments. Runners do not accept all options twice. */
function replacing(args: readonly string[], more: readonly string[]): readonly string[] {
  const names = more.map((arg) => arg.split('=', 1)[0]);
  const kept = args.filter((arg, at) => {
    const isValue = !arg.startsWith('-') && names.includes(args[at - 1]);
    return !isValue && !names.includes(arg.split('=', 1)[0]);
  });
  return [...kept, ...more];
}

/** Options of Node that load TypeScript, or may. */
const LOADER =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--experimental-strip-types)(?:=|$)/;

/**
 * Returns the options with which Node loads TypeScript, if the project has tsx and its own command line loads nothing
 * itself.
 */
export async function typeScriptLoader(
  { services, file, folder }: TestProject,
  { node, isTsx }: ScriptOptions,
): Promise<readonly string[]> {
  if (isTsx) return ['--import', 'tsx'];
  if (!TYPESCRIPT_FILE.test(file) || node.some((option) => LOADER.test(option))) return [];
  const tsx = await packageProgram(services, 'tsx', folder);
  return tsx === undefined ? [] : ['--import', 'tsx'];
}

/** Returns the path of one of the extension's reporters. */
export function reporterOf({ services }: TestProject, file: string): string {
  return path.join(services.reporters, 'javascript', file);
}
