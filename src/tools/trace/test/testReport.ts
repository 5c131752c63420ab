import type { ExceptionDetails } from '../../../debugger/inspection/exceptionDetails';
import { cutText } from '../../../debugger/texts';
import { defined } from '../../../util/defined';
import type { ToolServices } from '../../services';
import { nameOf } from './chooseTest';
import { reportedFrames, type FailureFrame } from './failureFrames';
import { lineDiff } from './textDiff';
import type { TestPlan } from './planTest';
import type { Outcome, ReportedError, ReportedTest, RunReport, Seen } from './testFramework';

const MOST_OF_A_MESSAGE = 1500;
const MOST_OF_A_VALUE = 600;
const MOST_LINES = 12;
/** A value of more lines is told by its difference. */
const FEW_LINES = 6;

/** How the test ended, of all that ran. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly test: ReportedTest | undefined;
  readonly error: ReportedError | undefined;
  /** Other tests of that name that ran, such as those of a table, by how they ended. */
  readonly others: Readonly<Record<string, number>>;
}

const BAD_FIRST: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped', 'not_found'];

/** What a report says of the test that is meant. */
export function verdictOf({ tests, error }: RunReport, { test }: Pick<TestPlan, 'test'>): Verdict {
  const leaf = test.path.at(-1) ?? '';
  const exact = tests.filter(({ path }) => path.join('\n') === test.path.join('\n'));
  const below = tests.filter(
    ({ path }) =>
      path.length > test.path.length && test.path.every((each, at) => path[at] === each),
  );
  const atLine = tests.filter(({ line, path }) => line === test.line && path.at(-1) === leaf);
  const byName = [...below, ...exact];
  const named = byName.length > 0 ? byName : atLine;
  const meant = named.length > 0 ? named : tests;
  const first = BAD_FIRST.flatMap((outcome) =>
    meant.filter((each) => each.outcome === outcome && outcome !== 'not_found'),
  )[0];
  if (first === undefined)
    return {
      outcome: error === undefined ? 'not_found' : 'errored',
      test: undefined,
      error,
      others: {},
    };
  const others: Record<string, number> = {};
  for (const { outcome } of meant.filter((each) => each !== first))
    others[outcome] = (others[outcome] ?? 0) + 1;
  return {
    outcome: first.outcome,
    test: first,
    error: first.error ?? (first.outcome === 'errored' ? error : undefined),
    others: meant.length > 1 ? others : {},
  };
}

/** A failure that the debugger has seen before any report. */
export function failedVerdict(
  failed: Seen | undefined,
  exception: ExceptionDetails | undefined,
  { test }: TestPlan,
): Verdict {
  const said = failed?.kind === 'failed' ? failed.message : '';
  const error = {
    type: failed === undefined ? exception?.type : undefined,
    message: said === '' ? (exception?.message ?? '') : said,
    frames: [],
    causes: [],
  };
  const path = failed?.path ?? test.path;
  return { outcome: 'failed', test: { outcome: 'failed', path, error }, error, others: {} };
}

/** A run without a failure: the test was skipped, has passed, or was not there. */
export function verdictSeen(seen: readonly Seen[], { test }: TestPlan): Verdict {
  const skipped = seen.find((each) => each.kind === 'skipped');
  const ran = seen.findLast((each) => each.kind === 'ran');
  const told = skipped ?? ran;
  const isMeant = ran !== undefined && ran.path.length >= test.path.length;
  const none = { test: undefined, error: undefined, others: {} };
  if (told === undefined || (skipped === undefined && !isMeant))
    return { outcome: 'not_found', ...none };
  const outcome = told.kind === 'skipped' ? 'skipped' : 'passed';
  const reason = told.kind === 'skipped' && told.reason !== '' ? told.reason : undefined;
  return { ...none, outcome, test: { outcome, path: told.path, reason } };
}

/** An exception is that of the failure where its type and the beginning of its message are. */
export function isSame(exception: ExceptionDetails | undefined, error: ReportedError): boolean {
  if (exception === undefined) return true;
  const line = (text: string): string => (text.trim().split('\n')[0] ?? '').trim();
  // Adapters and runners put words before a message, such as its type.
  const isIn = (one: string, other: string): boolean => other.includes(one.slice(0, 60).trim());
  const [said, known] = [line(exception.message ?? ''), line(error.message)];
  const type = exception.type.split('.').at(-1) ?? '';
  const hasType = error.type === undefined || type === error.type || type === 'unknown';
  return said === '' || known === '' ? hasType : isIn(known, said) || isIn(said, known);
}

