import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { asFailure } from '../../results/debuggerFailures';
import type { StopEventData } from '../../results/views/stopEventData';
import { defineTool } from '../defineTool';
import { stoppedThread } from './place';
import { maxChars, runOutcome, timeoutSeconds, type RunResult } from '../schemas';
import { resolveSession } from '../target';
import { limitsOf, reportRun } from '../reports/runReport';

const STEPS = { over: 'next', into: 'stepIn', out: 'stepOut' } as const;

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
    count: z.int().min(1).max(100).default(1).describe('How many steps, 1 to 100.'),
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: runOutcome,
  needs: 'thread',
  doing: ({ step_type: type }) =>
    type === 'over'
      ? l10n.t('Stepping over')
      : type === 'into'
        ? l10n.t('Stepping into')
        : l10n.t('Stepping out'),
  question: async ({ input, target, services }) => {
    const where = await stoppedThread(services, target);
    const title =
      input.step_type === 'over'
        ? l10n.t('Step over')
        : input.step_type === 'into'
          ? l10n.t('Step into')
          : l10n.t('Step out');
    const message =
      input.step_type === 'over'
        ? l10n.t('Step over in {0}', where)
        : input.step_type === 'into'
          ? l10n.t('Step into in {0}', where)
          : l10n.t('Step out in {0}', where);
    return {
      title,
      message: input.count > 1 ? l10n.t('{0}, {1} times', message, input.count) : message,
    };
  },
  run: async ({ input, target, services, call }) => {
    const limits = limitsOf(input.timeout_seconds, call);
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
        // The steps that were made are told, too.
        const failure = asFailure(error);
        if (stops.length === 0 || failure === undefined) throw error;
        return {
          ...failure.data,
          status: 'error' as const,
          code: failure.code,
          message: failure.message,
          hint: failure.hint,
          path: pathOf(stops),
        };
      }
      const stop = outcome.stop_event_data;
      if (stop !== undefined) stops.push(stop);
      if (
        step >= input.count ||
        performance.now() >= limits.deadline ||
        outcome.status !== 'stopped' ||
        stop?.reason !== 'step' ||
        stop.thread_id !== target.threadId
      ) {
        const arrived =
          stop === undefined || input.count === 1
            ? outcome
            : { ...outcome, stop_event_data: services.stops.arrived(stop) };
        return stops.length > 1 || (stops.length === 1 && stop === undefined)
          ? withPath(arrived, stops)
          : arrived;
      }
      session = resolveSession(services.model.state, stop.session_id, target.threadId);
    }
  },
});

/** The last outcome, with what was printed on the way and where it led. */
function withPath(outcome: RunResult, stops: readonly StopEventData[]): RunResult {
  const earlier = outcome.stop_event_data === undefined ? stops : stops.slice(0, -1);
  const printed = earlier.flatMap((each) => each.output ?? []);
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

/** Where each step led and what it changed; file and function only where they are others than before. */
function pathOf(stops: readonly StopEventData[]): PathEntry[] {
  return stops.map((stop, index): PathEntry => {
    const before = stops[index - 1];
    const functionName = stop.call_stack[0]?.function_name;
    const isOther = before === undefined || before.source?.path !== stop.source?.path;
    return {
      line: stop.line,
      ...(isOther && stop.source !== null ? { file: stop.source.path } : {}),
      ...(functionName !== undefined && functionName !== before?.call_stack[0]?.function_name
        ? { function_name: functionName }
        : {}),
      ...(stop.changed !== undefined
        ? { changed: Object.fromEntries(stop.changed.map((each) => [each.name, each.now])) }
        : {}),
    };
  });
}
