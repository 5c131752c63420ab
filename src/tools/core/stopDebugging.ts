import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { rootOf, treeOf } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import type { ComingStart } from '../launch/comingStarts';
import { plain } from '../question';
import { resultSchema, triggerResult } from '../schemas';
import type { ToolServices } from '../services';
import { reportOnce } from '../trigger/triggered';
import { endQuestion } from './endQuestion';

export const stopDebugging = defineTool({
  name: 'stop_debugging',
  set: 'core',
  effect: 'control',
  title: 'Stop Debugging',
  userDescription: 'Ends the debug session',
  modelDescription:
    'End a debug session: a launched program is ended, an attached one is let go. Without session_id, the only session there is.',
  icon: 'debug-stop',
  input: z.strictObject({}),
  output: resultSchema(['success'], {
    session_id: z.string().optional(),
    ended: z.boolean().optional(),
    exit_code: z.int().optional(),
    trigger: triggerResult.optional(),
  }),
  needs: 'sessionOrStart',
  doing: () => l10n.t('Stopping the debug session'),
  question: ({ target, services }) => {
    if ('start' in target)
      return {
        title: l10n.t('Stop debugging'),
        message: l10n.t('Call off the start of {0}', `**${plain(target.start.name)}**`),
      };
    const root = rootOf(services.model.state, target.session);
    return { title: l10n.t('Stop debugging'), message: endQuestion(services, root) };
  },
  run: async ({ target, services, call }) => {
    const { model } = services;
    if ('start' in target) return await calledOff(services, target.start);
    const root = rootOf(model.state, target.session);
    const detach = root.configuration['request'] === 'attach';
    // A session that was never attached has no program that could continue.
    const hasNoProgram = treeOf(model.state, root).every(
      (session) => session.lifecycle === 'starting' && session.threads.size === 0,
    );
    const trigger = services.triggers.of(root);
    const hasEnded = await services.control.end(root, call.signal);
    trigger?.abort();
    await trigger?.settled;
    const exitCode = model.state.sessions.get(root.key)?.exitCode;
    return success(
      defined({
        message: endMessage(hasEnded, detach, hasNoProgram),
        session_id: root.id,
        ended: hasEnded,
        exit_code: exitCode,
        trigger: trigger === undefined ? undefined : reportOnce(services, trigger),
      }),
    );
  },
});

/** Ends a start that has no session yet. VS Code cannot take it back, so its session is ended as soon as there is one. */
async function calledOff(
  { control }: Pick<ToolServices, 'control'>,
  { launching, name }: ComingStart,
): Promise<{ readonly status: 'success'; readonly message: string; readonly ended: false }> {
  await control.endLaunch(launching, false);
  return success({
    message: l10n.t(
      'The start of {0} was called off. It has no debug session yet; one that VS Code makes within a minute is ended at once.',
      name,
    ),
    ended: false as const,
  });
}

function endMessage(hasEnded: boolean, isAttached: boolean, hasNoProgram: boolean): string {
  if (!hasEnded)
    return l10n.t('The request to stop the debug session was sent; it has not ended yet.');
  if (!isAttached) return l10n.t('The debug session has ended.');
  return hasNoProgram
    ? l10n.t('The debug session has ended. It was not attached to a program yet.')
    : l10n.t('Detached. The program is still running.');
}
