import { fields, listOf, wholeOf } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import type { Call, ToolServices } from '../services';
import {
  groupsOf,
  MOST,
  withoutEmpty,
  type HangReport,
  type ThreadGroup,
  type ThreadStack,
} from './hangReport';

/** The maximum number of threads whose stacks are read. */
const MOST_THREADS = 300;

/** The maximum number of frames that are read of each stack. */
const FRAMES = 30;

/** Explains what the threads of a stopped program wait for, by the functions that they are in. */
export async function explainStacks(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<HangReport> {
  const { stacks, total, running } = await readStacks(services, session, call);
  const groups = groupsOf(stacks);
  const left = total - MOST_THREADS;
  return withoutEmpty({
    groups: groups.slice(0, MOST.groups),
    unknown: [
      ...(left > 0 ? [`The stacks of ${left} more threads were not read.`] : []),
      ...(running > 0 ? [`${running} threads did not stop, so their stacks are unknown.`] : []),
      ...aboutKinds(groups),
    ],
    total: { threads: total, groups: groups.length },
  });
}

/** Reads the stacks of the threads that are stopped. */
async function readStacks(
  { inspector, model }: ToolServices,
  session: SessionState,
  call: Call,
): Promise<{
  readonly stacks: readonly ThreadStack[];
  readonly total: number;
  readonly running: number;
}> {
  // Not every adapter reports threads that have begun since the last stop.
  const body = await inspector.send(session, 'threads', {}, call.signal);
  const all = listOf(body['threads']).flatMap((entry) => {
    const { id, name } = fields(entry);
    const whole = wholeOf(id);
    return whole === undefined ? [] : [{ id: whole, name: keptText(name) ?? String(whole) }];
  });
  const stacks: ThreadStack[] = [];
  let running = 0;
  for (const { id, name } of all.slice(0, MOST_THREADS)) {
    const now = model.state.sessions.get(session.key);
    if (now?.threads.get(id)?.stop === undefined) {
      running += 1;
      continue;
    }
    const place = inspector.placeOf(now, id);
    const { frames, total } = await inspector.frames(now, place, 0, FRAMES, call.signal);
    stacks.push({ name, frames, more: total === undefined ? undefined : total - frames.length });
  }
  return { stacks, total: all.length, running };
}

/** Says what the names of functions do not tell. */
function aboutKinds(groups: readonly ThreadGroup[]): readonly string[] {
  const kinds = new Set(groups.map(({ waits_for: { kind } }) => kind));
  const has = (...of: readonly string[]): boolean => of.some((kind) => kinds.has(kind));
  return [
    ...(has('lock', 'queue', 'join', 'condition')
      ? ['Who has what the threads wait for is not known here, so a deadlock is not ruled out.']
      : []),
    ...(has('unknown')
      ? ['A thread of the kind unknown runs, or waits in a function that is not known to wait.']
      : []),
  ];
}
