import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { defineTool, success } from '../defineTool';
import { resultSchema, sessionId, stopEventData } from '../schemas';
import { newestStop } from '../targetSession';

/**
 * The full report of the current stop. Agents do not call this tool. MCP clients read it as a resource, through the
 * same pipeline as every call. It is a read-only request, so the output remains unreported for the call that waits for
 * the stop.
 */
export const currentStop = defineTool({
  name: 'current_stop',
  set: 'core',
  effect: 'read',
  title: 'Current Stop',
  userDescription: 'Reads where the program is stopped',
  modelDescription: 'Where the program is stopped now.',
  icon: 'debug-stackframe',
  input: z.strictObject({ session_id: sessionId }),
  output: resultSchema(['stopped', 'success'], { stop_event_data: stopEventData.optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Reading the current stop'),
  run: async ({ input, services, call }) => {
    const found = newestStop(services.model.state, input.session_id);
    if (found === undefined) return success({ message: l10n.t('No program is stopped.') });
    return {
      status: 'stopped' as const,
      stop_event_data: await services.stops.report(
        found.session,
        found.threadId,
        call.signal,
        'readOnly',
      ),
    };
  },
});
