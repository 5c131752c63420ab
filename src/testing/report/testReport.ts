import path from 'node:path';
import { shortPath } from '../../tools/files/files';
import { shownLines } from '../../tools/files/scannedText';
import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { textOf } from '../../debugger/protocol';
import { samePath } from '../../debugger/sourcePath';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import type { ToolServices } from '../../tools/services';
import { nameOf } from '../chooseTest';
import { reportedFrames, type FailureFrame } from '../run/failureFrames';
import { FEW_LINES, valuesOf } from './reportedValues';
import type { TestPlan } from '../planTest';
import type { ReportedError, ReportedTest } from '../runReport';

const MAX_OF_A_MESSAGE = 1500;
const LINES_OF_A_MESSAGE = 30;
const MAX_LINES = 12;
/** The maximum number of further failures of a test, and of characters of each. */
const MAX_FURTHER = 5;
const MAX_OF_A_FURTHER = 300;

/** Returns the first frame of an error that is in the person's own code. */
export function ownPlace(
  { stops }: Pick<ToolServices, 'stops'>,
  error: ReportedError | undefined,
): ReportedError['frames'][number] | undefined {
  return error?.frames.find((frame) => stops.isOwn(frame.path));
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
  const text = (await shownLines(workspace, place.path))[place.line - 1]?.trim();
  return {
    file_path: place.path,
    line_number: place.line,
    ...defined({ text: text === undefined ? undefined : cutText(text, 200) }),
  };
}

/** Returns the part of the result that identifies the test. */
export function testView(plan: TestPlan, ran?: ReportedTest): object {
  const { test, file, framework } = plan;
  const line = ran?.requested === 'test' ? (ran.line ?? test.line) : (test.line ?? ran?.line);
  // If a fixture failed, the result names the test that the fixture belongs to.
  const isRequested =
    ran !== undefined && test.path.every((name, at) => ran.path[at]?.startsWith(name) === true);
  const isFound = ran?.requested === 'test';
  const isMade =
    ran !== undefined &&
    (isFound || test.isTemplate || test.isLoose === true || test.line === undefined);
  return {
    test: nameOf(isRequested || isMade ? ran : test),
    file_path: file,
    ...defined({ line_number: line, project: ran?.project }),
    framework: framework.id,
    ...defined({ ran_in_folder: ranInFolder(plan) }),
  };
}

/** Returns the folder in which the runner starts, if it is not the workspace folder, which is expected. */
function ranInFolder({ start: { launches, folderPath } }: TestPlan): string | undefined {
  const folder = textOf(launches[0]?.configuration['cwd']);
  return folder === undefined || samePath(folder, folderPath ?? '') ? undefined : folder;
}

/** Returns the part of the result that describes a failure: its message, its place, and the values. */
export async function failureView(
  services: ToolServices,
  error: ReportedError | undefined,
  stopped: readonly FailureFrame[] | undefined,
  exception: ExceptionDetails | undefined,
): Promise<object> {
  const frames =
    stopped !== undefined && stopped.length > 0
      ? stopped
      : await reportedFrames(services, error?.frames ?? []);
  const ownFrame = stopped?.find(
    ({ file_path: file }) => file !== undefined && services.stops.isOwn(file),
  );
  const place = error?.place ?? (error?.isPlaced === true ? ownPlace(services, error) : undefined);
  const named = place !== undefined && services.stops.isOwn(place.path) ? place : undefined;
  const at =
    named === undefined && ownFrame?.file_path !== undefined && ownFrame.line_number !== undefined
      ? { path: ownFrame.file_path, line: ownFrame.line_number }
      : (named ?? ownPlace(services, error));
  const isAsserted = named !== undefined && error?.isPlaced === true && error.type === undefined;
  const shown = isAsserted && exception === undefined ? fromPlace(frames, named) : frames;
  const causes = error?.causes ?? [];
  const inner = causes.length > 0 ? causes : exception?.inner;
  const type = error?.type ?? exception?.type;
  return defined({
    message: messageOf(error),
    notes: notesOf(error),
    subtest: error?.subtest,
    exception:
      type === undefined && inner === undefined
        ? undefined
        : defined({ type, inner: inner?.map((each) => cutCause(services, each)) }),
    ...valuesOf(error),
    at: await placeView(services, at),
    frames: shown.length === 0 ? undefined : shown,
    without_values: error?.withoutValues,
  });
}

