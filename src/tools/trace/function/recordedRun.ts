import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { Stopped } from '../../../control/outcome';
import type { CallRecorder } from '../../../recording/callRecorder';
import { isCallEnd } from '../../../recording/javaScriptAsyncCall';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { runAsyncCall } from './asyncRun';
import type { TracedFunction } from './callModel';
import { decidingStack } from './decidingStop';
import { endAt } from './endInside';
import { exceptionStop } from './exceptionStop';
import type { RecordedArrival } from './entry';
import type { ForeignStops } from './foreignStops';
import { LEAVE_MS, untilFull } from './fullRecorder';
import { hasBegunAgain, isSameCall, isWithin, type Detail, type ThreadStack } from './threadStack';
import { panicThrough } from './panics';
import { hitsOfCall, valuesAfter } from './hitsOfCall';
import { isJavaScript } from './source/isJavaScript';
import { isReplaced } from './replacedException';
import { isEndOf, isEndOfReturn, isReturnWithoutEnd, returnedAt } from './recordingPoints';
import type { SourceFunction } from './source/sourceFunction';
import type { RecorderLimits, StartedRecorder } from './startRecorder';
import { isIn } from './traceTarget';
import { toHandler } from './toHandler';
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

export interface RecordingLimits extends RecorderLimits {
  /** The end of the call's time, as a value of `performance.now()`. */
  readonly deadline: number;
  readonly progress: (lines: number) => void;
}

export interface ChosenCall extends StartedRecorder {
  readonly foreign: ForeignStops;
  readonly called: TracedFunction;
  readonly found: SourceFunction;
  readonly entry: ThreadStack;
  readonly limits: RecordingLimits;
  /** The id of the point at which another call begins. Undefined if one call may reach the point again. */
  beginning: number | undefined;
}

function isException(step: RunStep): step is Stopped {
  return step.kind === 'stopped' && step.stop.reason === 'exception';
}

/** Runs the chosen call to its end. */
export class RecordedRun {
  constructor(
    private readonly services: Services,
    private readonly program: BoundedRun,
    private readonly chosen: ChosenCall,
  ) {}

  private get recorder(): CallRecorder {
    return this.chosen.recorder;
  }

  async run(): Promise<Arrived> {
    const { entry, first, limits, found } = this.chosen;
    if (isJavaScript(found) && found.suspends !== undefined)
      return await runAsyncCall(this.services, this.chosen, {
        onwards: (now) => this.onwards(now),
        step: (command, now, deadline) => this.moved(command, now, deadline, 'frames'),
      });
    let at = entry;
    let returned: string | undefined;
    // The point at whose `return` the program is stopped.
    let exit = (await this.isStoppedAt(first)) ? first.id : undefined;
    for (;;) {
      if (exit !== undefined && this.isReturning(exit)) {
        returned = await this.returnedHere(at);
      } else if (exit !== undefined && !this.isAtEnd(exit)) {
        // After a step over the `return`, the debugger shows the value.
        const behind = await this.move('next', at, limits.deadline);
        if (behind.now === undefined || this.isOver(behind.now))
          return await this.end(this.withoutReturn(behind, exit), undefined);
        returned = behind.now.returned[0]?.value;
        at = behind.now;
        // A `finally` block may contain another `return`.
        exit = returned === undefined ? await this.exitAt(at) : undefined;
        if (exit !== undefined) continue;
      }
      await this.recorder.settle();
      if (this.isAtLastPlace(at)) {
        const recorded = await this.recordedReturn();
        return { now: at, endedBy: undefined, returned: recorded ?? returned };
      }
      const before = this.recorder.read().length;
      const arrived = await this.move('stepOut', at, limits.deadline);
      if (arrived.now === undefined || this.isOver(arrived.now))
        return await this.end(arrived, returned);
      at = arrived.now;
      await this.recorder.settle();
      if (this.recorder.isFull) return await this.leave(at);
      const all = this.recorder.read();
      if (all.length === before && this.isTooDeep(arrived.now))
        return await this.end(arrived, returned, true);
      // Built-in code has called the function again, and the end of the call was missed.
      if (hitsOfCall(all, this.chosen.beginning).length < all.length)
        return { ...arrived, returned: await this.recordedReturn(), isNextCall: true };
      const last = all.at(-1);
      if (last?.stopped !== true) return { now: at, endedBy: arrived.endedBy ?? 'breakpoint' };
      exit = last.point;
    }
  }

