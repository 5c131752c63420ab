import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { AtEnd, BoundedRun } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { SessionState } from '../../../debugger/state/state';
import { syntaxError } from '../../../recording/recordingPlan';
import type { PreparedScript } from '../../../recording/recordings';
import { Failure } from '../../../results/failure';
import { defineTool } from '../../defineTool';
import { resultSchema, triggerResult } from '../../schemas';
import type { Call, ToolServices } from '../../services';
import { triggerLines } from '../../trigger/triggerCard';
import { mayChange, sameTriggerInput, type ReadTrigger } from '../../trigger/triggerInput';
import { RunTrigger } from '../../trigger/runTrigger';
import {
  debugTypeOf,
  reachFor,
  reachInput,
  reachLines,
  sessionOf,
  withRun,
  type Reach,
  type ReachLimits,
} from '../reach';
import { testNotRun } from '../testNotRun';
import { EntryHold } from '../entryHold';
import { collect, stopsOf, type Collected } from './collectRun';
import { canLog } from './logpointCollector';
import { probeLimits, type ProbeOptions } from './scriptCollector';
import { collectResult, type CollectResult } from './collectResult';
import type { Collection, CollectionStart } from './collections';
import { ExceptionWatch } from './exceptionWatch';
import { ProbeLines } from './probeLines';
import { mayRunCode, probeInput, probeLine, resolveProbes, type Probe } from './probes';

const AT_END = ['stop_program', 'stay_stopped', 'continue'] as const;

const collectInput = z.strictObject({
  probes: z.array(probeInput).max(20).default([]),
  exceptions: z
    .boolean()
    .optional()
    .describe('Also each exception thrown, even a handled one. Needs no probes.'),
  ...reachInput,
  trigger: sameTriggerInput,
  max_hits: z.int().min(1).max(100_000).default(200),
  max_seconds: z.number().min(1).max(300).default(30),
  keep: z.enum(['all', 'changes', 'first', 'last']).default('all'),
  /** By default, a program that the call starts is ended, and any other program continues. */
  at_end: z.enum(AT_END).optional(),
  compare_with: z.string().max(20).optional().describe('collection_id of the same probes.'),
});

type CollectInput = z.output<typeof collectInput>;

export const collectValues = defineTool({
  name: 'collect_values',
  set: 'trace',
  effect: 'control',
  title: 'Collect Values',
  userDescription: 'Collects values at lines of a running program in a table',
  modelDescription:
    'Collect values of expressions at every hit of lines or functions, without stopping, or every exception, even a swallowed one; check claims (expect); compare runs. Prefer it to stepping.',
  icon: 'table',
  input: collectInput,
  output: resultSchema(['stopped', 'completed', 'timeout'], {
    trigger: triggerResult.optional(),
  }),
  evidence: true,
  needs: 'nothing',
  doing: () => l10n.t('Collecting values'),
  consent: ({ input: { probes, trigger }, services }) =>
    probes.some(mayRunCode) || mayChange(services, trigger) ? 'change' : 'control',
  files: ({ probes }) => probes.map((probe) => probe.file_path),
  question: async ({ input, services }) => {
    checkProbes(input);
    comparedWith(services, input);
    const reach = await reachFor(services, input);
    watchFor(services, input, reach);
    const lines = [
      ...(await reachLines(services, reach)),
      ...(await planLines(services, input, reach)),
      ...(await triggerLines(services, input.trigger)),
    ];
    return { title: l10n.t('Collect values'), message: lines.join('\n- ') };
  },
  run: async ({ input, services, call }) => await run(services, input, call),
});

/** Returns the items of the confirmation card other than the start of the program. Items that run code come first. */
async function planLines(
  services: ToolServices,
  input: CollectInput,
  reach: Reach,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const probe of input.probes)
    lines.push(await probeLine(services, probe, debugTypeOf(reach)));
  return [
    ...lines,
    ...(lines.length === 0
      ? []
      : [
          l10n.t(
            'These expressions are evaluated in the program, by recording code that is added to it, by a script in the debugger, by logpoints, or by stopping there: at most {0} times, within {1} seconds',
            input.max_hits,
            input.max_seconds,
          ),
        ]),
    ...(input.exceptions === true
      ? [
          l10n.t(
            'The program is paused briefly at each exception that it throws, also at a handled one, to read its type, message and place: within {0} seconds',
            input.max_seconds,
          ),
        ]
      : []),
    atEndLine(atEndOf(input, reach)),
  ];
}

