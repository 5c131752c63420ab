import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { Stopped } from '../../../control/outcome';
import type { CallRecorder } from '../../../recording/callRecorder';
import { isCallEnd } from '../../../recording/javaScriptAsyncCall';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import { decidingStack } from './decidingStop';
import { exceptionStop } from './exceptionStop';
import type { ForeignStops } from './foreignStops';
import { untilFull } from './fullRecorder';
import { isReplaced } from './replacedException';
import type { SourceFunction } from './source/sourceFunction';
import type { RecorderLimits, StartedRecorder } from './startRecorder';
import { hasBegunAgain, isSameCall, type Detail, type ThreadStack } from './threadStack';
import { endOf, stackOrEnd, type EndedBy } from './traceEnd';

type Services = Pick<
  ToolServices,
  'inspector' | 'model' | 'breakpoints' | 'workspace' | 'exceptions' | 'stops'
>;

/** The end of a run: the current place of the program, or the reason for the end of the trace. */
export interface Arrived {
  readonly now: ThreadStack | undefined;
  readonly endedBy: EndedBy | undefined;
  readonly returned?: string | undefined;
  /** Whether the call has thrown an exception instead of returning. */
  readonly hasThrown?: boolean;
  /** The exception at which the debugger has stopped. */
  readonly exception?: string | undefined;
  /** Whether that exception certainly leaves the call. */
  readonly leaves?: boolean;
  /** Whether built-in code has called the function again. `now` is in that call. */
  readonly isNextCall?: boolean;
  /** Whether the program has stopped outside of the call at a breakpoint of the person. */
  readonly isElsewhere?: boolean;
}

/** The limits of the recording of a call. */
export interface RecordingLimits extends RecorderLimits {
  /** The end of the call's time, as a value of `performance.now()`. */
  readonly deadline: number;
  readonly progress: (lines: number) => void;
}

/** A call that is recorded, with what is known of it. */
export interface ChosenCall extends StartedRecorder {
  readonly foreign: ForeignStops;
  readonly called: TracedFunction;
  readonly found: SourceFunction;
  readonly entry: ThreadStack;
  readonly limits: RecordingLimits;
  /** The id of the point at which another call begins. Undefined if one call may reach the point again. */
  beginning: number | undefined;
}

/** Whether a run has stopped at an exception or signal. */
export function isException(step: RunStep): step is Stopped {
  return step.kind === 'stopped' && step.stop.reason === 'exception';
}

/** Moves the program during a recorded call, and reads where it has arrived. */
export class RecordedMoves {
  constructor(
    private readonly services: Services,
    private readonly program: BoundedRun,
    private readonly chosen: ChosenCall,
  ) {}

  private get recorder(): CallRecorder {
    return this.chosen.recorder;
  }

  /**
   * Moves the program. After a step over a `return`, the debugger shows the value, so the variables are read. After a
   * step out of the call, only the place is needed at first.
   */
  async move(
    command: 'stepOut' | 'next',
    at: ThreadStack,
    deadline: number,
    detail: Detail = command === 'next' ? 'variables' : 'frames',
  ): Promise<Arrived> {
    let arrived = await this.moved(command, at, deadline, detail);
    for (;;) {
      const { now } = arrived;
      const back = now === undefined ? undefined : await this.valueRead(now);
      if (now === undefined || back === undefined) return arrived;
      arrived = await this.moved(back, now, deadline, detail);
      // The program is behind the call whose value was read. The move goes on.
      if (back === 'stepOut' && arrived.now !== undefined && !this.isOver(arrived.now))
        arrived = await this.moved(command, arrived.now, deadline, detail);
    }
  }

  /** Makes one move, and passes stops that have nothing to do with the call. */
  async moved(
    command: 'stepOut' | 'next' | 'continue',
    { session, threadId }: ThreadStack,
    deadline: number,
    detail: Detail,
  ): Promise<Arrived> {
    const { entry, limits, foreign } = this.chosen;
    const { signal } = limits;
    const step = await untilFull(this.recorder, async (until) => {
      const first = await this.program.move(command, session, threadId, deadline, detail, until);
      return await foreign.past(first, { command, deadline, detail, signal, until, call: entry });
    });
    const replaced = await this.replacedAt(step);
    return replaced === undefined
      ? await this.arrived(step, detail)
      : await this.passed(replaced, deadline, detail);
  }

