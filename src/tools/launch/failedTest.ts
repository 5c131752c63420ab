import { filterType } from '../../debugger/breakpoints/exceptionFilters';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';
import { ASSERTION_CONDITION } from './testRun';

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

/** What to do for a stop where a test fails, by the debugger that ran it. */
const WAYS: Readonly<Record<string, string>> = {
  node: `set_exception_breakpoints filters ["all"] with conditions {"all": "${ASSERTION_CONDITION}"} (or another error's name); skipFiles must not hold <node_internals>/** or node_modules, which hide assertions`,
  debugpy: 'set_exception_breakpoints filters ["userUnhandled"]',
  go: 'set_breakpoint function_name "testing.(*common).Fail"',
  'lldb-dap':
    'env GTEST_BREAK_ON_FAILURE=1 for GoogleTest, or set_exception_breakpoints filters ["cpp_throw"]',
};

/** Where the output looks like that of a failed test and nothing stopped at an exception: what would have stopped there. */
export function aboutFailedTest(
  { model }: Pick<ToolServices, 'model'>,
  members: readonly SessionState[],
): string | undefined {
  if (members.some((each) => each.stopCount > 0)) return undefined;
  const runner = members.find((each) => Object.hasOwn(WAYS, filterType(each.type)));
  const way = runner === undefined ? undefined : WAYS[filterType(runner.type)];
  if (way === undefined) return undefined;
  const hasFailed = members.some((each) =>
    model
      .output(each)
      .tail(LAST_LINES)
      .some(({ text }) => isFailure(text)),
  );
  return hasFailed
    ? `A test seems to have failed; its runner catches the exception, so nothing stopped. To stop there: ${way}, then start again.`
    : undefined;
}

function isFailure(line: string): boolean {
  if (line.length > MOST_OF_A_LINE) return false;
  const text = line.replace(STYLE, '');
  return FAILED.some((each) => each.test(text));
}
