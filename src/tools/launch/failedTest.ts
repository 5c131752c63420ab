import type { TestStops } from '../../debugger/adapters/adapter';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';

/** How many of the last lines of a session's output are looked at: runners sum up at the end. */
const LAST_LINES = 200;

/** Such lines are short; longer ones are not looked at, so that none takes long. */
const MOST_OF_A_LINE = 500;

/** Colours and cursor movements of a terminal. */
const STYLE = /\u001b\[[0-9;]*[A-Za-z]/g;

/** The lines with which test runners sum up or name what failed. */
const FAILED: readonly RegExp[] = [
  // pytest
  /^=+ (?:.*, )?\d+ (?:failed|errors?)\b.* in [\d.]+s/,
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
  /^Tests:\s+(?:.*, )?[1-9]\d* failed\b/,
  /^\s*Tests\s+[1-9]\d* failed\b/,
  // Go
  /^\s*--- FAIL: \S+/,
  // GoogleTest
  /^\[ {2}FAILED {2}\] \d+ tests?/,
];

/** Where the output looks like that of a failed test and nothing stopped at an exception: what would have stopped there. */
export function aboutFailedTest(
  { model }: Pick<ToolServices, 'model'>,
  members: readonly SessionState[],
): string | undefined {
  if (members.some((session) => session.lastStop !== undefined)) return undefined;
  const stops = members
    .map((session) => adapterOf(session.type).testStops)
    .find((each) => each !== undefined);
  if (stops === undefined) return undefined;
  const hasFailed = members.some((session) =>
    model
      .output(session)
      .tail(LAST_LINES)
      .some(({ text }) => isFailure(text)),
  );
  return hasFailed
    ? `A test seems to have failed; its runner catches the exception, so nothing stopped. To stop there: ${callsFor(stops)}, then start again.`
    : undefined;
}

/** The calls that make a debugger stop where a test fails. */
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
  ].filter((each) => each !== undefined);
  return [calls.join(', or '), note].filter((each) => each !== undefined).join(' ');
}

function isFailure(line: string): boolean {
  if (line.length > MOST_OF_A_LINE) return false;
  const text = line.replace(STYLE, '');
  return FAILED.some((each) => each.test(text));
}
