import type { FrameHandle } from '../../../debugger/inspection/handles';
import type { SessionState } from '../../../debugger/state/state';
import type { RecordedValue } from '../../../recording/recordedRows';
import type { ToolServices } from '../../services';
import { openStop, readAllAt, type FirstStop, type OpenedStop } from './firstStop';
import { isOwn } from '../../trace/function/ownFrames';
import type { Expressions } from './probeExpressions';
import { shownValue } from './sameRuns';
import { statementInputs } from './statementInputs';
import { readPath } from './valuePath';
import type { Language } from './writes';

/** The maximum numbers of paths that are read at a line, and of values that are used. */
const MAX_PATHS = 20;
const MAX_INPUTS = 5;

/** What a line reads, and which of it is its value as it is. */
export interface ReadInputs {
  readonly stops: readonly FirstStop[];
  readonly copied: string | undefined;
  /** The name of the function whose call is its value as it is. */
  readonly called?: string | undefined;
}

export const NO_INPUTS: ReadInputs = { stops: [], copied: undefined };

export interface InputReader {
  readonly services: ToolServices;
  readonly language: Language;
  readonly expressions: Expressions;
  readonly signal: AbortSignal;
}

/** Reads what the line of a frame reads, before it runs. @param column the column of the statement, if it is not the first */
export async function readInputs(
  { services, language, expressions, signal }: InputReader,
  opened: OpenedStop | undefined,
  column?: number,
): Promise<ReadInputs> {
  if (opened === undefined) return NO_INPUTS;
  const source = await services.workspace.readSource(opened.path);
  if (source === undefined) return NO_INPUTS;
  const text = source.lines.join('\n');
  const found = statementInputs(text, { line: opened.frame.line, column }, language);
  const asked = found.paths
    .map((path) => readPath(path))
    .filter((path) => path !== undefined)
    // The scope of a variable is known at the beginning of a line only.
    .filter(({ kind }) => kind !== 'variable' || column === undefined)
    .slice(0, MAX_PATHS);
  const read = await readAllAt(services, opened, asked, expressions, signal);
  const stops = read
    .filter(isData)
    .slice(0, MAX_INPUTS)
    .map((stop) => ({ ...stop, column }));
  return { stops, copied: found.copied, called: found.called };
}

/** Reads what the line of the caller of a frame reads, which it may have passed on. */
export async function readCaller(
  reader: InputReader,
  session: SessionState,
  at: Pick<FrameHandle, 'threadId' | 'frameId'>,
): Promise<readonly FirstStop[]> {
  const { services, signal } = reader;
  const opened = await openStop(services, session, at, signal);
  const index = opened?.frames.findIndex(({ id }) => id === at.frameId) ?? -1;
  const caller = opened?.frames[index + 1];
  if (caller === undefined || !isOwn(services, caller)) return [];
  const frame = await openStop(services, session, { ...at, frameId: caller.id }, signal);
  return (await readInputs(reader, frame)).stops;
}

/** The values that a caller may have passed for one: those that are the same, or all of them. */
export function passedFor(value: RecordedValue, stops: readonly FirstStop[]): readonly FirstStop[] {
  const same = stops.filter(({ read }) => shownValue(read.values[0]) === shownValue(value));
  return same.length > 0 ? same : stops;
}

/** Whether a value is not code, such as a function, a class or a module. */
function isData({ read }: FirstStop): boolean {
  const text = shownValue(read.values[0]);
  return !/^(?:<(?:module|class|function|built-in|bound method)\b|ƒ|class\b|Object \[Math\])/.test(
    text,
  );
}
