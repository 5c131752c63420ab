import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readLines, readOwnReport } from '../../../../src/testing/report/readReport';
import type { ReportedTest, RunReport } from '../../../../src/testing/runReport';

const ROOT = path.resolve(__dirname, '../../../../..');
export const REPORTERS = path.join(ROOT, 'reporters/javascript');
const MOCHA = path.join(ROOT, 'node_modules/mocha/bin/mocha.js');

/** What a run of a reporter told. */
export interface JavaScriptRun {
  readonly report: RunReport;
  readonly entries: ReturnType<typeof readLines>;
  readonly exitCode: number | null;
  readonly output: string;
  /** Returns a test of the report by its own name. */
  readonly test: (name: string) => ReportedTest;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Further files in the folder of the test. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the folder of the report does not exist. */
  readonly isGone?: boolean;
  /** The file name of the test. */
  readonly name?: string;
  /** Returns the variables of a second run of the same file, which is returned instead. */
  readonly again?: (first: JavaScriptRun) => Readonly<Record<string, string>>;
}

/** Runs a test file that only exists for the call, as the extension does it without a debugger. */
export function runJavaScript(
  runner: 'node_test' | 'mocha',
  text: string,
  { env = {}, files = {}, isGone = false, name = 'it.test.cjs', again }: Options = {},
): JavaScriptRun {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tests-')));
  const file = path.join(folder, name);
  const report = path.join(folder, isGone ? 'gone' : 'scratch', 'report.jsonl');
  try {
    mkdirSync(path.join(folder, 'scratch'));
    for (const [each, content] of Object.entries({ ...files, [name]: text }))
      writeFileSync(path.join(folder, each), content);
    const run = (more: Readonly<Record<string, string>>): JavaScriptRun => {
      const { stdout, stderr, status } = spawnSync(process.execPath, argumentsOf(runner, file), {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...{ NODE_OPTIONS: '', AGENT_DEBUGGER_REPORT: report, AGENT_DEBUGGER_SECONDS: '60' },
          ...more,
        },
      });
      return read(isGone ? '' : readFileSync(report, 'utf8'), stdout + stderr, status);
    };
    const first = run(env);
    if (again === undefined) return first;
    rmSync(report);
    return run(again(first));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs code that calls a reporter, and returns what the reporter wrote. */
export function reportOf(code: string): RunReport {
  const folder = mkdtempSync(path.join(tmpdir(), 'reporter-'));
  const report = path.join(folder, 'report.jsonl');
  try {
    const { stderr } = spawnSync(process.execPath, ['-e', code], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', AGENT_DEBUGGER_REPORT: report },
    });
    return read(readFileSync(report, 'utf8'), stderr, null).report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function argumentsOf(runner: 'node_test' | 'mocha', file: string): readonly string[] {
  if (runner === 'mocha')
    return [MOCHA, '--no-config', '--reporter', path.join(REPORTERS, 'mocha.cjs'), file];
  const reporter = pathToFileURL(path.join(REPORTERS, 'nodeTest.cjs')).href;
  return [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', file];
}

function read(text: string, output: string, exitCode: number | null): JavaScriptRun {
  const report = readOwnReport(text, output.split('\n'), {
    ...{ path: [], line: undefined, isTemplate: false },
  });
  return {
    ...{ report, output, exitCode },
    entries: readLines(text),
    test: (name) => {
      const found = report.tests.find((test) => test.path.at(-1) === name);
      if (found === undefined) throw new Error(`${name} is not in the report: ${text}${output}`);
      return found;
    },
  };
}

/** The variables of the innermost frame of a failure that has some. */
export function variablesOf({ error }: ReportedTest): Readonly<Record<string, string>> {
  const own = error?.frames.find(({ variables }) => variables !== undefined);
  return Object.fromEntries((own?.variables ?? []).map(({ name, value }) => [name, value]));
}
