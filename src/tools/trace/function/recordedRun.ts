import type { BoundedRun } from '../../../control/boundedRun';
import type { CallRecorder } from '../../../recording/callRecorder';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { runAsyncCall } from './asyncRun';
import { endAt } from './endInside';
import type { RecordedArrival } from './entry';
import { LEAVE_MS } from './fullRecorder';
import { panicThrough } from './panics';
import { hitsOfCall, valuesAfter } from './hitsOfCall';
import { isException, RecordedMoves, type Arrived, type ChosenCall } from './recordedMoves';
import { isEndOf, isEndOfReturn, isReturnWithoutEnd, returnedAt } from './recordingPoints';
import { isJavaScript } from './source/isJavaScript';
import { hasBegunAgain, isSameCall, isWithin, type ThreadStack } from './threadStack';
import { toHandler } from './toHandler';
import { stackOrEnd } from './traceEnd';
import { isIn } from './traceTarget';

type Services = Pick<
  ToolServices,
  'inspector' | 'model' | 'breakpoints' | 'workspace' | 'exceptions' | 'stops'
>;

/** Runs the chosen call to its end. */
export class RecordedRun {
  private readonly moves: RecordedMoves;

  constructor(
    private readonly services: Services,
    program: BoundedRun,
    private readonly chosen: ChosenCall,
  ) {
    this.moves = new RecordedMoves(services, program, chosen);
  }

  private get recorder(): CallRecorder {
    return this.chosen.recorder;
  }

  async run(): Promise<Arrived> {
    const { entry, first, limits, found } = this.chosen;
    if (isJavaScript(found) && found.suspends !== undefined)
      return await runAsyncCall(this.services, this.chosen, {
        onwards: (now) => this.moves.onwards(now),
        step: (command, now, deadline) => this.moves.moved(command, now, deadline, 'frames'),
      });
    let at = entry;
    let returned: string | undefined;
    // The point at whose `return` the program is stopped.
    let exit = (await this.isStoppedAt(first)) ? first.id : undefined;
    for (;;) {
      if (exit !== undefined && this.isReturning(exit)) {
        returned = await this.moves.returnedHere(at);
      } else if (exit !== undefined && !this.isAtEnd(exit)) {
        // After a step over the `return`, the debugger shows the value.
        const behind = await this.moves.move('next', at, limits.deadline);
        if (behind.now === undefined || this.moves.isOver(behind.now))
          return await this.end(this.withoutReturn(behind, exit), undefined);
        returned = behind.now.returned[0]?.value;
        at = behind.now;
        // A `finally` block may contain another `return`.
        exit = returned === undefined ? await this.moves.exitAt(at) : undefined;
        if (exit !== undefined) continue;
      }
      await this.recorder.settle();
      if (this.isAtLastPlace(at)) {
        const recorded = await this.recordedReturn();
        return { now: at, endedBy: undefined, returned: recorded ?? returned };
      }
      const before = this.recorder.read().length;
      const arrived = await this.moves.move('stepOut', at, limits.deadline);
      if (arrived.now === undefined || this.moves.isOver(arrived.now))
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
        const arrived = await this.moves.arrived(step, 'frames');
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
      return await this.moves.move('stepOut', left.now, limits.deadline);
    return await toHandler(
      this.services,
      entry,
      left,
      async (now) => await this.moves.move('next', now, limits.deadline, 'frames'),
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
    const { now } = await this.moves.move('stepOut', at, deadline, 'variables');
    return { now, endedBy: 'max_steps', returned: now?.returned[0]?.value };
  }
}
