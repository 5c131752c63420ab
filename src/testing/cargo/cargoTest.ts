import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { defined } from '../../util/defined';
import { fields, isFields, textOf, type Fields } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import type { CargoEnd } from '../../tools/services';
import { scanRust } from '../scan/braces';
import type {
  ChosenTest,
  ReportedError,
  RunReport,
  TestBuild,
  TestFramework,
  TestProject,
} from '../testFramework';

const BUILD = ['test', '--no-run', '--message-format=json'];
/** The maximum number of compiler errors that are reported. */
const MOST_ERRORS = 5;

export const cargoTest: TestFramework = {
  id: 'cargo_test',
  title: 'cargo test',
  files: /\.rs$/,
  markers: ['Cargo.toml'],
  evidence: 'a Cargo.toml, and #[test] in the file',
  detect: ({ text }) => (/#\[(?:\w+::)*(?:test|rstest)\b/.test(text) ? 10 : 0),
  list: scanRust,
  configuration: async ({ project, test, args }) => {
    const type = typeOfLanguage(project.services, 'native', project.file);
    return {
      configuration: {
        type,
        ...adapterOf(type).testProperties,
        args: programArgs(fullName(project, test), args),
      },
      files: {},
      report: 'none',
      build: buildOf(project, test, args),
    };
  },
  // A function of the Rust runtime. It is called after the hook that prints the message.
  failsIn: 'rust_panic',
  ownOutput,
  readOutcome: (_report, output, test, folder = '') => readOutcome(output, test, folder),
};

function programArgs(name: string, args: readonly string[]): string[] {
  return [name, '--exact', '--nocapture', '--color', 'never', ...args];
}

/**
 * Returns the test's name with the modules of its file. The module of `src/cart.rs` is `cart`.
 * @param root the root file of the crate, which is known after the build. By default, the folder of Cargo's layout.
 */
function fullName(
  { file, folder }: TestProject,
  { path: names }: ChosenTest,
  root?: string,
): string {
  return [...withoutRoot(modulesOf(file, folder, root)), ...names].join('::');
}

function modulesOf(file: string, folder: string, root: string | undefined): readonly string[] {
  if (root === undefined) return modulesInLayout(partsOf(file, folder));
  return root === file ? [] : partsOf(file, path.dirname(root));
}

function partsOf(file: string, folder: string): readonly string[] {
  return path.relative(folder, file).replace(/\.rs$/, '').split(path.sep);
}

/**
 * Returns the modules of a file. A file or a folder in `tests` or `src/bin` is a separate crate, so the module of
 * `tests/shop/cart.rs` is `cart`.
 */
function modulesInLayout([top, ...rest]: readonly string[]): readonly string[] {
  if (top !== 'src') return rest.slice(1);
  return rest[0] === 'bin' ? rest.slice(2) : rest;
}

/**
 * Returns the modules without a file name that is no module. `lib.rs` and `main.rs` are the crate itself, and
 * `cart/mod.rs` is `cart`.
 */
function withoutRoot(modules: readonly string[]): readonly string[] {
  if (modules.length === 1 && (modules[0] === 'lib' || modules[0] === 'main')) return [];
  return modules.at(-1) === 'mod' ? modules.slice(0, -1) : modules;
}

function buildOf(project: TestProject, test: ChosenTest, args: readonly string[]): TestBuild {
  const { services, file, folder } = project;
  return {
    command: ['cargo', ...BUILD].join(' '),
    folder,
    run: async (signal) => {
      const end = await services.cargo.run(BUILD, folder, signal);
      if (end === undefined)
        throw new Failure(
          'runner_not_installed',
          l10n.t('{0} is not on the PATH of VS Code.', 'cargo'),
          'Let the person install Rust, or start VS Code where cargo is found.',
          { package: 'cargo' },
        );
      const { program, root } = programOf(end, file, folder);
      return { program, cwd: folder, args: programArgs(fullName(project, test, root), args) };
    },
  };
}

/** Returns the test program that contains a file, and the root file of its crate. @throws Failure `build_failed`, `program_not_found` */
export function programOf(
  end: CargoEnd,
  file: string,
  folder: string,
): { readonly program: string; readonly root: string } {
  const messages = end.stdout.split('\n').map(messageIn);
  if (end.exitCode !== 0) throw notBuilt(messages, end);
  const programs = messages.flatMap((message) => {
    const program = textOf(message['executable']);
    const root = textOf(fields(message['target'])['src_path']);
    const isTest = fields(message['profile'])['test'] === true;
    return program !== undefined && root !== undefined && isTest ? [{ program, root }] : [];
  });
  const own = programs.find(({ root }) => root === file);
  // A module belongs to the crate with the nearest root above it. If a library and a program share the module, it
  // belongs to the library.
  const around = programs
    .filter(({ root }) => file.startsWith(path.dirname(root) + path.sep))
    .sort((one, other) => path.dirname(other.root).length - path.dirname(one.root).length)[0];
  const found = own ?? around;
  if (found !== undefined) return found;
  throw new Failure(
    'program_not_found',
    l10n.t('No test program is built from {0}.', path.basename(file)),
    'The file may be no part of the crate: check its mod declarations and Cargo.toml.',
    { folder, candidates: programs.map(({ root }) => root) },
  );
}

function messageIn(line: string): Fields {
  try {
    const message: unknown = JSON.parse(line);
    return isFields(message) ? message : {};
  } catch {
    return {};
  }
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
    { output: texts.slice(0, MOST_ERRORS).flatMap((text) => text.trim().split('\n')) },
  );
}

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/;
/** Rust 1.73 and later versions write the place before the message. Older versions write it after the message. */
const PANIC = /^thread '(.*)'(?: \(\d+\))? panicked at (?:(\S.*?):(\d+):(\d+):$|'(.*)$)/s;
const OLD_PLACE = /^(.*)', (\S.*?):(\d+):(\d+)$/s;
const BEHIND = /^(?:stack backtrace:|note: |test .* \.\.\. |$)/;

function readOutcome(output: readonly string[], test: ChosenTest, folder: string): RunReport {
  const lines = output.flatMap((text) => text.split(/\r?\n/));
  const counts = lines.map((line) => RESULT.exec(line)).find((match) => match !== null);
  const error = errorIn(lines, folder);
  if (counts === undefined) return { tests: [], error: { ...error, message: cutShort(error) } };
  const [passed, failed, ignored] = counts.slice(1).map(Number);
  const tests = [{ path: test.path, line: test.line }];
  if (failed) return { tests: tests.map((entry) => ({ ...entry, outcome: 'failed', error })) };
  if (passed) return { tests: tests.map((entry) => ({ ...entry, outcome: 'passed' })) };
  if (!ignored) return { tests: [] };
  const reason = lines.map((line) => /\.\.\. ignored, (.+)$/.exec(line)?.[1]).find(Boolean);
  return { tests: tests.map((entry) => ({ ...entry, outcome: 'skipped', reason })) };
}

/** Returns the error message for a run without a result. A program that a signal ended prints no result. */
function cutShort({ message }: ReportedError): string {
  return message === '' ? l10n.t('The test program ended before it reported a result.') : message;
}

/**
 * Returns the error of the last panic. Earlier panics were caught. If a test should have panicked but did not, there is
 * no panic.
 */
function errorIn(lines: readonly string[], folder: string): ReportedError {
  const at = lines.findLastIndex((line) => PANIC.test(line));
  const panic = PANIC.exec(lines[at] ?? '');
  if (panic === null) {
    const note = lines.find((line) => /^note: (?:test|panic) did not /.test(line))?.slice(6);
    // A test that returns an error. The library prints it with `Debug`.
    const returned = lines.find((line) => line.startsWith('Error: '));
    return { type: undefined, message: note ?? returned ?? '', frames: [], causes: [] };
  }
  const [, name = '', newFile, newLine, newColumn, oldBegin] = panic;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => BEHIND.test(line));
  const more = end === -1 ? rest : rest.slice(0, end);
  const old = OLD_PLACE.exec([oldBegin ?? '', ...more].join('\n'));
  const message = newFile === undefined ? (old?.[1] ?? oldBegin ?? '') : more.join('\n');
  const file = newFile ?? old?.[2];
  const [line, column] = [newLine ?? old?.[3], newColumn ?? old?.[4]].map(Number);
  const frames =
    file === undefined || line === undefined
      ? []
      : [{ path: absolute(file, folder), line, column, name }];
  const occurrence = lines.filter((line) => PANIC.test(line)).length;
  const described = unexpectedPanic(lines) ?? { message: message.trim(), ...sidesOf(message) };
  return { type: 'panic', ...described, frames, causes: [], occurrence };
}

