import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { threadOfStop } from '../../../debugger/state/state';
import type { ReportedException } from '../../../debugger/inspection/exceptionDetails';
import type { ToolServices } from '../../services';
import type { CallEnd, CallLife, TracedFunction } from './callModel';
import { CallTrace } from './callTrace';
import { hasBegunAgain, isSameCall, isSameFunction, isWithin, type Moment } from './moment';
import { alwaysThrownAt, returnedBy, returnedVariable } from './returnsAndThrows';
import { endOf, momentOrEnd, type EndedBy, type Traced } from './traceEnd';

export interface SteppingPlan {
  /** How many levels of callees are traced, too. */
  readonly depth: number;
  readonly maxSteps: number;
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Describes the function of a frame. */
  readonly functionAt: (moment: Moment) => Promise<TracedFunction>;
  /** Whether a callee is the person's own code. Other callees are not traced. */
  readonly isOwn: (moment: Moment) => boolean;
  readonly progress: (lines: number) => void;
}

/** How long the program may take to leave the call after a limit, in milliseconds. */
const LEAVE_MS = 5000;

/** The outcome of a step: a new stop of the thread, or the end of the trace. */
type Arrival =
  | {
      readonly kind: 'at';
      readonly moment: Moment;
      readonly exception?: ReportedException | undefined;
    }
  | { readonly kind: 'over'; readonly endedBy: EndedBy; readonly exception?: string | undefined };

/** Traces a call by single steps and reads the variables at each. It works with every debugger, and it is slow. */
export class SteppingTracer {
  private steps = 0;
  private over: EndedBy | undefined;

  constructor(
    private readonly services: Pick<ToolServices, 'inspector' | 'model' | 'breakpoints'>,
    private readonly run: BoundedRun,
    private readonly plan: SteppingPlan,
  ) {}

  /** How many lines were stepped. */
  get stepped(): number {
    return this.steps;
  }

  /** Traces the thread's current call from its first line. The program ends at the place that the call returned to. */
  async trace(called: TracedFunction, entry: Moment): Promise<Traced> {
    const { life, after } = await this.traceCall(called, entry, this.plan.depth);
    return { life, endedBy: this.over, last: after };
  }

  /** Traces one call and the callees in it down to the depth. @returns also the stop after the call */
  private async traceCall(
    called: TracedFunction,
    entry: Moment,
    depth: number,
  ): Promise<{ readonly life: CallLife; readonly after: Moment | undefined }> {
    const trace = new CallTrace(called, entry.values);
    let now = entry;
    let returned: string | undefined;
    // A debugger may stop once more between the `return` and the caller, where the variable is not visible.
    let variable: string | undefined;
    for (;;) {
      returned = now.returned.find(({ by }) => by === '')?.value ?? returned;
      variable = returnedVariable(called, now) ?? variable;
      this.noteCallees(called, trace, now);
      trace.at(now.top.line, now.values);
      this.plan.progress((this.steps += 1));
      if (this.steps >= this.plan.maxSteps) return await this.leave(trace, now, 'max_steps');
      const arrival = await this.step(now, depth > 0 ? 'stepIn' : 'next', trace, depth);
      if (arrival.kind === 'over') {
        this.over = arrival.endedBy;
        if (arrival.exception !== undefined) trace.thrown(arrival.exception);
        const end: CallEnd =
          arrival.endedBy === 'exception'
            ? { kind: 'threw', exception: arrival.exception }
            : { kind: 'open' };
        return { life: trace.finish(end), after: undefined };
      }
      const { moment } = arrival;
      if (!this.isStillIn(called, entry, moment)) {
        const end = this.endOf(called, now, moment, { returned, variable });
        return { life: trace.finish(end), after: moment };
      }
      now = moment;
    }
  }

  /** Adds the return values of the functions that the last line called. Debuggers may still show older ones. */
  private noteCallees({ source }: TracedFunction, trace: CallTrace, { returned }: Moment): void {
    const text = trace.line === undefined ? '' : (source[trace.line - 1] ?? '');
    for (const { by, value } of returned)
      if (by !== '' && !trace.hasCallee(by) && text.includes(`${by.split('.').at(-1) ?? by}(`))
        trace.callee({ name: by, end: { kind: 'returned', value } });
  }

  /** Whether the thread is still in the call. A suspended call may resume with other callers. */
  private isStillIn(called: TracedFunction, entry: Moment, now: Moment): boolean {
    if (called.suspends !== undefined) return isSameFunction(entry, now);
    return isSameCall(entry, now) && !hasBegunAgain(called, entry, now);
  }