  /** Continues the program to its next stop. The recorder sees a rejection that leaves the call. */
  async onwards({ session, threadId }: ThreadStack): Promise<Arrived> {
    const { deadline, signal } = this.chosen.limits;
    const move = { command: 'continue', deadline, detail: 'frames', signal } as const;
    const step = await untilFull(this.recorder, async (until) => {
      const first = await this.program.move(
        'continue',
        session,
        threadId,
        deadline,
        'frames',
        until,
      );
      return await this.chosen.foreign.past(first, { ...move, until });
    });
    return await this.arrived(step, 'frames');
  }

  /** Returns the place of an exception that a `finally` replaces, if the step has led to one. */
  private async replacedAt(step: RunStep): Promise<ThreadStack | undefined> {
    if (!isException(step)) return undefined;
    const { session, threadId, total } = this.chosen.entry;
    if (step.sessionKey !== session.key || step.stop.threadId !== threadId) return undefined;
    const { signal } = this.chosen.limits;
    const here = await stackOrEnd(this.services, session.key, threadId, signal, 'frames');
    if (typeof here === 'string') return undefined;
    return (await isReplaced(this.services, total, here)) ? here : undefined;
  }

  /** Goes on behind an exception that a `finally` replaces. V8 may stop in the `finally`, too. */
  private async passed(here: ThreadStack, deadline: number, detail: Detail): Promise<Arrived> {
    // Before V8 stops at an exception, it evaluates the conditions at that line again.
    this.chosen.beginning = undefined;
    const arrived = await this.moved('stepOut', here, deadline, detail);
    const { now } = arrived;
    if (now === undefined || this.isOver(now) || (await this.exitAt(now)) !== undefined)
      return arrived;
    return await this.moved('stepOut', now, deadline, detail);
  }

  /** Reads the value of a call, if the program has stopped at its end only for that. */
  private async valueRead(now: ThreadStack): Promise<'continue' | 'stepOut' | undefined> {
    const { session, top } = now;
    const { signal } = this.chosen.limits;
    const shown = (): Promise<string | undefined> => this.returnedHere(now);
    return await this.recorder.readValue?.({ session, top, signal, shown });
  }

  /** Reads the place at which a run has ended, or why the trace ends there. */
  async arrived(step: RunStep, detail: Detail): Promise<Arrived> {
    const over = endOf(step);
    // The program had reached the limit of lines before and was then continued.
    if (over === 'max_seconds' && this.recorder.isFull)
      return { now: undefined, endedBy: 'max_steps' };
    if (over !== undefined || step.kind !== 'stopped')
      return { now: undefined, endedBy: over ?? 'cancelled' };
    const { entry, limits } = this.chosen;
    const { signal } = limits;
    const there = await decidingStack(this.services, step, signal, detail);
    if (there === undefined) return { now: undefined, endedBy: 'program_end' };
    const { session, threadId: thread, stop, stack: now } = there;
    if (stop.reason === 'exception') {
      const seen = await exceptionStop(this.services, entry, session.key, thread, signal);
      return { now: undefined, endedBy: 'exception', ...seen };
    }
    if (typeof now === 'string') return { now: undefined, endedBy: now };
    if (session.key !== entry.session.key || thread !== entry.threadId)
      return { now: undefined, endedBy: 'breakpoint' };
    const isTheirs = this.services.breakpoints.hit(session, stop, now.top) !== null;
    if (isTheirs)
      return { now: undefined, endedBy: 'breakpoint', isElsewhere: !isSameCall(entry, now) };
    const isOwnPause = isCallEnd(now.top.name);
    if (stop.reason === 'pause' && !isOwnPause) return { now: undefined, endedBy: 'person' };
    return { now, endedBy: undefined };
  }

  /** Returns the point of the `return` at which the program has arrived by a step. */
  async exitAt({ top }: ThreadStack): Promise<number | undefined> {
    await this.recorder.settle();
    const last = this.recorder.read().at(-1);
    const point = this.chosen.points.find(({ id }) => id === last?.point);
    const isHere = point?.line === top.line && (point.column ?? top.column) === top.column;
    return isHere && last?.stopped === true ? last.point : undefined;
  }

  /** Reads the value that the debugger shows at the end of a `return`. */
  async returnedHere({ session, threadId }: ThreadStack): Promise<string | undefined> {
    const { signal } = this.chosen.limits;
    const seen = await stackOrEnd(this.services, session.key, threadId, signal, 'variables');
    return typeof seen === 'string' ? undefined : seen.returned[0]?.value;
  }

  /** Whether the thread has left the call. */
  isOver(now: ThreadStack): boolean {
    const { called, entry } = this.chosen;
    return !isSameCall(entry, now) || hasBegunAgain(called, entry, now);
  }
}
