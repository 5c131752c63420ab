import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { typeOfLanguage, type MadeConfiguration } from './programConfiguration';
import type { ProgramFile, ToolServices } from '../services';

/** What a name stands for: a configuration, and whether it holds the arguments already. */
export interface NamedProgram {
  readonly configuration: MadeConfiguration;
  readonly holdsArguments: boolean;
}

/** Node, and the programs that start Node programs: js-debug follows the processes that they start. */
const NODE_RUNTIMES: ReadonlySet<string> = new Set([
  'node',
  'npm',
  'npx',
  'yarn',
  'pnpm',
  'pnpx',
  'corepack',
  'deno',
]);

const PYTHON = /^(?:python(?:\d(?:\.\d+)?)?|py)$/;

/** Programs of Python modules: which of them runs is the debugger's choice of an interpreter, not the PATH's. */
const PYTHON_MODULES: Readonly<Record<string, string>> = {
  pytest: 'pytest',
  'py.test': 'pytest',
  unittest: 'unittest',
};

/** Programs that start the person's own in a process that no debugger follows. */
const STARTERS: ReadonlySet<string> = new Set([
  'go',
  'cargo',
  'dotnet',
  'java',
  'javac',
  'gradle',
  'mvn',
  'make',
  'cmake',
  'ruby',
  'php',
  'perl',
  'bash',
  'sh',
  'zsh',
  'fish',
  'pwsh',
  'docker',
  'bun',
]);

/** A name as it is typed in a shell: no path. */
export function isProgramName(text: string): boolean {
  return /^[\w@+][\w.@+-]*$/.test(text);
}

/**
 * The program that a name stands for: a runtime, a Python tool, a package's program in `node_modules/.bin`, or one on
 * the PATH; undefined where there is none.
 * @throws Failure `not_supported` for one that no debugger could follow, `program_not_found` for a runtime that is missing
 */
export async function namedProgram(
  services: ToolServices,
  name: string,
  args: readonly string[],
  from: string | undefined,
): Promise<NamedProgram | undefined> {
  if (NODE_RUNTIMES.has(name)) {
    const runtime = await onPath(services, name);
    if (runtime === undefined)
      throw new Failure(
        'program_not_found',
        l10n.t('There is no program {0} on the PATH.', name),
        'Ask the person to install it, or pass a file.',
      );
    return {
      configuration: {
        ...forNodeTool(typeOfLanguage(services, 'javascript', name)),
        runtimeExecutable: runtime,
        runtimeArgs: args,
      },
      holdsArguments: true,
    };
  }
  if (PYTHON.test(name))
    return { configuration: pythonCommand(services, name, args), holdsArguments: true };
  const module = PYTHON_MODULES[name];
  if (module !== undefined)
    return { configuration: moduleConfiguration(services, module), holdsArguments: false };
  const script =
    (from === undefined ? undefined : await packageProgram(services, name, from)) ??
    (await onPath(services, name));
  return script === undefined
    ? undefined
    : { configuration: await forExecutable(services, name, script), holdsArguments: false };
}

/** `python -m module`. */
export function moduleConfiguration(
  services: ToolServices,
  module: string,
  type?: string,
): MadeConfiguration {
  return { type: type ?? typeOfLanguage(services, 'python', module), module };
}

/** `python -m module …` and `python file …`; the debugger has an interpreter of its own. @throws Failure `not_supported` */
function pythonCommand(
  services: ToolServices,
  name: string,
  args: readonly string[],
): MadeConfiguration {
  const type = typeOfLanguage(services, 'python', name);
  const [first, second, ...rest] = args;
  if (first === '-m' && second !== undefined) return { type, module: second, args: rest };
  if (first !== undefined && !first.startsWith('-'))
    return { type, program: first, args: args.slice(1) };
  throw new Failure(
    'not_supported',
    l10n.t('Of a command line of {0}, only a file or -m and a module can be debugged.', name),
    'Pass program (a file) or module, and the rest in args.',
  );
}

