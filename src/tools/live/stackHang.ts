import { adapterOf } from '../../debugger/adapters/registry';
import { Superseded } from '../../debugger/inspection/stopRequests';
import { fields, listOf, wholeOf } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import type { Call, ToolServices } from '../services';
import { aboutThreads } from './aboutThreads';
import { goWait, isOfRuntime } from './goWait';
import { groupsOf, MOST, withoutEmpty, type HangReport } from './hangReport';
import { nativeWait } from './nativeWait';
import { innermostOf } from './waitByNames';
import type { FactReader, WaitFacts } from './waitFacts';
import { deadlocksOf, namedThreads, type ReadThread } from './waitingThreads';

/** The maximum number of threads whose stacks are read. */
const MAX_THREADS = 1024;

/** The time after which no further stack is read, in milliseconds. */
const READING_MS = 10_000;

/** The maximum number of frames that are read of each stack. */
const FRAMES = 30;

/** What the values in frames tell, by the library that waits. */
const FACTS: Readonly<Record<'goroutines' | 'glibc', FactReader>> = {
  goroutines: goWait,
  glibc: nativeWait,
};

/** Explains what the threads of a stopped program wait for, by the functions that they are in and their values. */
export async function explainStacks(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<HangReport> {
  const { stacks, all, running } = await readStacks(services, session, call);
  const { waitsOf, mostThreads } = adapterOf(session.type);
  const isGo = waitsOf === 'goroutines';
  const own = isGo ? stacks.filter(({ frames, more }) => !isOfRuntime(frames, more)) : stacks;
  const ofRuntime = stacks.length - own.length;
  const threads = namedThreads(own, all);
  const groups = groupsOf(threads);
  const unread = all.length - stacks.length - running;
  return withoutEmpty({
    groups: groups.slice(0, MOST.groups),
    deadlock: deadlocksOf(threads),
    unknown: [
      ...(unread > 0 ? [`The stacks of ${unread} more threads were not read.`] : []),
      ...(running > 0 ? [`${running} threads did not stop, so their stacks are unknown.`] : []),
      ...(mostThreads !== undefined && all.length >= mostThreads
        ? [`The debugger lists at most ${mostThreads} threads. There may be more.`]
        : []),
      ...aboutThreads(threads, isGo),
    ],
    total: {
      threads: all.length,
      groups: groups.length,
      ...(ofRuntime > 0 && { of_the_runtime: ofRuntime }),
    },
  });
}

interface ListedThread {
  readonly id: number;
  readonly name: string;
}

/**
 * Reads the stacks of the threads that are stopped, and what their values tell, while the time lasts.
 * @throws Superseded if the program goes on
 */
async function readStacks(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<{
  readonly stacks: readonly ReadThread[];
  readonly all: readonly ListedThread[];
  readonly running: number;
}> {
  const { inspector, model } = services;
  // Not every adapter reports threads that have begun since the last stop.
  const body = await inspector.send(session, 'threads', {}, call.signal);
  const all = listOf(body['threads']).flatMap((entry) => {
    const { id, name } = fields(entry);
    const whole = wholeOf(id);
    return whole === undefined ? [] : [{ id: whole, name: keptText(name) ?? String(whole) }];
  });
  const isSameStop = (now: SessionState | undefined): boolean =>
    now?.lifecycle === 'stopped' && now.epochOf.resume === session.epochOf.resume;
  const stacks: ReadThread[] = [];
  const until = performance.now() + READING_MS;
  let running = 0;
  for (const thread of all.slice(0, MAX_THREADS)) {
    if (performance.now() > until) break;
    const now = model.state.sessions.get(session.key);
    if (!isSameStop(now)) throw new Superseded();
    if (now?.threads.get(thread.id)?.stop === undefined) running += 1;
    else stacks.push(await readStack(services, now, thread, call.signal));
  }
  return { stacks, all, running };
}

async function readStack(
  { inspector }: ToolServices,
  session: SessionState,
  { id, name }: ListedThread,
  signal: AbortSignal,
): Promise<ReadThread> {
  const place = inspector.placeOf(session, id);
  const { frames, total } = await inspector.frames(session, place, 0, FRAMES, signal);
  const more = total === undefined ? undefined : total - frames.length;
  const { waitsOf } = adapterOf(session.type);
  const facts: WaitFacts =
    waitsOf === undefined
      ? {}
      : await FACTS[waitsOf](innermostOf(frames), async (frame, expression) => {
          try {
            const args = [session, place, frame.id, expression, 'watch', signal] as const;
            return (await inspector.evaluate(...args)).value;
          } catch (error) {
            if (signal.aborted) throw error;
            return undefined;
          }
        });
  return { id, name, frames, more, facts };
}
