import path from 'node:path';
import { countOf } from '../../../debugger/protocol';
import { variablesOf, type Frame } from '../../../debugger/inspection/stackAndVariables';
import { isCallEnd } from '../../../recording/javaScriptAsyncCall';
import type { ToolServices } from '../../services';
import { endAt, fulfilledValue } from './endInside';
import { isSameFunction, textWithMembers, type ThreadStack } from './threadStack';
import type { Arrived, ChosenCall } from './recordedMoves';
import { stackOrEnd } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model'>;

/** How the program is moved. */
interface Moving {
  /** Continues the program to its next stop. */
  readonly onwards: (now: ThreadStack) => Promise<Arrived>;
  /** Makes a step, until a time (`performance.now`). */
  readonly step: (
    command: 'next' | 'stepOut',
    now: ThreadStack,
    deadline: number,
  ) => Promise<Arrived>;
}

/** The time in milliseconds in which other code of the program may run after the call. */
const BEHIND_MS = 5000;

/** The maximum number of steps from the recorder to the code that runs next. */
const MAX_BEHIND = 8;

/**
 * Runs a call of an asynchronous JavaScript function to its end. The program stops at the last place of a call that
 * returns. An exception that leaves the call rejects its promise, and V8 stops at no place behind it: the recorder
 * notices that, and the program stops there, before it is moved to the code that runs next.
 */
export async function runAsyncCall(
  services: Services,
  chosen: ChosenCall,
  moving: Moving,
): Promise<Arrived> {
  const { recorder, entry, found, endsInside } = chosen;
  let at = entry;
  for (;;) {
    const arrived = await moving.onwards(at);
    await recorder.settle();
    const { now } = arrived;
    if (now === undefined) return arrived;
    if (isCallEnd(now.top.name)) {
      const settled = await settledAt(services, chosen, now);
      return { ...settled, now: await behind(chosen, moving, now) };
    }
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

/**
 * Moves the program from the recorder to the code that runs next: to the code that has called the recorder, or else to
 * the next task. Undefined if the program goes on or has stopped elsewhere.
 */
async function behind(
  { limits }: ChosenCall,
  { step }: Moving,
  now: ThreadStack,
): Promise<ThreadStack | undefined> {
  const deadline = Math.min(limits.deadline, performance.now() + BEHIND_MS);
  let at: ThreadStack | undefined = now;
  for (let steps = 0; steps < MAX_BEHIND && at !== undefined && !isInFile(at.top); steps += 1)
    at = (await step(hasCaller(at) ? 'stepOut' : 'next', at, deadline)).now;
  return at;
}

/** Whether code in a file has called the code in which the program is stopped, and does not only await it. */
function hasCaller({ callers }: ThreadStack): boolean {
  const label = callers.findIndex(({ isLabel }) => isLabel);
  return callers.slice(0, label < 0 ? undefined : label).some(isInFile);
}

function isInFile(frame: Frame): boolean {
  return frame.path !== undefined && path.isAbsolute(frame.path);
}

/** Reads what the call has returned or thrown, when its promise was settled. */
async function settledAt(
  services: Services,
  { limits: { signal } }: ChosenCall,
  now: ThreadStack,
): Promise<Arrived> {
  const parts = await promiseAt(services, now, signal).catch(() => undefined);
  const result = parts?.get('[[PromiseResult]]');
  switch (parts?.get('[[PromiseState]]')) {
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

/** Reads the state and the result of the promise that the recorder shows, under the names that js-debug uses. */
async function promiseAt(
  { inspector }: Services,
  { session, threadId, top }: ThreadStack,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const args = { expression: 'call', frameId: top.id, context: 'watch' };
  const promise = await inspector.sendUnique(session, 'evaluate', args, signal);
  const reference = countOf(promise['variablesReference']) ?? 0;
  const place = inspector.placeOf(session, threadId);
  const members = variablesOf(await inspector.variables(session, place, reference, {}, signal));
  const parts = members.filter(({ name }) => name.startsWith('[[Promise'));
  const texts = await Promise.all(
    parts.map(
      async (part) =>
        [part.name, await textWithMembers(inspector, session, place, part, signal)] as const,
    ),
  );
  return new Map(texts);
}

/** Reads the value at the end of a `return`. A promise that is still pending is not the value. */
async function returnedAt(
  { inspector, model }: Services,
  { limits: { signal } }: ChosenCall,
  { session, threadId }: ThreadStack,
): Promise<string | undefined> {
  const seen = await stackOrEnd({ inspector, model }, session.key, threadId, signal, 'variables');
  const shown = typeof seen === 'string' ? undefined : seen.returned[0]?.value;
  const value = fulfilledValue(shown) ?? shown;
  return value?.startsWith('Promise') === true ? undefined : value;
}
