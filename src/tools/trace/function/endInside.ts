import type { ThreadStack } from './threadStack';
import { isAt } from './places';
import { isEndOf, isEndOfReturn } from './recordingPoints';
import { isJavaScript } from './source/isJavaScript';
import type { SourceFunction } from './source/sourceFunction';

/** Whether a thread is at the last place in a JavaScript call: the end of a `return`, or that of the block. */
export function endAt(found: SourceFunction, { top }: ThreadStack): 'return' | 'block' | undefined {
  if (!isJavaScript(found)) return undefined;
  if (isEndOfReturn(found, top)) return 'return';
  return isEndOf(found, top) ? 'block' : undefined;
}

/**
 * Returns the source of the exception that the statement at a thread's place throws out of the call. Undefined if the
 * call may go on, or if the statement may throw another exception.
 */
export function thrownAt(found: SourceFunction, { top }: ThreadStack): string | undefined {
  if (!isJavaScript(found)) return undefined;
  const exit = found.exits.find((each) => isAt(each, top));
  if (exit?.throws === undefined || exit.isCaught === true || exit.hasNoEnd === true)
    return undefined;
  const made = exit.throws.replace(/^new\s+[\w$.]+\(/, '');
  return /[(`]|\bawait\b/.test(made) ? undefined : exit.throws.replace(/^new\s+/, '');
}

/**
 * Returns the value with which an asynchronous function has fulfilled its promise, as V8 shows it at the end of its
 * `return`. Undefined if the text is not that of such a promise.
 */
export function fulfilledValue(shown: string | undefined): string | undefined {
  const [before, after] = ['Promise {[[PromiseResult]]: ', ", [[PromiseState]]: 'fulfilled'}"];
  const isWhole = shown?.startsWith(before) === true && shown.endsWith(after);
  return isWhole ? shown.slice(before.length, -after.length) : undefined;
}
