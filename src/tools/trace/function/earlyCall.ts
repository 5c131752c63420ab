import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { Injection } from '../../../control/injectedBreakpoints';
import { NEVER_REACHED } from '../../../control/injectedLists';
import { restOfStackRequested } from '../../../control/wholeStack';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { Fields } from '../../../debugger/protocol';
import { samePath } from '../../../debugger/sourcePath';
import {
  stoppedThread,
  type SessionState,
  type StopState,
  type StoppedThread,
} from '../../../debugger/state/state';
import type { ScriptRecording } from '../../../recording/lldb/scriptRecording';
import type { PreparedScript } from '../../../recording/recordings';
import type { ToolServices } from '../../services';
import type { EntryHold } from '../entryHold';
import { isOfRun } from '../reach';
import { decidingStack } from './decidingStop';
import type { EntryStrategy, Reached, RequestedCall } from './entry';
import type { ForeignStops } from './foreignStops';
import type { ThreadStack } from './threadStack';
import type { SourceFunction } from './source/sourceFunction';
import { SHOWN } from './startRecorder';
import type { TraceTarget } from './traceTarget';
import { endOf, type EndedBy } from './traceEnd';

type Services = Pick<
  ToolServices,
  'breakpoints' | 'injected' | 'inspector' | 'model' | 'recordings' | 'workspace'
>;

export interface EarlyCallOptions {
  /** The debug type of the program. */
  readonly type: string;
  readonly target: TraceTarget;
  readonly call: RequestedCall;
  readonly depth: number;
  readonly maxSteps: number;
  readonly hold: EntryHold;
  /** The stopped session in which the call is traced. Undefined if the program is started. */
  readonly session: SessionState | undefined;
  /** Returns the session of the program, once it exists. */
  readonly currentSession: () => SessionState | undefined;
}

/**
 * The beginning of a call that a script in the debugger awaits and records, so that the program first stops at the end
 * of the call. A breakpoint at the beginning shows how the adapter binds the place. It stops only if the debugger has
 * not loaded the script.
 */
export class EarlyCall implements EntryStrategy {
  private injection: Injection | undefined;
  /** Settles when VS Code has requested the stack of the stop at which the call begins. */
  private stackRead: Promise<void> | undefined;
  private gone: Promise<void> | undefined;
  /** The number of hits from which the breakpoint stops, by session. It does not change. */
  private readonly stopsFrom = new Map<string, number>();

  private constructor(
    private readonly services: Services,
    private readonly options: EarlyCallOptions,
    private readonly place: NonNullable<TraceTarget['place']>,
    private readonly prepared: PreparedScript,
  ) {}

  /** @returns undefined if the call has to be reached by a stop at its beginning */
  static async prepare(
    services: Services,
    options: EarlyCallOptions,
  ): Promise<EarlyCall | undefined> {
    const { type, target, call, depth, maxSteps, session } = options;
    const { place } = target;
    if (place === undefined || depth > 0 || call.condition !== undefined) return undefined;
    const { found, path } = place;
    if (found.entryRepeats || found.suspends !== undefined) return undefined;
    if (session !== undefined && session.lifecycle !== 'stopped') return undefined;
    if (mayStopWithin(services, path, found)) return undefined;
    const { start, end, entry } = found;
    const prepared = await services.recordings.prepareCall(
      type,
      options.currentSession,
      { path, line: entry.line, start, end, call: call.call },
      {
        maxHits: maxSteps,
        shown: SHOWN,
        folders: services.workspace.folders.map((folder) => folder.path),
      },
    );
    return prepared === undefined ? undefined : new EarlyCall(services, options, place, prepared);
  }

  private get recorder(): ScriptRecording {
    return this.prepared.recording;
  }

  get configure(): (configuration: Fields) => Fields {
    return this.prepared.configure;
  }

  /** Loads the script, if the program is already stopped. */
  async load(signal: AbortSignal): Promise<void> {
    const stopped = this.stopped();
    if (stopped === undefined) return;
    // The command outdates what was read at the stop, and so hides that VS Code has requested the stack.
    this.stackRead = restOfStackRequested(
      this.services.model,
      stopped.session,
      stopped.threadId,
      signal,
    );
    await this.recorder.loadNow(signal).catch(() => undefined);
  }

  /** The session in which the call begins, if it is stopped. */
  private stopped(): StoppedThread | undefined {
    const { session } = this.options;
    return session && stoppedThread(this.services.model.state, session.key);
  }

  set(run: BoundedRun): void {
    const { services, place } = this;
    this.injection = services.injected.inject((session) =>
      isOfRun({ services, run }, session)
        ? [{ path: place.path, line: place.found.entry.line, hitCondition: this.hitsIn(session) }]
        : [],
    );
  }

  /** The hit condition of the breakpoint: it never stops if the script counts the calls. */
  private hitsIn({ key, type }: SessionState): string | undefined {
    let count = this.stopsFrom.get(key);
    if (count === undefined)
      this.stopsFrom.set(
        key,
        (count = this.recorder.hasBegun ? NEVER_REACHED : this.options.call.call),
      );
    return count === 1
      ? undefined
      : adapterOf(type).hitConditions?.write({ operator: '>=', count });
  }

