import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { RunLimits } from '../../control/outcome';
import { asFailure } from '../../results/debuggerFailures';
import type { StopEventData } from '../../results/views/stopEventData';
import { defined } from '../../util/defined';
import { defineTool } from '../defineTool';
import { stoppedThread } from './place';
import { maxChars, runOutcome, timeoutSeconds, type RunResult } from '../schemas';
import type { Call, ToolServices } from '../services';
import type { Targets } from '../target';
import { withTrigger } from '../trigger/triggered';
import { resolveSession } from '../targetSession';
import { limitsOf, reportRun } from '../reports/runReport';

type StepType = 'over' | 'into' | 'out';

const STEPS = { over: 'next', into: 'stepIn', out: 'stepOut' } as const;

const DOING: Readonly<Record<StepType, () => string>> = {
  over: () => l10n.t('Stepping over'),
  into: () => l10n.t('Stepping into'),
  out: () => l10n.t('Stepping out'),
};

const TITLES: Readonly<Record<StepType, () => string>> = {
  over: () => l10n.t('Step over'),
  into: () => l10n.t('Step into'),
  out: () => l10n.t('Step out'),
};

const QUESTIONS: Readonly<Record<StepType, (place: string) => string>> = {
  over: (place) => l10n.t('Step over in {0}', place),
  into: (place) => l10n.t('Step into in {0}', place),
  out: (place) => l10n.t('Step out in {0}', place),
};

export const stepExecution = defineTool({
  name: 'step_execution',
  set: 'core',
  effect: 'control',
  title: 'Step',
  userDescription: 'Steps over, into or out of the current line',
  modelDescription:
    'Step the paused thread: "over" the current line, "into" the function it calls, or "out" of the current function, and wait for the stop. count repeats the step, ending early at anything else than a step, and returns the path: each line and what it changed.',
  icon: 'debug-step-over',
  input: z.strictObject({
    step_type: z.enum(['over', 'into', 'out']),
    count: z.int().min(1).max(100).default(1).describe('Number of steps, 1 to 100.'),
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: runOutcome,
  needs: 'thread',
  doing: ({ step_type: type }) => DOING[type](),
  question: async ({ input, target, services }) => {
    const message = QUESTIONS[input.step_type](await stoppedThread(services, target));
    return {
      title: TITLES[input.step_type](),
      message: input.count > 1 ? l10n.t('{0}, {1} times', message, input.count) : message,
    };
  },
  run: async ({ input, target, services, call }) =>
    await withTrigger(services, {
      ...{ call, limits: limitsOf(input.timeout_seconds, call) },
      trigger: services.triggers.of(target.session),
      session: () => services.model.state.sessions.get(target.session.key),
      run: async (limits) => await step(services, call, input, target, limits),
    }),
});

interface StepInput {
  readonly count: number;
  readonly step_type: StepType;
}

async function step(
  services: ToolServices,
  call: Call,
  input: StepInput,
  target: Targets['thread'],
  limits: RunLimits,
): Promise<RunResult> {
  const command = STEPS[input.step_type];
  const how = input.count === 1 ? 'step' : 'passed';
  const stops: StopEventData[] = [];
  let session = target.session;
  for (let step = 1; ; step += 1) {
    let outcome: RunResult;
    if (input.count > 1) call.progress?.(l10n.t('Stepping, {0} of {1}', step, input.count));
    try {
      const moved = await services.control.move(session, target.threadId, command, limits);
      outcome = await reportRun(services, call, session.key, moved, limits, how);
    } catch (error) {
      return failedStep(error, stops);
    }
    const stop = outcome.stop_event_data;
    if (stop !== undefined) stops.push(stop);
    const isLast = step >= input.count || performance.now() >= limits.deadline;
    if (isLast || stop === undefined || !isStep(outcome, stop, target.threadId))
      return input.count === 1 ? outcome : arrivedBy(services, outcome, stops);
    session = resolveSession(services.model.state, stop.session_id, target.threadId);
  }
}

/** Whether the stop is only the end of the thread's step. */
function isStep(outcome: RunResult, stop: StopEventData, threadId: number): boolean {
  return outcome.status === 'stopped' && stop.reason === 'step' && stop.thread_id === threadId;
}

/** Returns the error of a step, with the path of the previous steps. */
function failedStep(error: unknown, stops: readonly StopEventData[]): RunResult {
  const failure = asFailure(error);
  if (stops.length === 0 || failure === undefined) throw error;
  return {
    ...failure.data,
    status: 'error',
    code: failure.code,
    message: failure.message,
    hint: failure.hint,
    path: pathOf(stops),
  };
}

/** Reports the final stop of a multi-step call in the same way as for a single step, with the path. */
function arrivedBy(
  services: ToolServices,
  outcome: RunResult,
  stops: readonly StopEventData[],
): RunResult {
  const stop = outcome.stop_event_data;
  const arrived =
    stop === undefined ? outcome : { ...outcome, stop_event_data: services.stops.arrived(stop) };
  const isMany = stops.length > 1 || (stops.length === 1 && stop === undefined);
  return isMany ? withPath(arrived, stops) : arrived;
}

/** Returns the last outcome, with the output and the path of all steps. */
function withPath(outcome: RunResult, stops: readonly StopEventData[]): RunResult {
  const earlier = outcome.stop_event_data === undefined ? stops : stops.slice(0, -1);
  const printed = earlier.flatMap((stop) => stop.output ?? []);
  const last = outcome.stop_event_data;
  const path = pathOf(stops);
  if (printed.length === 0) return { ...outcome, path };
  if (last === undefined)
    return { ...outcome, output: [...printed, ...(outcome.output ?? [])], path };
  return {
    ...outcome,
    stop_event_data: { ...last, output: [...printed, ...(last.output ?? [])] },
    path,
  };
}

type PathEntry = NonNullable<RunResult['path']>[number];

/**
 * Returns the line of each step and its changes. File and function are included only if they differ from the previous
 * step.
 */
function pathOf(stops: readonly StopEventData[]): PathEntry[] {
  return stops.map((stop, index): PathEntry => {
    const before = stops[index - 1];
    const functionName = stop.call_stack[0]?.function_name;
    const isOther = before === undefined || before.source?.path !== stop.source?.path;
    return defined({
      line: stop.line,
      file: isOther && stop.source !== null ? stop.source.path : undefined,
      function_name:
        functionName !== undefined && functionName !== before?.call_stack[0]?.function_name
          ? functionName
          : undefined,
      changed:
        stop.changed === undefined
          ? undefined
          : Object.fromEntries(stop.changed.map(({ name, now }) => [name, now])),
    });
  });
}
