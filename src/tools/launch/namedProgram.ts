import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { typeOfLanguage, type MadeConfiguration } from './programConfiguration';
import type { ProgramFile, ToolServices } from '../services';

/** The configuration for a program that was specified by name. */
export interface NamedProgram {
  readonly configuration: MadeConfiguration;
  /** Whether the configuration already contains the arguments. */
  readonly holdsArguments: boolean;
}

/** Node, and programs that start Node programs. js-debug follows the processes that they start. */
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

/** Programs that are Python modules. The debugger's interpreter runs them instead of the interpreter on the PATH. */
const PYTHON_MODULES: Readonly<Record<string, string>> = {
  pytest: 'pytest',
  'py.test': 'pytest',
  unittest: 'unittest',
};

/** Programs that start the person's program in a process that no debugger follows. */
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

/** Whether a text is a program's name as typed in a shell, rather than a path. */
export function isProgramName(text: string): boolean {
  return /^[\w@+][\w.@+-]*$/.test(text);
}

/**
 * Finds a program by name: a runtime, a Python tool, a package's program in `node_modules/.bin`, or a program on the
 * PATH. Returns undefined if there is none.
 * @throws Failure `not_supported` for a program that no debugger could follow, `program_not_found` for a missing
 * runtime
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

/** Returns the configuration for `python -m module`. */
export function moduleConfiguration(
  services: ToolServices,
  module: string,
  type?: string,
): MadeConfiguration {
  const chosen = type ?? typeOfLanguage(services, 'python', module);
  const { toolProperties, moduleProperties } = adapterOf(chosen);
  return { type: chosen, module, ...toolProperties, ...moduleProperties?.(module) };
}

/**
 * Returns the configuration for `python -m module …` or `python file …`, run by the debugger's interpreter.
 * @throws Failure `not_supported`
 */
function pythonCommand(
  services: ToolServices,
  name: string,
  args: readonly string[],
): MadeConfiguration {
  const type = typeOfLanguage(services, 'python', name);
  const [first, second, ...rest] = args;
  if (first === '-m' && second !== undefined)
    return { ...moduleConfiguration(services, second, type), args: rest };
  if (first !== undefined && !first.startsWith('-'))
    return {
      type,
      ...(adapterOf(type).launch?.(first) ?? { program: first }),
      args: args.slice(1),
    };
  throw new Failure(
    'not_supported',
    l10n.t('Only a file, or -m and a module, of a command line of {0} can be debugged.', name),
    'Pass program (a file) or module, and the rest in args.',
  );
}

/**
 * Returns the configuration for an executable, which is determined by its first line or as a binary.
 * @throws Failure `not_supported`
 */
async function forExecutable(
  services: ToolServices,
  name: string,
  file: string,
): Promise<MadeConfiguration> {
  const { path: real = file, head } = (await services.workspace.program(file)) ?? {};
  const first = head === undefined ? undefined : lineOf(head);
  if (isNodeScript({ path: real, head }))
    return { ...forNodeTool(typeOfLanguage(services, 'javascript', name)), program: real };
  if (first !== undefined && /^#!.*python/.test(first)) {
    const type = typeOfLanguage(services, 'python', name);
    return {
      type,
      program: real,
      ...adapterOf(type).moduleProperties?.(path.basename(real)),
      ...(await interpreterOf(services, first)),
    };
  }
  if (STARTERS.has(name) || first !== undefined) {
    throw new Failure(
      'not_supported',
      l10n.t('{0} is {1}. The debugger does not follow the programs that it starts.', name, real),
      'Pass the file, folder or compiled program that it would run; type names another debugger.',
    );
  }
  return { type: typeOfLanguage(services, 'native', name), program: real };
}

/**
 * Returns a configuration that runs a TypeScript file with the tsx of its project, regardless of the version of Node.
 * Returns undefined if the project has no tsx. Node itself runs TypeScript since 22.18 and 23.6, but the version of
 * Node that will run the file is unknown here.
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
  // Files outside the workspace are not read.
  if ((await services.workspace.outside(program)) !== undefined) return undefined;
  const tsx = await packageProgram(services, 'tsx', path.dirname(program));
  return tsx === undefined
    ? undefined
    : { ...forNodeTool(type), program: tsx, args: [program, ...args] };
}

const TYPESCRIPT = /(?<!\.d)\.[cm]?tsx?$/;

/** Returns a configuration for a JavaScript tool that makes the debugger read all of the tool's output. */
function forNodeTool(type: string): MadeConfiguration {
  return { type, ...adapterOf(type).toolProperties };
}

/** Returns the interpreter of a script, if its first line names the interpreter by a path. */
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
 * Returns the script of a package's program in the `node_modules` of a folder or its parents. The package of the same
 * name says which script it is. Otherwise the entry in `.bin` is a link, or a shell script that names the script.
 * Returns undefined if it is not a script for Node.
 */
export async function packageProgram(
  services: ToolServices,
  name: string,
  from: string,
): Promise<string | undefined> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const modules = path.join(folder, 'node_modules');
    const script =
      (await scriptOfPackage(services, name, path.join(modules, name))) ??
      (await scriptOf(services, path.join(modules, '.bin', name)));
    if (script !== undefined) return script;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Matches the programs of a package in the beginning of its `package.json`: the only one, or one for each name. */
const BIN = /"bin"\s*:\s*(?:"(?<only>[^"]+)"|\{(?<each>[^{}]*)\})/;

async function scriptOfPackage(
  services: ToolServices,
  name: string,
  folder: string,
): Promise<string | undefined> {
  const manifest = await services.workspace.program(path.join(folder, 'package.json'));
  const { only, each = '' } = BIN.exec(manifest?.head ?? '')?.groups ?? {};
  const named = [...each.matchAll(/"([^"]+)"\s*:\s*"([^"]+)"/g)].find(([, key]) => key === name);
  const file = only ?? named?.[2];
  if (file === undefined) return undefined;
  const script = await services.workspace.program(path.join(folder, file));
  return script !== undefined && isNodeScript(script) ? script.path : undefined;
}

/** Matches the path of the script in a shell script. The path is relative to the folder of the shell script. */
const IN_SHELL_SCRIPT = /"\$basedir\/(?<script>[^"$]+)"/g;

async function scriptOf(services: ToolServices, link: string): Promise<string | undefined> {
  const program = await services.workspace.program(link);
  if (program?.head === undefined) return undefined;
  if (isNodeScript(program)) return program.path;
  for (const { groups } of program.head.matchAll(IN_SHELL_SCRIPT)) {
    const named = path.resolve(path.dirname(link), groups?.['script'] ?? '');
    // The shell script may also name a Node executable in its folder.
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

/** Returns the first program with this name (without extension) in the folders of the PATH. */
export async function onPath(
  { workspace }: ToolServices,
  name: string,
): Promise<string | undefined> {
  const separator = workspace.platform === 'windows' ? ';' : ':';
  const extensions = workspace.platform === 'windows' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (workspace.variable('env', 'PATH', undefined) ?? '')
    .split(separator)
    .filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    for (const extension of extensions) {
      const file = path.join(folder, `${name}${extension}`);
      if ((await workspace.program(file)) !== undefined) return file;
    }
  }
  return undefined;
}

function lineOf(text: string): string {
  return text.slice(0, 500).split('\n', 1)[0] ?? '';
}
