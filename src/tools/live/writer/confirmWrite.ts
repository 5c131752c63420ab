import type { RunStep } from '../../../control/boundedRun';
import { samePath } from '../../../debugger/sourcePath';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { type SessionState, stoppedThread } from '../../../debugger/state/state';
import type { RecordedHit, RecordedValue } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import { isOfRun } from '../../trace/reach';
import { assignmentAround } from './assignmentAround';
import { returnPoints } from './calleeReturns';
import type { SeenWrite } from './chooseWrite';
import { openStop, type FirstStop } from './firstStop';
import { readCaller, readInputs, type ReadInputs } from './inputs';
import type { PlannedProbes } from './plannedProbes';
import { valueOf, type Expressions } from './probeExpressions';
import { replay, resumed, snapshot, SHOWN, type ReplayContext, type Replayed } from './replay';
import { firstDifference, type Difference } from './sameRuns';
import { stepOverLine, type StoppedAt } from './stepOverLine';

/** The maximum number of frames that are read at the writing line. */
const MAX_FRAMES = 60;

/** What a further run saw at the line that was chosen, and at the place of the stop. */
export interface Confirmation {
  readonly kind: 'confirmed';
  /** The first difference to the run before, on the way to the line. */
  readonly differs: Difference | undefined;
  /** The stack at the line. */
  readonly frames: readonly Frame[];
  readonly before: RecordedValue;
  /** The value directly after the line. Undefined if it could not be read there. */
  readonly after: RecordedValue;
  /** What was recorded at the place afterwards. Undefined if it was not reached. */
  readonly place: RecordedHit | undefined;
  /** Whether the object that the line changed is the one at the place. */
  readonly isSameObject: boolean;
  /** What the line reads, as it was before the line ran, and what the line of its caller reads. */
  readonly inputs: ReadInputs;
  readonly passed: readonly FirstStop[];
  /** Where the function returned whose call is the value that the line wrote, and what that line reads. */
  readonly returned?: Returned | undefined;
}

/** The line that was chosen is in a call of a line that assigns the value later. */
export interface WrittenLater {
  readonly kind: 'later';
  readonly write: SeenWrite;
}

export interface Returned {
  readonly path: string;
  readonly line: number;
  readonly inputs: ReadInputs;
}

export interface ConfirmInput {
  readonly context: ReplayContext;
  readonly probes: PlannedProbes;
  readonly expressions: Expressions;
  /** The hits of the run before, and the write that was chosen from them. */
  readonly hits: readonly RecordedHit[];
  readonly write: SeenWrite;
  /** The index of the hit at the place in that run. */
  readonly moment: number;
  readonly deadline: number;
  /** The files in which the functions are searched that the line calls. */
  readonly files: readonly string[];
}

/**
 * Runs the program once more, to the hit of the line that was chosen. It keeps the object that the line changes, steps
 * over the line, reads the value, and goes on to the place.
 * @returns undefined if the line was not reached at this hit
 */
export async function confirmWrite(
  input: ConfirmInput,
): Promise<Confirmation | WrittenLater | undefined> {
  const { context, write, deadline } = input;
  return await replay(context, write.index, deadline, async (replayed) => {
    const { step, recording } = replayed;
    if (step.kind !== 'stopped' || !recording.isAtLimit) return undefined;
    const stopped = await framesAt(input, step.sessionKey);
    const { path, line } = pointOf(input);
    const top = stopped?.frames[0];
    if (stopped === undefined || top?.path === undefined) return undefined;
    if (!samePath(top.path, path) || top.line !== line) return undefined;
    const later = assignmentAround(stopped.frames, input);
    if (later !== undefined) return { kind: 'later', write: later };
    const differs = firstDifference(input.hits.slice(0, write.index), replayed.hits, input.probes);
    await recording.dispose();
    const before = await atLine(input, stopped.session, top);
    const reads = await inputsAt(input, stopped, top);
    const { moved, returned } = await overLine(input, replayed, stopped, reads.inputs.called);
    const next = moved.kind === 'stopped' ? await framesAt(input, moved.sessionKey) : undefined;
    const after = hasStepped(stopped, moved, next) ? await behind(input, stopped, next) : undefined;
    const { place, isSameObject } = await toPlace(input, replayed, moved, next);
    const { frames } = stopped;
    const seen = { differs, frames, before, after, place, isSameObject, ...reads, returned };
    return { kind: 'confirmed', ...seen };
  });
}

