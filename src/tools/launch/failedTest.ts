import type { TestStops } from '../../debugger/adapters/adapterParts';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/** The number of a session's last output lines that are searched. Runners print a summary at the end. */
const LAST_LINES = 200;

/**
 * The maximum length of a searched line. Summary lines are short. Longer lines are skipped, because a search in them
 * could take long.
 */
const MAX_OF_A_LINE = 500;

/** Matches terminal escape sequences for colors and cursor movements. */
const STYLE = /\u001b\[[0-9;]*[A-Za-z]/g;

/** Match the lines with which test runners report failures. */
const FAILED: readonly RegExp[] = [
  // pytest
  /^=+ (?=.* in [\d.]+s)(?:.*, )?\d+ (?:failed|errors?)\b/,
  /^FAILED \S+::\S+/,
  // unittest
  /^FAILED \((?:failures|errors|unexpected successes)=\d+/,
  // node:test, as text and as TAP
  /^(?:ℹ|#) fail [1-9]\d*$/,
  /^✖ failing tests:$/,
  /^not ok \d+ /,
  // mocha
  /^\s*[1-9]\d* failing$/,
  // jest, vitest
  /^Tests:\s+(?:\S.*, )?[1-9]\d* failed\b/,
  /^\s*Tests\s+[1-9]\d* failed\b/,
  // Go
  /^\s*--- FAIL: \S+/,
  // GoogleTest
  /^\[ {2}FAILED {2}\] \d+ tests?/,
];

/**
 * Returns a hint if the output looks like the output of a failed test and the program did not stop at the failure. The
 * hint explains how to stop there.
 */
export function aboutFailedTest(
  { model }: Pick<ToolServices, 'model'>,
  members: readonly SessionState[],
): string | undefined {
  if (members.some((session) => session.lastStop !== undefined)) return undefined;
  const stops = members
    .map((session) => adapterOf(session.type).testStops)
    .find((testStops) => testStops !== undefined);
  if (stops === undefined) return undefined;
  const hasFailed = members.some((session) =>
    model
      .output(session)
      .tail(LAST_LINES)
      .some(({ text }) => isFailure(text)),
  );
  return hasFailed
    ? `A test seems to have failed; its runner catches the exception, so the program did not stop. To stop there: ${callsFor(stops)}, then start again.`
    : undefined;
}

/** Returns the calls that make a debugger stop at the failure of a test. */
function callsFor({ filters, conditions, functionName, env, note }: TestStops): string {
  const conditionsOf = Object.entries(conditions ?? {}).map(
    ([filter, condition]) => `"${filter}": ${JSON.stringify(condition)}`,
  );
  const withConditions =
    conditionsOf.length === 0 ? '' : ` with conditions {${conditionsOf.join(', ')}}`;
  const inFilters =
    filters === undefined
      ? undefined
      : `set_exception_breakpoints filters ${JSON.stringify(filters)}${withConditions}`;
  const calls = [
    env === undefined ? undefined : `env ${env}`,
    functionName === undefined ? undefined : `set_breakpoint function_name "${functionName}"`,
    inFilters,
  ].filter((call) => call !== undefined);
  return [calls.join(', or '), note].filter((part) => part !== undefined).join(' ');
}

function isFailure(line: string): boolean {
  if (line.length > MAX_OF_A_LINE) return false;
  const text = line.replace(STYLE, '');
  return FAILED.some((pattern) => pattern.test(text));
}