function atEndLine(atEnd: AtEnd): string {
  if (atEnd === 'stopProgram') return l10n.t('Then the program is ended');
  return atEnd === 'stayStopped'
    ? l10n.t('Then the program stays paused')
    : l10n.t('Then the program continues');
}

function atEndOf({ at_end: atEnd }: CollectInput, reach: Reach): AtEnd {
  switch (atEnd) {
    case undefined:
      return reach.kind === 'launch' ? 'stopProgram' : 'continue';
    case 'stop_program':
      return 'stopProgram';
    case 'stay_stopped':
      return 'stayStopped';
    case 'continue':
      return 'continue';
  }
}

async function run(
  services: ToolServices,
  input: CollectInput,
  call: Call,
): Promise<CollectResult> {
  checkProbes(input);
  const compared = comparedWith(services, input);
  const reach = await reachFor(services, input);
  const type = debugTypeOf(reach);
  const watch = watchFor(services, input, reach);
  const probes = await resolveProbes(services, input.probes, type);
  checkExpressions(probes, type);
  const lines = await ProbeLines.of(services, probes);
  const trigger = await RunTrigger.prepare(services, input.trigger, sessionOf(reach));
  const enough = new AbortController();
  const seconds = Math.min(input.max_seconds, call.maxWaitSeconds);
  const limits = {
    deadline: performance.now() + seconds * 1000,
    signal: AbortSignal.any([call.signal, enough.signal, trigger.signal]),
    holder: 'collect_values',
    // At the entry stop, the debugger may not have set the probes yet.
    seesEntry: true,
  };
  const hold = await holdFor(services, reach, type, probes);
  const atEnd = atEndOf(input, reach);
  let started: BoundedRun | undefined;
  const prepared = await prepareScript(services, reach, type, {
    ...{ probes, maxHits: input.max_hits, ...stopsOf(atEnd) },
    session: () => sessionOf(reach) ?? started?.sessions[0],
  });
  const configured = { ...limits, configure: configureFor(type, watch, prepared) };
  try {
    return await withRun(services, call, hold.reach, configured, async (bounded) => {
      started = bounded;
      const collected = await collect({
        ...{ services, call, reach, hold, run: bounded, trigger, probes, type, atEnd, enough },
        ...{ watch, prepared: prepared?.recording },
        ...{ maxHits: input.max_hits, deadline: limits.deadline },
      });
      const ended = { reach, run: bounded, collected, probes, trigger, lines };
      const shown = { keep: input.keep, maxChars: call.maxChars, compared, watch };
      return await resultAtEnd(services, input.max_hits, ended, shown);
    });
  } finally {
    trigger.dispose();
    await prepared?.recording.dispose();
  }
}

interface Ended {
  readonly reach: Reach;
  readonly run: BoundedRun;
  readonly collected: Collected;
  readonly probes: readonly Probe[];
  readonly trigger: RunTrigger;
  readonly lines: ProbeLines;
}

/** Keeps the hits and returns the result, with what became of the trigger and of the test. */
async function resultAtEnd(
  services: ToolServices,
  maxHits: number,
  { reach, run: bounded, collected, probes, trigger, lines }: Ended,
  shown: Omit<Parameters<typeof collectResult>[4], 'edited'>,
): Promise<CollectResult> {
  const start = startOf(trigger.given, reach);
  const collection = keep(services, probes, collected, maxHits, start);
  const edited = await lines.changed();
  const result = await collectResult(services, bounded, collected, collection, {
    ...shown,
    edited,
  });
  const isUnseen = collected.collector.hits.length === 0;
  const unseen = await testNotRun(services, reach, bounded, isUnseen);
  return { ...result, ...unseen, ...(await trigger.report(bounded)) };
}

/** Without probes, nothing has to be set before the program starts. */
async function holdFor(
  services: ToolServices,
  reach: Reach,
  type: string,
  probes: readonly Probe[],
): Promise<EntryHold> {
  if (probes.length === 0) return EntryHold.none(services, reach);
  const files = new Set(probes.map((probe) => probe.path));
  return await EntryHold.of(services, reach, type, [...files]);
}

