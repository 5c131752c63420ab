import { Failure } from '../../results/failure';
import type { Call, ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import type { TestInput, TestPlan } from '../planTest';
import type { TestResult } from '../report/testResult';
import type { ScannedTest } from '../testFramework';
import { rankSuspects, type Suspect } from './rankSuspects';
import type { RanLines } from './ranLines';
import { planCounted, runCounted } from './runLines';
import { shownRange } from './shownRange';

/** The maximum number of other tests that run. */
const MAX_NEIGHBORS = 4;
const MAX_SUSPECTS = 6;
/** A run that has less time than this does not begin. */
const MIN_SECONDS = 3;

type Listed = Pick<TestPlan, 'listed' | 'test'>;

/** Returns the tests in the text of the file that may be a test. Its line is unknown if the runner itself finds it. */
function itself({ listed, test: { path: names, line } }: Listed): readonly ScannedTest[] {
  const name = ownName(names);
  return listed.filter(
    (other) => other.kind === 'test' && (other.line === line || ownName(other.path) === name),
  );
}

/** The last name, without the parameters of a row. */
function ownName(names: readonly string[]): string {
  return (names.at(-1) ?? '').split('[', 1)[0] ?? '';
}

/** Returns the tests of the same file that are nearest to a test, in the order in which they run. */
export function neighborsOf(plan: Listed): readonly ScannedTest[] {
  const own = itself(plan);
  const at = plan.test.line ?? own[0]?.line ?? 1;
  return plan.listed
    .filter((other) => other.kind === 'test' && !own.includes(other) && other.isSkipped !== true)
    .sort((one, other) => Math.abs(one.line - at) - Math.abs(other.line - at))
    .slice(0, MAX_NEIGHBORS);
}

/**
 * Runs a failing test again and its neighbors, and ranks the lines that the failing one ran and passing ones did not.
 * @param seconds the time for all of these runs
 * @returns the fields to add to the result of the test
 */
export async function suspectsOf(
  services: ToolServices,
  call: Call,
  input: TestInput,
  plan: TestPlan,
  seconds: number,
): Promise<object> {
  const deadline = performance.now() + seconds * 1000;
  const others = neighborsOf(plan);
  const secondsFor = (runs: number): number => (deadline - performance.now()) / 1000 / runs;
  const failing = await runCounted(
    services,
    call,
    await planCounted(services, input),
    Math.max(1, secondsFor(1)),
  );
  if (failing.lines === undefined || !isBad(failing.result))
    return { no_suspects: 'The test did not fail again, or its process wrote no counts.' };
  const passing: RanLines[] = [];
  for (const [index, { line }] of others.entries()) {
    const left = secondsFor(others.length - index);
    if (call.signal.aborted || left < MIN_SECONDS) break;
    const lines = await passed(services, call, { ...input, test_name: undefined, line }, left);
    if (lines !== undefined) passing.push(lines);
  }
  if (passing.length === 0)
    return {
      no_suspects: `None of ${others.length} other tests of the file passed in time with all counts.`,
    };
  return await view(services, failing.lines, passing, plan);
}

/** Runs a test, and returns its lines if it passed and all of them were seen. */
async function passed(
  services: ToolServices,
  call: Call,
  input: TestInput,
  seconds: number,
): Promise<RanLines | undefined> {
  try {
    const plan = await planCounted(services, input);
    const { result, lines } = await runCounted(services, call, plan, seconds);
    return result.outcome === 'passed' && lines?.missed === undefined ? lines : undefined;
  } catch (error) {
    // The runner may know the test by another name than the text of the file shows.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function isBad({ outcome }: TestResult): boolean {
  return outcome === 'failed' || outcome === 'errored';
}

async function view(
  services: ToolServices,
  failing: RanLines,
  passing: readonly RanLines[],
  plan: TestPlan,
): Promise<object> {
  const own = itself(plan);
  // The test itself is what only it runs.
  const isItself = (range: Suspect): boolean =>
    range.path === plan.file &&
    own.some(({ line, endLine }) => line <= range.from && range.to <= endLine);
  const suspects = rankSuspects(failing, passing).filter((range) => !isItself(range));
  const shown = suspects
    .slice(0, MAX_SUSPECTS)
    .map(async (range) => ({ ...(await shownRange(services, range)), score: range.score }));
  const left = suspects.length - shown.length;
  return {
    suspects: await Promise.all(shown),
    suspects_against: passing.length,
    ...defined({
      suspects_omitted: left > 0 ? left : undefined,
      suspects_unit: failing.unit === 'block' ? 'block' : undefined,
    }),
  };
}
