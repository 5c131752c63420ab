import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { BoundedRun } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import { Failure } from '../../../results/failure';
import { defineTool } from '../../defineTool';
import { outsideOf, shortPath } from '../../files/files';
import { code, oneLine, wholeCode } from '../../question';
import { filePathText, lineNumber, resultSchema, triggerResult } from '../../schemas';
import type { Call, ToolServices } from '../../services';
import { RunTrigger } from '../../trigger/runTrigger';
import { triggerLines } from '../../trigger/triggerCard';
import { mayChange, sameTriggerInput } from '../../trigger/triggerInput';
import {
  checkStarted,
  debugTypeOf,
  reachFor,
  reachInput,
  reachLines,
  sessionOf,
  withRun,
  type Reach,
} from '../reach';
import { testNotRun } from '../testNotRun';
import { EntryHold } from '../entryHold';
import type { SessionState } from '../../../debugger/state/state';
import { EarlyCall } from './earlyCall';
import { PythonCall } from './pythonCall';
import { EntryBreakpoint, type EntryStrategy, type Reached } from './entry';
import { calleesOf, type Callees } from './callees';
import { ForeignStops } from './foreignStops';
import { PlacesAhead } from './placesAhead';
import { traceArrived, traceCall, type TracePlan } from './traceCall';
import { notReachedResult, tracedResult, type TraceResult } from './traceResult';
import { findTarget, type TraceTarget } from './traceTarget';

const traceInput = {
  function_name: z.string().min(1).max(500).optional(),
  file_path: filePathText.optional(),
  line: lineNumber.optional().describe('Any line in it.'),
  call: z.int().min(1).max(1_000_000).default(1).describe('nth call'),
  condition: z.string().min(1).max(8000).optional(),
  ...reachInput,
  trigger: sameTriggerInput,
  depth: z.int().min(0).max(3).default(0).describe('Levels of callees to trace'),
  max_steps: z.int().min(1).max(100_000).default(2000),
  max_seconds: z.number().min(1).max(300).default(30),
};

type TraceInput = z.output<z.ZodObject<typeof traceInput>>;

/** The share of the result's budget for the lines. The rest of the result is small. */
const PART_OF_LINES = 0.75;

export const traceFunction = defineTool({
  name: 'trace_function',
  set: 'trace',
  effect: 'control',
  title: 'Trace a Function Call',
  userDescription: 'Runs to one call of a function and records what it does',
  modelDescription:
    'Run to one call of a function and report what it did: arguments, each executed line with what it changed, callees, return value or exception. One call instead of many steps.',
  icon: 'list-tree',
  input: z.strictObject(traceInput),
  output: resultSchema(['stopped', 'running', 'completed', 'timeout'], {
    trigger: triggerResult.optional(),
  }),
  evidence: true,
  needs: 'nothing',
  doing: ({ function_name: name, file_path: file, line }) =>
    l10n.t('Tracing {0}', oneLine(name ?? `${path.basename(file ?? '')}:${line ?? ''}`)),
  consent: ({ input: { condition, trigger }, services }) =>
    condition === undefined && !mayChange(services, trigger) ? 'control' : 'change',
  files: ({ file_path: file }) => [file],
  question: async ({ input, services }) => {
    const reach = await reachFor(services, input);
    const lines = [
      ...(await reachLines(services, reach)),
      ...(await planLines(services, input, reach)),
      ...(await triggerLines(services, input.trigger)),
    ];
    return { title: l10n.t('Trace a function call'), message: lines.join('\n- ') };
  },
  run: async ({ input, services, call }) => await trace(services, input, call),
});

/** What the call does besides starting a program, as items of its card. @throws Failure if the call would fail */
async function planLines(
  services: ToolServices,
  input: TraceInput,
  reach: Reach,
): Promise<readonly string[]> {
  return [
    l10n.t('Run to call {0} of {1}', input.call, await namedFunction(services, input, reach)),
    ...(input.condition === undefined
      ? []
      : [
          l10n.t(
            'Only calls that meet this condition, which is evaluated in the program: {0}',
            wholeCode(input.condition),
          ),
        ]),
    recordingLine(input, reach),
    afterLine(input, reach),
  ];
}