/**
 * Returns the frames of a failed assertion from the place that its runner names. Below it are the functions of an
 * assertion library, which a project may contain. Helpers beside the test are kept.
 */
function fromPlace(
  frames: readonly FailureFrame[],
  place: { readonly path: string; readonly line: number },
): readonly FailureFrame[] {
  const at = frames.findIndex(
    ({ file_path: file, line_number: line }) =>
      file !== undefined && line === place.line && samePath(file, place.path),
  );
  const isBeside = ({ file_path: file }: FailureFrame): boolean =>
    file !== undefined && samePath(path.dirname(file), path.dirname(place.path));
  return frames.filter((frame, index) => index >= at || isBeside(frame));
}

/** Returns errors by their messages and places, and the number of those that are left out. */
export async function errorsView(
  services: ToolServices,
  errors: readonly ReportedError[],
): Promise<{ readonly shown: readonly object[]; readonly left: number }> {
  const shown = errors.slice(0, MAX_FURTHER).map(async (error) =>
    defined({
      subtest: error.subtest,
      message: cutText(messageOf(error) ?? '', MAX_OF_A_FURTHER),
      at: await placeView(services, error.place ?? ownPlace(services, error)),
    }),
  );
  return { shown: await Promise.all(shown), left: Math.max(0, errors.length - MAX_FURTHER) };
}

/** The notes of an exception, such as the falsifying example of hypothesis. */
function notesOf(error: ReportedError | undefined): readonly string[] | undefined {
  const { notes = [] } = error ?? {};
  return notes.length === 0 ? undefined : notes.map((note) => cutText(note, MAX_OF_A_MESSAGE));
}

function cutCause(
  services: ToolServices,
  { type, message, at }: { type: string; message?: string; at?: { path: string; line: number } },
): object {
  return defined({
    type,
    message: message === undefined ? undefined : cutText(message, 300),
    at: at === undefined ? undefined : `${shortPath(services, at.path)}:${at.line}`,
  });
}

/** Returns the message of an error. If the values are shown separately, the first part of the message is sufficient. */
function messageOf(error: ReportedError | undefined): string | undefined {
  if (error === undefined) return undefined;
  const { expected, actual } = error;
  const message = withoutSource(error.message);
  const isLong = message.split('\n').length > FEW_LINES;
  const hasValues = expected !== undefined && actual !== undefined;
  const first = hasValues && isLong ? (message.split(/\n\s*\n/)[0] ?? '') : message;
  const lines = first.split('\n');
  const shown = lines.slice(0, LINES_OF_A_MESSAGE).join('\n');
  return cutText(lines.length > LINES_OF_A_MESSAGE ? `${shown}\n…` : shown, MAX_OF_A_MESSAGE);
}

/** Removes the lines around the place of an exception, and its stack, which jest adds to a message. */
function withoutSource(message: string): string {
  const source = message.search(/\n[^\S\n]*(?:> *)?\d+ \| /);
  return source < 0 ? message : message.slice(0, source).trimEnd();
}

/**
 * Returns the output of the test. It is the output that the runner captured, or otherwise the output of the whole run.
 */
export function outputView(
  test: ReportedTest | undefined,
  printed: readonly string[],
): { readonly output?: readonly string[]; readonly omitted?: { readonly output_lines: number } } {
  const lines = (test?.output ?? printed).filter((line) => line.trim() !== '');
  const shown = lines.slice(-MAX_LINES).map((line) => cutText(line, 300));
  return defined({
    output: shown.length === 0 ? undefined : shown,
    omitted:
      lines.length > shown.length ? { output_lines: lines.length - shown.length } : undefined,
  });
}
