import path from 'node:path';
import type { DebuggerError } from '../../debugger/debuggerError';
import { asFailure } from '../debuggerFailures';
import type { BreakpointBook } from '../../debugger/breakpoints/breakpointBook';
import { Changes, type Telling } from '../../debugger/inspection/changes';
import type { DebugModel } from '../../debugger/state/debugModel';
import {
  exitCodeOf,
  unlessSaid,
  withoutNote,
  type ExceptionDetails,
  type ReportedException,
} from '../../debugger/inspection/exceptionDetails';
import { foldFrames, isOwnFrame } from '../../debugger/inspection/foldedFrames';
import {
  FRAMES_OF_A_STOP,
  type FramePage,
  type Inspector,
} from '../../debugger/inspection/inspector';
import type { Place } from '../../debugger/inspection/handles';
import {
  noting,
  readLocals,
  readLocalsWithFields,
  type LocalVariables,
} from '../../debugger/inspection/localVariables';
import { topFrame, type Frame } from '../../debugger/inspection/stackAndVariables';
import { RepeatedExceptions } from './repeatedExceptions';
import { briefly } from './stepBrief';
import {
  frameCount,
  frameView,
  stackView,
  variableView,
  type FrameView,
  type StopEventData,
  type VariableView,
} from './stopEventData';
import {
  liveSessions,
  threadOfStop,
  type DebugState,
  type SessionState,
  type StopState,
} from '../../debugger/state/state';
import { ToldOutput, type Printed } from './toldOutput';
import { isBeside } from '../../debugger/inspection/variableReader';

const NO_FRAMES: FramePage = { frames: [], total: undefined, next: undefined, unreadable: 0 };

/** How much of a stop is told; `passed`: all, to a call that steps on and mostly tells its changes alone. */
export type Report = 'whole' | 'step' | 'passed' | 'look';

const TELLINGS: Readonly<Record<Report, Telling>> = {
  whole: 'shown',
  step: 'shown',
  passed: 'passed',
  look: 'glanced',
};

/** A file that the person has. */
export interface SourceText {
  readonly lines: readonly string[];
  /** When it was changed last, in milliseconds since 1970: `Infinity` while changes are not saved, undefined where nobody knows. */
  readonly changedAt?: number | undefined;
}

/** Undefined where it cannot be read. */
export type ReadSource = (file: string) => Promise<SourceText | undefined>;

/** How much of a line of source is read; `results/fit` shortens it further, once credentials are out of it. */
const MOST_OF_A_LINE = 2000;

/** Tells about a stop what its reader asks next: where, why, with what values, after what output. */
export class StopReporter {
  /** What was printed, and told. */
  readonly output: ToldOutput;
  private readonly changes = new Changes();
  private readonly repeated = new RepeatedExceptions();

  constructor(
    private readonly model: DebugModel,
    private readonly inspector: Inspector,
    private readonly breakpoints: BreakpointBook,
    private readonly readSource: ReadSource,
    /** Whether a file is the person's own code, rather than a library's. */
    readonly isOwn: (file: string) => boolean,
  ) {
    this.output = new ToldOutput(model);
  }