/** The first of an error's frames that is the person's own. */
export function ownPlace(
  { stops }: Pick<ToolServices, 'stops'>,
  error: ReportedError | undefined,
): ReportedError['frames'][number] | undefined {
  return error?.frames.find((each) => stops.isOwn(each.path));
}

interface Place {
  readonly file_path: string;
  readonly line_number: number;
  readonly text?: string;
}

async function placeView(
  { workspace }: ToolServices,
  place: { readonly path: string; readonly line: number } | undefined,
): Promise<Place | undefined> {
  if (place === undefined) return undefined;
  const source = await workspace.readSource(place.path);
  const text = source?.lines[place.line - 1]?.trim();
  return {
    file_path: place.path,
    line_number: place.line,
    ...(text === undefined ? {} : { text: cutText(text, 200) }),
  };
}

/** Which test it was. */
export function testView({ test, file, framework }: TestPlan, ran?: ReportedTest): object {
  const line = test.line ?? ran?.line;
  // Of a fixture that failed, the test is told that it was for.
  const isTold =
    ran !== undefined && test.path.every((each, at) => ran.path[at]?.startsWith(each) === true);
  const isMade = ran !== undefined && (test.isTemplate || test.line === undefined);
  return {
    test: nameOf(isTold || isMade ? ran : test),
    file_path: file,
    ...(line === undefined ? {} : { line_number: line }),
    framework: framework.id,
  };
}

/** A failure as it is told: what was said, where, and with what values. */
export async function failureView(
  services: ToolServices,
  error: ReportedError | undefined,
  stopped: readonly FailureFrame[] | undefined,
  exception: ExceptionDetails | undefined,
): Promise<object> {
  const frames =
    stopped !== undefined && stopped.length > 0
      ? stopped
      : reportedFrames(error?.frames ?? [], services.stops.isOwn);
  const seen = stopped?.find(
    ({ file_path: file }) => file !== undefined && services.stops.isOwn(file),
  );
  const at =
    seen?.file_path !== undefined && seen.line_number !== undefined
      ? { path: seen.file_path, line: seen.line_number }
      : ownPlace(services, error);
  const causes = error?.causes ?? [];
  const inner = causes.length > 0 ? causes : exception?.inner;
  const type = error?.type ?? exception?.type;
  return defined({
    message: messageOf(error),
    exception:
      type === undefined && inner === undefined
        ? undefined
        : defined({ type, inner: inner?.map(cutCause) }),
    ...valuesOf(error),
    at: await placeView(services, at),
    frames: frames.length === 0 ? undefined : frames,
  });
}

function cutCause({ type, message }: { readonly type: string; readonly message?: string }): object {
  return { type, ...(message === undefined ? {} : { message: cutText(message, 300) }) };
}

/** Where the values are told apart, the first part of the message says all else. */
function messageOf(error: ReportedError | undefined): string | undefined {
  if (error === undefined) return undefined;
  const { message, expected, actual } = error;
  const isLong = message.split('\n').length > FEW_LINES;
  const hasValues = expected !== undefined && actual !== undefined;
  const first = hasValues && isLong ? (message.split(/\n\s*\n/)[0] ?? '') : message;
  return cutText(first.split('\n').slice(0, 30).join('\n'), MOST_OF_A_MESSAGE);
}

function valuesOf(error: ReportedError | undefined): object {
  const { expected, actual } = error ?? {};
  if (expected === undefined || actual === undefined) return {};
  const isLong = [expected, actual].some(
    (each) => each.split('\n').length > FEW_LINES || each.length > MOST_OF_A_VALUE,
  );
  if (!isLong) return { expected, actual };
  return {
    expected: cutText(expected, MOST_OF_A_VALUE / 2),
    actual: cutText(actual, MOST_OF_A_VALUE / 2),
    diff: lineDiff(expected, actual).map((line) => cutText(line, 200)),
  };
}

/** What the test printed: what its runner kept for it, else what the whole run printed. */
export function outputView(
  test: ReportedTest | undefined,
  printed: readonly string[],
): { readonly output?: readonly string[]; readonly omitted?: { readonly output_lines: number } } {
  const lines = (test?.output ?? printed).filter((line) => line.trim() !== '');
  const told = lines.slice(-MOST_LINES).map((line) => cutText(line, 300));
  return {
    ...(told.length === 0 ? {} : { output: told }),
    ...(lines.length > told.length
      ? { omitted: { output_lines: lines.length - told.length } }
      : {}),
  };
}
