import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { ToolServices } from '../../services';
import { arrivalAt } from './arrival';
import type { MissedStops } from './missedStops';
import type { ThreadStack } from './threadStack';
import { isPanicBetween } from './panics';
import { isReplaced } from './replacedException';
import type { SteppingPlan } from './steppingPlan';
import { isDeeper, type Arrival, type StepCommand } from './steps';
import { LEAVE_MS } from './fullRecorder';
import { stackOrEnd } from './traceEnd';

/** Moves the program during a trace, and reads where its thread stops. */
export class Moves {
  constructor(
    private readonly services: Pick<
      ToolServices,
      'inspector' | 'model' | 'breakpoints' | 'workspace' | 'exceptions'
    >,
    private readonly run: BoundedRun,
    private readonly plan: Pick<
      SteppingPlan,
      'deadline' | 'signal' | 'handler' | 'foreign' | 'stopBehind'
    >,
    private readonly missed: MissedStops,
    /** The beginning of the traced call. */
    private readonly call: ThreadStack,
  ) {}

  /** Makes a step. Stops in inner calls at breakpoints of the trace are left again. */
  async move(now: ThreadStack, command: StepCommand): Promise<Arrival> {
    const { mayStopInside } = this.missed;
    let arrival = await this.once(now, command);
    // A function that the call has called has reached a place behind a call. Without such places, a call that resumes
    // after an `await` may also have more frames below it than before.
    const isInner = ({ stack }: Extract<Arrival, { kind: 'at' }>): boolean =>
      mayStopInside && command !== 'stepIn' && isDeeper(stack, now) && !isPanicBetween(now, stack);
    while (arrival.kind === 'at' && isInner(arrival)) {
      await this.missed.noteInner();
      arrival = await this.once(arrival.stack, 'stepOut');
    }
    return arrival;
  }

  /** Makes a step to the next stop of the thread, or runs the program to it. */
  async once(now: ThreadStack, command: StepCommand | 'continue'): Promise<Arrival> {
    return await this.arrivalOf(await this.moved(now, command, this.plan.deadline), now);
  }

  private async arrivalOf(step: RunStep, before: ThreadStack): Promise<Arrival> {
    const { services, run, plan } = this;
    const arrival = await arrivalAt(services, run, plan, step, before, this.call);
    if (arrival.kind === 'over')
      return (arrival.endedBy === 'exception' && (await this.passed(before))) || arrival;
    // A call within the traced one has caught an exception in the same function.
    const { stack, isHit } = arrival;
    if (isHit && (stack.total ?? 0) > (this.call.total ?? Infinity))
      return await this.move(stack, 'stepOut');
    return arrival;
  }

  /** Steps to the `finally` that replaces the exception at which the program has stopped. Undefined if there is none. */
  private async passed({ session, threadId }: ThreadStack): Promise<Arrival | undefined> {
    const { services, plan, call } = this;
    const here = await stackOrEnd(services, session.key, threadId, plan.signal, 'frames');
    if (typeof here === 'string' || !(await isReplaced(services, call.total, here)))
      return undefined;
    return await this.move(here, 'next');
  }

  /** Runs the rest of a call without stops, after a limit. */
  async leave(now: ThreadStack): Promise<Arrival> {
    await this.missed.withdraw();
    const deadline = Math.min(this.plan.deadline, performance.now() + LEAVE_MS);
    return await this.arrivalOf(await this.moved(now, 'stepOut', deadline), now);
  }

  private async moved(
    from: ThreadStack,
    command: StepCommand | 'continue',
    deadline: number,
  ): Promise<RunStep> {
    const { signal, foreign, stopBehind } = this.plan;
    const { session, threadId } = from;
    const step = await this.run.move(command, session, threadId, deadline, 'fields');
    const move = { command, deadline, detail: 'fields', signal } as const;
    return await foreign.past(step, { ...move, call: this.call, from, stopBehind });
  }
}