  remove(): void {
    this.gone ??= this.injection?.dispose();
  }

  async isGone(): Promise<void> {
    await this.gone;
  }

  async dispose(): Promise<void> {
    this.remove();
    await this.recorder.dispose();
    await this.gone;
  }

  async placed(run: BoundedRun): Promise<void> {
    if (!run.isLaunch) await this.injection?.placed;
  }

  async hasBegun(): Promise<boolean> {
    await this.recorder.settle();
    return this.recorder.read().length > 0;
  }

  async first(run: BoundedRun): Promise<RunStep> {
    const stopped = this.stopped();
    if (stopped === undefined) return await run.begin();
    const { session, threadId: thread } = stopped;
    await Promise.all([this.injection?.placed, this.stackRead]);
    return await run.move('continue', session, thread, undefined, 'frames');
  }

  async reach(
    run: BoundedRun,
    first: RunStep,
    signal: AbortSignal,
    foreign: ForeignStops,
  ): Promise<Reached> {
    let step = first;
    for (;;) {
      step = await foreign.past(step, { command: 'continue', detail: 'frames', signal });
      await this.recorder.settle();
      const over = endOf(step);
      if (over !== undefined || step.kind !== 'stopped') return this.over(run, over ?? 'cancelled');
      const there = await decidingStack(this.services, step, signal, 'frames');
      if (there === undefined) return this.over(run, 'program_end');
      const { session, threadId: thread, stop, stack } = there;
      if (typeof stack === 'string') return this.over(run, stack);
      const isEntry = this.isEntry(stop, stack);
      const isRecording = this.recorder.read().length > 0;
      if (isRecording && !(isEntry && this.isStray(session)))
        return this.recorded({ ...step, stop }, stack);
      if (isRecording) {
        this.remove();
        await this.gone;
      } else if (!this.options.hold.isAt(session, stop, stack.top))
        return isEntry
          ? { kind: 'at', stack }
          : this.over(run, stop.reason === 'exception' ? 'exception' : 'breakpoint');
      await restOfStackRequested(this.services.model, session, thread, signal);
      step = await run.move('continue', session, thread, undefined, 'frames');
    }
  }

  /**
   * Whether the breakpoint has stopped at a call that the script records, because the debugger loaded the script only
   * after it had accepted breakpoints.
   */
  private isStray({ key }: SessionState): boolean {
    return (
      this.gone === undefined &&
      this.stopsFrom.get(key) !== NEVER_REACHED &&
      this.recorder.arrival.place === undefined
    );
  }

  /** Returns what was recorded up to a stop. */
  private recorded(step: RunStep, stack: ThreadStack): Reached {
    const { place, threadId } = this.recorder.arrival;
    const isOwn = threadId === stack.threadId;
    const { recorder } = this;
    return { kind: 'recorded', recorder, step, stack, at: isOwn ? place : undefined };
  }

  /** Returns what was recorded up to another end than a stop. */
  private over(run: BoundedRun, endedBy: EndedBy): Reached {
    const [session] = run.sessions;
    const [first] = this.recorder.read();
    if (session === undefined || first === undefined) return this.notReached(run, endedBy);
    const { recorder, place, options } = this;
    const stack = placeholder(session, options.target.name, place.path, first.point);
    return { kind: 'recorded', recorder, step: undefined, stack, endedBy };
  }

  private notReached(run: BoundedRun, endedBy: EndedBy): Reached {
    const [answer] = run.sessions.flatMap((session) => this.injection?.answeredIn(session) ?? []);
    const adapter = answer?.kind === 'answered' ? answer.adapter : undefined;
    // The count of the debugger is unknown.
    const seen = this.options.call.call === 1 ? 0 : undefined;
    return { kind: 'not', endedBy, seen, bound: adapter?.verified, message: adapter?.message };
  }

  /** Whether a stop is at the beginning of the call, because the debugger has not loaded the script. */
  private isEntry({ reason }: StopState, { top }: ThreadStack): boolean {
    const { start, end } = this.place.found;
    const isWithin = top.line >= start && top.line <= end;
    return reason.includes('breakpoint') && samePath(top.path ?? '', this.place.path) && isWithin;
  }
}

/** Whether a breakpoint of the person may stop the program within a function. */
function mayStopWithin(
  { breakpoints }: Pick<ToolServices, 'breakpoints'>,
  path: string,
  { start, end }: SourceFunction,
): boolean {
  return breakpoints.all().some((breakpoint) => {
    if (!breakpoint.enabled) return false;
    if (breakpoint.kind !== 'source') return true;
    return samePath(breakpoint.path, path) && breakpoint.line >= start && breakpoint.line <= end;
  });
}

/** The place of a call whose frames can no longer be read. */
export function placeholder(
  session: SessionState,
  name: string,
  path: string,
  line: number,
): ThreadStack {
  const [threadId = 0] = session.threads.keys();
  const top = {
    ...{ id: 0, name, path, line, column: 1, sourceName: undefined },
    ...{ subtle: false, isLabel: false, instructionPointerReference: undefined },
  };
  return { session, threadId, top, callers: [], total: undefined, values: new Map(), returned: [] };
}