  /**
   * @param how after a `step` in a frame that was shown before, only what is otherwise than then; a mere `look` leaves
   * what it shows untold, for the call that waits for this stop
   * @throws Superseded when the program went on meanwhile
   */
  async report(
    session: SessionState,
    threadId: number,
    signal: AbortSignal,
    how: Report = 'whole',
  ): Promise<StopEventData> {
    const place = this.inspector.placeOf(session, threadId);
    const { stop } = place;
    const refused: DebuggerError[] = [];
    const unlessRefused = noting(refused);
    const {
      page,
      top,
      locals: read,
      lines,
      exception: reported,
      own,
    } = await this.inspector.limited(signal, async (limited) => {
      const page =
        (await this.inspector
          .frames(session, place, 0, FRAMES_OF_A_STOP, limited)
          .catch(unlessRefused)) ?? NO_FRAMES;
      const top = topFrame(page.frames);
      const ownFrame =
        stop.reason === 'exception'
          ? page.frames.find((frame) => isOwnFrame(frame, this.isOwn))
          : undefined;
      const [locals, lines, exception, own] = await Promise.all([
        top === undefined
          ? undefined
          : (ownFrame === undefined || ownFrame === top ? readLocalsWithFields : readLocals)(
              this.inspector,
              session,
              place,
              top,
              limited,
              unlessRefused,
            ),
        this.sourceLines(session, top, limited),
        stop.reason === 'exception'
          ? this.inspector.exception(session, place, limited).catch(unlessRefused)
          : undefined,
        // Where the person's own code is left: what an exception in a library is looked at from.
        ownFrame === undefined || ownFrame === top
          ? undefined
          : readLocals(this.inspector, session, place, ownFrame, limited, unlessRefused).then(
              (read) => ({ frame: ownFrame, read }),
            ),
      ]);
      return { page, top, locals, lines, exception, own };
    });
    const exception =
      reported === undefined ? untoldException(stop, own !== undefined) : detailsOf(reported);
    const printed = this.family(session);
    const output = how === 'look' ? this.output.glance(printed) : this.output.untold(printed);
    const again =
      exception === undefined
        ? undefined
        : this.repeated.before(
            session.key,
            threadId,
            { ...page, stopId: stop.id, type: exception.type, message: exception.message },
            how !== 'look',
          );
    // Where an exception comes from a library, the person's own frame is what is looked at.
    const isLeftOut = again !== undefined || own?.read.scope !== undefined;
    const locals = isLeftOut ? undefined : read;
    const variables =
      top === undefined || locals?.scope === undefined
        ? null
        : { scope_name: locals.scope.name, variables: this.views(place, top, locals) };
    // Groups that an adapter puts beside the variables (debugpy's “special variables”) are none that change.
    const isBesides = (locals?.variables ?? []).map(({ variable }) => isBeside(variable));
    const isPart =
      refused.length > 0 ||
      (locals !== undefined && locals.omitted + locals.omittedScopes + locals.unreadable > 0);
    const frame =
      top === undefined ? undefined : { functionName: top.name, path: top.path, depth: page.total };
    const difference =
      frame === undefined || variables === null
        ? undefined
        : this.changes.since(
            session.key,
            threadId,
            {
              stopId: stop.id,
              frame,
              callers: page.frames.slice(1),
              variables: variables.variables
                .filter((_, index) => !isBesides[index])
                .map(({ name, value, fields }) => ({
                  name,
                  value,
                  fields: fields === undefined ? undefined : Object.entries(fields),
                })),
              isPart,
            },
            TELLINGS[how],
          );
    const frames = withoutRuntime(page.frames);
    const omitted = {
      ...framesLeft(this.model.state, session, threadId, page, frames.length),
      ...(output.omitted > 0 ? { output_lines: output.omitted } : {}),
      ...left('variables', locals?.omitted),
      ...left('scopes', locals?.omittedScopes),
      ...(locals !== undefined && locals.expensive.length > 0
        ? {
            expensive_scopes: locals.expensive.join(', '),
            fetch_expensive_scopes: 'get_scopes, then get_variables',
          }
        : {}),
      ...(locals !== undefined && locals.unreadable > 0
        ? { unreadable_variables: locals.unreadable }
        : {}),
      ...left('own_frame_variables', own?.read.omitted),
      ...left('top_frame_variables', isLeftOut ? read?.variables.length : undefined),
    };
    const stopped: StopEventData = {
      timestamp: new Date(stop.at).toISOString(),
      session_id: session.id,
      stop_id: stop.id,
      reason: stop.reason,
      thread_id: threadId,
      ...saidOf(stop, reported),
      all_threads_stopped: stop.allThreadsStopped ?? null,
      source: top?.path === undefined ? null : { path: top.path, name: path.basename(top.path) },
      line: top?.path === undefined ? null : top.line,
      column: top?.path === undefined ? null : top.column,
      ...lines,
      ...(exception !== undefined
        ? {
            exception: {
              ...exception,
              ...(own !== undefined
                ? {
                    own_frame: {
                      ...frameView(this.inspector, place, own.frame),
                      variables: this.views(place, own.frame, own.read),
                    },
                  }
                : {}),
            },
          }
        : {}),
      ...(difference !== undefined && difference.changes.length > 0
        ? { changed: difference.changes }
        : {}),
      top_frame_variables: variables,
      call_stack: foldFrames(frames, this.isOwn).map((entry) =>
        stackView(this.inspector, place, entry),
      ),
      ...(page.total !== undefined ? { total_frames: page.total } : {}),
      ...this.breakpointsOf(session, stop, top),
      ...(output.lines.length > 0 ? { output: output.lines } : {}),
      ...(refused.length > 0
        ? { unreadable: refused.map((each) => asFailure(each)?.message ?? each.message) }
        : {}),
      ...(Object.keys(omitted).length > 0 ? { omitted } : {}),
    };
    const exitCode = reported === undefined ? undefined : exitCodeOf(reported);
    if (exitCode !== undefined)
      return aboutToEnd(
        stopped,
        exitCode,
        own === undefined ? undefined : frameView(this.inspector, place, own.frame),
      );
    if (again !== undefined) return inShort(stopped, again);
    return how === 'step' && difference?.shown !== undefined
      ? briefly(stopped, difference.shown)
      : stopped;
  }

