import { adapterOf } from '../../../debugger/adapters/registry';
import type { ToolServices } from '../../services';
import type { CallEnd, TracedFunction, Values } from './callModel';
import { leftValues } from './leftValues';
import { hasLeftCaller, type ThreadStack } from './threadStack';
import { alwaysThrownAt, returnedBy } from './returnsAndThrows';
import type { SteppingPlan } from './steppingPlan';
import { returnsPlainly } from './steps';
import { isThrownBehind } from './thrownBehind';
import { hasReturnedWithCaller, howLeft, isCaught, isInHandler, nameCaughtAt } from './thrownOut';

/** The end of a call that a thread has left. */
export interface LeftEnd {
  readonly end: CallEnd;
  /** Whether the exception is a value, not the text of the source. */
  readonly isValue?: boolean;
  /** The last variables of the call, if they are still known. */
  readonly values?: Values | undefined;
}

/** The value that a call may have returned, from the stops in it. */
export interface SeenReturn {
  /** The value that the debugger showed at the end of the call. */
  readonly returned: string | undefined;
  /** The value of the variable in its `return`. */
  readonly variable: string | undefined;
}

/**
 * Returns how a stepped call ended that a thread has left.
 * @param last the last stop in the call
 * @param now the stop after it
 */
export async function leftEnd(
  services: Pick<ToolServices, 'inspector'>,
  { functionAt, isOwn, signal }: Pick<SteppingPlan, 'functionAt' | 'isOwn' | 'signal'>,
  called: TracedFunction,
  last: ThreadStack,
  now: ThreadStack,
  { returned, variable }: SeenReturn,
): Promise<LeftEnd> {
  const left = await howLeft(services, last.top, now, signal);
  const values = left && (await leftValues(services, now, left.reference, signal));
  const around = await functionAt(now);
  const thrown = alwaysThrownAt(called, last.top.line);
  const name = nameCaughtAt(around, now);
  const exception = name === undefined ? undefined : now.values.get(name);
  const caught = exception?.split('\n')[0];
  const threw: LeftEnd = {
    end: { kind: 'threw', exception: left?.exception ?? caught ?? thrown },
    isValue: (left?.exception ?? caught) !== undefined,
    values,
  };
  if (left?.hasThrown === true || thrown !== undefined) return threw;
  // Behind a missed end, or behind a call that was suspended, V8 shows the value of another function.
  const isOther = called.mayMissEnd === true || isSuspendedScript(called, last);
  const behind = isOther ? undefined : returnedBy(last.top.name, now);
  const value = returned ?? behind ?? variable;
  const normal: LeftEnd = { end: { kind: 'returned', value }, values };
  if (value !== undefined || left !== undefined) return normal;
  if (isSuspendedScript(called, last)) {
    if (isCaught(around, last.callers.find(isOwn), now)) return threw;
    return isAtItsEnd(called, last) ? normal : { end: { kind: 'open', isLeft: true }, values };
  }
  if (called.suspends !== undefined) return normal;
  const caller = last.callers.find(isOwn);
  if (caller !== undefined && isThrownBehind(exception ?? '', called, caller)) return normal;
  if (await hasReturnedWithCaller(services, last, now, signal)) return normal;
  // The program may have gone on unseen after a missed end.
  const isGone =
    hasLeftCaller(caller, now) && (called.mayMissEnd !== true || isInHandler(around, now));
  return isGone || isCaught(around, caller, now) ? threw : normal;
}

/** Whether a stop is at a `return` that throws nothing, or at the end of the function. */
function isAtItsEnd(called: TracedFunction, last: ThreadStack): boolean {
  return returnsPlainly(called, last) || last.top.line === called.range?.end;
}

/** Whether a call of JavaScript may have been suspended. */
function isSuspendedScript({ suspends }: TracedFunction, { session }: ThreadStack): boolean {
  return suspends !== undefined && adapterOf(session.type).recorder === 'javascript';
}