/** Keeps the hits, for a comparison with a later call. @returns undefined without probes */
function keep(
  { collections }: ToolServices,
  probes: readonly Probe[],
  { collector, endedBy }: Collected,
  maxHits: number,
  start: CollectionStart | undefined,
): Collection | undefined {
  if (probes.length === 0) return undefined;
  const isCut = endedBy !== 'program_end' && endedBy !== 'exception';
  return collections.add(probes, collector.hits.slice(0, maxHits), isCut, start);
}

/** The start of a program that a further run can repeat: nothing but that and the trigger leads to the hits. */
function startOf(trigger: ReadTrigger | undefined, reach: Reach): CollectionStart | undefined {
  if (reach.kind !== 'launch' || reach.test !== undefined) return undefined;
  return { plan: reach.plan, type: debugTypeOf(reach), trigger };
}

/** Returns what changes the configuration that is started. */
function configureFor(
  type: string,
  watch: ExceptionWatch | undefined,
  prepared: PreparedScript | undefined,
): ReachLimits['configure'] {
  const { forTests } = adapterOf(type);
  if (watch === undefined || forTests === undefined) return prepared?.configure;
  // As in tests, the debugger has to stop where a library of the runtime throws.
  return (configuration) => {
    const whole = { ...configuration, ...forTests(configuration) };
    return prepared?.configure(whole) ?? whole;
  };
}

/**
 * Prepares the script that collects in the debugger. A stopped program loads it when the call begins, and a started one
 * before it begins. Returns undefined if the values are collected in another way.
 */
async function prepareScript(
  services: ToolServices,
  reach: Reach,
  type: string,
  options: ProbeOptions & { readonly session: () => SessionState | undefined },
): Promise<PreparedScript | undefined> {
  if (options.probes.length === 0) return undefined;
  if (adapterOf(type).recorder !== undefined || canLog({ ...options, type })) return undefined;
  if (reach.kind === 'session' && reach.session.lifecycle !== 'stopped') return undefined;
  return await services.recordings.prepareProbes(type, options.session, probeLimits(options));
}

/** @throws Failure if there is nothing to collect, or nothing to compare */
function checkProbes({ probes, exceptions, compare_with: compared }: CollectInput): void {
  if (probes.length > 0 || (exceptions === true && compared === undefined)) return;
  throw new Failure(
    'invalid_input',
    l10n.t('Without probes, there is nothing to collect or to compare.'),
    'Pass probes, or exceptions: true without compare_with. Nothing was started.',
  );
}

/** @throws Failure if the debugger cannot stop at every exception */
function watchFor(
  services: ToolServices,
  { exceptions, max_hits: most }: CollectInput,
  reach: Reach,
): ExceptionWatch | undefined {
  return exceptions === true
    ? ExceptionWatch.prepare(services, debugTypeOf(reach), most)
    : undefined;
}

/** Returns the collection to compare with. @throws Failure if no collection has that id, or if its probes differ */
function comparedWith(
  { collections }: ToolServices,
  { compare_with: id, probes }: CollectInput,
): Collection | undefined {
  if (id === undefined) return undefined;
  const found = collections.get(id);
  if (found === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('There is no collection {0}.', id),
      `compare_with takes the collection_id of an earlier result in this window${collections.ids().length === 0 ? '' : `: ${collections.ids().join(', ')}`}. Nothing was started.`,
    );
  const same =
    found.probes.length === probes.length &&
    found.probes.every(
      (probe, index) =>
        JSON.stringify(probe.expressions) === JSON.stringify(probes[index]?.expressions ?? []),
    );
  if (same) return found;
  throw new Failure(
    'invalid_input',
    l10n.t('The collection {0} has other probes.', id),
    'Pass the same probes in the same order, with the same expressions. Their lines may differ. Nothing was started.',
    { expressions: found.probes.map((probe) => probe.expressions) },
  );
}

/**
 * Checks the syntax of all expressions. One expression with a syntax error would disable all others on its line.
 * @throws Failure if an expression has a syntax error
 */
function checkExpressions(probes: readonly Probe[], type: string): void {
  if (adapterOf(type).recorder !== 'javascript') return;
  for (const { expressions, condition, expect } of probes)
    for (const expression of [...expressions, condition, expect]) {
      const wrong = expression === undefined ? undefined : syntaxError(expression);
      if (expression === undefined || wrong === undefined) continue;
      throw new Failure(
        'invalid_input',
        l10n.t('{0} is not a JavaScript expression: {1}', expression, wrong),
        'Pass an expression without types or statements. Nothing was started.',
      );
    }
}
