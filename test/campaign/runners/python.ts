import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, type Installed, type TruthTest } from '../project';
import type { Broken, Runner } from './runner';

const HOOKS = path.join(ROOT, 'test/campaign/hooks');

/** A project that the campaign has not installed may have no environment of its own. */
function python({ folder }: Installed): string {
  const own = path.join(folder, '.venv/bin/python');
  return existsSync(own) ? own : 'python3';
}

function hooked(report: string): Record<string, string> {
  return { PYTHONPATH: HOOKS, CAMPAIGN_REPORT: report, PYTHONDONTWRITEBYTECODE: '1' };
}

/** A line that one of the hooks wrote. */
interface Line {
  readonly nodeid?: string;
  readonly id?: string;
  readonly file: string;
  readonly outcome?: string;
  readonly type?: string;
  readonly message?: string;
  readonly path?: string;
  readonly line?: number;
  readonly locals?: readonly string[];
  readonly broken?: string;
}

/** Reads what the hooks wrote. A test that failed more than once, as subtests do, is told by its first failure. */
export function readHook(text: string): readonly TruthTest[] | Broken {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const broken = lines.find((line) => line.broken !== undefined)?.broken;
  if (broken !== undefined) return { broken };
  const tests = new Map<string, TruthTest>();
  for (const line of lines) {
    const name = line.nodeid ?? line.id ?? '';
    if (tests.get(name)?.verdict === 'failed') continue;
    tests.set(name, {
      name,
      file: line.file,
      selector: [name],
      verdict: line.outcome === 'passed' ? 'passed' : 'failed',
      message: messageOf(line),
      at:
        line.path === undefined || line.line === undefined
          ? undefined
          : { file: line.path, line: line.line },
      locals: line.locals,
    });
  }
  return [...tests.values()];
}

/** pytest writes the type of an exception before its text, but not before that of a rewritten `assert`. */
function messageOf({ type, message }: Line): string | undefined {
  if (type === undefined || message?.startsWith(type) !== true) return message;
  return message.slice(type.length).replace(/^: /, '');
}

export const pytest: Runner = {
  whole: (installed, report) => ({
    program: python(installed),
    args: [
      ...['-m', 'pytest', '-p', 'campaign_pytest', '-p', 'no:cacheprovider', '-q'],
      ...(installed.project.args ?? []),
      ...installed.project.tests,
    ],
    cwd: installed.folder,
    env: hooked(report),
  }),
  read: (_installed, text, { stdout, stderr }) =>
    text === '' ? { broken: `${stdout}\n${stderr}`.slice(-500) } : readHook(text),
  one: (installed, test) => ({
    program: python(installed),
    args: ['-m', 'pytest', ...(installed.project.args ?? []), ...test.selector],
    cwd: installed.folder,
  }),
  version: (installed) => ({
    program: python(installed),
    args: ['-c', 'import pytest; print(pytest.__version__)'],
    cwd: installed.folder,
  }),
};

export const unittest: Runner = {
  whole: (installed, report) => ({
    program: python(installed),
    args: [path.join(HOOKS, 'campaign_unittest.py'), ...installed.project.tests],
    cwd: installed.folder,
    env: { ...hooked(report), PYTHONPATH: [HOOKS, installed.folder].join(path.delimiter) },
  }),
  read: pytest.read,
  one: (installed, test) => ({
    program: python(installed),
    args: ['-m', 'unittest', ...test.selector],
    cwd: installed.folder,
  }),
  version: (installed) => ({
    program: python(installed),
    args: ['-c', 'import sys; print(sys.version.split()[0])'],
    cwd: installed.folder,
  }),
};
