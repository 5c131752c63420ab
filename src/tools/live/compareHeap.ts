import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { runningSession } from '../core/place';
import { defineTool, success } from '../defineTool';
import { maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';
import { compareTypes, largestTypes, totalOf, type HeapSummary } from './heap/heapSummary';
import { takeNodeHeap } from './heap/nodeHeap';
import { takePythonHeap } from './heap/pythonHeap';
import { MAX_GROWN, type TakenHeap } from './heap/takenHeap';

/** The maximum number of types that an answer has, besides those that have grown. */
const MAX_TYPES = 10;

const size = z.object({ count: z.int(), bytes: z.int() });

const difference = z.object({
  type: z.string(),
  count_before: z.int(),
  count: z.int(),
  bytes_before: z.int(),
  bytes: z.int(),
  /** The objects that are newer than the earlier moment, and how many of them the path leads to. */
  new: z.int().optional(),
  held: z.int().optional(),
  path: z.array(z.string()).readonly().optional(),
  allocated_at: z.string().optional(),
});

const output = resultSchema(['success'], {
  heap_id: z.string().optional(),
  session_id: z.string().optional(),
  program: z.enum(['running', 'stopped']).optional(),
  halted_ms: z.int().optional(),
  total: size.optional(),
  total_before: size.optional(),
  largest: z
    .array(size.extend({ type: z.string() }))
    .readonly()
    .optional(),
  grown: z.array(difference).readonly().optional(),
  shrunk: z.array(difference).readonly().optional(),
  unknown: z.array(z.string()).readonly().optional(),
});

type Result = z.input<typeof output>;

export const compareHeap = defineTool({
  name: 'compare_heap',
  set: 'live',
  effect: 'control',
  title: 'Compare Heaps',
  userDescription: 'Says which objects of a program have become more, and what holds them',
  modelDescription:
    'Find a memory leak in Node or Python. The first call counts the objects by type and returns heap_id. Let the program do its work, then call again with since: types that have grown or shrunk, and for those that have grown the path from a root to the object that holds most of the new ones. The program, running or paused, is halted while its objects are counted.',
  icon: 'graph',
  input: z.strictObject({
    since: z.string().min(1).max(40).optional().describe('heap_id of an earlier call.'),
    max_chars: maxChars,
  }),
  output,
  needs: 'session',
  doing: () => l10n.t('Counting the objects of the program'),
  question: ({ input, target: { session }, services }) => {
    // A call that would fail is not asked about.
    readerFor(session);
    earlier(services, session, input.since);
    const name = runningSession(session, undefined);
    return {
      title: l10n.t('Compare heaps'),
      message: l10n.t(
        'Halt {0} for as long as its objects are counted (a second or more for a large heap), and then let it go on as before',
        name,
      ),
    };
  },
  run: async ({ input, target: { session }, services, call }) => {
    const take = readerFor(session);
    const before = earlier(services, session, input.since);
    const taken = await take(services, session, call, before);
    const { id, dropped } = services.heaps.add(taken.summary);
    for (const { mark } of dropped)
      if ('folder' in mark) await services.scratch.remove(mark.folder);
    const isStopped = services.model.state.sessions.get(session.key)?.lifecycle === 'stopped';
    return success(
      defined({
        heap_id: id,
        session_id: session.id,
        program: isStopped ? ('stopped' as const) : ('running' as const),
        halted_ms: taken.haltedMs,
        ...(before === undefined ? firstReport(taken) : comparison(before, taken)),
      }),
    );
  },
});

/** The ways for the languages whose programs can count their own objects. */
const BY_LANGUAGE = { python: takePythonHeap, javascript: takeNodeHeap } as const;

/** How the heap of a session's program is read. @throws Failure `not_supported` */
function readerFor(session: SessionState): typeof takeNodeHeap {
  const { recorder, name } = adapterOf(session.type);
  if (recorder !== undefined) return BY_LANGUAGE[recorder];
  throw new Failure(
    'not_supported',
    l10n.t('Heaps are compared only in Node and Python programs, not with “{0}”.', name),
    "Count the objects of the suspected types with evaluate_expression or collect_values at two moments, or use the language's own heap profiler: pprof for Go, jcmd <pid> GC.class_histogram for Java.",
    { session_id: session.id },
  );
}

/** The summary with an id. @throws Failure `invalid_input` if there is none of the same program */
function earlier(
  { heaps }: ToolServices,
  session: SessionState,
  id: string | undefined,
): HeapSummary | undefined {
  if (id === undefined) return undefined;
  const summary = heaps.get(id);
  if (summary?.session === session.key) return summary;
  const known = heaps.idsOf(session.key);
  throw new Failure(
    'invalid_input',
    l10n.t('There is no heap “{0}” of this program.', id),
    `since takes the heap_id of an earlier call for the same session${known.length === 0 ? '. Call without since first' : `: ${known.join(', ')}`}. A heap of an earlier run cannot be compared.`,
    { session_id: session.id },
  );
}

function firstReport({ summary, left, unknown }: TakenHeap): Partial<Result> {
  const { types } = summary;
  const hidden = Math.max(0, types.size - MAX_TYPES);
  return defined({
    total: totalOf(types),
    largest: largestTypes(types, MAX_TYPES),
    unknown,
    omitted: notEmpty({ largest: hidden, ...left }),
  });
}

function comparison(before: HeapSummary, taken: TakenHeap): Partial<Result> {
  const { summary, holders, left, unknown } = taken;
  const totals = { total: totalOf(summary.types), total_before: totalOf(before.types) };
  // Different objects were counted.
  if (before.isWhole !== summary.isWhole)
    return {
      ...totals,
      unknown: [
        ...unknown,
        'Not compared: at one of the two moments, the heap was too large to follow its references. Compare with this heap_id later.',
      ],
    };
  const { grown, shrunk } = compareTypes(before.types, summary.types);
  return defined({
    ...totals,
    grown: grown.slice(0, MAX_GROWN).map((each) => {
      const holder = holders.get(each.type);
      const path = holder === undefined || holder.path.length === 0 ? undefined : holder.path;
      return defined({
        ...each,
        new: holder?.fresh,
        held: path === undefined ? undefined : holder?.held,
        path,
        allocated_at: holder?.allocatedAt,
      });
    }),
    shrunk: shrunk.slice(0, MAX_TYPES),
    unknown,
    omitted: notEmpty({
      grown: Math.max(0, grown.length - MAX_GROWN),
      shrunk: Math.max(0, shrunk.length - MAX_TYPES),
      ...left,
    }),
  });
}

function notEmpty(counts: Readonly<Record<string, number>>): Record<string, number> | undefined {
  const entries = Object.entries(counts).filter(([, count]) => count > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
