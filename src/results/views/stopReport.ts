import path from 'node:path';
import type { BreakpointBook } from '../../debugger/breakpoints/breakpointBook';
import { Changes, type ReportMode } from '../../debugger/inspection/changes';
import { exitCodeOf, type ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { foldFrames } from '../../debugger/inspection/foldedFrames';
import type { Place } from '../../debugger/inspection/handles';
import type { Inspector } from '../../debugger/inspection/inspector';
import type { LocalVariables } from '../../debugger/inspection/localVariables';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { isSynthetic } from '../../debugger/inspection/variableReader';
import type { DebugModel } from '../../debugger/state/debugModel';
import type { SessionState, StopState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { asFailure } from '../debuggerFailures';
import { PastStops } from './pastStops';
import { RepeatedExceptions } from './repeatedExceptions';
import { briefStop } from './stepBrief';
import {
  frameView,
  stackView,
  variableView,
  type StopEventData,
  type VariableView,
} from './stopEventData';
import { aboutToEnd, atFailedCondition, exceptionOf, repeatedStop, textsOf } from './stopException';
import { readStop, type StopFacts, type StopPlace } from './stopFacts';
import { fetchFrames, framesLeft, left, localsLeft, withoutRuntime } from './stopOmissions';
import type { ReadSource } from './stopSource';
import { OutputReporter, type ReportedOutput } from './reportedOutput';

type ShownBefore = NonNullable<ReturnType<Changes['since']>>['shown'];

/**
 * How a stop is reported. `whole`: completely. `step`: if the frame was shown before, only the changes since then.
 * `passed`: as an intermediate stop of a multi-step call, which usually reports only the changes. `readOnly`:
 * completely, but the stop still counts as unreported.
 */
export type StopDetail = 'whole' | 'step' | 'passed' | 'readOnly';

const REPORT_MODES: Readonly<Record<StopDetail, ReportMode>> = {
  whole: 'shown',
  step: 'shown',
  passed: 'passed',
  readOnly: 'readOnly',
};

/** Reports stops: the location, the reason, the values and the output. */
export class StopReporter {
  /** The output of programs, and the part of it that has been reported. */
  readonly output: OutputReporter;
  /** The stops that were reported. */
  readonly past = new PastStops();
  private readonly changes = new Changes();
  private readonly repeated = new RepeatedExceptions();

  constructor(
    private readonly model: DebugModel,
    private readonly inspector: Inspector,
    private readonly breakpoints: BreakpointBook,
    readonly readSource: ReadSource,
    /** Whether a file is the person's own code and not a library's. */
    readonly isOwn: (file: string) => boolean,
  ) {
    this.output = new OutputReporter(model);
  }

  /**
   * Reports a stop.
   * @throws Superseded if the program continued in the meantime
   */
  async report(
    session: SessionState,
    threadId: number,
    signal: AbortSignal,
    detail: StopDetail = 'whole',
  ): Promise<StopEventData> {
    const seen = this.inspector.placeOf(session, threadId);
    const failed = atFailedCondition(session, seen);
    const place = failed?.place ?? seen;
    const facts = await readStop(this.inspector, this, session, place, signal);
    const exception = exceptionOf(place.stop, facts.exception, facts.own !== undefined);
    const again = this.seenBefore(place, facts, exception, detail);
    const stopped = this.stopData(place, facts, exception, again !== undefined, detail);
    if (detail !== 'readOnly')
      this.past.keep(session.key, stopped.data, this.conditionAt(stopped.data));
    if (failed !== undefined) return { ...stopped.data, condition_error: failed.error };
    const exitCode = facts.exception === undefined ? undefined : exitCodeOf(facts.exception);
    if (exitCode !== undefined) {
      const { own } = facts;
      const ownFrame = own === undefined ? undefined : frameView(this.inspector, place, own.frame);
      return aboutToEnd(stopped.data, exitCode, ownFrame);
    }
    const callers = fetchFrames(this.model.state, session, threadId, 1);
    if (again !== undefined) return repeatedStop(stopped.data, again, callers);
    return detail === 'step' && stopped.shown !== undefined
      ? briefStop(stopped.data, stopped.shown, callers)
      : stopped.data;
  }

  /** The condition of the only breakpoint that was hit. */
  private conditionAt({ hit_breakpoint_ids: ids }: StopEventData): string | undefined {
    const [id, second] = ids ?? [];
    return id === undefined || second !== undefined
      ? undefined
      : this.breakpoints.find(id)?.condition;
  }

  /** The previous stop, if it was at the same exception. */
  private seenBefore(
    { threadId, stop }: StopPlace,
    { session, page }: StopFacts,
    exception: ExceptionDetails | undefined,
    detail: StopDetail,
  ): number | undefined {
    if (exception === undefined) return undefined;
    const { type, message } = exception;
    const seen = { ...page, stopId: stop.id, type, message };
    return this.repeated.before(session.key, threadId, seen, detail !== 'readOnly');
  }

  private stopData(
    place: StopPlace,
    facts: StopFacts,
    exception: ExceptionDetails | undefined,
    isRepeated: boolean,
    detail: StopDetail,
  ): { readonly data: StopEventData; readonly shown: ShownBefore } {
    const { threadId, stop } = place;
    const { session, page, top, own, refused } = facts;
    const output = this.outputOf(session, detail);
    // If an exception was thrown in a library, the variables of the person's own frame are shown instead.
    const isLeftOut = isRepeated || own?.read.scope !== undefined;
    const locals = isLeftOut ? undefined : facts.locals;
    const variables = this.variablesOf(place, top, locals);
    const difference = this.differenceOf(place, facts, locals, variables, detail);
    const frames = withoutRuntime(page.frames);
    const omitted = {
      ...framesLeft(this.model.state, session, threadId, page, frames.length),
      ...defined({ output_lines: output.omitted || undefined }),
      ...localsLeft(locals),
      ...left('own_frame_variables', own?.read.omitted),
      ...left('top_frame_variables', isLeftOut ? facts.locals?.variables.length : undefined),
    };
    const stack = foldFrames(frames, this.isOwn);
    const unreadable = refused.map((error) => asFailure(error)?.message ?? error.message);
    const data: StopEventData = {
      ...stopFields(session, threadId, stop, facts.exception),
      ...placeOfFrame(top),
      ...facts.lines,
      ...defined({ exception: this.exceptionView(place, exception, own) }),
      ...unlessEmpty({ changed: difference?.changes ?? [] }),
      top_frame_variables: variables,
      call_stack: stack.map((entry) => stackView(this.inspector, place, entry)),
      ...defined({ total_frames: page.total }),
      ...this.breakpointsOf(session, stop, top),
      ...unlessEmpty({ output: output.lines, unreadable }),
      ...defined({ omitted: Object.keys(omitted).length > 0 ? omitted : undefined }),
    };
    return { data, shown: difference?.shown };
  }

  private outputOf(session: SessionState, detail: StopDetail): ReportedOutput {
    const printed = this.family(session);
    return detail === 'readOnly'
      ? this.output.peekUnreported(printed)
      : this.output.takeUnreported(printed);
  }

  private variablesOf(
    place: Place,
    top: Frame | undefined,
    locals: LocalVariables | undefined,
  ): StopEventData['top_frame_variables'] {
    if (top === undefined || locals?.scope === undefined) return null;
    return { scope_name: locals.scope.name, variables: this.views(place, top, locals) };
  }

  /** The changes since the frame was last shown. */
  private differenceOf(
    { threadId, stop }: StopPlace,
    { session, page, top, refused }: StopFacts,
    locals: LocalVariables | undefined,
    shown: StopEventData['top_frame_variables'],
    detail: StopDetail,
  ): ReturnType<Changes['since']> | undefined {
    if (top === undefined || shown === null || locals === undefined) return undefined;
    // Groups that an adapter adds to the variables (debugpy's “special variables”) are not compared.
    const areSynthetic = locals.variables.map(({ variable }) => isSynthetic(variable));
    const variables = shown.variables
      .filter((_, index) => !areSynthetic[index])
      .map(({ name, value, fields }) => ({
        name,
        value,
        fields: fields === undefined ? undefined : Object.entries(fields),
      }));
    const isPart =
      refused.length > 0 || locals.omitted + locals.omittedScopes + locals.unreadable > 0;
    const frame = { functionName: top.name, path: top.path, depth: page.total };
    const callers = page.frames.slice(1);
    return this.changes.since(
      session.key,
      threadId,
      { stopId: stop.id, frame, callers, variables, isPart },
      REPORT_MODES[detail],
    );
  }

  private exceptionView(
    place: Place,
    exception: ExceptionDetails | undefined,
    own: StopFacts['own'],
  ): StopEventData['exception'] {
    if (exception === undefined || own === undefined) return exception;
    const variables = this.views(place, own.frame, own.read);
    return {
      ...exception,
      own_frame: { ...frameView(this.inspector, place, own.frame), variables },
    };
  }

  /** Reports the final stop of a multi-step call in the same way as a single step. */
  arrived(stop: StopEventData): StopEventData {
    const { state } = this.model;
    const session = [...state.sessions.values()].find(({ id }) => id === stop.session_id);
    if (session === undefined) return stop;
    const difference = this.changes.show(session.key, stop.thread_id, stop.stop_id);
    if (difference === undefined) return stop;
    return briefStop(stop, difference, fetchFrames(state, session, stop.thread_id, 1));
  }

  /** Returns the output of a session's program since the last result and marks it as reported. */
  printed(session: SessionState): ReportedOutput {
    return this.output.takeUnreported(this.family(session));
  }

  /** The number of sessions whose values are kept for comparison. Tests use it to check that nothing leaks. */
  get compared(): number {
    return this.changes.size;
  }

  /**
   * Removes sessions that the model no longer keeps. For ended sessions, only the position up to which their output was
   * reported is kept.
   */
  prune(): void {
    const { sessions } = this.model.state;
    const live = {
      has: (key: string): boolean =>
        (sessions.get(key)?.lifecycle ?? 'terminated') !== 'terminated',
    };
    this.past.prune(sessions);
    this.changes.prune(live);
    this.repeated.prune(live);
    this.output.prune();
  }

  /** The session and its parents, because an adapter may report a child's output in the parent session. */
  private family(session: SessionState): readonly SessionState[] {
    const parent =
      session.parentKey === undefined
        ? undefined
        : this.model.state.sessions.get(session.parentKey);
    return parent === undefined ? [session] : [...this.family(parent), session];
  }

  private breakpointsOf(
    session: SessionState,
    stop: StopState,
    top: Frame | undefined,
  ): Pick<StopEventData, 'hit_breakpoint_ids' | 'moved_breakpoints'> {
    const hit = this.breakpoints.hit(session, stop, top);
    const moved = hit === null ? [] : this.breakpoints.moved(session, hit, top);
    if (moved.length === 0) return { hit_breakpoint_ids: hit };
    const moved_breakpoints = moved.map(({ id, requestedLine }) => ({
      id,
      asked_line: requestedLine,
    }));
    return { hit_breakpoint_ids: hit, moved_breakpoints };
  }

  private views(
    place: Place,
    frame: Frame,
    { variables }: LocalVariables,
  ): readonly VariableView[] {
    return variables.map(({ variable, hiddenIn, object }) =>
      variableView(this.inspector, place, variable, frame.id, hiddenIn, object),
    );
  }
}

function stopFields(
  session: SessionState,
  threadId: number,
  stop: StopState,
  exception: StopFacts['exception'],
): Pick<StopEventData, StopField> {
  return {
    timestamp: new Date(stop.at).toISOString(),
    session_id: session.id,
    stop_id: stop.id,
    reason: stop.reason,
    thread_id: threadId,
    ...textsOf(stop, exception),
    all_threads_stopped: stop.allThreadsStopped ?? null,
  };
}

type StopField =
  | 'timestamp'
  | 'session_id'
  | 'stop_id'
  | 'reason'
  | 'thread_id'
  | 'description'
  | 'text'
  | 'all_threads_stopped';

function placeOfFrame(top: Frame | undefined): Pick<StopEventData, 'source' | 'line' | 'column'> {
  if (top?.path === undefined) return { source: null, line: null, column: null };
  const source = { path: top.path, name: path.basename(top.path) };
  return { source, line: top.line, column: top.column };
}

/** Leaves out a list without entries. */
function unlessEmpty<Lists extends Record<string, readonly unknown[]>>(
  lists: Lists,
): Partial<Lists> {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return Object.fromEntries(filled) as Partial<Lists>;
}
