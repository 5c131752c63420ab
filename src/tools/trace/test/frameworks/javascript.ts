import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../../../debugger/adapters/registry';
import { fields, textOf, type Fields } from '../../../../debugger/protocol';
import { Failure } from '../../../../results/failure';
import { typeOfLanguage } from '../../../launch/programConfiguration';
import { packageProgram } from '../../../launch/namedProgram';
import { REPORT } from '../reporters/javascript';
import { readOwnReport } from '../readReport';
import { fixedParts, scanJavaScript } from '../scan/javascript';
import type { ChosenTest, RunnerPlan, TestFramework, TestProject } from '../testFramework';

/** What the frameworks of JavaScript share. */
export const JAVASCRIPT_FRAMEWORK = {
  files: /\.[cm]?[jt]sx?$/,
  markers: ['package.json'],
  list: scanJavaScript,
  readOutcome: readOwnReport,
} satisfies Partial<TestFramework>;

export const TYPESCRIPT_FILE = /\.(?:[cm]?ts|tsx)$/;

/** How strongly a package says that it uses a runner. */
export interface PackageSigns {
  /** The package that a test file imports. */
  readonly imported: RegExp;
  /** In a script of package.json. */
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

/** Those that run tests come first. */
function scriptsOf(manifest: Fields): readonly string[] {
  return Object.entries(fields(manifest['scripts']))
    .sort(([left], [right]) => Number(/^test/.test(right)) - Number(/^test/.test(left)))
    .flatMap(([, script]) => textOf(script) ?? []);
}

/** Options of the project's own command line that decide how a file is loaded. */
export interface ScriptOptions {
  readonly runner: readonly string[];
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const NODE_OPTIONS =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file)$/;
const NODE_FLAGS = /^--(?:experimental-[\w-]+|enable-source-maps|no-experimental-[\w-]+)$/;
const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/;

/**
 * @param runner its word in a script
 * @param options those of the runner that are passed on, each with a value
 */
export function scriptOptions(manifest: Fields, runner: RegExp, options: RegExp): ScriptOptions {
  const script = scriptsOf(manifest).find((each) => runner.test(each)) ?? '';
  const command = script.split(/&&|\|\||;/).find((each) => runner.test(each)) ?? '';
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const [inRunner, node]: [string[], string[]] = [[], []];
  const env: Record<string, string> = {};
  let isNodes = true;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, name, value] = VARIABLE.exec(word) ?? [];
    if (name !== undefined && value !== undefined && isNodes) env[name] = value;
    if (runner.test(word)) isNodes = false;
    const [option = word] = word.split('=', 1);
    const [known, receiver] = isNodes ? [NODE_OPTIONS, node] : [options, inRunner];
    const target = known.test(option) ? receiver : undefined;
    if (target !== undefined && word.includes('=')) target.push(word);
    else if (target !== undefined) {
      target.push(word, words[at + 1] ?? '');
      at += 1;
    } else if (isNodes && NODE_FLAGS.test(word)) node.push(word);
  }
  return { runner: inRunner, node, env };
}

/** A name as a regular expression; what a template leaves open is anything. */
export function patternOf(name: string): string {
  return fixedParts(name).map(escaped).join('.*');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The whole name of a test, its parts joined as a runner does it. */
export function wholePattern({ path: names, isTemplate }: ChosenTest, between: string): string {
  return `^${names.map(isTemplate ? patternOf : escaped).join(between)}$`;
}

/** The script of a runner's package. @throws Failure `runner_not_installed` */
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
  /** The port at which a child process waits for the debugger, and the arguments that make it wait. */
  readonly waits?: { readonly port: number; readonly args: readonly string[] };
  /** The name of its file, and its text. */
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
      ...(run.waits === undefined ? {} : adapterOf(type).atPort?.(run.waits.port)),
      program: run.program,
      args: [...run.args, ...(run.waits?.args ?? [])],
      ...(run.nodeArgs.length === 0 ? {} : { runtimeArgs: run.nodeArgs }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    },
    ...(run.waits === undefined ? {} : { quick: quickRun(type, run), pausesFirst: true }),
    files: Object.fromEntries([run.reporter]),
    report: REPORT,
  };
}

function quickRun(type: string, { args, waits }: NodeRun): Fields {
  const left = Object.keys(adapterOf(type).atPort?.(waits?.port ?? 0) ?? {});
  return { ...Object.fromEntries(left.map((each) => [each, undefined])), args };
}

/** What makes Node load TypeScript, where the project has tsx and its command line does not say how. */
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

/** Where a process of a test listens: the same for the same call, as a person is asked about it before it runs. */
export function portOf(scratch: string): number {
  const name = path.basename(scratch);
  return FIRST_PORT + (parseInt(name.slice(0, 8), 16) % PORTS);
}

/** Below those that systems assign themselves. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