  /** A stop that was reported as passed is where the steps ended: as a single step's answer would tell it. */
  arrived(stop: StopEventData): StopEventData {
    const session = [...this.model.state.sessions.values()].find(
      (each) => each.id === stop.session_id,
    );
    const difference =
      session === undefined
        ? undefined
        : this.changes.show(session.key, stop.thread_id, stop.stop_id);
    return difference === undefined ? stop : briefly(stop, difference);
  }

  /** What a session's program printed since the last answer; from now on it is told. */
  printed(session: SessionState): Printed {
    return this.output.untold(this.family(session));
  }

  /** How many sessions' values are kept, to compare the next stop with: for tests that nothing is left behind. */
  get compared(): number {
    return this.changes.size;
  }

  /** Forgets sessions that the model has forgotten; of those that have ended, all but what was told of their output. */
  prune(): void {
    const { sessions } = this.model.state;
    const live = {
      has: (key: string): boolean =>
        (sessions.get(key)?.lifecycle ?? 'terminated') !== 'terminated',
    };
    this.changes.prune(live);
    this.repeated.prune(live);
    this.output.prune();
  }

  /** The session and those above it: an adapter may print through the parent what its child's program printed. */
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
    const moved_breakpoints = moved.map(({ id, askedLine }) => ({ id, asked_line: askedLine }));
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

  private async sourceLines(
    session: SessionState,
    frame: Frame | undefined,
    signal: AbortSignal,
  ): Promise<Pick<StopEventData, 'source_lines' | 'source_changed_since_start'>> {
    if (frame?.path === undefined || !path.isAbsolute(frame.path)) return {};
    // An adapter may name any file, also one that cannot be read to its end.
    const source = await Promise.race([this.readSource(frame.path), aborted(signal)]);
    if (source === undefined) return {};
    const isChanged = (source.changedAt ?? 0) > session.startedAt;
    const { lines } = source;
    const first = Math.max(1, frame.line - 1);
    const shown =
      frame.line < 1 || frame.line > lines.length
        ? undefined
        : lines
            .slice(first - 1, frame.line + 1)
            .map(
              (line, index) =>
                `${first + index === frame.line ? '>' : ' '}${first + index} ${line.trimEnd().slice(0, MOST_OF_A_LINE)}`,
            );
    return {
      ...(shown !== undefined ? { source_lines: shown } : {}),
      ...(isChanged ? { source_changed_since_start: true } : {}),
    };
  }
}

function detailsOf({ isUnhandled: _, ...details }: ReportedException): ExceptionDetails {
  return details;
}

/** A program that ends by `SystemExit` is at its end: where it is, with what code and after what output is all there is to it. */
function aboutToEnd(
  stop: StopEventData,
  exitCode: number,
  ownFrame: FrameView | undefined,
): StopEventData {
  const {
    source_lines: _lines,
    changed: _changed,
    total_frames: _total,
    exception,
    omitted,
    ...rest
  } = stop;
  const output = omitted?.['output_lines'];
  return {
    ...rest,
    exit_code: exitCode,
    ...(exception !== undefined
      ? {
          exception: {
            type: exception.type,
            ...(exception.message !== undefined ? { message: exception.message } : {}),
          },
        }
      : {}),
    top_frame_variables: null,
    call_stack: ownFrame === undefined ? stop.call_stack.slice(0, 1) : [ownFrame],
    ...(output !== undefined ? { omitted: { output_lines: output } } : {}),
  };
}

