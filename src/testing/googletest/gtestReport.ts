import path from 'node:path';
import { isFields, listOf, textOf, wholeOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import {
  readRecorded,
  recorderPart,
  stopAtOf,
  type Recorded,
  type RecordedPlace,
} from '../native/recordedPlaces';
import { framesToTest } from '../native/ownFrames';
import { signalError } from '../native/signals';
import { exited } from '../report/readReport';
import type { ReportedError, ReportedTest, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';
import { comparedIn } from './comparedValues';

/**
 * Reads the report of GoogleTest, and what the recorder in the debugger has read at its failures.
 * @param folder the folder of the project. Paths that the compiler kept relative are found there.
 */
export function readOutcome(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
  folder = '',
  recorded?: string,
): RunReport {
  const known = readRecorded(recorded);
  const more = recorderPart(known);
  const parsed = parse(report);
  if (parsed === undefined) return { ...withoutReport(output, test, folder, known), ...more };
  const failures = new Failures(known, folder);
  const suites = listOf(parsed['testsuites']).filter(isFields);
  const tests = suites.flatMap((suite) =>
    listOf(suite['testsuite'])
      .filter(isFields)
      .filter((entry) => entry['status'] === 'RUN' || isDisabled(suite, entry))
      .map((entry) => testOf(textOf(suite['name']) ?? '', entry, output, failures)),
  );
  return { tests, ...more };
}

function parse(report: string | undefined): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(report ?? '');
    return isFields(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The library writes its report when it ends. Without it, the program has crashed, or it is stopped at a failure. */
function withoutReport(
  output: readonly string[],
  test: ChosenTest,
  folder: string,
  known: Recorded,
): RunReport {
  const last = known.places.at(-1);
  const failed = (error: ReportedError): RunReport => ({
    tests: [{ outcome: 'failed', path: lastBegun(output) ?? test.path, line: test.line, error }],
  });
  if (last?.kind === 'failure' && known.isStopping) {
    const { at } = last;
    const text = at === undefined ? 'unknown file' : `${at.path}:${at.line}`;
    return failed(new Failures(known, folder).errorOf(`${text}\n${last.text ?? ''}`));
  }
  if (last?.kind === 'throw' && known.isStopping)
    return failed({ ...thrownError(last), message: last.type ?? '' });
  const crash = signalError(known.places, output);
  if (crash !== undefined) return failed(crash);
  const hasBegun = output.some((line) => line.startsWith('[ RUN      ]'));
  return { tests: [], error: hasBegun ? exited(undefined) : undefined };
}

/** Returns the names of the test that had begun last. */
function lastBegun(output: readonly string[]): readonly string[] | undefined {
  const line = output.findLast((text) => text.startsWith('[ RUN      ] '));
  return line?.slice('[ RUN      ] '.length).trim().split('.');
}

/** Whether a test does not run because of its name or the name of its suite. Other tests do not match the filter. */
function isDisabled(suite: Fields, entry: Fields): boolean {
  return [suite, entry].some((named) => /(?:^|\/)DISABLED_/.test(textOf(named['name']) ?? ''));
}

function testOf(
  suite: string,
  entry: Fields,
  output: readonly string[],
  failures: Failures,
): ReportedTest {
  const texts = listOf(entry['failures'])
    .filter(isFields)
    .map((failure) => textOf(failure['failure']) ?? '');
  const [first, ...further] = texts.map((text) => failures.errorOf(text));
  const isOff = entry['status'] !== 'RUN';
  const isSkipped = isOff || entry['result'] === 'SKIPPED';
  const unlessFailed = isSkipped ? 'skipped' : 'passed';
  const seconds = parseFloat(textOf(entry['time']) ?? '');
  return {
    outcome: first === undefined ? unlessFailed : 'failed',
    path: [suite, textOf(entry['name']) ?? ''],
    line: wholeOf(entry['line']),
    // An EXPECT that fails does not end the test.
    error: first === undefined ? undefined : { ...first, further },
    reason: isSkipped ? reasonOf(isOff, output) : undefined,
    durationMs: Number.isNaN(seconds) ? undefined : seconds * 1000,
  };
}

/** Finds what the recorder has read at the failures of the report, which come in the same order. */
class Failures {
  private readonly waiting: RecordedPlace[];

  constructor(
    private readonly known: Recorded,
    private readonly folder: string,
  ) {
    this.waiting = known.places.filter(({ kind }) => kind === 'failure');
  }

  /** Reads a failure. Its first line is `file:line`, and the other lines are the message. */
  errorOf(failure: string): ReportedError {
    const [first = '', ...rest] = failure.split('\n');
    const [, file, line] = /^(.+):(\d+)$/.exec(first) ?? [];
    const hasPlace = file !== undefined || first === 'unknown file';
    // New versions put a line end behind the message.
    const message = (hasPlace ? rest.join('\n') : failure).trimEnd();
    const thrown = /^C\+\+ exception with description "(.*)" thrown/s.exec(message)?.[1];
    const recorded = this.taken(file, Number(line));
    const place =
      file === undefined ? undefined : { path: this.wholePath(file, recorded), line: Number(line) };
    const { frames: own, ...known } = this.readAt(recorded, place);
    const bare = place === undefined ? [] : [{ ...place, name: '' }];
    return {
      ...known,
      message: thrown ?? message,
      ...comparedIn(message),
      ...defined({ place }),
      causes: [],
      frames: own.length > 0 ? own : bare,
    };
  }

  /** Takes the next recorded failure at a place. Failures that the test expects are recorded, too. */
  private taken(file: string | undefined, line: number): RecordedPlace | undefined {
    const at = this.waiting.findIndex((place) =>
      file === undefined
        ? place.at === undefined
        : place.at?.path === file && place.at.line === line,
    );
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0];
  }

  /** A compiler may keep a path as its build has passed it. The debug information knows its folder. */
  private wholePath(file: string, recorded: RecordedPlace | undefined): string {
    if (path.isAbsolute(file)) return file;
    const tail = path.sep + path.normalize(file).replace(/^(?:\.\.[\\/])+/, '');
    const frame = recorded?.frames.find((each) => each.path.endsWith(tail));
    return frame?.path ?? path.resolve(this.folder, file);
  }

  private readAt(
    recorded: RecordedPlace | undefined,
    place: ReportedError['place'],
  ): Pick<ReportedError, 'frames' | 'type' | 'stopAt' | 'withoutValues'> {
    if (recorded === undefined) return { frames: [], type: undefined, ...this.whyNot(place) };
    const { thrown } = recorded;
    if (recorded.at === undefined && thrown !== undefined) return thrownError(thrown);
    const frames = framesToTest(recorded.frames, place);
    return { frames, type: undefined, stopAt: stopAtOf(recorded) };
  }

  private whyNot(place: ReportedError['place']): Pick<ReportedError, 'withoutValues'> {
    const { isRecording, isIncomplete, places } = this.known;
    if (!isRecording && places.length === 0) return {};
    return isIncomplete || place === undefined ? { withoutValues: 'too_many_failures' } : {};
  }
}

function thrownError(thrown: RecordedPlace): ReportedError {
  return {
    message: '',
    type: thrown.type,
    frames: framesToTest(thrown.frames, undefined),
    ...(thrown.isWithoutValues && { withoutValues: 'too_many_exceptions' }),
    stopAt: stopAtOf(thrown),
    causes: [],
  };
}

const SKIPPED = /:\d+: Skipped$/;

function reasonOf(isOff: boolean, output: readonly string[]): string | undefined {
  return isOff ? 'disabled' : reasonIn(output);
}

function reasonIn(output: readonly string[]): string | undefined {
  const at = output.findIndex((line) => SKIPPED.test(line));
  return at === -1 ? undefined : output[at + 1];
}

/** Returns the output of the test itself: the lines between those of the library, without failure messages. */
export function ownOutput(
  lines: readonly string[],
  names: readonly string[] = [],
): readonly string[] {
  const own = lines.indexOf(`[ RUN      ] ${names.join('.')}`);
  const begin = own >= 0 ? own : lines.findIndex((line) => line.startsWith('[ RUN      ]'));
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => /^\[ +(?:OK|FAILED|SKIPPED) +\]/.test(line));
  const within = end === -1 ? rest : rest.slice(0, end);
  const failure = within.findIndex((line) =>
    /(?:^unknown file|:\d+): (?:Failure|Skipped)$/.test(line),
  );
  return failure === -1 ? within : within.slice(0, failure);
}
