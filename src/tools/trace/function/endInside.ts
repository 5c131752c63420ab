import type { Moment } from './moment';
import { isEndOf, isEndOfReturn } from './recordingPoints';
import { isJavaScript } from './source/isJavaScript';
import type { SourceFunction } from './source/sourceFunction';

/** Whether a thread is at the last place in a JavaScript call: the end of a `return`, or that of the block. */
export function endAt(found: SourceFunction, { top }: Moment): 'return' | 'block' | undefined {
  if (!isJavaScript(found)) return undefined;
  if (isEndOfReturn(found, top)) return 'return';
  return isEndOf(found, top) ? 'block' : undefined;
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