/** Returns the error of a test with `#[should_panic(expected = …)]` that has panicked with another message. */
function unexpectedPanic(
  lines: readonly string[],
): Pick<ReportedError, 'message' | 'actual' | 'expected'> | undefined {
  const at = lines.findIndex((line) => line.startsWith('note: panic did not contain '));
  if (at < 0) return undefined;
  const text = lines.slice(at, at + 3).join('\n');
  const [actual, expected] = [/^ *panic message: (.*?),?$/m, /^ *expected substring: (.*)$/m].map(
    (pattern) => pattern.exec(text)?.[1],
  );
  return defined({ message: (lines[at] ?? '').slice(6), actual, expected });
}

const LEFT = /^ *left: (`?)(.*?)\1,?$/m;
const RIGHT = /^ *right: (`?)(.*?)\1(?:: .*)?$/m;

/** Returns the two values that `assert_eq!` prints. By convention, the left one is the actual value. */
function sidesOf(message: string): Pick<ReportedError, 'actual' | 'expected'> {
  const [actual, expected] = [LEFT, RIGHT].map((side) => side.exec(message)?.[2]);
  return actual === undefined || expected === undefined ? {} : { actual, expected };
}

/**
 * Returns the absolute path of a file. The compiler writes paths relative to the Cargo workspace, which is the crate's
 * folder or a folder above it.
 */
function absolute(file: string, folder: string): string {
  if (path.isAbsolute(file)) return file;
  const [names, above] = [file.split(/[\\/]/), folder.split(path.sep)];
  for (let length = Math.min(names.length - 1, above.length); length > 0; length -= 1)
    if (names.slice(0, length).join('/') === above.slice(-length).join('/'))
      return path.join(folder, ...names.slice(length));
  return path.join(folder, file);
}

/**
 * Returns the output of the test itself, without the lines of the test library and without the panic that ended the
 * test.
 */
function ownOutput(lines: readonly string[]): readonly string[] {
  const all = lines.flatMap((text) => text.split(/\r?\n/));
  const begin = all.findIndex((line) => /^running \d+ tests?$/.test(line));
  const rest = all.slice(begin + 1);
  const end = rest.findIndex((line) => PANIC.test(line) || /^test .* \.\.\. \w+/.test(line));
  return (end === -1 ? rest : rest.slice(0, end)).filter((line) => line !== '');
}