/** Steps over the line. If its value is that of a call, reads where the function returns. */
async function overLine(
  input: ConfirmInput,
  { run }: Replayed,
  stopped: StoppedAt,
  called: string | undefined,
): Promise<{ readonly moved: RunStep; readonly returned: Returned | undefined }> {
  const { context, probes, expressions, files } = input;
  const { services, call } = context;
  const { language } = probes;
  const returns = called === undefined ? [] : await returnPoints(services, files, called, language);
  let returned: Returned | undefined;
  const atReturn = async ({ session, threadId, frames }: StoppedAt): Promise<void> => {
    const [top] = frames;
    if (top?.path === undefined) return;
    const reader = { services, language, expressions, signal: call.signal };
    const frame = { threadId, frameId: top.id };
    const opened = await openStop(services, session, frame, call.signal);
    returned = { path: top.path, line: top.line, inputs: await readInputs(reader, opened) };
  };
  const framesOf = (key: string): Promise<StoppedAt | undefined> => framesAt(input, key);
  const stepping = { services, run, framesAt: framesOf, returns, atReturn };
  const moved = await stepOverLine(stepping, stopped);
  return { moved, returned };
}

/** Whether a step ended behind its line, not at a breakpoint in what the line calls. */
function hasStepped(
  before: StoppedAt,
  moved: RunStep,
  after: StoppedAt | undefined,
): after is StoppedAt {
  if (moved.kind !== 'stopped' || after === undefined) return false;
  return moved.stop.reason.includes('step') || after.frames.length <= before.frames.length;
}

function pointOf({ probes, write }: ConfirmInput): {
  readonly path: string;
  readonly line: number;
} {
  const { path, write: at } = write.candidate;
  const found = probes.points.find(({ id }) => id === write.candidate.point);
  return { path: found?.path ?? path, line: found?.line ?? at.line };
}

async function framesAt(
  { context: { services, call } }: ConfirmInput,
  sessionKey: string,
): Promise<StoppedAt | undefined> {
  const { inspector, model } = services;
  const there = stoppedThread(model.state, sessionKey);
  if (there === undefined) return undefined;
  const { session, threadId } = there;
  const place = inspector.placeOf(session, threadId);
  const { frames } = await inspector.frames(session, place, 0, MAX_FRAMES, call.signal);
  return { session, threadId, frames: frames.filter(({ isLabel }) => !isLabel) };
}

/** The expression of the value, at the line itself. */
function readingAt({ probes, expressions, write }: ConfirmInput): string {
  const { write: at } = write.candidate;
  if (at.kind === 'variable') return at.name;
  const receiver = at.receiver ?? '';
  return write.by === 'value' || probes.asked.kind === 'variable'
    ? receiver
    : expressions.member(receiver, probes.asked.key);
}

/** The expression of the value, when the line has been left. Undefined if it may be another variable there. */
function readingBehind(input: ConfirmInput, isSameCall: boolean): string | undefined {
  const { probes, expressions, write } = input;
  if (write.by === 'value') return expressions.kept;
  if (write.by === 'variable' || probes.asked.kind === 'variable') {
    if (moduleOf(input) === undefined) return isSameCall ? readingAt(input) : undefined;
    return `${expressions.kept}[${JSON.stringify(probes.asked.expression)}]`;
  }
  return expressions.member(expressions.kept, probes.asked.key);
}

/** The variables of the module, if the write is to one of them. They outlive the call that writes. */
function moduleOf({ probes, expressions, write }: ConfirmInput): string | undefined {
  const isOfModule = write.by === 'variable' && probes.scope?.calls === 'single';
  return isOfModule ? expressions.module : undefined;
}

/** Keeps the object that the line changes, and reads the value. */
async function atLine(
  input: ConfirmInput,
  session: SessionState,
  top: Frame,
): Promise<RecordedValue> {
  const { context, expressions, write } = input;
  const { write: at } = write.candidate;
  const kept = at.kind === 'member' ? at.receiver : moduleOf(input);
  const values = [readingAt(input), ...(kept === undefined ? [] : [expressions.keep(kept)])];
  const { services, call } = context;
  const read = await snapshot(services, session, top, top.path ?? '', values, call.signal);
  return read?.values[0];
}

