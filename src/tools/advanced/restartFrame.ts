import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { nameOfFrame } from '../core/place';
import { defineTool } from '../defineTool';
import { limitsOf, reportRun } from '../reports/runReport';
import { maxChars, runOutcome, timeoutSeconds } from '../schemas';

export const restartFrame = defineTool({
  name: 'restart_frame',
  set: 'advanced',
  effect: 'control',
  title: 'Restart Frame',
  userDescription: 'Runs the function of a stack frame again from its start',
  modelDescription:
    'Take the program back to the start of the function of a frame. What it has changed stays changed.',
  icon: 'debug-restart-frame',
  input: z.strictObject({ timeout_seconds: timeoutSeconds, max_chars: maxChars }),
  output: runOutcome,
  needs: 'frame',
  capability: 'supportsRestartFrame',
  doing: () => l10n.t('Restarting a frame'),
  question: ({ target: { session, frame } }) => ({
    title: l10n.t('Restart frame'),
    message: l10n.t('Go back to the start of {0}', nameOfFrame(session, frame)),
  }),
  run: async ({ input, target: { session, frame }, services, call }) => {
    const limits = limitsOf(input.timeout_seconds, call);
    const outcome = await services.control.moveBy(
      session,
      frame.threadId,
      { command: 'restartFrame', args: { frameId: frame.frameId } },
      limits,
    );
    return await reportRun(services, call, session.key, outcome, limits);
  },
});