  /** Makes one step. Own callees that it enters are traced, others are left by a step out. */
  private async step(
    now: Moment,
    command: 'next' | 'stepIn',
    trace: CallTrace,
    depth: number,
  ): Promise<Arrival> {
    let arrival = await this.move(now, command);
    while (arrival.kind === 'at' && command === 'stepIn' && isWithin(now, arrival.moment)) {
      const entered = arrival.moment;
      if (!this.plan.isOwn(entered)) {
        arrival = await this.move(entered, 'stepOut');
        continue;
      }
      const { life, after } = await this.traceCall(
        await this.plan.functionAt(entered),
        entered,
        depth - 1,
      );
      trace.callee({ name: life.name, args: life.args, end: life.end, life });
      if (after === undefined) return { kind: 'over', endedBy: this.over ?? 'max_steps' };
      // The calling line has not ended yet.
      arrival = { kind: 'at', moment: after };
      if (isSameCall(now, after)) arrival = await this.move(after, 'stepIn');
    }
    return arrival;
  }

  private async move(now: Moment, command: 'next' | 'stepIn' | 'stepOut'): Promise<Arrival> {
    const { session, threadId } = now;
    const step = await this.run.move(command, session, threadId, this.plan.deadline, 'fields');
    return await this.arrivalOf(step, now);
  }

  private async arrivalOf(step: RunStep, before: Moment): Promise<Arrival> {
    const over = endOf(step);
    if (over !== undefined || step.kind !== 'stopped')
      return { kind: 'over', endedBy: over ?? 'cancelled' };
    const session = this.services.model.state.sessions.get(step.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined)
      return { kind: 'over', endedBy: 'program_end' };
    if (session.key !== before.session.key || thread !== before.threadId)
      return {
        kind: 'over',
        endedBy: step.stop.reason === 'exception' ? 'exception' : 'breakpoint',
      };
    if (step.stop.reason === 'exception')
      return {
        kind: 'over',
        endedBy: 'exception',
        exception: await this.exceptionOf(before.session.key, thread),
      };
    const moment = await momentOrEnd(this.services, session.key, thread, this.plan.signal);
    if (typeof moment === 'string') return { kind: 'over', endedBy: moment };
    if (this.services.breakpoints.hit(session, step.stop, moment.top) !== null) {
      return { kind: 'over', endedBy: 'breakpoint' };
    }
    if (step.stop.reason === 'pause') return { kind: 'over', endedBy: 'person' };
    return { kind: 'at', moment };
  }

  private async exceptionOf(key: string, thread: number): Promise<string | undefined> {
    const { model, inspector } = this.services;
    const session = model.state.sessions.get(key);
    if (session === undefined) return undefined;
    const place = inspector.placeOf(session, thread);
    const found = await inspector
      .exception(session, place, this.plan.signal)
      .catch(() => undefined);
    if (found === undefined) return undefined;
    return found.message === undefined ? found.type : `${found.type}: ${found.message}`;
  }

  /** Runs the rest of the call without stops, after a limit. */
  private async leave(
    trace: CallTrace,
    now: Moment,
    why: EndedBy,
  ): Promise<{ readonly life: CallLife; readonly after: Moment | undefined }> {
    this.over = why;
    const deadline = Math.min(this.plan.deadline, performance.now() + LEAVE_MS);
    const step = await this.run.move('stepOut', now.session, now.threadId, deadline, 'fields');
    const arrival = await this.arrivalOf(step, now);
    if (arrival.kind === 'over') return { life: trace.finish({ kind: 'open' }), after: undefined };
    const [returned] = arrival.moment.returned;
    const end: CallEnd =
      returned === undefined ? { kind: 'open' } : { kind: 'returned', value: returned.value };
    return { life: trace.finish(end), after: undefined };
  }

  /** How the call that the thread has left ended. */
  private endOf(
    called: TracedFunction,
    last: Moment,
    now: Moment,
    {
      returned,
      variable,
    }: { readonly returned: string | undefined; readonly variable: string | undefined },
  ): CallEnd {
    const thrown = alwaysThrownAt(called, last.top.line);
    if (thrown !== undefined) return { kind: 'threw', exception: thrown };
    const value = returned ?? returnedBy(last.top.name, now) ?? variable;
    return { kind: 'returned', value };
  }
}
