import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPythonReport } from '../../../../src/testing/python/pythonReport';
import { readLines } from '../../../../src/testing/report/readReport';
import type { ReportedTest, RunReport } from '../../../../src/testing/runReport';
import { hasTools, toolPath } from '../../../support/toolchain';

const ROOT = path.resolve(__dirname, '../../../../..');
export const REPORTERS = path.join(ROOT, 'reporters/python');
/** The Python files of the tests in VS Code. */
export const FIXTURES = path.join(ROOT, 'test/fixtures/languages/tests/python');

/** The Python that the tests in VS Code use, or Debian's. */
export const PYTHON = hasTools('pytest') ? toolPath('pytest') : '/usr/bin/python3';

/** Whether that Python can import a module. */
export function hasModule(name: string): boolean {
  return spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0;
}

/** What a run of a reporter told. */
export interface PythonRun {
  readonly report: RunReport;
  readonly entries: ReturnType<typeof readLines>;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** Returns a test of the report by its own name. */
  readonly test: (name: string) => ReportedTest;
}

interface Options {
  readonly names?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file of the report. Default: one in a new folder. */
  readonly report?: string;
}

/** Runs tests as the extension does, without a debugger. */
export function runPython(
  runner: 'pytest' | 'unittest',
  file: string,
  { names = [], args = [], env = {}, report: where }: Options = {},
): PythonRun {
  const scratch = mkdtempSync(path.join(tmpdir(), 'reporter-'));
  const report = where ?? path.join(scratch, 'report.jsonl');
  const own =
    runner === 'pytest'
      ? ['-m', 'pytest', '-p', 'agent_debugger_report', '-o', `cache_dir=${scratch}/cache`]
      : ['-m', 'agent_debugger_unittest'];
  try {
    const { stdout, stderr, status, signal } = spawnSync(PYTHON, [...own, ...args, file], {
      cwd: path.dirname(file),
      encoding: 'utf8',
      env: {
        ...process.env,
        PYTHONPATH: REPORTERS,
        PYTHONDONTWRITEBYTECODE: '1',
        AGENT_DEBUGGER_REPORT: report,
        AGENT_DEBUGGER_ROOTS: path.dirname(file),
        AGENT_DEBUGGER_TEST: JSON.stringify(names),
        ...env,
      },
    });
    const output = stdout + stderr;
    return read(reportIn(report), output, names, { exitCode: status, signal });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function reportIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function read(
  text: string | undefined,
  output: string,
  names: readonly string[],
  end: Pick<PythonRun, 'exitCode' | 'signal'>,
): PythonRun {
  const requested = { path: names, line: undefined, isTemplate: false };
  const report = readPythonReport(text, output.split('\n'), requested);
  return {
    ...end,
    report,
    output,
    entries: readLines(text ?? ''),
    test: (name) => {
      const found = report.tests.find((test) => test.path.at(-1) === name);
      if (found === undefined) throw new Error(`${name} is not in the report: ${text ?? output}`);
      return found;
    },
  };
}

/** Runs a test file that only exists for the call. */
export function runText(
  runner: 'pytest' | 'unittest',
  text: string,
  options: Options & { readonly files?: Readonly<Record<string, string>> } = {},
): PythonRun {
  const folder = mkdtempSync(path.join(tmpdir(), 'tests-'));
  try {
    for (const [name, content] of Object.entries({ 'pytest.ini': '[pytest]\n', ...options.files }))
      writeFileSync(path.join(folder, name), content);
    const file = path.join(folder, 'test_it.py');
    writeFileSync(file, text);
    return runPython(runner, file, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls a function of a module of the reporters with JSON. */
export function callPython(module: string, expression: string, value: unknown): unknown {
  const program = `import sys, json; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); from ${module} import *; value = json.loads(sys.argv[2]); print(json.dumps(${expression}))`;
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', program, REPORTERS, JSON.stringify(value)], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}