/** What the program does after the call. */
function afterLine({ depth }: TraceInput, reach: Reach): string {
  const goesOn = depth === 0 && adapterOf(debugTypeOf(reach)).recorderSeesCalls === true;
  return goesOn
    ? l10n.t(
        'Callees are traced {0} levels deep; then the program stays paused after the call, or goes on if a library has made the call',
        depth,
      )
    : l10n.t(
        'Callees are traced {0} levels deep; then the program stays paused after the call',
        depth,
      );
}

/** How the lines are recorded. The card names a recorder that runs in the program. */
function recordingLine(
  { max_steps: steps, max_seconds: seconds }: TraceInput,
  reach: Reach,
): string {
  return adapterOf(debugTypeOf(reach)).recorder === undefined
    ? l10n.t(
        'Record its lines, variables and calls of other functions by a script in the debugger, logpoints or single steps: at most {0} lines, {1} seconds',
        steps,
        seconds,
      )
    : l10n.t(
        'Record its lines, variables and calls of other functions by code that runs in the program, or single steps: at most {0} lines, {1} seconds',
        steps,
        seconds,
      );
}

/** The function with its place, in Markdown. A file outside the workspace is not read before the person approves. */
async function namedFunction(
  services: ToolServices,
  input: TraceInput,
  reach: Reach,
): Promise<string> {
  const { function_name: name = '', file_path: file, line } = input;
  if ((await outsideOf(services, [file])).length > 0)
    return `${code(name)} (${code(line === undefined ? (file ?? '') : `${file ?? ''}:${line}`)})`;
  const target = await findTarget(services, input, debugTypeOf(reach));
  checkFindable(reach, target);
  if (target.place === undefined) return code(target.name);
  const { path: found, found: lines } = target.place;
  return `${code(target.name)} (${code(`${shortPath(services, found)}:${lines.start}`)})`;
}

/** Some debuggers find a function that is in no source file. @throws Failure `function_not_found` for the others */
function checkFindable(reach: Reach, { place, name }: TraceTarget): void {
  if (place !== undefined) return;
  const isFound =
    reach.kind === 'session'
      ? reach.session.capabilities.supportsFunctionBreakpoints === true
      : adapterOf(debugTypeOf(reach)).recorder !== 'javascript';
  if (isFound) return;
  throw new Failure(
    'function_not_found',
    l10n.t('There is no function {0} in the workspace.', name),
    'Pass file_path and line, or another name. Nothing was started.',
  );
}

async function trace(services: ToolServices, input: TraceInput, call: Call): Promise<TraceResult> {
  const reach = await reachFor(services, input);
  const type = debugTypeOf(reach);
  const target = await findTarget(services, input, type);
  checkFindable(reach, target);
  const trigger = await RunTrigger.prepare(services, input.trigger, sessionOf(reach));
  const seconds = Math.min(input.max_seconds, call.maxWaitSeconds);
  const deadline = performance.now() + seconds * 1000;
  const signal = AbortSignal.any([call.signal, trigger.signal]);
  const limits = { deadline, signal, holder: 'trace_function', seesEntry: true };
  const hold = await EntryHold.of(services, reach, type);
  let started: BoundedRun | undefined;
  const callees = calleesOf(services, input.depth === 0 ? target.place : undefined);
  const options = {
    ...{ type, target, call: input, depth: input.depth, maxSteps: input.max_steps, hold },
    session: sessionOf(reach),
    currentSession: () => sessionOf(reach) ?? started?.sessions[0],
  };
  const early = await EarlyCall.prepare(services, options);
  const python = await PythonCall.prepare(services, { ...options, deadline });
  const configured = { ...limits, configure: early?.configure };
  const whole = async (run: BoundedRun): Promise<TraceResult> => {
    started = run;
    const entry = early ?? python ?? new EntryBreakpoint(services, target, input, type, hold);
    await early?.load(call.signal);
    entry.set(run);
    hold.set();
    const isIncluded = (session: SessionState): boolean => run.includes(session);
    const ahead = new PlacesAhead(services, target.place, isIncluded, call.signal, callees);
    try {
      const result = await traceIn(services, {
        ...{ input, call, reach, target, run, entry, trigger, ahead, callees, deadline },
      });
      const unseen = await testNotRun(services, reach, run, result['reached'] !== undefined);
      return { ...result, ...unseen, ...(await trigger.report(run)) };
    } finally {
      ahead.dispose();
      await entry.dispose();
      hold.dispose();
    }
  };
  try {
    return await withRun(services, call, hold.reach, configured, whole);
  } finally {
    trigger.dispose();
    await early?.dispose();
    await python?.dispose();
  }
}

