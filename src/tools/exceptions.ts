import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { offered, takesCondition } from '../debugger/exceptionBreakpoints';
import { Failure } from '../debugger/failure';
import { liveSessions, type SessionState } from '../debugger/state';
import { defineTool, success } from './defineTool';
import { wholeCode } from './question';
import { resultSchema } from './schemas';

const filter = z.object({
  session_id: z.string(),
  filter: z.string(),
  label: z.string(),
  on: z.boolean(),
  by: z.enum(['agent', 'user']).optional(),
  condition: z.string().optional(),
});

export const setExceptionBreakpoints = defineTool({
  name: 'set_exception_breakpoints',
  set: 'core',
  effect: 'control',
  title: 'Set Exception Breakpoints',
  userDescription: 'Chooses at which exceptions the program stops',
  modelDescription: 'Choose the exceptions at which programs stop, by the filters that the debugger offers (such as "uncaught", "raised"); an empty list turns all of the agent\'s off. Without it, uncaught exceptions stop the sessions that an agent starts. Returns the filters there are.',
  icon: 'flame',
  input: z.strictObject({
    filters: z.array(z.string().min(1).max(200)).max(50).describe('Filter names; an empty list for none.'),
    conditions: z.record(z.string(), z.string().min(1).max(10_000)).optional().describe('Condition by filter name, where the debugger supports it.'),
  }),
  output: resultSchema(['success'], { filters: z.array(filter).optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Setting exception breakpoints'),
  consent: ({ input }) => (Object.keys(input.conditions ?? {}).length > 0 ? 'change' : 'control'),
  question: ({ input }) => ({
    title: l10n.t('Set exception breakpoints'),
    message: input.filters.length === 0 ? l10n.t('Stop at no exceptions but your own') : l10n.t('Stop at exceptions: {0}', input.filters.map((each) => wholeCode(input.conditions?.[each] === undefined ? each : `${each}: ${input.conditions[each]}`)).join(', ')),
  }),
  run: async ({ input, services, call }) => {
    const { model, exceptions, inspector } = services;
    const sessions = liveSessions(model.state).filter((session) => offered(session).length > 0);
    const stray = Object.keys(input.conditions ?? {}).find((name) => !input.filters.includes(name));
    if (stray !== undefined) throw new Failure('invalid_input', l10n.t('There is a condition for “{0}”, which is not among the filters.', stray), 'Name each filter that has a condition in filters, too. Nothing was changed.');
    const known = sessions.flatMap((session) => offered(session));
    const unknown = sessions.length === 0 ? undefined : input.filters.find((each) => !known.some((one) => one.filter === each));
    if (unknown !== undefined) {
      throw new Failure('not_supported', l10n.t('No running debugger offers the exception filter “{0}”.', unknown), 'Use one of available. Nothing was changed.', { available: [...new Set(known.map((each) => each.filter))] });
    }
    const unconditional = Object.keys(input.conditions ?? {}).find((name) => sessions.length > 0 && !sessions.some((session) => takesCondition(session, name)));
    if (unconditional !== undefined) {
      throw new Failure('not_supported', l10n.t('No running debugger takes a condition for the exception filter “{0}”.', unconditional), 'Leave the condition out. Nothing was changed.');
    }
    await exceptions.choose({ filters: input.filters, conditions: input.conditions ?? {} }, (session, args) => inspector.send(session, 'setExceptionBreakpoints', args, call.signal));
    // A session that only stands for its children (js-debug) has the same filters as they.
    const running = sessions.filter((session) => session.threads.size > 0 || !sessions.some((other) => other.parentKey === session.key));
    const filters = running.flatMap((session) => rows(session, exceptions.active(session)));
    return success({ ...(sessions.length === 0 ? { message: l10n.t('No debug session is running: it takes effect when one starts.') } : {}), filters });
  },
});

function rows(session: SessionState, active: readonly { filter: string; by: 'agent' | 'user'; condition?: string }[]): z.input<typeof filter>[] {
  return offered(session).map(({ filter: name, label }) => {
    const on = active.find((each) => each.filter === name);
    return { session_id: session.id, filter: name, label, on: on !== undefined, ...(on !== undefined ? { by: on.by } : {}), ...(on?.condition !== undefined ? { condition: on.condition } : {}) };
  });
}
