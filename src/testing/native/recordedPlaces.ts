import { fields, isFields, listOf, numberOf, textOf, type Fields } from '../../debugger/protocol';
import { readLines, reportedFrames } from '../report/readReport';
import { defined } from '../../util/defined';
import type { ReportedFrame, RunReport } from '../runReport';

/** A place at which the recorder in the debugger has read a test's frames. */
export interface RecordedPlace {
  /** A failed assertion, a thrown C++ exception, a panic, a `?` that returned an error, or a signal. */
  readonly kind: 'failure' | 'throw' | 'panic' | 'residual' | 'signal';
  /** The number among the places of this kind, from 1. */
  readonly number: number;
  readonly thread: number;
  /** The frames, innermost first, without those above the test. */
  readonly frames: readonly ReportedFrame[];
  /** The type of a thrown exception. */
  readonly type: string | undefined;
  readonly signal: string | undefined;
  /** What the debugger says about a signal, or what the assertion says. */
  readonly text: string | undefined;
  /** The place that an assertion names. */
  readonly at: { readonly path: string; readonly line: number } | undefined;
  /** The exception that led to this place. */
  readonly thrown: RecordedPlace | undefined;
  /** Whether a `?` is in the test itself. */
  readonly isOfTest: boolean;
  /** Whether the values were not read, because too many places had been read before. */
  readonly isWithoutValues: boolean;
}

/** What the recorder has written. */
export interface Recorded {
  /** Whether the debugger has run the recorder. */
  readonly isRecording: boolean;
  /** Whether the program stops at the last place. */
  readonly isStopping: boolean;
  /** Whether later places are missing, because there were too many. */
  readonly isIncomplete: boolean;
  readonly toolFailure: string | undefined;
  readonly places: readonly RecordedPlace[];
}

/** Reads the file of the recorder. */
export function readRecorded(text: string | undefined): Recorded {
  const entries = readLines(text ?? '');
  return {
    isRecording: entries.some((entry) => entry['recording'] === true),
    isStopping: entries.some((entry) => entry['stopping'] === true),
    isIncomplete: entries.some((entry) => entry['lost'] === true),
    toolFailure: textOf(entries.find((entry) => 'toolFailure' in entry)?.['toolFailure']),
    places: entries.flatMap((entry) => placeOf(fields(entry['place'])) ?? []),
  };
}

const KINDS = ['failure', 'throw', 'panic', 'residual', 'signal'] as const;

function placeOf(entry: Fields): RecordedPlace | undefined {
  const kind = KINDS.find((each) => each === entry['kind']);
  if (kind === undefined) return undefined;
  const { file, line, thrown } = entry;
  return {
    kind,
    number: numberOf(entry['number']) ?? 0,
    thread: numberOf(entry['thread']) ?? 0,
    frames: reportedFrames(listOf(entry['frames'])),
    type: textOf(entry['type']),
    signal: textOf(entry['signal']),
    text: textOf(entry['text']),
    at: typeof file === 'string' && typeof line === 'number' ? { path: file, line } : undefined,
    thrown: isFields(thrown) ? placeOf(thrown) : undefined,
    isOfTest: entry['isOfTest'] === true,
    isWithoutValues: entry['isWithoutValues'] === true,
  };
}

/** Returns the part of a report that is about the recorder itself. */
export function recorderPart({
  isStopping,
  toolFailure,
  places,
}: Recorded): Pick<RunReport, 'isStopping' | 'stoppingAt' | 'toolFailure'> {
  const last = places.at(-1);
  return defined({
    toolFailure,
    isStopping: isStopping ? true : undefined,
    stoppingAt: isStopping && last !== undefined ? stopAtOf(last) : undefined,
  });
}

/** Returns the text by which a later run recognizes a place. */
export function stopAtOf({ kind, number }: RecordedPlace): string {
  return JSON.stringify({ kind, number });
}
