import { scannedIfAny } from '../../tools/files/scannedText';
import path from 'node:path';
import type { ToolServices } from '../../tools/services';

/** A test that CMake has listed for CTest. */
export interface CTestEntry {
  readonly name: string;
  readonly program: string;
  readonly cwd: string | undefined;
}

/** The maximum number of files that are read. A build may include many files. */
const MAX_FILES = 200;

/** The pattern for an argument in a CMake file: in brackets, in quotes, or plain. It does not go beyond its line. */
const ARGUMENT = String.raw`(?:\[=*\[[^\n]{0,200}?\]=*\]|"[^"\n]*"|[^\s()"]+)`;
const TEST = new RegExp(String.raw`^[ \t]*add_test\([ \t]*(${ARGUMENT})[ \t]+(${ARGUMENT})`, 'gm');
const FOLDER = new RegExp(
  String.raw`^[ \t]*set_tests_properties\([ \t]*(${ARGUMENT})[ \t]+PROPERTIES[ \t][^\n]{0,2000}?WORKING_DIRECTORY[ \t]+(${ARGUMENT})`,
  'gm',
);
const INCLUDED = new RegExp(String.raw`^[ \t]*(include|subdirs)\([ \t]*(${ARGUMENT})`, 'gm');

/** Returns the tests below a folder that CMake has listed for CTest. Nothing is run. */
export async function listedByCTest(
  services: ToolServices,
  folder: string,
): Promise<readonly CTestEntry[]> {
  const found = await services.workspace.filesNamed('CTestTestfile.cmake');
  const inside = found.filter((file) => file.startsWith(`${folder}${path.sep}`));
  const waiting = [...(inside.length > 0 ? inside : found)].sort();
  const read = new Set<string>();
  const entries: CTestEntry[] = [];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (read.has(file) || read.size >= MAX_FILES) continue;
    read.add(file);
    const text = (await scannedIfAny(services.workspace, file)) ?? '';
    waiting.push(...includedIn(text, path.dirname(file)));
    entries.push(...testsIn(text));
  }
  return entries;
}

function includedIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(INCLUDED)].map(([, kind, argument = '']) => {
    const named = path.resolve(folder, unquoted(argument));
    return kind === 'subdirs' ? path.join(named, 'CTestTestfile.cmake') : named;
  });
}

export function testsIn(text: string): readonly CTestEntry[] {
  const folders = new Map(
    [...text.matchAll(FOLDER)].map(([, name = '', cwd = '']) => [unquoted(name), unquoted(cwd)]),
  );
  return [...text.matchAll(TEST)].flatMap(([, name = '', program = '']) => {
    const file = unquoted(program);
    if (!path.isAbsolute(file)) return [];
    return { name: unquoted(name), program: file, cwd: folders.get(unquoted(name)) };
  });
}

function unquoted(argument: string): string {
  return argument.replace(/^\[(=*)\[(.*)\]\1\]$/s, '$2').replace(/^"(.*)"$/s, '$1');
}
