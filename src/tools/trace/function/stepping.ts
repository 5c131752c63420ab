import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { threadOfStop } from '../../../debugger/state/state';
import { Superseded } from '../../../debugger/inspection/inspector';
import { Interrupted } from '../../../debugger/requests';
import type { ReportedException } from '../../../debugger/inspection/exceptionDetails';
import type { ToolServices } from '../../services';
import { CallTrace, type CallEnd, type CallLife, type TracedFunction } from './callTrace';
import {
  hasBegunAgain,
  isSameCall,
  isSameFunction,
  isWithin,
  momentOf,
  type Detail,
  type Moment,
} from './moment';

/** Why a trace ended before its call did. */
export type EndedBy =
  'program_end' | 'max_steps' | 'max_seconds' | 'person' | 'breakpoint' | 'exception' | 'cancelled';

/** The life of a call, as far as it was seen. */
export interface Traced {
  readonly life: CallLife;
  readonly endedBy: EndedBy | undefined;
  /** What was seen of the program last. */
  readonly last?: Moment | undefined;
}

export interface SteppingPlan {
  /** How many levels of callees are opened. */
  readonly depth: number;
  readonly maxSteps: number;
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** What is known of a function that is opened. */
  readonly functionAt: (moment: Moment) => Promise<TracedFunction>;
  /** Whether a callee is opened: it is the person's own code. */
  readonly isOwn: (moment: Moment) => boolean;
  readonly progress: (lines: number) => void;
}

/** How long the program may take to leave the call when a limit has been reached, in milliseconds. */
const LEAVE_MS = 5000;

/** What came of a step: a place in the program, or the end of the trace. */
type Arrival =
  | {
      readonly kind: 'at';
      readonly moment: Moment;
      readonly exception?: ReportedException | undefined;
    }
  | { readonly kind: 'over'; readonly endedBy: EndedBy; readonly exception?: string | undefined };

/** Traces a call by single steps, with the variables read at each: it works with every debugger, and is slow. */
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

  /** Traces the call that the thread is in, from its first line on. It leaves the program where the call has returned to. */
  async trace(called: TracedFunction, entry: Moment): Promise<Traced> {
    const { life, after } = await this.call(called, entry, this.plan.depth);
    return { life, endedBy: this.over, last: after };
  }

  /** One call, and the callees within it that are opened. @returns also where the program is afterwards */
  private async call(
    called: TracedFunction,
    entry: Moment,
    depth: number,
  ): Promise<{ readonly life: CallLife; readonly after: Moment | undefined }> {
    const trace = new CallTrace(called, entry.values);
    let now = entry;
    let returned: string | undefined;
    // A debugger may stop once more between the `return` and the caller.
    let named: string | undefined;
    for (;;) {
      returned = now.returned.find(({ by }) => by === '')?.value ?? returned;
      named = variableReturned(called, now) ?? named;
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
        const end = this.endOf(called, now, moment, { returned, named });
        return { life: trace.finish(end), after: moment };
      }
      now = moment;
    }
  }

  /** What the functions that the last line called returned; debuggers keep showing older ones. */
  private noteCallees({ source }: TracedFunction, trace: CallTrace, { returned }: Moment): void {
    const text = trace.line === undefined ? '' : (source[trace.line - 1] ?? '');
    for (const { by, value } of returned)
      if (by !== '' && !trace.hasCallee(by) && text.includes(`${by.split('.').at(-1) ?? by}(`))
        trace.callee({ name: by, end: { kind: 'returned', value } });
  }

  /** A call that was suspended goes on with other callers. */
  private isStillIn(called: TracedFunction, entry: Moment, now: Moment): boolean {
    if (called.suspends !== undefined) return isSameFunction(entry, now);
    return isSameCall(entry, now) && !hasBegunAgain(called, entry, now);
  }

  /** One step; callees that it enters are opened or left. */
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
      const { life, after } = await this.call(
        await this.plan.functionAt(entered),
        entered,
        depth - 1,
      );
      trace.callee({ name: life.name, args: life.args, end: life.end, life });
      if (after === undefined) return { kind: 'over', endedBy: this.over ?? 'max_steps' };
      // The line from which it was called is not over yet.
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
    const moment = await seenAt(this.services, session.key, thread, this.plan.signal);
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

  /** Beyond a limit the rest of the call is run at once. */
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

  /** How a call ended that the thread is not in any more. */
  private endOf(
    called: TracedFunction,
    last: Moment,
    now: Moment,
    {
      returned,
      named,
    }: { readonly returned: string | undefined; readonly named: string | undefined },
  ): CallEnd {
    const thrown = throwsAt(called, last.top.line);
    if (thrown !== undefined) return { kind: 'threw', exception: thrown };
    const value = returned ?? returnedBy(last.top.name, now) ?? named;
    return { kind: 'returned', value };
  }
}

/** What the debugger shows of a function's return value after a step. */
export function returnedBy(name: string, { returned }: Moment): string | undefined {
  return returned.find(({ by }) => by === '' || by === name || by.endsWith(`.${name}`))?.value;
}

/** The value of a variable that a line returns. */
function variableReturned(called: TracedFunction, { top, values }: Moment): string | undefined {
  const name = nameReturnedAt(called, top.line);
  return name === undefined ? undefined : values.get(name);
}

/** The variable that a line returns, where it returns one. */
export function nameReturnedAt(
  { source }: TracedFunction,
  line: number | undefined,
): string | undefined {
  return line === undefined ? undefined : RETURNS.exec(source[line - 1] ?? '')?.[1];
}

const RETURNS = /^\s*return\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*;?\s*(?:(?:\/\/|#).*)?$/u;

/** What a line throws, by its source: the value is in no variable any more. */
export function throwsAt({ source }: TracedFunction, line: number | undefined): string | undefined {
  const text = line === undefined ? '' : (source[line - 1] ?? '').trim();
  return THROWS.exec(text)?.[1];
}

const THROWS = /^(?:raise|throw|panic!?)\b\s*(?:new\s+)?(.*?);?$/;

/** What a stop shows; or why it cannot be seen any more: what was seen before it counts. */
export async function seenAt(
  services: Pick<ToolServices, 'inspector' | 'model'>,
  sessionKey: string,
  threadId: number,
  signal: AbortSignal,
  detail?: Detail,
): Promise<Moment | 'program_end' | 'person' | 'cancelled'> {
  try {
    return (
      (await momentOf(services, sessionKey, threadId, signal, detail)) ?? ('program_end' as const)
    );
  } catch (error) {
    if (error instanceof Interrupted) return 'cancelled';
    if (error instanceof Superseded) return 'person';
    throw error;
  }
}

/** Why a step ends a trace; undefined for a stop. */
export function endOf(step: RunStep): EndedBy | undefined {
  switch (step.kind) {
    case 'stopped':
      return undefined;
    case 'ended':
      return 'program_end';
    case 'timeout':
      return 'max_seconds';
    case 'lost':
      return 'person';
    case 'cancelled':
    case 'notStarted':
      return 'cancelled';
  }
}
