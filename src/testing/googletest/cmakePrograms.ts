import { shownLines } from '../../tools/files/scannedText';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import type { ToolServices } from '../../tools/services';
import type { ChosenTest, TestProject } from '../testFramework';
import { listedByCTest, type CTestEntry } from './cmakeTests';

/** A program that CMake has built. */
export interface TestProgram {
  readonly program: string;
  readonly cwd: string | undefined;
}

/** The maximum number of programs that are asked for their tests. */
const MAX_PROGRAMS = 20;

/**
 * Returns the programs that may have a test, the likeliest first: the one that CTest names for the test, those that
 * are linked from the file, or all that CTest knows.
 * @throws Failure `program_not_found`
 */
export async function programsOf(
  project: TestProject,
  { path: names }: ChosenTest,
): Promise<readonly TestProgram[]> {
  const { services, file, folder } = project;
  const entries = await listedByCTest(services, folder);
  const named = entries.find(({ name }) => name === names.join('.'));
  if (named !== undefined) return [named];
  const linked = await linkedFrom(services, folder, file);
  const withFolder = linked.map((program) => entryOf(entries, program));
  if (withFolder.length > 0) return withFolder;
  const programs = [...new Set(entries.map(({ program }) => program))];
  const built: TestProgram[] = [];
  for (const program of programs)
    if (await isCompiled(services, program, path.relative(folder, file)))
      built.push(entryOf(entries, program));
  if (built.length > 0) return built.slice(0, 1);
  const all = programs.slice(0, MAX_PROGRAMS).map((program) => entryOf(entries, program));
  if (all.length > 0) return all;
  throw new Failure(
    'program_not_found',
    l10n.t('No test program is built from {0}.', path.basename(file)),
    'Build the project with CMake in a folder of the workspace, then try again. No CTestTestfile.cmake, build.ninja or link.txt names a program of this file.',
  );
}

/** A test program runs in the folder that CTest names for all of its tests. */
function entryOf(entries: readonly CTestEntry[], program: string): TestProgram {
  const cwd = entries.find((entry) => entry.program === program && entry.cwd !== undefined)?.cwd;
  return { program, cwd };
}

async function isCompiled(
  { workspace }: Pick<ToolServices, 'workspace'>,
  program: string,
  source: string,
): Promise<boolean> {
  const objects = path.join(path.dirname(program), 'CMakeFiles', `${path.basename(program)}.dir`);
  for (const object of [source, path.basename(source)])
    if ((await workspace.exists(path.join(objects, `${object}.o`))) === true) return true;
  return false;
}

/** Returns the programs whose link step takes the object of a file. */
async function linkedFrom(
  { workspace }: Pick<ToolServices, 'workspace'>,
  folder: string,
  file: string,
): Promise<readonly string[]> {
  const inside = (found: readonly string[]): readonly string[] => {
    const own = found.filter((each) => each.startsWith(folder + path.sep));
    return own.length > 0 ? own : found;
  };
  const programs: string[] = [];
  for (const ninja of inside(await workspace.filesNamed('build.ninja'))) {
    const lines = await shownLines(workspace, ninja);
    programs.push(...linkedByNinja(lines, path.dirname(ninja), file));
  }
  for (const link of inside(await workspace.filesNamed('link.txt'))) {
    const lines = await shownLines(workspace, link);
    // `<build folder>/CMakeFiles/<target>.dir/link.txt`
    const build = path.resolve(path.dirname(link), '../..');
    programs.push(...linkedByMake(lines, build, folder, file));
  }
  const unique = [...new Set(programs)];
  const exist = await Promise.all(unique.map((program) => workspace.exists(program)));
  return unique.filter((_, index) => exist[index] === true);
}

/** Reads the lines `build <outputs>: <rule> <inputs>` of a build file of Ninja. */
export function linkedByNinja(
  lines: readonly string[],
  build: string,
  file: string,
): readonly string[] {
  const objects = new Set<string>();
  const links: { readonly output: string; readonly inputs: readonly string[] }[] = [];
  for (const line of lines) {
    if (!line.startsWith('build ')) continue;
    const colon = line.indexOf(': ');
    const [rule = '', ...inputs] = words(line.slice(colon + 2));
    const [output = ''] = words(line.slice('build '.length, colon));
    if (/_COMPILER__/.test(rule)) {
      const [source = ''] = inputs;
      if (path.resolve(build, source) === file) objects.add(output);
    } else if (/_EXECUTABLE_LINKER__/.test(rule)) links.push({ output, inputs });
  }
  return links
    .filter(({ inputs }) => inputs.some((input) => objects.has(input)))
    .map(({ output }) => path.resolve(build, output));
}

/** Splits the words of a line in a build file of Ninja, in which `$` quotes blanks and colons. */
function words(text: string): readonly string[] {
  return text
    .replaceAll('$ ', '\0')
    .replaceAll('$:', ':')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\0', ' '));
}

/** Reads the command of a link step of Make: `c++ … CMakeFiles/t.dir/a.cpp.o -o t …`. */
export function linkedByMake(
  [command = '']: readonly string[],
  build: string,
  folder: string,
  file: string,
): readonly string[] {
  const parts = command.split(' ').map((part) => part.replace(/^"(.*)"$/, '$1'));
  const output = parts[parts.indexOf('-o') + 1];
  if (!parts.includes('-o') || output === undefined) return [];
  const endings = [path.relative(folder, file), path.basename(file)].map(
    (name) => `.dir/${name}.o`,
  );
  const isLinked = parts.some((part) => endings.some((ending) => part.endsWith(ending)));
  return isLinked ? [path.resolve(build, output)] : [];
}
