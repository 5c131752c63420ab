import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { localsOfLine } from '../locals';
import type { Installed, Place, Told, TruthTest } from '../project';
import { asPattern, isOwn, type Broken, type Runner } from './runner';

interface Event {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

interface Running {
  readonly pkg: string;
  readonly name: string;
  output: string;
  verdict: 'passed' | 'failed' | undefined;
}

/** Reads the events of `go test -json`. Of a table, its failing rows are told, not the test around them. */
export function readGoTest(
  installed: Installed,
  text: string,
  moduleName: string,
): readonly TruthTest[] | Broken {
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as Event) : []));
  if (events.some(({ Action }) => Action === 'build-fail')) return { broken: 'build-fail' };
  const running = new Map<string, Running>();
  for (const { Action, Package: pkg = '', Test: name, Output } of events) {
    if (name === undefined) continue;
    const test = running.get(`${pkg} ${name}`) ?? { pkg, name, output: '', verdict: undefined };
    running.set(`${pkg} ${name}`, test);
    if (Action === 'output') test.output += Output ?? '';
    if (Action === 'pass') test.verdict = 'passed';
    if (Action === 'fail') test.verdict = 'failed';
  }
  const all = [...running.values()];
  return all.flatMap((test) => {
    const hasRows = all.some(
      ({ pkg, name, verdict }) =>
        pkg === test.pkg &&
        name.startsWith(`${test.name}/`) &&
        (verdict === 'failed' || test.verdict === 'passed'),
    );
    if (test.verdict === undefined || hasRows) return [];
    const folder = path.join(installed.folder, path.relative(moduleName, test.pkg));
    return testOf(installed, folder, test);
  });
}

function testOf(
  installed: Installed,
  folder: string,
  { name, output, verdict }: Running,
): TruthTest {
  const common = {
    name,
    file: fileOf(folder, name),
    selector: [path.relative(installed.folder, folder) || '.', name],
  };
  if (verdict !== 'failed') return { ...common, verdict: 'passed' };
  const panic = panicOf(installed, output);
  const [first = {}, ...besides] = panic === undefined ? logged(folder, output) : [panic];
  return {
    ...common,
    verdict: 'failed',
    ...withLocals(first),
    besides: besides.length === 0 ? undefined : besides.map(withLocals),
  };
}

function withLocals({ message, at }: Told): Told {
  return { message, at, locals: at === undefined ? undefined : localsOfLine(at) };
}

/** The messages that the test logged: an indented `file.go:line: text`. It names no folder. Own places come first. */
function logged(folder: string, output: string): readonly Told[] {
  const messages = [...output.matchAll(/^\s+(\w[\w.-]*\.go):(\d+): (.*(?:\n {8}.*)*)/gm)];
  const told = messages.map(([, name = '', line, text = '']): Told => {
    const message = testifyError(text) ?? text.split('\n')[0] ?? '';
    const file = path.join(folder, name);
    return existsSync(file) ? { message, at: { file, line: Number(line) } } : { message };
  });
  const own = told.filter(({ at }) => at !== undefined);
  return own.length > 0 ? own : told.slice(0, 1);
}

/** The first line of what testify calls the error. */
function testifyError(text: string): string | undefined {
  return /^\s*Error:\s+(.*?)\s*$/m.exec(text)?.[1];
}

function panicOf(
  installed: Installed,
  output: string,
): { message: string; at?: Place } | undefined {
  const [, text] = /^panic: (.*?)(?: \[recovered.*)?$/m.exec(output) ?? [];
  if (text === undefined) return undefined;
  const stack = output.slice(output.lastIndexOf('\npanic('));
  const places = [...stack.matchAll(/^\t(\/\S+\.go):(\d+)/gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line),
  }));
  const at = places.find(({ file }) => isOwn(installed, file));
  return { message: text, ...(at === undefined ? {} : { at }) };
}

/** The file of a package that declares a test. */
function fileOf(folder: string, name: string): string {
  const [top = ''] = name.split('/');
  const declaration = new RegExp(`^func ${asPattern(top)}\\(`, 'm');
  const files = readdirSync(folder).filter((file) => file.endsWith('_test.go'));
  const found = files.find((file) =>
    declaration.test(readFileSync(path.join(folder, file), 'utf8')),
  );
  return path.join(folder, found ?? files[0] ?? '');
}

function moduleOf({ folder }: Installed): string {
  return /^module (\S+)/m.exec(readFileSync(path.join(folder, 'go.mod'), 'utf8'))?.[1] ?? '';
}

export const goTest: Runner = {
  builds: true,
  whole: ({ project, folder }) => ({
    program: 'go',
    args: ['test', '-json', '-count=1', ...(project.args ?? []), ...project.tests],
    cwd: folder,
  }),
  // The events are on the standard output.
  read: (installed, _text, { stdout }) => readGoTest(installed, stdout, moduleOf(installed)),
  one: ({ project, folder }, { selector: [pkg = '.', name = ''] }) => ({
    program: 'go',
    args: [
      ...['test', '-count=1', ...(project.args ?? [])],
      ...[
        '-run',
        name
          .split('/')
          .map((part) => `^${asPattern(part)}$`)
          .join('/'),
      ],
      `./${pkg}`,
    ],
    cwd: folder,
  }),
  version: ({ folder }) => ({ program: 'go', args: ['env', 'GOVERSION'], cwd: folder }),
};
