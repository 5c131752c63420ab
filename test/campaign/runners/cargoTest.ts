import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { localsOfLine } from '../locals';
import type { Installed, Place, TruthTest } from '../project';
import { isOwn, type Broken, type Runner } from './runner';

/** A program of tests that Cargo runs: `--lib`, or `--test` with the root file of an integration test. */
interface Target {
  readonly root: string;
  readonly selector: readonly string[];
}

/** Reads the output of `cargo test`, the two streams in one. */
export function readCargoTest(installed: Installed, output: string): readonly TruthTest[] | Broken {
  if (/^error(?:\[E\d+\])?: (?!test failed|\d+ targets? failed|.*target)/m.test(output))
    return { broken: /^error.*(?:\n.*){0,3}/m.exec(output)?.[0] ?? 'not built' };
  const parts = output.split(/^ +(?=Running |Doc-tests )/m).slice(1);
  return parts.flatMap((part) => {
    const target = targetOf(installed, part);
    return target === undefined ? [] : testsOf(installed, target, part);
  });
}

function targetOf({ folder }: Installed, part: string): Target | undefined {
  const [, unit, file] = /^Running (unittests )?(\S+\.rs) /.exec(part) ?? [];
  if (file === undefined) return undefined;
  const root = path.join(folder, file);
  if (unit === undefined) return { root, selector: ['--test', path.basename(file, '.rs')] };
  return file.endsWith('lib.rs') ? { root, selector: ['--lib'] } : undefined;
}

function testsOf(installed: Installed, target: Target, part: string): readonly TruthTest[] {
  return [...part.matchAll(/^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED)$/gm)].map(
    ([, name = '', verdict]) => {
      const common = {
        name,
        file: fileOf(target.root, name),
        selector: [...target.selector, name],
      };
      if (verdict === 'ok') return { ...common, verdict: 'passed' as const };
      const { message, at } = panicOf(installed, part, name);
      const locals = at === undefined ? undefined : localsOfLine(at);
      return { ...common, verdict: 'failed' as const, message, at, locals };
    },
  );
}

function panicOf(
  installed: Installed,
  part: string,
  name: string,
): { readonly message: string; readonly at?: Place } {
  const start = part.indexOf(`---- ${name} stdout ----`);
  const [, body = ''] =
    /^---- .* ----\n([^]*?)(?=\n---- |\n\nfailures:\n)/.exec(part.slice(start)) ?? [];
  const [, file = '', line, text = ''] =
    /panicked at (\S+?):(\d+):\d+:\n([^]*?)(?=\nnote: |$)/.exec(body) ?? [];
  if (line === undefined) return { message: body.trim() };
  const place = { file: path.resolve(installed.folder, file), line: Number(line) };
  return { message: text, ...(isOwn(installed, place.file) ? { at: place } : {}) };
}

/** The file of a test in a module: of `a::tests::b`, `src/a.rs` or `src/a/tests.rs`, or the root file itself. */
function fileOf(root: string, name: string): string {
  const parts = name.split('::');
  const leaf = parts.at(-1) ?? '';
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const inner = path.join(path.dirname(root), ...parts.slice(0, count));
    for (const file of [`${inner}.rs`, path.join(inner, 'mod.rs')])
      if (existsSync(file) && readFileSync(file, 'utf8').includes(leaf)) return file;
  }
  return root;
}

export const cargoTest: Runner = {
  builds: true,
  whole: ({ project, folder }) => ({
    program: 'sh',
    args: [
      ...['-c', 'exec "$@" 2>&1', 'sh'],
      ...[
        'cargo',
        'test',
        '--offline',
        '--no-fail-fast',
        '--color',
        'never',
        ...(project.args ?? []),
      ],
      ...project.tests,
    ],
    cwd: folder,
  }),
  read: (installed, _text, { stdout }) => readCargoTest(installed, stdout),
  one: ({ project, folder }, { selector }) => ({
    program: 'cargo',
    args: ['test', '--offline', ...(project.args ?? []), ...selector, '--', '--exact'],
    cwd: folder,
  }),
  version: ({ folder }) => ({ program: 'cargo', args: ['--version'], cwd: folder }),
};