/** A program's file by its first line, or as a binary. @throws Failure `not_supported` */
async function forExecutable(
  services: ToolServices,
  name: string,
  file: string,
): Promise<MadeConfiguration> {
  const { path: real = file, head } = (await services.workspace.program(file)) ?? {};
  const first = head === undefined ? undefined : lineOf(head);
  if (isNodeScript({ path: real, head }))
    return { ...forNodeTool(typeOfLanguage(services, 'javascript', name)), program: real };
  if (first !== undefined && /^#!.*python/.test(first))
    return {
      type: typeOfLanguage(services, 'python', name),
      program: real,
      ...(await interpreterOf(services, first)),
    };
  if (STARTERS.has(name) || first !== undefined) {
    throw new Failure(
      'not_supported',
      l10n.t(
        '{0} is {1}, which starts other programs that no debugger follows from there.',
        name,
        real,
      ),
      'Pass the file, folder or compiled program that it would run; type names another debugger.',
    );
  }
  return { type: typeOfLanguage(services, 'native', name), program: real };
}

/**
 * A TypeScript file as its project runs it: by its own tsx, whatever version of Node runs that. Undefined where there is
 * none: Node runs TypeScript itself from 22.18 and 23.6 on, and which one will run it is not known here.
 */
export async function throughTsx(
  services: ToolServices,
  { type, program }: MadeConfiguration,
  args: readonly string[],
): Promise<MadeConfiguration | undefined> {
  if (
    typeof program !== 'string' ||
    !TYPESCRIPT.test(program) ||
    !adapterOf(type).languages.includes('typescript')
  )
    return undefined;
  // Of what lies outside the workspace nothing is read.
  if ((await services.workspace.outside(program)) !== undefined) return undefined;
  const tsx = await packageProgram(services, 'tsx', path.dirname(program));
  return tsx === undefined
    ? undefined
    : { ...forNodeTool(type), program: tsx, args: [program, ...args] };
}

const TYPESCRIPT = /(?<!\.d)\.[cm]?tsx?$/;

/** A configuration for a JavaScript tool: all that it writes is read. */
function forNodeTool(type: string): MadeConfiguration {
  return { type, ...adapterOf(type).toolProperties };
}

/** A script that names its interpreter by a path runs with that one. */
async function interpreterOf(
  { workspace }: ToolServices,
  first: string,
): Promise<{ readonly python?: string }> {
  const interpreter = /^#!\s*(\S+)/.exec(first)?.[1] ?? '';
  return path.isAbsolute(interpreter) &&
    !/\benv$/.test(interpreter) &&
    (await workspace.exists(interpreter)) !== false
    ? { python: interpreter }
    : {};
}

/**
 * The script that a package's program is, as `node_modules/.bin` has it beside or above a folder: a link, or a shell
 * script of npm or pnpm that names it. Undefined for what is no script of Node.
 */
export async function packageProgram(
  services: ToolServices,
  name: string,
  from: string,
): Promise<string | undefined> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const script = await scriptOf(services, path.join(folder, 'node_modules', '.bin', name));
    if (script !== undefined) return script;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** A shell script has the script's path from its own folder. */
const IN_SHELL_SCRIPT = /"\$basedir\/(?<script>[^"$]+)"/g;

async function scriptOf(services: ToolServices, link: string): Promise<string | undefined> {
  const program = await services.workspace.program(link);
  if (program?.head === undefined) return undefined;
  if (isNodeScript(program)) return program.path;
  for (const { groups } of program.head.matchAll(IN_SHELL_SCRIPT)) {
    const named = path.resolve(path.dirname(link), groups?.['script'] ?? '');
    // Beside it may stand a Node of its own.
    if (/^node(?:\.exe)?$/.test(path.basename(named))) continue;
    const script = await services.workspace.program(named);
    if (script !== undefined && isNodeScript(script)) return script.path;
  }
  return undefined;
}

function isNodeScript({ path: file, head }: ProgramFile): boolean {
  if (head === undefined) return false;
  const first = lineOf(head);
  return /^#!.*\bnode\b/.test(first) || (!first.startsWith('#!') && /\.[cm]?js$/.test(file));
}

/** The first file of that name, without an ending, in the folders of the PATH. */
export async function onPath(
  { workspace }: ToolServices,
  name: string,
): Promise<string | undefined> {
  const separator = workspace.platform === 'windows' ? ';' : ':';
  const endings = workspace.platform === 'windows' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (workspace.variable('env', 'PATH', undefined) ?? '')
    .split(separator)
    .filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, `${name}${ending}`);
      if ((await workspace.program(file)) !== undefined) return file;
    }
  }
  return undefined;
}

function lineOf(text: string): string {
  return text.slice(0, 500).split('\n', 1)[0] ?? '';
}