/** A stop at an exception that the stop before was at: where it is now is all that is new. */
function inShort(stop: StopEventData, before: number): StopEventData {
  const { exception, call_stack: stack, omitted } = stop;
  const callers = frameCount(stack.slice(1));
  const frames = omitted?.['frames'];
  const fetch = omitted?.['fetch_frames'];
  return {
    ...stop,
    ...(exception === undefined
      ? {}
      : {
          exception: {
            type: exception.type,
            ...(exception.message !== undefined ? { message: exception.message } : {}),
            again: `same type and message as at stop ${before}, in a frame further out`,
          },
        }),
    call_stack: stack.slice(0, 1),
    omitted: {
      ...omitted,
      ...(callers > 0
        ? {
            frames: (typeof frames === 'number' ? frames : 0) + callers,
            fetch_frames:
              typeof fetch === 'string'
                ? fetch.replace(/start_frame=\d+$/, 'start_frame=1')
                : 'get_call_stack start_frame=1',
          }
        : {}),
    },
  };
}

/** A stop's own words; what its exception says is said once. */
function saidOf(
  { description, text }: StopState,
  exception: ExceptionDetails | undefined,
): Pick<StopEventData, 'description' | 'text'> {
  if (exception === undefined) return { description: description ?? null, text: text ?? null };
  return { description: unlessSaid(description, exception), text: unlessSaid(text, exception) };
}

/**
 * What the stop itself says of an exception, where the adapter tells no more of it: delve refuses to for a deadlock of
 * all goroutines. Of which kind it is, cannot be told apart from its message.
 */
function untoldException(
  { reason, description, text }: StopState,
  hasOwnFrame: boolean,
): ExceptionDetails | undefined {
  if (reason !== 'exception' || (text === undefined && !hasOwnFrame)) return undefined;
  return {
    type: 'unknown',
    ...(description !== undefined || text !== undefined
      ? {
          message: withoutNote([description, text].filter((each) => each !== undefined).join(': ')),
        }
      : {}),
  };
}

/** How many frames are shown of a stack on which there is nobody's own code. */
const RUNTIME_FRAMES = 5;

/** Without the far frames that are nobody's own code, such as the runtime that called the program (js-debug's `node_internals`). */
function withoutRuntime(frames: readonly Frame[]): readonly Frame[] {
  const last = frames.findLastIndex((frame) => !frame.subtle);
  return frames.slice(0, last === -1 ? RUNTIME_FRAMES : last + 1);
}

/** How many frames a stop does not show, as far as that is known, and how to fetch them. */
function framesLeft(
  state: DebugState,
  session: SessionState,
  threadId: number,
  page: FramePage,
  shown: number,
): Readonly<Record<string, number | string>> {
  const left = page.total === undefined ? undefined : page.total - shown - page.unreadable;
  const isMore =
    left === undefined ? page.next !== undefined || shown < page.frames.length : left > 0;
  if (!isMore && page.unreadable === 0) return {};
  const start = shown < page.frames.length ? shown : (page.next ?? shown);
  // What a call without parameters takes need not be said.
  const which = [
    ...(liveSessions(state).some((each) => each.key !== session.key && each.lifecycle === 'stopped')
      ? [`session_id=${session.id}`]
      : []),
    ...(threadOfStop(session) === threadId ? [] : [`thread_id=${threadId}`]),
  ];
  return {
    ...(isMore && left !== undefined ? { frames: left } : {}),
    ...(isMore
      ? { fetch_frames: ['get_call_stack', ...which, `start_frame=${start}`].join(' ') }
      : {}),
    ...(page.unreadable > 0 ? { unreadable_frames: page.unreadable } : {}),
  };
}

function left(
  what: 'variables' | 'scopes' | 'own_frame_variables' | 'top_frame_variables',
  count: number | undefined,
): Readonly<Record<string, number | string>> {
  return count === undefined || count === 0
    ? {}
    : {
        [what]: count,
        [`fetch_${what}`]:
          what === 'own_frame_variables'
            ? 'get_scopes of own_frame, then get_variables'
            : 'get_scopes, then get_variables',
      };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