interface Tracing {
  readonly input: TraceInput;
  readonly call: Call;
  readonly reach: Reach;
  readonly target: TraceTarget;
  readonly run: BoundedRun;
  readonly entry: EntryStrategy;
  readonly trigger: RunTrigger;
  readonly ahead: PlacesAhead;
  readonly callees: Promise<Callees>;
  readonly deadline: number;
}

async function traceIn(services: ToolServices, tracing: Tracing): Promise<TraceResult> {
  const { input, call, target, run, entry, ahead, callees, deadline } = tracing;
  call.progress?.(l10n.t('Waiting for a call of {0}', oneLine(target.name)));
  const foreign = new ForeignStops(services, run);
  const reached = await reachCall(services, tracing, foreign);
  ahead.dispose();
  entry.remove();
  if (reached.kind === 'not') {
    // A call whose condition has failed is shown.
    if (reached.conditionError === undefined) await entry.isGone(undefined, call.signal);
    if (run.state() !== 'running') await run.finish('stayStopped');
    return notReachedResult(services, run, target, reached, {
      condition: input.condition,
      passed: foreign.passed,
    });
  }
  const plan: TracePlan = {
    depth: input.depth,
    maxSteps: input.max_steps,
    deadline,
    signal: call.signal,
    foreign,
    ahead,
    callees,
    ready: entry.isGone(reached.stack.session, call.signal),
    progress: (lines) =>
      call.progress?.(l10n.t('Tracing {0}: {1} lines', oneLine(target.name), lines)),
  };
  const traced =
    reached.kind === 'at'
      ? await traceCall(services, run, target, reached.stack, plan)
      : await traceArrived(services, run, target, reached, plan);
  await plan.ready;
  if (traced.goesOn !== true) await run.finish('stayStopped');
  const firstLine = target.place?.found.start;
  services.recorded.notify({ kind: 'trace', history: traced.history, firstLine });
  return tracedResult(services, run, traced, {
    target,
    call: input.call,
    passed: foreign.passed,
    room: Math.floor(call.maxChars * PART_OF_LINES),
  });
}

/** Runs the program to the call. The end of the trigger ends the wait, unless the call has begun. */
async function reachCall(
  services: ToolServices,
  { call, reach, run, entry, trigger }: Tracing,
  foreign: ForeignStops,
): Promise<Reached> {
  if (trigger.isGiven) await entry.placed(run);
  trigger.arm(run, async () => await entry.hasBegun(run));
  const first = checkStarted(services, reach, run, await entry.first(run));
  const signal = AbortSignal.any([call.signal, trigger.signal]);
  const reached = await entry.reach(run, first, signal, foreign);
  trigger.release();
  const isByTrigger = trigger.isOver && !call.signal.aborted;
  return isByTrigger && reached.kind !== 'at' && reached.endedBy === 'cancelled'
    ? { ...reached, endedBy: 'trigger' }
    : reached;
}