  /** Completes a call that was recorded up to the first stop. */
  async from({ at, step, endedBy, stack }: RecordedArrival): Promise<Arrived> {
    switch (at) {
      case 'return':
        return await this.run();
      case 'caller':
      case 'handler':
        return { now: stack, endedBy: undefined };
      case 'limit':
        return await this.leave(stack);
      case undefined: {
        if (step === undefined)
          return { now: undefined, endedBy: this.recorder.isFull ? 'max_steps' : endedBy };
        if (isException(step) && !this.isInCall(stack))
          return { now: undefined, endedBy: 'exception', leaves: false };
        const arrived = await this.arrived(step, 'frames');
        return { ...arrived, endedBy: arrived.endedBy ?? 'breakpoint' };
      }
    }
  }

  /** Whether the thread of a stop is in the function. The thread of a call that was recorded without a stop is unknown. */
  private isInCall({ top, callers }: ThreadStack): boolean {
    const { called, found } = this.chosen;
    const { path } = called;
    return path !== undefined && [top, ...callers].some((frame) => isIn({ path, found }, frame));
  }

  /** Whether the recorder would have stopped the program at the point at which the recording began. */
  private async isStoppedAt({ stopWhen, returns }: RecordingPoint): Promise<boolean> {
    if (stopWhen !== undefined || returns === undefined) return stopWhen !== undefined;
    await this.recorder.settle();
    return this.recorder.read().at(-1)?.stopped === true;
  }

  /** Returns the point of the `return` at which the program has arrived by a step. */
  private async exitAt({ top }: ThreadStack): Promise<number | undefined> {
    await this.recorder.settle();
    const last = this.recorder.read().at(-1);
    const point = this.chosen.points.find(({ id }) => id === last?.point);
    const isHere = point?.line === top.line && (point.column ?? top.column) === top.column;
    return isHere && last?.stopped === true ? last.point : undefined;
  }

  /**
   * Adds whether a call that a step over its `return` has left has thrown. If it returns, V8 first stops behind the
   * `return`, within the call, and shows the value, unless it has no place there.
   */
  private withoutReturn(behind: Arrived, exit: number): Arrived {
    const { now } = behind;
    const { found, points } = this.chosen;
    const point = points.find(({ id }) => id === exit);
    const hasNoEnd = isJavaScript(found) && isReturnWithoutEnd(found, point);
    const isLeft = now !== undefined && !isSameCall(this.chosen.entry, now);
    const isThrown = isLeft && now.returned.length === 0 && !hasNoEnd;
    return isThrown ? { ...behind, hasThrown: true } : behind;
  }

  /** Whether a point is the end of a `return`. */
  private isReturning(id: number | undefined): boolean {
    const { found, points } = this.chosen;
    const point = points.find((other) => other.id === id);
    if (point === undefined || !isJavaScript(found)) return false;
    return point.returnLine !== undefined || isEndOfReturn(found, point);
  }

  /** Whether a point is the end of the block. The call ends there without a value. */
  private isAtEnd(id: number): boolean {
    const { found, points } = this.chosen;
    const point = points.find((other) => other.id === id);
    return point !== undefined && isJavaScript(found) && isEndOf(found, point);
  }

  /** Whether the trace ends at a stop, because nothing of the call is left and no own code follows. */
  private isAtLastPlace(at: ThreadStack): boolean {
    const { found, entry, endsInside } = this.chosen;
    return endsInside === true && endAt(found, at) !== undefined && isSameCall(entry, at);
  }

  /** Reads the value that the debugger shows at the end of a `return`. */
  private async returnedHere({ session, threadId }: ThreadStack): Promise<string | undefined> {
    const { signal } = this.chosen.limits;
    const seen = await stackOrEnd(this.services, session.key, threadId, signal, 'variables');
    return typeof seen === 'string' ? undefined : seen.returned[0]?.value;
  }

  /** Whether the thread has left the call. */
  private isOver(now: ThreadStack): boolean {
    const { called, entry } = this.chosen;
    return !isSameCall(entry, now) || hasBegunAgain(called, entry, now);
  }

