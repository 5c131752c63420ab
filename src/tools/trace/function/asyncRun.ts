import { listOf, fields, textOf, countOf } from '../../../debugger/protocol';
import { CALL_ENDED } from '../../../recording/javaScriptAsyncCall';
import type { ToolServices } from '../../services';
import { endAt, fulfilledValue } from './endInside';
import { isSameFunction, type Moment } from './moment';
import type { Arrived, ChosenCall } from './recordedRun';
import { momentOrEnd } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model'>;

/**
 * Runs a call of an asynchronous JavaScript function to its end. The program stops at the last place of a call that
 * returns. An exception that leaves the call rejects its promise, and V8 stops at no place behind it: the recorder
 * notices that, and the program stops in the recorder, before any other code runs.
 * @param onwards continues the program to its next stop
 */
export async function runAsyncCall(
  services: Services,
  chosen: ChosenCall,
  onwards: (now: Moment) => Promise<Arrived>,
): Promise<Arrived> {
  const { recorder, entry, found, endsInside } = chosen;
  let at = entry;
  for (;;) {
    const arrived = await onwards(at);
    await recorder.settle();
    const { now } = arrived;
    if (now === undefined) return arrived;
    if (now.top.name === CALL_ENDED) return await settledAt(services, chosen, now);
    if (recorder.isFull) return { now, endedBy: 'max_steps' };
    const isRecorders = recorder.read().at(-1)?.stopped === true && isSameFunction(entry, now);
    if (!isRecorders) return { now, endedBy: 'breakpoint' };
    const end = endsInside === true ? endAt(found, now) : undefined;
    if (end === 'block') return { now, endedBy: undefined, returned: 'undefined' };
    if (end === 'return')
      return { now, endedBy: undefined, returned: await returnedAt(services, chosen, now) };
    at = now;
  }
}

/** Reads what the call has returned or thrown, when its promise was settled. */
async function settledAt(services: Services, chosen: ChosenCall, now: Moment): Promise<Arrived> {
  const { signal } = chosen.limits;
  const state = await promiseAt(services, now, signal).catch(() => undefined);
  const result = state?.get('[[PromiseResult]]');
  switch (state?.get('[[PromiseState]]')) {
    case "'fulfilled'":
      return { now, endedBy: undefined, returned: result };
    case "'rejected'":
      return { now, endedBy: undefined, hasThrown: true, exception: firstLine(result) };
    default:
      return { now, endedBy: undefined };
  }
}

/** Returns the first line of an error. js-debug shows line breaks of members as in a source text. */
function firstLine(text: string | undefined): string | undefined {
  return text?.split(/\n|\\n/)[0];
}

/** Reads the state of the promise that the recorder shows, as js-debug names its parts. */
async function promiseAt(
  { inspector }: Services,
  { session, threadId, top }: Moment,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const args = { expression: 'promise', frameId: top.id, context: 'watch' };
  const promise = await inspector.sendUnique(session, 'evaluate', args, signal);
  const reference = countOf(promise['variablesReference']) ?? 0;
  const place = inspector.placeOf(session, threadId);
  const parts = await inspector.variables(session, place, reference, {}, signal);
  return new Map(
    listOf(parts).map((part) => {
      const { name, value } = fields(part);
      return [textOf(name) ?? '', textOf(value) ?? ''];
    }),
  );
}

/** Reads the value at the end of a `return`. A promise that is still pending is not the value. */
async function returnedAt(
  services: Services,
  chosen: ChosenCall,
  now: Moment,
): Promise<string | undefined> {
  const shown = (await read(services, chosen, now))?.returned[0]?.value;
  const value = fulfilledValue(shown) ?? shown;
  return value?.startsWith('Promise') === true ? undefined : value;
}

async function read(
  services: Services,
  { limits }: ChosenCall,
  { session, threadId }: Moment,
): Promise<Moment | undefined> {
  const seen = await momentOrEnd(services, session.key, threadId, limits.signal, 'variables');
  return typeof seen === 'string' ? undefined : seen;
}