/** Reads what the line reads. Its variables may be arguments, so what the caller's line reads belongs to it. */
async function inputsAt(
  { context: { services, call }, probes, expressions, hits, write }: ConfirmInput,
  { session, threadId }: StoppedAt,
  { id: frameId }: Frame,
): Promise<Pick<Confirmation, 'inputs' | 'passed'>> {
  const { language } = probes;
  const reader = { services, language, expressions, signal: call.signal };
  const opened = await openStop(services, session, { threadId, frameId }, call.signal);
  const { stops, ...reads } = await readInputs(reader, opened, write.candidate.write.column);
  const { point } = write.candidate;
  const hit = hits.slice(0, write.index + 1).filter((each) => each.point === point).length;
  const hasVariable = stops.some(({ asked }) => asked.kind === 'variable');
  const passed = hasVariable ? await readCaller(reader, session, { threadId, frameId }) : [];
  return { inputs: { stops: stops.map((stop) => ({ ...stop, hit })), ...reads }, passed };
}

/** Reads the value directly behind the line. */
async function behind(
  input: ConfirmInput,
  before: StoppedAt,
  after: StoppedAt,
): Promise<RecordedValue> {
  const { context, write } = input;
  const { services, call } = context;
  const [top] = after.frames;
  if (top === undefined) return undefined;
  const isSameCall =
    before.frames.length === after.frames.length && before.frames[0]?.name === top.name;
  const expression = readingBehind(input, isSameCall);
  if (expression === undefined) return undefined;
  const path = top.path ?? write.candidate.path;
  const read = await snapshot(services, after.session, top, path, [expression], call.signal);
  return read?.values[0];
}

/** Goes on to the hit of the place, and reads it. */
async function toPlace(
  input: ConfirmInput,
  replayed: Replayed,
  moved: RunStep,
  at: StoppedAt | undefined,
): Promise<Pick<Confirmation, 'place' | 'isSameObject'>> {
  const { context, probes, expressions, write, hits, moment } = input;
  const { services, call } = context;
  const point = probes.points.find(({ id }) => id === probes.place);
  if (point === undefined || point.values === 'locals') return answerOf(undefined, undefined);
  const kept = keptAtPlace(probes, expressions, write);
  const values = kept === undefined ? point.values : [...point.values, kept];
  const keptAt = kept === undefined ? undefined : values.length - 1;
  const left = hits.slice(write.index, moment + 1).filter(({ point: id }) => id === probes.place);
  let count = left.length;
  const top = at?.frames[0];
  // A program that stops there after a step does not hit the place again.
  if (at !== undefined && top !== undefined && isAtPoint(top, point)) {
    count -= 1;
    if (count === 0) {
      const { session } = at;
      const read = await snapshot(services, session, top, point.path, values, call.signal);
      return answerOf(read, keptAt);
    }
  }
  const hit = await nextHit(context, replayed, moved, { ...point, values }, count);
  return answerOf(hit, keptAt);
}

function isAtPoint(top: Frame, { path, line, column }: RecordingPoint): boolean {
  if (top.line !== line || !samePath(top.path ?? '', path)) return false;
  return column === undefined || top.column === column;
}

function answerOf(
  hit: RecordedHit | undefined,
  keptAt: number | undefined,
): Pick<Confirmation, 'place' | 'isSameObject'> {
  const isKept = keptAt === undefined ? 'true' : hit?.values[keptAt];
  const isSameObject = typeof isKept === 'string' && /^true$/i.test(isKept);
  return { place: hit, isSameObject };
}

/** Continues until a point has been hit so many times. Returns that hit. */
async function nextHit(
  { services }: ReplayContext,
  { run, trigger }: Pick<Replayed, 'run' | 'trigger'>,
  stopped: RunStep,
  point: RecordingPoint,
  count: number,
): Promise<RecordedHit | undefined> {
  const enough = new AbortController();
  const recording = await services.recordings.start({
    isIncluded: (session) => isOfRun({ services, run }, session),
    points: [point],
    maxHits: count,
    callers: true,
    shown: SHOWN,
  });
  recording.onHits(() => {
    if (recording.read().length >= count) enough.abort();
  });
  try {
    let step = stopped;
    while (step.kind === 'stopped' && recording.read().length < count) {
      const until = AbortSignal.any([enough.signal, trigger.signal]);
      step = await resumed(services, run, step, until);
      await recording.settle();
    }
    return recording.read()[count - 1];
  } finally {
    await recording.dispose();
  }
}

/** The expression that compares the object at the place with the one that the line changed. */
function keptAtPlace(
  { asked }: PlannedProbes,
  expressions: Expressions,
  { by }: SeenWrite,
): string | undefined {
  if (by === 'variable') return undefined;
  if (by === 'owner' && asked.kind === 'member') return expressions.isKept(asked.owner);
  if (by === 'holder' && asked.kind === 'member')
    return expressions.isKept(expressions.holder(asked.owner, asked.key) ?? asked.owner);
  return expressions.isKept(valueOf(asked, expressions));
}