  /** Whether the stack in JavaScript is so deep that it does not tell the call from others of a recursion. */
  private isTooDeep({ total }: ThreadStack): boolean {
    const { entry, found } = this.chosen;
    return isJavaScript(found) && (total === undefined || entry.total === undefined);
  }

  /**
   * Completes the data about the end of the call, at the place at which the program has arrived.
   * @param isLeft whether the place is known to be behind the call
   */
  private async end(
    arrived: Arrived,
    returned: string | undefined,
    isLeft = false,
  ): Promise<Arrived> {
    const { called, entry } = this.chosen;
    const { now } = arrived;
    // With a recorder that cannot stop the program, the program runs to the end of the call.
    if (this.recorder.isFull && now !== undefined) return { ...arrived, endedBy: 'max_steps' };
    const { signal } = this.chosen.limits;
    const panic = now && (await panicThrough(this.services, entry, now, signal));
    if (panic !== undefined && !panic.isOwn)
      return { ...arrived, hasThrown: true, exception: panic.value };
    // At another stop in a function that the call has called, the call has not ended.
    if (!isLeft && now !== undefined && isWithin(entry, now)) return { now, endedBy: 'breakpoint' };
    if (arrived.hasThrown === true) return arrived;
    const isNextCall = !isLeft && now !== undefined && hasBegunAgain(called, entry, now);
    if (returned === undefined && (now !== undefined || arrived.isElsewhere)) {
      const recorded = await this.recordedReturn();
      if (recorded !== undefined) return { ...arrived, returned: recorded, isNextCall };
    }
    if (now === undefined || isNextCall || returned !== undefined || (await this.isEndRecorded()))
      return { returned, ...arrived, isNextCall };
    if (this.recorder.returned !== undefined) {
      const value = await this.recorder.returned(signal).catch(() => undefined);
      return { ...arrived, returned: value };
    }
    const seen = await stackOrEnd(
      this.services,
      now.session.key,
      now.threadId,
      signal,
      'variables',
    );
    return { ...arrived, now: typeof seen === 'string' ? now : seen };
  }

  /** Returns the recorded value that the last line of a finished call returned. */
  private async recordedReturn(): Promise<string | undefined> {
    const { found, points, beginning } = this.chosen;
    await this.recorder.settle();
    const hit = hitsOfCall(this.recorder.read(), beginning).at(-1);
    const point = points.find(({ id }) => id === hit?.point);
    if (hit === undefined || point === undefined || !isJavaScript(found)) return undefined;
    const returned = point.returns === undefined ? undefined : hit.values[point.values.length];
    if (typeof returned === 'string') return returned;
    const name = returnedAt(found, point);
    return name === undefined ? undefined : valuesAfter(new Map(), point, hit).get(name);
  }

  /** Adds the exception that has left the call, see `toHandler`. */
  async withException(left: Arrived): Promise<Arrived> {
    const { entry, limits, recorder } = this.chosen;
    if (left.now !== undefined && recorder.isHandlerOfRuntime?.(left.now.top.name) === true)
      return await this.move('stepOut', left.now, limits.deadline);
    return await toHandler(
      this.services,
      entry,
      left,
      async (now) => await this.move('next', now, limits.deadline, 'frames'),
      limits.signal,
    );
  }

  /** Whether the recorder has reported the end of the call and its value. */
  private async isEndRecorded(): Promise<boolean> {
    await this.recorder.settle();
    return this.recorder.readCalls().some((call) => call.kind === 'ended' && call.isChosen);
  }

  /** Runs the rest of the call without recording, because the limit has been reached. */
  private async leave(at: ThreadStack): Promise<Arrived> {
    // The points behind the call are still needed if the step out may miss its end.
    if (this.chosen.mayMissEnd !== true) await this.recorder.dispose();
    const deadline = Math.min(this.chosen.limits.deadline, performance.now() + LEAVE_MS);
    const { now } = await this.move('stepOut', at, deadline, 'variables');
    return { now, endedBy: 'max_steps', returned: now?.returned[0]?.value };
  }

  /**
   * Moves the program. After a step over a `return`, the debugger shows the value, so the variables are read. After a
   * step out of the call, only the place is needed at first.
   */
  private async move(
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

  private async moved(
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
  private async onwards({ session, threadId }: ThreadStack): Promise<Arrived> {
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

  private async arrived(step: RunStep, detail: Detail): Promise<Arrived> {
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
}
