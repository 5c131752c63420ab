import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { listed } from '../../results/listing';
import type { OfferedFilter } from '../../debugger/adapters/adapterParts';
import { adapterOf } from '../../debugger/adapters/registry';
import { conditionOf, type ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import { filterType, offered } from '../../debugger/breakpoints/exceptionFilters';
import { liveSessions, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { choicesFor, type ExceptionInput } from './exceptionChoice';
import { wholeCode } from '../question';
import { resultSchema } from '../schemas';
import type { ToolServices } from '../services';

const filter = z.object({
  session_id: z.string().optional(),
  type: z.string().optional(),
  from: z.enum(['session', 'last_session', 'table']),
  filter: z.string(),
  label: z.string().optional(),
  on: z.boolean(),
  by: z.enum(['agent', 'user']).optional(),
  condition: z.string().optional(),
});

type Row = z.input<typeof filter>;

const exceptionInput = z.strictObject({
  filters: z
    .array(z.string().min(1).max(200))
    .max(50)
    .optional()
    .describe('Filter names; an empty list for none. Omit to reset to the default.'),
  conditions: z
    .record(z.string(), z.string().min(1).max(10_000))
    .optional()
    .describe('Condition by filter name, where the debugger supports it.'),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Debug type to choose for. Default: that of the running sessions, otherwise all with these filters.',
    ),
});

type Input = z.output<typeof exceptionInput>;

const choiceIn = ({ filters = [], conditions = {}, type }: Input): ExceptionInput => ({
  filters: [...new Set(filters)],
  conditions,
  type,
});

export const setExceptionBreakpoints = defineTool({
  name: 'set_exception_breakpoints',
  set: 'core',
  effect: 'control',
  title: 'Set Exception Breakpoints',
  userDescription: 'Chooses at which exceptions the program stops',
  modelDescription:
    'Choose the exceptions at which programs stop, by the filters that the debugger offers (such as "uncaught", "raised"); an empty list turns all of the agent\'s off. By default, uncaught exceptions (in tests, failed assertions) stop the sessions that an agent starts. Returns the available filters.',
  icon: 'flame',
  input: exceptionInput,
  output: resultSchema(['success'], { filters: z.array(filter).optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Setting exception breakpoints'),
  consent: ({ input }) => (Object.keys(input.conditions ?? {}).length > 0 ? 'change' : 'control'),
  question: ({ input, services }) => {
    const choices = choicesFor(services, choiceIn(input));
    const types = listed([...choices.keys()].map((type) => wholeCode(type)));
    const filters = listed(
      (input.filters ?? []).map((name) => {
        const condition = input.conditions?.[name];
        return wholeCode(condition === undefined ? name : `${name}: ${condition}`);
      }),
    );
    const title = l10n.t('Set exception breakpoints');
    if (input.filters === undefined)
      return {
        title,
        message:
          types === ''
            ? l10n.t('Stop at exceptions by default again')
            : l10n.t('Stop at exceptions of {0} by default again', types),
      };
    const nothing =
      types === ''
        ? l10n.t('Stop at no exceptions but your own')
        : l10n.t('Stop at no exceptions of {0} but your own', types);
    return {
      title,
      message: filters === '' ? nothing : l10n.t('Stop at exceptions of {0}: {1}', types, filters),
    };
  },
  run: async ({ input, services, call }) => {
    const { exceptions, inspector, model } = services;
    const choices = choicesFor(services, choiceIn(input));
    const before = switchedOn(services);
    const ask = async (session: SessionState, args: object): Promise<unknown> =>
      await inspector.send(session, 'setExceptionBreakpoints', args, call.signal);
    if (input.filters === undefined) await exceptions.returnToDefault(input.type, ask);
    else if (input.type === undefined && input.filters.length === 0)
      await exceptions.chooseNone(ask);
    else await exceptions.choose(choices, ask);
    const sessions = liveSessions(model.state).filter((session) => offered(session).length > 0);
    // A parent session without threads (js-debug) has the same filters as its children.
    const running = sessions.filter(
      (session) =>
        session.threads.size > 0 || !sessions.some((other) => other.parentKey === session.key),
    );
    const later = [...choices.keys()].filter(
      (type) => !running.some((session) => filterType(session.type) === type),
    );
    const filters = [
      ...running.flatMap((session) => rowsOf(services, session)),
      ...later.flatMap((type) =>
        rowsFor(services, type, choices.get(type) ?? { filters: [], conditions: {} }),
      ),
    ];
    const hint = aboutFramesThatRun(services, before);
    return success(
      defined({
        message:
          liveSessions(model.state).length === 0
            ? l10n.t('No debug session is running. It takes effect when one starts.')
            : undefined,
        hint,
        filters,
      }),
    );
  },
});

/** Returns the enabled filters, in the form `session filter`. */
function switchedOn({ exceptions, model }: ToolServices): ReadonlySet<string> {
  return new Set(
    liveSessions(model.state).flatMap((session) =>
      exceptions.active(session).map(({ filter }) => `${session.key} ${filter}`),
    ),
  );
}

/**
 * The debugpy filters that check every frame that an exception leaves. debugpy traces only frames that are entered
 * while these filters are enabled.
 */
const BY_FRAME: ReadonlySet<string> = new Set(['raised', 'userUnhandled']);

/** Returns a hint if a filter does not take effect immediately. */
function aboutFramesThatRun(
  { exceptions, model }: ToolServices,
  before: ReadonlySet<string>,
): string | undefined {
  const sessions = liveSessions(model.state).filter(
    (session) => adapterOf(session.type).appliesFiltersLate === true && session.threads.size > 0,
  );
  const added = sessions.flatMap((session) =>
    exceptions
      .active(session)
      .filter(({ filter }) => BY_FRAME.has(filter) && !before.has(`${session.key} ${filter}`)),
  );
  if (added.length === 0) return undefined;
  const names = [...new Set(added.map(({ filter }) => filter))].join(', ');
  return `debugpy applies ${names} only to functions that are entered from now on, not to those that are running. To apply it to all, start again.`;
}

function rowsOf({ exceptions }: ToolServices, session: SessionState): Row[] {
  const active = new Map(exceptions.active(session).map((entry) => [entry.filter, entry]));
  return offered(session).map((filter) => {
    const on = active.get(filter.filter);
    return defined({
      session_id: session.id,
      from: 'session',
      ...named(filter),
      on: on !== undefined,
      by: on?.by,
      condition: on?.condition,
    });
  });
}

/** Returns the filters of a type without a running session. */
function rowsFor(
  { exceptions, model }: ToolServices,
  type: string,
  choice: ExceptionChoice,
): Row[] {
  const cached = exceptions.filters.of(model.state, type);
  return (cached?.filters ?? []).map((filter) => {
    const condition = conditionOf(choice, filter.filter);
    return defined({
      type,
      from: cached?.from === 'lastSession' ? 'last_session' : (cached?.from ?? 'table'),
      ...named(filter),
      on: choice.filters.includes(filter.filter),
      condition,
    });
  });
}

/** Returns the name and label of a filter. A label that only repeats the name is omitted. */
function named({ filter, label }: OfferedFilter): { filter: string; label?: string } {
  return label.toLowerCase().startsWith(filter.toLowerCase()) ? { filter } : { filter, label };
}
