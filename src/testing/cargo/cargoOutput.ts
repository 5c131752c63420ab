import * as l10n from '@vscode/l10n';
import { defined } from '../../util/defined';
import { readRecorded, recorderPart } from '../native/recordedPlaces';
import { signalError } from '../native/signals';
import type { ReportedError, ReportedTest, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';
import { firstPanic } from './panics';
import { RustFailures } from './rustFailures';

const COUNTS = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/;
/** The test may have printed the beginning of the line. */
const RESULT = /\btest (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, ([^]*))?$/;

const OUTCOMES: Readonly<Record<string, ReportedTest['outcome']>> = {
  ok: 'passed',
  FAILED: 'failed',
};

/** Reads what a Rust test program printed, and what the recorder in the debugger has read at its panics. */
export function readOutcome(
  _report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
  folder = '',
  recorded?: string,
): RunReport {
  const lines = output.flatMap((text) => text.split(/\r?\n/));
  const known = readRecorded(recorded);
  const more = recorderPart(known);
  const failures = new RustFailures(lines, folder, known);
  const counts = lines.map((line) => COUNTS.exec(line)).find((match) => match !== null);
  if (counts !== undefined) return { tests: testsIn(lines, counts, test, failures), ...more };
  const failed = (error: ReportedError): RunReport => ({
    tests: [{ outcome: 'failed', path: test.path, line: test.line, error }],
    ...more,
  });
  // A program that a signal ended, or that is stopped, prints no result.
  const crash = signalError(known.places, lines);
  if (crash !== undefined) return failed(crash);
  if (known.isStopping) return failed(failures.errorOf(nameOf(test), lines.length));
  const printed = failures.printed();
  return { tests: [], error: printed ?? cutShort(), ...more };
}

function testsIn(
  lines: readonly string[],
  counts: readonly string[],
  test: ChosenTest,
  failures: RustFailures,
): readonly ReportedTest[] {
  const results = lines.flatMap((line, index) => {
    const match = RESULT.exec(line);
    return match === null ? [] : [{ index, name: match[1] ?? '', end: match[2], note: match[3] }];
  });
  const [passed, failed, ignored] = counts.slice(1).map(Number);
  if (!passed && !failed && !ignored) return [];
  const isOne = results.length <= 1;
  const [only] = results;
  if (isOne) {
    const unlessFailed = passed ? 'passed' : 'skipped';
    const outcome = failed ? 'failed' : unlessFailed;
    const error = failed
      ? failures.errorOf(only?.name ?? nameOf(test), only?.index ?? lines.length)
      : undefined;
    const reason = outcome === 'skipped' ? only?.note : undefined;
    return [{ path: test.path, line: test.line, outcome, ...defined({ error, reason }) }];
  }
  return results.map(({ index, name, end, note }) => ({
    path: [name],
    line: test.line,
    requested: 'test',
    outcome: OUTCOMES[end ?? ''] ?? 'skipped',
    ...(end === 'FAILED' && { error: failures.errorOf(name, index) }),
    ...(end === 'ignored' && defined({ reason: note })),
  }));
}

function nameOf({ path: names }: ChosenTest): string {
  return names.join('::');
}

function cutShort(): ReportedError {
  const message = l10n.t('The test program ended before it reported a result.');
  return { type: undefined, message, isExit: true, frames: [], causes: [] };
}

/**
 * Returns the output of the test itself, without the lines of the test library and without the panic that ended the
 * test.
 */
export function ownOutput(lines: readonly string[]): readonly string[] {
  const all = lines.flatMap((text) => text.split(/\r?\n/));
  const begin = all.findIndex((line) => /^running \d+ tests?$/.test(line));
  const rest = all.slice(begin + 1);
  const ends = [firstPanic(rest), rest.findIndex((line) => RESULT.test(line))];
  const end = Math.min(...ends.filter((at) => at >= 0), rest.length);
  return rest.slice(0, end).filter((line) => line !== '');
}
