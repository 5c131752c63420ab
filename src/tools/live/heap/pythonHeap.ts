import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { SessionState } from '../../../debugger/state/state';
import { recorderName } from '../../../recording/recordings';
import { Failure } from '../../../results/failure';
import type { Call, ToolServices } from '../../services';
import { recorderExpression } from '../pythonHang';
import type { HeapSummary, Types } from './heapSummary';
import { evaluateLong, limitsOf, MAX_GROWN, type Holding, type TakenHeap } from './takenHeap';

const FILES = { answer: 'answer.json', ids: 'ids', before: 'before.json' } as const;

/** The limits of the texts of values, as `values.py` expects them. */
const VALUES = { text: 80, items: 3, depth: 1 };

/** The largest heap whose references are followed, and the longest time for that. */
const MAX_OBJECTS = 1_500_000;
const MAX_SECONDS = 8;

const counts = z.record(z.string(), z.tuple([z.int(), z.int()]));

const report = z.object({
  whole: z.boolean(),
  types: counts.optional(),
  /** The number of objects that nothing holds that was looked at. */
  missed: z.int().optional(),
  /** Whether Python records where objects are allocated. */
  tracing: z.boolean().optional(),
  holders: z
    .record(
      z.string(),
      z.object({
        fresh: z.int(),
        held: z.int(),
        path: z.array(z.string()),
        allocated_at: z.string().optional(),
      }),
    )
    .optional(),
  ms: z.int(),
});

type Report = z.infer<typeof report>;

/**
 * Counts the objects of a Python program. A thread of the debugger does it while no other thread gets the interpreter.
 * The ids of the objects stay in a file until the summary is dropped.
 * @throws Failure `not_supported` if the program does not run on this machine, or its heap is too large
 */
export async function takePythonHeap(
  services: ToolServices,
  session: SessionState,
  call: Call,
  before: HeapSummary | undefined,
): Promise<TakenHeap> {
  const { scratch } = services;
  const folder = recorderName();
  const old = before?.isWhole === true && 'folder' in before.mark ? before.mark.folder : undefined;
  const types = before === undefined ? {} : Object.fromEntries(pairsOf(before.types));
  await scratch.make(folder, old === undefined ? {} : { [FILES.before]: JSON.stringify(types) });
  try {
    const read = await count(services, session, call, folder, old);
    if (read.types === undefined) throw tooLarge(session);
    return taken(session, { ...read, types: read.types }, before, folder);
  } catch (error) {
    await scratch.remove(folder);
    throw error;
  }
}

async function count(
  services: ToolServices,
  session: SessionState,
  call: Call,
  folder: string,
  old: string | undefined,
): Promise<Report> {
  const { scratch, recorders } = services;
  const fileOf = (file: string, of = folder): string => path.join(scratch.pathOf(of), file);
  const settings = {
    ...VALUES,
    objects: MAX_OBJECTS,
    seconds: MAX_SECONDS,
    holders: MAX_GROWN,
    out: fileOf(FILES.answer),
    ids: fileOf(FILES.ids),
    ...(old === undefined ? {} : { before: fileOf(FILES.before), old_ids: fileOf(FILES.ids, old) }),
  };
  const expression = recorderExpression(recorders, 'heap.py', settings);
  const args = { expression, context: 'repl' };
  await evaluateLong(services, session, args, limitsOf(call), call.signal);
  const read = readReport((await scratch.read(folder, FILES.answer)) ?? '');
  if (read !== undefined) return read;
  throw new Failure(
    'not_supported',
    l10n.t('The program could not write its answer to this machine.'),
    'It may run on another machine or as another user. Sample the sizes of suspected collections with collect_values.',
    { session_id: session.id },
  );
}

function taken(
  session: SessionState,
  read: Report & { readonly types: z.infer<typeof counts> },
  before: HeapSummary | undefined,
  folder: string,
): TakenHeap {
  const types: Types = new Map(
    Object.entries(read.types).map(([type, [number, bytes]]) => [type, { count: number, bytes }]),
  );
  const holders = new Map<string, Holding>(
    Object.entries(read.holders ?? {}).map(([type, { allocated_at: allocatedAt, ...holder }]) => [
      type,
      { ...holder, allocatedAt },
    ]),
  );
  return {
    summary: { session: session.key, isWhole: read.whole, types, mark: { folder } },
    holders,
    left: read.missed === undefined ? {} : { not_reached: read.missed },
    unknown: [
      read.whole
        ? "not_reached are objects that no module and no variable of a thread holds: the debugger's, those that only C code holds, and garbage that Python has not collected yet."
        : `Only counts of the objects that Python's garbage collector knows: there are more than ${MAX_OBJECTS} objects, or following their references took over ${MAX_SECONDS} seconds. Garbage and the debugger's plain objects are counted, too.`,
      // Python 3.11 does not find the trace of an object with attributes.
      ...(read.tracing === true &&
      [...holders.values()].some((each) => each.allocatedAt === undefined)
        ? ['Python does not know the lines of types without allocated_at.']
        : []),
      ...(before !== undefined && read.tracing !== true
        ? [
            'Where objects were allocated is not known: Python records it only in a program that runs with -X tracemalloc or PYTHONTRACEMALLOC=1.',
          ]
        : []),
    ],
    haltedMs: read.ms,
  };
}

/** Reads what the recorder has written. Returns undefined if it is not a report. */
export function readReport(text: string): Report | undefined {
  try {
    const read = report.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function pairsOf(types: Types): readonly (readonly [string, readonly [number, number]])[] {
  return [...types].map(([type, { count: number, bytes }]) => [type, [number, bytes]]);
}

function tooLarge(session: SessionState): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The heap is too large: its objects could not be counted in {0} seconds.', MAX_SECONDS),
    'Nothing was kept; the program goes on as before. Restart the program, and compare after fewer requests: a leak shows early.',
    { session_id: session.id },
  );
}
