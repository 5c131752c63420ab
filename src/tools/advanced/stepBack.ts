import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { stoppedThread } from '../core/place';
import { defineTool } from '../defineTool';
import { limitsOf, reportRun } from '../reports/runReport';
import { maxChars, runOutcome, timeoutSeconds } from '../schemas';

const input = z.strictObject({ timeout_seconds: timeoutSeconds, max_chars: maxChars });

export const stepBack = defineTool({
  name: 'step_back',
  set: 'advanced',
  effect: 'control',
  title: 'Step Back',
  userDescription: 'Steps the paused program one line back in time',
  modelDescription: 'Step the paused thread one line back in time and return the stop.',
  icon: 'debug-step-back',
  input,
  output: runOutcome,
  needs: 'thread',
  capability: 'supportsStepBack',
  doing: () => l10n.t('Stepping back'),
  question: async ({ target, services }) => ({
    title: l10n.t('Step back'),
    message: l10n.t('Step back in {0}', await stoppedThread(services, target)),
  }),
  run: async ({ input, target: { session, threadId }, services, call }) => {
    const limits = limitsOf(input.timeout_seconds, call);
    const outcome = await services.control.move(session, threadId, 'stepBack', limits);
    return await reportRun(services, call, session.key, outcome, limits);
  },
});

export const reverseContinue = defineTool({
  name: 'reverse_continue',
  set: 'advanced',
  effect: 'control',
  title: 'Continue in Reverse',
  userDescription: 'Runs the paused program back to the previous stop',
  modelDescription:
    'Run the paused program backwards to the previous breakpoint, or its start, and return the stop.',
  icon: 'debug-reverse-continue',
  input,
  output: runOutcome,
  needs: 'thread',
  capability: 'supportsStepBack',
  doing: () => l10n.t('Running backwards'),
  question: async ({ target, services }) => ({
    title: l10n.t('Run backwards'),
    message: l10n.t('Run backwards from {0}', await stoppedThread(services, target)),
  }),
  run: async ({ input, target: { session, threadId }, services, call }) => {
    const limits = limitsOf(input.timeout_seconds, call);
    const outcome = await services.control.move(session, threadId, 'reverseContinue', limits);
    return await reportRun(services, call, session.key, outcome, limits);
  },
});
