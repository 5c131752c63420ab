import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { TemporaryBreakpoint } from '../../../control/temporaryBreakpoints';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../../debugger/host';
import { samePath } from '../../../debugger/sourcePath';
import {
  isSettingBreakpoints,
  threadOfStop,
  type SessionState,
} from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import { DebuggerError } from '../../../debugger/debuggerError';
import type { EntryHold } from '../entryHold';
import type { Moment } from './moment';
import { endOf, seenAt, type EndedBy } from './stepping';
import type { TraceTarget } from './target';

/** Which call of a function is meant. */
export interface WantedCall {
  /** Which of those that fit, from 1. */
  readonly call: number;
  readonly condition?: string | undefined;
}

/** Whether the call was reached, and how many were seen before it. */
export type Reached =
  | { readonly kind: 'at'; readonly moment: Moment }
  | {
      readonly kind: 'not';
      readonly endedBy: EndedBy;
      /** Undefined where the debugger counts them. */
      readonly seen: number | undefined;
      /** Whether the debugger had a place for the breakpoint; undefined where it did not say. */
      readonly bound: boolean | undefined;
      readonly message: string | undefined;
    };

/** How long an adapter may take to answer that it has the breakpoint. */
const BIND_LIMIT_MS = 1500;

/** A breakpoint at the beginning of a function, for as long as its call is looked for. */
export class EntryBreakpoint {
  private temporary: TemporaryBreakpoint | undefined;
  private guard: TemporaryBreakpoint | undefined;
  private removed: HostBreakpoint | undefined;
  /** Of the breakpoint that stops at the entry: ours, or the person's. */
  private id: number | undefined;
  private seen = 0;
  private answered:
    { readonly verified: boolean; readonly message: string | undefined } | undefined;

  constructor(
    private readonly services: Pick<
      ToolServices,
      'inspector' | 'model' | 'breakpoints' | 'control'
    >,
    private readonly target: TraceTarget,
    private readonly wanted: WantedCall,
    /** The debug type of the program. */
    private readonly type: string,
    private readonly hold: EntryHold,
  ) {}

  /** @throws DebuggerError `placeTaken` where a breakpoint with a condition is in its place */
  set(): void {
    const { place } = this.target;
    const others =
      place === undefined ? [] : this.services.breakpoints.at(place.path, place.found.entry.line);
    const [other] = others;
    if (other !== undefined) {
      const stopsAlways =
        other.enabled && !other.condition && !other.hitCondition && !other.logMessage;
      if (stopsAlways && this.wanted.condition === undefined) {
        this.id = this.services.breakpoints.idOf(other);
        return;
      }
      throw new DebuggerError({
        kind: 'placeTaken',
        breakpointId: this.services.breakpoints.idOf(other),
      });
    }
    const { temporary } = this.services.control;
    this.temporary = temporary.add(this.requested());
    this.id = this.services.breakpoints.idOf(this.temporary.breakpoint);
    const guard = this.requestedGuard();
    if (guard !== undefined) this.guard = temporary.add(guard);
  }

  /** Takes the breakpoint away: the call has been reached. */
  remove(): void {
    this.temporary?.dispose();
    this.removed ??= this.temporary?.breakpoint;
    this.temporary = undefined;
  }

  dispose(): void {
    this.remove();
    this.guard?.dispose();
    this.guard = undefined;
  }

  /**
   * A breakpoint that never stops, beside the one at the beginning. V8 runs a call on without new breakpoints up to its
   * next jump, if all breakpoints of the function were removed while the program stood in it (seen in V8 11.3 and 13.6).
   */
  private requestedGuard(): RequestedHostBreakpoint | undefined {
    const { place } = this.target;
    if (place === undefined || adapterOf(this.type).recorder !== 'javascript') return undefined;
    const { line, column = 1 } = place.found.entry;
    return { kind: 'source', path: place.path, line, column: column + 1, condition: 'false' };
  }

  /**
   * Settles when the adapter has the list without the breakpoint that was removed, or after a while: it may mix up
   * lists of one file that come together.
   */
  async isGone({ key }: SessionState, signal: AbortSignal): Promise<void> {
    const { removed } = this;
    if (removed === undefined) return;
    const isGone = (): true | undefined => {
      const session = this.services.model.state.sessions.get(key);
      if (session === undefined) return true;
      const isThere = this.services.breakpoints.boundIn(removed, [session]).length > 0;
      return isThere || isSettingBreakpoints(session) ? undefined : true;
    };
    await this.services.model.wait(isGone, { timeoutMs: BIND_LIMIT_MS, signal }).settled;
  }

  /** The first step: a program that is there and stopped goes on from where it is. */
  async first(run: BoundedRun): Promise<RunStep> {
    const stopped = run.isLaunch ? undefined : run.stopped();
    const session =
      stopped === undefined
        ? undefined
        : this.services.model.state.sessions.get(stopped.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined) return await run.begin();
    await this.isAnswered(session);
    return await run.move('continue', session, thread, undefined, 'frames');
  }

