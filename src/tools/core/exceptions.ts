import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { listed } from '../../results/listing';
import type { OfferedFilter } from '../../debugger/adapters/adapter';
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
    .describe('Filter names; an empty list for none. Left out: the default again.'),
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
      "Debug type to choose for. Default: the running sessions'; else all with these filters.",
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
    'Choose the exceptions at which programs stop, by the filters that the debugger offers (such as "uncaught", "raised"); an empty list turns all of the agent\'s off. Without it, uncaught exceptions (in tests, failed assertions) stop the sessions that an agent starts. Returns the filters there are.',
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
      (input.filters ?? []).map((each) => {
        const condition = input.conditions?.[each];
        return wholeCode(condition === undefined ? each : `${each}: ${condition}`);
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
    // A session that only stands for its children (js-debug) has the same filters as they.
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
            ? l10n.t('No debug session is running: it takes effect when one starts.')
            : undefined,
        hint,
        filters,
      }),
    );
  },
});

/** The filters that are on, as `session filter`. */
function switchedOn({ exceptions, model }: ToolServices): ReadonlySet<string> {
  return new Set(
    liveSessions(model.state).flatMap((session) =>
      exceptions.active(session).map((each) => `${session.key} ${each.filter}`),
    ),
  );
}

/** debugpy's filters that look at every frame which an exception leaves: it traces only frames that are entered while they are on. */
const BY_FRAME: ReadonlySet<string> = new Set(['raised', 'userUnhandled']);

/** Says when a filter starts to count, where that is not at once. */
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
      .filter((each) => BY_FRAME.has(each.filter) && !before.has(`${session.key} ${each.filter}`)),
  );
  if (added.length === 0) return undefined;
  const names = [...new Set(added.map((each) => each.filter))].join(', ');
  return `debugpy applies ${names} only to functions entered from now on, not to those that are running; to have it for all, start again.`;
}

function rowsOf({ exceptions }: ToolServices, session: SessionState): Row[] {
  const active = new Map(exceptions.active(session).map((each) => [each.filter, each]));
  return offered(session).map((each) => {
    const on = active.get(each.filter);
    return defined({
      session_id: session.id,
      from: 'session',
      ...named(each),
      on: on !== undefined,
      by: on?.by,
      condition: on?.condition,
    });
  });
}

/** The filters of a type that no session runs with. */
function rowsFor(
  { exceptions, model }: ToolServices,
  type: string,
  choice: ExceptionChoice,
): Row[] {
  const known = exceptions.known.of(model.state, type);
  return (known?.filters ?? []).map((each) => {
    const condition = conditionOf(choice, each.filter);
    return defined({
      type,
      from: known?.from === 'lastSession' ? 'last_session' : (known?.from ?? 'table'),
      ...named(each),
      on: choice.filters.includes(each.filter),
      condition,
    });
  });
}

/** A label that only says the name again is left out. */
function named({ filter, label }: OfferedFilter): { filter: string; label?: string } {
  return label.toLowerCase().startsWith(filter.toLowerCase()) ? { filter } : { filter, label };
}
