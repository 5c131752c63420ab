import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { runningSession } from '../core/place';
import { defineTool, success } from '../defineTool';
import {
  maxChars,
  resultFields,
  resultSchema,
  stopEventData,
  triggerResult,
  type RunResult,
} from '../schemas';
import type { Call, ToolServices } from '../services';
import { debugTypeOf, reachFor, type Reach } from '../trace/reach';
import { mayChange } from '../trigger/triggerInput';
import { follow, followInput, followLines, follows, waitSeconds } from './follow';
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

const output = resultSchema(['success', 'stopped', 'completed', 'timeout'], {
  heap_id: z.string().optional(),
  session_id: z.string().optional(),
  program: z.enum(['running', 'stopped', 'ended']).optional(),
  exit_code: z.int().optional(),
  output: resultFields.output.optional(),
  stop_event_data: stopEventData.optional(),
  trigger: triggerResult.optional(),
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

const { test: _, ...followed } = followInput;

const heapInput = z.strictObject({
  ...followed,
  since: z.string().min(1).max(40).optional().describe('heap_id of an earlier call.'),
  max_chars: maxChars,
});

type HeapInput = z.output<typeof heapInput>;

export const compareHeap = defineTool({
  name: 'compare_heap',
  set: 'live',
  effect: 'control',
  title: 'Compare Heaps',
  userDescription: 'Says which objects of a program have become more, and what holds them',
  modelDescription:
    'Find a memory leak in Node or Python. The first call counts the objects by type and returns heap_id. Let the program do its work, then call again with since: types that have grown or shrunk, and for those that have grown the path from a root to the object that holds most of the new ones. The program, running or paused, is halted while its objects are counted. With program or configuration_name, one call does it all: starts it, sends trigger (or waits wait_seconds), counts, does that again, compares, ends it.',
  icon: 'graph',
  input: heapInput,
  output,
  needs: 'nothing',
  doing: () => l10n.t('Counting the objects of the program'),
  consent: ({ input: { trigger }, services }) =>
    mayChange(services, trigger) ? 'change' : 'control',
  question: async ({ input, services }) => {
    const reach = await reachFor(services, input);
    // A call that would fail is not asked about.
    checkHeap(services, input, reach);
    const lines = [...(await followLines(services, input, reach)), ...planLines(input, reach)];
    return { title: l10n.t('Compare heaps'), message: lines.join('\n- ') };
  },
  run: async ({ input, services, call }) => {
    const reach = await reachFor(services, input);
    checkHeap(services, input, reach);
    if (reach.kind === 'session' && !follows(input, reach))
      return await countAgain(services, reach.session, call, input.since);
    const plan = {
      ...{ holder: 'compare_heap', input, reach },
      ...{ keepsPaused: false, untilAnswered: true },
    };
    return await follow(services, call, plan, async ({ session, repeat }): Promise<Counted> => {
      const first = await countAgain(services, session, call, input.since);
      return reach.kind === 'session'
        ? first
        : ((await repeat()) ?? (await countAgain(services, session, call, first.heap_id)));
    });
  },
});

type Counted = Result | RunResult;

/** Counts the objects, and compares them with those of an earlier call. */
async function countAgain(
  services: ToolServices,
  session: SessionState,
  call: Call,
  since: string | undefined,
): Promise<Result> {
  const take = readerFor(session.type, session);
  const before = earlier(services, session, since);
  const taken = await take(services, session, call, before);
  const { id, dropped } = services.heaps.add(taken.summary);
  for (const { mark } of dropped) if ('folder' in mark) await services.scratch.remove(mark.folder);
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
}

/** @throws Failure `not_supported`, `invalid_input` if the heap cannot be read or compared */
function checkHeap(services: ToolServices, { since }: HeapInput, reach: Reach): void {
  if (reach.kind === 'session') {
    readerFor(reach.session.type, reach.session);
    earlier(services, reach.session, since);
    return;
  }
  readerFor(debugTypeOf(reach));
  if (since === undefined) return;
  throw new Failure(
    'invalid_input',
    l10n.t('since cannot be passed with a start.'),
    'A heap of an earlier run cannot be compared. Leave since out: a call that starts the program compares two moments of it. Nothing was started.',
  );
}

/** Returns the lines of the question about the counts, and what becomes of the program. */
function planLines(input: HeapInput, reach: Reach): readonly string[] {
  if (reach.kind === 'session')
    return [
      l10n.t(
        'Halt {0} for as long as its objects are counted (a second or more for a large heap), and then let it go on as before',
        runningSession(reach.session, undefined),
      ),
    ];
  return [
    input.trigger === undefined
      ? l10n.t(
          'Two times, let it run for {0} seconds and halt it for as long as its objects are counted',
          waitSeconds(input),
        )
      : l10n.t(
          'After it was answered, halt the program for as long as its objects are counted. Then do both once more',
        ),
    l10n.t('Then the program is ended'),
  ];
}

/** The ways for the languages whose programs can count their own objects. */
const BY_LANGUAGE = { python: takePythonHeap, javascript: takeNodeHeap } as const;

/** How the heap of a session's program is read. @throws Failure `not_supported` */
function readerFor(type: string, session?: SessionState): typeof takeNodeHeap {
  const { recorder, name } = adapterOf(type);
  if (recorder !== undefined) return BY_LANGUAGE[recorder];
  throw new Failure(
    'not_supported',
    l10n.t('Heaps are compared only in Node and Python programs, not with “{0}”.', name),
    "Count the objects of the suspected types with evaluate_expression or collect_values at two moments, or use the language's own heap profiler: pprof for Go, jcmd <pid> GC.class_histogram for Java.",
    defined({ session_id: session?.id }),
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
