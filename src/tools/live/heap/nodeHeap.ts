import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { fields, numberOf, textOf, type Fields } from '../../../debugger/protocol';
import type { SessionState } from '../../../debugger/state/state';
import { recorderName } from '../../../recording/recordings';
import { Failure } from '../../../results/failure';
import { Turns } from '../../../results/turns';
import type { Call, ToolServices } from '../../services';
import { compareTypes, type HeapSummary } from './heapSummary';
import { readSnapshot, type SnapshotFile } from './snapshotFile';
import { MAX_OBJECTS, MAX_REFERENCES } from './snapshotGraph';
import { summarise, type SnapshotSummary } from './snapshotSummary';
import {
  evaluateLong,
  limitsOf,
  MAX_GROWN,
  type HeapLimits,
  type Holding,
  type TakenHeap,
} from './takenHeap';

const FILE = 'heap.heapsnapshot';

/** The largest heap of which a snapshot is taken, in bytes. */
const MAX_BYTES = 2.2e9;

/** The heap from which on the machine must have enough free memory. */
const SMALL_BYTES = 2e8;

/**
 * The free memory for a snapshot, in sizes of the heap. Node 20 was seen to take 6.9 GB more for a heap of 1 GB in objects
 * of about 64 bytes. A machine without it would end the program.
 */
const ROOM = 7;

/**
 * Counts the objects of a Node program. Node itself writes a snapshot to a file, which is read in parts: a snapshot can
 * be larger than the memory of this process.
 * @throws Failure `not_supported` for programs without Node, on other machines, or with too large a heap
 */
export async function takeNodeHeap(
  services: ToolServices,
  session: SessionState,
  call: Call,
  before: HeapSummary | undefined,
): Promise<TakenHeap> {
  const { scratch } = services;
  const [folder, limits] = [recorderName(), limitsOf(call)];
  await scratch.make(folder, {});
  try {
    const file = path.join(scratch.pathOf(folder), FILE);
    const haltedMs = await writeSnapshot(services, session, file, limits, call);
    const turns = new Turns();
    const snapshot = await readSnapshot(
      (from) => scratch.parts(folder, FILE, from),
      turns,
      limits.check,
    ).catch((error: unknown): never => {
      throw error instanceof Failure || call.signal.aborted ? error : notReadable(session);
    });
    return await taken(session, snapshot, before, haltedMs, turns);
  } finally {
    await scratch.remove(folder);
  }
}

async function taken(
  session: SessionState,
  snapshot: SnapshotFile,
  before: HeapSummary | undefined,
  haltedMs: number | undefined,
  turns: Turns,
): Promise<TakenHeap> {
  const read = await summarise(snapshot, turns);
  const { types, lastId, debugger: debuggers } = read;
  const { isWhole, layout } = snapshot.graph;
  return {
    summary: { session: session.key, isWhole, types, mark: { lastId } },
    holders: isWhole ? await holdersOf(read, before, turns) : new Map(),
    left: isWhole
      ? { held_by_debugger: debuggers?.count ?? 0, held_by_debugger_bytes: debuggers?.bytes ?? 0 }
      : {},
    unknown: [
      ...(isWhole
        ? []
        : [
            `Only counts: the heap has ${layout.nodes} objects and ${layout.edges} references. Paths are searched up to ${MAX_OBJECTS} and ${MAX_REFERENCES}. What only the debugger holds is counted, too.`,
          ]),
      ...(before === undefined ? [] : ['V8 does not record where objects were allocated.']),
    ],
    haltedMs,
  };
}

async function holdersOf(
  read: SnapshotSummary,
  before: HeapSummary | undefined,
  turns: Turns,
): Promise<ReadonlyMap<string, Holding>> {
  const holders = new Map<string, Holding>();
  if (before?.isWhole !== true || !('lastId' in before.mark)) return holders;
  for (const { type } of compareTypes(before.types, read.types).grown.slice(0, MAX_GROWN)) {
    const holder = await read.holder(type, before.mark.lastId, turns);
    if (holder !== undefined) holders.set(type, holder);
  }
  return holders;
}

/** Makes the program write a snapshot. Returns for how long that took. */
async function writeSnapshot(
  services: ToolServices,
  session: SessionState,
  file: string,
  limits: HeapLimits,
  { signal }: Call,
): Promise<number | undefined> {
  // js-debug cuts long values in all other contexts.
  const args = { expression: writing(file), context: 'clipboard' };
  const answer = answerOf(await evaluateLong(services, session, args, limits, signal));
  const [state, used] = [textOf(answer['state']), numberOf(answer['used']) ?? 0];
  if (state === 'written') return numberOf(answer['ms']);
  if (state === 'too_large')
    throw new Failure(
      'not_supported',
      l10n.t('The heap is too large for a snapshot: {0} MB.', Math.round(used / 1e6)),
      `Snapshots are taken up to ${MAX_BYTES / 1e6} MB, and only while the machine has ${ROOM} times the heap's size free. Nothing was done. Restart the program, and compare after fewer requests: a leak shows early.`,
      { session_id: session.id },
    );
  throw new Failure(
    'not_supported',
    l10n.t('This program cannot write a snapshot of its heap.'),
    'Node writes snapshots of its own programs on this machine. For a page, use the memory panel of the browser. Otherwise sample process.memoryUsage() and the sizes of suspected collections with collect_values.',
    { session_id: session.id },
  );
}

function notReadable(session: SessionState): Failure {
  return new Failure(
    'not_supported',
    l10n.t("The program's snapshot could not be read on this machine."),
    'It may run on another machine, or have no room on its disk. Sample process.memoryUsage() and the sizes of suspected collections with collect_values.',
    { session_id: session.id },
  );
}

/** The code that writes a snapshot. It uses only Node's own modules, so no code of the program runs. */
function writing(file: string): string {
  return String.raw`(() => {
if (typeof process !== 'object' || process === null) return '{}';
const builtin = name => typeof process.getBuiltinModule === 'function' ? process.getBuiltinModule(name) : process.mainModule ? process.mainModule.require(name) : undefined;
const v8 = builtin('v8'), os = builtin('os');
if (!v8 || !os || typeof v8.writeHeapSnapshot !== 'function') return '{}';
const used = v8.getHeapStatistics().used_heap_size, from = process.hrtime();
if (used > ${MAX_BYTES} || used > ${SMALL_BYTES} && used * ${ROOM} > os.freemem()) return JSON.stringify({state: 'too_large', used});
v8.writeHeapSnapshot(${JSON.stringify(file)});
const [seconds, rest] = process.hrtime(from);
return JSON.stringify({state: 'written', used, ms: Math.round(seconds * 1000 + rest / 1e6)});
})()`;
}

/** The object in a text that js-debug shows as a string literal. */
function answerOf(literal: string): Fields {
  try {
    const value: unknown = JSON.parse(literal);
    return fields(typeof value === 'string' ? JSON.parse(value) : value);
  } catch {
    return {};
  }
}