  /**
   * Waits until the adapter has the breakpoint, or for a while: it may answer before the program has it.
   * @param loaded whether the function's file has been loaded: else the adapter cannot verify the breakpoint yet
   */
  private async isAnswered({ key }: SessionState, loaded = true): Promise<void> {
    const { breakpoint } = this.temporary ?? {};
    const isSet = (): true | undefined => {
      const session = this.services.model.state.sessions.get(key);
      if (session === undefined) return true;
      if (isSettingBreakpoints(session)) return undefined;
      if (breakpoint === undefined) return true;
      const bound = this.services.breakpoints.boundIn(breakpoint, [session]);
      return bound.some(({ adapter }) => adapter.verified || !loaded) || undefined;
    };
    const signal = new AbortController().signal;
    await this.services.model.wait(isSet, { timeoutMs: BIND_LIMIT_MS, signal }).settled;
  }

  /** Runs the program from a step on until the wanted call begins. */
  async reach(run: BoundedRun, first: RunStep, signal: AbortSignal): Promise<Reached> {
    let step = first;
    for (;;) {
      const over = endOf(step);
      this.note(run);
      if (over !== undefined || step.kind !== 'stopped')
        return this.notReached(over ?? 'cancelled');
      const session = this.services.model.state.sessions.get(step.sessionKey);
      const thread = session === undefined ? undefined : threadOfStop(session);
      if (session === undefined || thread === undefined) return this.notReached('program_end');
      const moment = await seenAt(this.services, session.key, thread, signal, 'frames');
      if (moment === 'cancelled' || moment === 'person') return this.notReached(moment);
      const isOurs = moment !== 'program_end' && this.isEntry(session, moment);
      const top = moment === 'program_end' ? undefined : moment.top;
      if (!isOurs && !this.hold.isAt(session, step.stop, top))
        return this.notReached(step.stop.reason === 'exception' ? 'exception' : 'breakpoint');
      // The program goes on only when its debugger has the breakpoint.
      if (!isOurs && moment !== 'program_end')
        await this.isAnswered(
          session,
          samePath(moment.top.path ?? '', this.target.place?.path ?? ''),
        );
      if (isOurs) {
        this.seen = this.countsItself ? this.wanted.call : this.seen + 1;
        if (this.seen >= this.wanted.call) return { kind: 'at', moment };
        // Where rounds of a loop come by as well, only a call that has been left can be told from the next one.
        if (this.target.place?.found.entryRepeats === true) {
          const left = await run.move('stepOut', session, thread, undefined, 'frames');
          if (left.kind !== 'stopped') {
            step = left;
            continue;
          }
        }
      }
      const now = this.services.model.state.sessions.get(session.key) ?? session;
      step = await run.move('continue', now, thread, undefined, 'frames');
    }
  }

  /** Whether the debugger counts the calls, at our breakpoint: that costs no stop for each. */
  private get countsItself(): boolean {
    return this.temporary !== undefined && this.hitCondition() !== undefined;
  }

  private hitCondition(): string | undefined {
    const { call, condition } = this.wanted;
    if (call === 1 || condition !== undefined || this.target.place?.found.entryRepeats === true)
      return undefined;
    const { hitConditions } = adapterOf(this.type);
    return (
      hitConditions?.write({ operator: '==', count: call }) ??
      hitConditions?.write({ operator: '>=', count: call })
    );
  }

  private requested(): RequestedHostBreakpoint {
    const { place, name } = this.target;
    const conditions = { condition: this.wanted.condition, hitCondition: this.hitCondition() };
    return place === undefined
      ? { kind: 'function', functionName: name, ...conditions }
      : { kind: 'source', path: place.path, ...place.found.entry, ...conditions };
  }

  private isEntry(session: SessionState, { top }: Moment): boolean {
    const { place, name } = this.target;
    const { lastStop: stop } = session;
    // Within the function the program may also stop at a pause, an exception or another breakpoint.
    if (stop?.reason.includes('breakpoint') !== true) return false;
    const hit = this.services.breakpoints.hit(session, stop, top);
    const isAnother = hit !== null && this.id !== undefined && !hit.includes(this.id);
    if (place !== undefined)
      return (
        !isAnother &&
        samePath(top.path ?? '', place.path) &&
        top.line >= place.found.start &&
        top.line <= place.found.end
      );
    const last = name.split(/::|[.#]/).at(-1) ?? name;
    return (hit !== null && !isAnother) || top.name.includes(last);
  }

  /** What the debuggers made of it, as long as their sessions live. */
  private note(run: BoundedRun): void {
    if (this.temporary === undefined) return;
    const bound = this.services.breakpoints.boundIn(this.temporary.breakpoint, run.sessions);
    const best = bound.find(({ adapter }) => adapter.verified) ?? bound[0];
    if (best !== undefined && this.answered?.verified !== true)
      this.answered = { verified: best.adapter.verified, message: best.adapter.message };
  }

  private notReached(endedBy: EndedBy): Reached {
    const { answered } = this;
    // What the debugger has counted is not known.
    const seen = this.countsItself ? undefined : this.seen;
    return { kind: 'not', endedBy, seen, bound: answered?.verified, message: answered?.message };
  }
}
