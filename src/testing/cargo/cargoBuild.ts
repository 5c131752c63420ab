import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { fields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import type { CargoEnd } from '../../tools/services';
import { sharedBuild } from '../sharedBuild';
import type { TestProject } from '../testFramework';
import { cargoEnvironment, messagesIn } from './cargoEnvironment';
import type { RustProgram } from './cargoNames';

/** The maximum number of compiler errors that are reported. */
const MAX_ERRORS = 5;

/** Returns the arguments with which Cargo builds the test programs. */
export function buildArguments(options: readonly string[]): readonly string[] {
  return ['test', '--no-run', '--message-format=json', ...options];
}

/**
 * Builds the test programs of a package, those that may contain the file first.
 * @throws Failure `build_failed`, `program_not_found`, `runner_not_installed`
 */
export async function builtPrograms(
  { services, file, folder }: TestProject,
  args: readonly string[],
  signal: AbortSignal,
  progress: ((doing: string) => void) | undefined,
): Promise<readonly RustProgram[]> {
  const key = JSON.stringify([folder, ...args]);
  const end = await sharedBuild(
    key,
    (own) => services.cargo.run(args, folder, own, {}, (line) => progress?.(doing(line))),
    signal,
  );
  if (end === undefined)
    throw new Failure(
      'runner_not_installed',
      l10n.t('{0} is not on the PATH of VS Code.', 'cargo'),
      'Let the person install Rust, or start VS Code where cargo is found.',
      { package: 'cargo' },
    );
  return programsOf(end, file, folder);
}

function doing(line: string): string {
  return l10n.t('Building the test: {0}', line.trim().slice(0, 100));
}

/**
 * Returns the test programs, those first whose crate may contain a file. A module belongs to the crate with the nearest
 * root above it. If a library and a program share the module, it belongs to the library.
 * @throws Failure `build_failed`, `program_not_found`
 */
export function programsOf(end: CargoEnd, file: string, folder: string): readonly RustProgram[] {
  const messages = messagesIn(end.stdout);
  if (end.exitCode !== 0) throw notBuilt(messages, end);
  const programs = messages.flatMap((message) => programIn(message, messages) ?? []);
  const nearness = ({ root }: RustProgram): number => {
    if (root === file) return Infinity;
    const above = path.dirname(root);
    return file.startsWith(above + path.sep) ? above.length : 0;
  };
  const sorted = [...programs].sort((one, other) => nearness(other) - nearness(one));
  if (sorted.length > 0) return sorted;
  throw new Failure(
    'program_not_found',
    l10n.t('No test program is built from {0}.', path.basename(file)),
    'The file may be no part of the crate: check its mod declarations and Cargo.toml.',
    { folder },
  );
}

function programIn(message: Fields, messages: readonly Fields[]): RustProgram | undefined {
  const program = textOf(message['executable']);
  const target = fields(message['target']);
  const root = textOf(target['src_path']);
  const isTest = fields(message['profile'])['test'] === true;
  if (program === undefined || root === undefined || !isTest) return undefined;
  return {
    ...{ program, root },
    manifest: textOf(message['manifest_path']),
    crate: (textOf(target['name']) ?? '').replaceAll('-', '_'),
    kind: textOf(listOf(target['kind'])[0]) ?? '',
    environment: (platform, inherited) => cargoEnvironment(messages, message, platform, inherited),
  };
}

function notBuilt(messages: readonly Fields[], { stderr }: CargoEnd): Failure {
  const errors = messages
    .map((error) => fields(error['message']))
    .filter((error) => error['level'] === 'error')
    .map((error) => textOf(error['rendered']) ?? textOf(error['message']) ?? '');
  const texts = errors.length > 0 ? errors : [stderr.trim()];
  return new Failure(
    'build_failed',
    l10n.t('The test cannot be built: {0}', (texts[0] ?? '').trim().split('\n')[0] ?? ''),
    'Fix the errors in output, then call again.',
    { output: texts.slice(0, MAX_ERRORS).flatMap((text) => text.trim().split('\n')) },
  );
}

/**
 * Whether a target brings its own `main`, as `harness = false` in a manifest says. Such a program knows none of the
 * options that list and select tests.
 */
export function hasOwnHarness(manifest: string, { crate, kind }: RustProgram): boolean {
  const sections = manifest.split(/^[ \t]*(?=\[)/m);
  return sections.some((section) => {
    const head = /^\[\[?(\w+)\]?\]/.exec(section)?.[1];
    if (head !== kind || !/^[ \t]*harness[ \t]*=[ \t]*false\b/m.test(section)) return false;
    const name = /^[ \t]*name[ \t]*=[ \t]*"([^"\n]*)"/m.exec(section)?.[1];
    return name === undefined || name.replaceAll('-', '_') === crate;
  });
}
