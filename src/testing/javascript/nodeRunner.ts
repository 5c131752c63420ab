import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { fields, textOf, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { packageProgram } from '../../tools/launch/namedProgram';
import { defined } from '../../util/defined';
import { REPORT } from './reporters';
import { readOwnReport } from '../report/readReport';
import { fixedParts, scanJavaScript } from './scanJavaScript';
import type { ChosenTest, RunnerPlan, TestFramework, TestProject } from '../testFramework';

/** The properties that the JavaScript frameworks share. */
export const JAVASCRIPT_FRAMEWORK = {
  files: /\.[cm]?[jt]sx?$/,
  markers: ['package.json'],
  list: scanJavaScript,
  readOutcome: readOwnReport,
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

const IMPORTED = 10;
const IN_SCRIPT = 6;
const CONFIGURED = 5;
const INSTALLED = 3;

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

/** Returns the scripts of package.json. Scripts that run tests come first. */
function scriptsOf(manifest: Fields): readonly string[] {
  return Object.entries(fields(manifest['scripts']))
    .sort(([left], [right]) => Number(/^test/.test(right)) - Number(/^test/.test(left)))
    .flatMap(([, script]) => textOf(script) ?? []);
}

/** The options of the project's own command line that determine how a file is loaded. */
export interface ScriptOptions {
  readonly runner: readonly string[];
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const NODE_OPTIONS =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file)$/;
const NODE_FLAGS =
  /^--(?:experimental-[\w-]+|enable-source-maps|no-experimental-[\w-]+|test-force-exit)$/;
const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/;

/** Splits a command into its words. A quoted part belongs to the word around it. References to variables are removed. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2').replace(/\$\w+ ?|\$\{\w+\} ?/g, ''),
  );
}

/** How a project's own command line is read. */
export interface CommandLine {
  /** Matches the runner in a script. */
  readonly runner: RegExp;
  /** Matches the runner's options that are passed on. Each of them takes a value. */
  readonly options?: RegExp;
  /** Matches the runner's options without a value that are passed on. */
  readonly flags: RegExp;
  /** Whether Node itself is the runner, so that all options are for Node. */
  readonly isNode?: boolean;
}

/** Reads the options of the project's own command line. */
export function scriptOptions(
  manifest: Fields,
  { runner, options, flags, isNode }: CommandLine,
): ScriptOptions {
  const script = scriptsOf(manifest).find((candidate) => runner.test(candidate)) ?? '';
  const command = script.split(/&&|\|\||;/).find((part) => runner.test(part)) ?? '';
  const args = wordsOf(command);
  const [inRunner, node]: [string[], string[]] = [[], []];
  const env: Record<string, string> = {};
  let isForNode = true;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [, name, value] = VARIABLE.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && isForNode) env[name] = value;
    if (runner.test(arg) && isNode !== true) isForNode = false;
    const [option = arg] = arg.split('=', 1);
    const [accepted, receiver] = isForNode ? [NODE_OPTIONS, node] : [options, inRunner];
    const target = accepted?.test(option) === true ? receiver : undefined;
    if (target !== undefined && arg.includes('=')) target.push(arg);
    else if (target !== undefined) {
      target.push(arg, args[at + 1] ?? '');
      at += 1;
    } else if (isForNode ? NODE_FLAGS.test(arg) : flags.test(arg)) receiver.push(arg);
  }
  return { runner: inRunner, node, env };
}

/** Returns the regular expression for a name. Each placeholder of a template matches any text. */
export function patternOf(name: string): string {
  return fixedParts(name).map(escaped).join('.*');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * Returns the pattern for the full name of a test. Its parts are joined in the same way as in the runner. The name of a
 * test that the file's text does not show may be only the last part.
 */
export function wholePattern(
  { path: names, isTemplate, line }: ChosenTest,
  between: string,
): string {
  const name = names.map(isTemplate ? patternOf : escaped).join(between);
  return line === undefined ? `(?:^|${between})${name}$` : `^${name}$`;
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
    l10n.t(
      '{0} is not installed: there is no node_modules/.bin/{0} in {1} or above.',
      name,
      folder,
    ),
    `Install the project's packages (npm install), or pass another framework.`,
    { package: name },
  );
}

interface NodeRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly nodeArgs: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether tests run in a child process. */
  readonly hasChildren?: boolean;
  /** The port at which a child process waits for the debugger, and the arguments that make the process wait. */
  readonly waits?: { readonly port: number; readonly args: readonly string[] };
  /** Arguments of runs under the debugger only. */
  readonly debugArgs?: readonly string[];
  /** The file name and the text of the reporter. */
  readonly reporter: readonly [file: string, text: string];
}

export function nodeRun(project: TestProject, run: NodeRun): RunnerPlan {
  const type = typeOfLanguage(project.services, 'javascript', project.file);
  const env = run.env ?? {};
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      ...(run.hasChildren === true ? {} : adapterOf(type).withoutChildren),
      ...(run.waits === undefined
        ? {}
        : {
            ...adapterOf(type).atPort?.(run.waits.port),
            ...adapterOf(type).bindsIn?.(project.file),
          }),
      program: run.program,
      args: [...(run.debugArgs ?? []), ...run.args, ...(run.waits?.args ?? [])],
      ...defined({
        runtimeArgs: run.nodeArgs.length === 0 ? undefined : run.nodeArgs,
        env: Object.keys(env).length === 0 ? undefined : env,
      }),
    },
    ...(run.waits === undefined && run.debugArgs === undefined
      ? {}
      : { quick: quickRun(type, run) }),
    ...(run.waits === undefined ? {} : { pausesFirst: true }),
    files: Object.fromEntries([run.reporter]),
    report: REPORT,
  };
}

function quickRun(type: string, { args, waits }: NodeRun): Fields {
  const dropped =
    waits === undefined ? [] : Object.keys(adapterOf(type).atPort?.(waits.port) ?? {});
  return { ...Object.fromEntries(dropped.map((name) => [name, undefined])), args };
}

/**
 * Returns the options with which Node loads TypeScript, if the project has tsx and its own command line defines no
 * options for Node.
 */
export async function typeScriptLoader(
  { services, file, folder }: TestProject,
  node: readonly string[],
): Promise<readonly string[]> {
  if (!TYPESCRIPT_FILE.test(file) || node.length > 0) return [];
  const tsx = await packageProgram(services, 'tsx', folder);
  return tsx === undefined ? [] : ['--import', 'tsx'];
}

export function urlOf(scratch: string, file: string): string {
  return pathToFileURL(path.join(scratch, file)).href;
}
