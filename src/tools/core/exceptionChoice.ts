import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { conditionOf, type ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import {
  filterType,
  offered,
  type AvailableFilters,
} from '../../debugger/breakpoints/exceptionFilters';
import { Failure } from '../../results/failure';
import { liveSessions } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { chosenFilters } from '../schemas';
import type { ToolServices } from '../services';

export interface ExceptionInput extends ExceptionChoice {
  readonly type: string | undefined;
}

/** A debug type with its known filters. */
interface Candidate extends AvailableFilters {
  readonly type: string;
}

/** The maximum number of debug types that an error lists. */
const MAX_TYPES = 20;

/**
 * Returns the choice of a call for each debug type. The map is empty if the call disables all filters. Types without
 * any of the filters are omitted, so that their choice does not change.
 * @throws Failure `invalid_input`, `debugger_not_installed`, `not_supported`. Nothing has been changed.
 */
export function choicesFor(
  services: ToolServices,
  input: ExceptionInput,
): ReadonlyMap<string, ExceptionChoice> {
  const { filters, conditions } = input;
  const stray = Object.keys(conditions).find((name) => !filters.includes(name));
  if (stray !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('There is a condition for “{0}”, which is not in filters.', stray),
      'List each filter that has a condition in filters as well. Nothing was changed.',
    );
  if (input.type === undefined && filters.length === 0) return new Map();
  const candidates = candidatesFor(services, input.type);
  const unknown = filters.find((filter) => !candidates.some((type) => has(type, filter)));
  if (unknown !== undefined) throw notOffered(services, candidates, unknown);
  const unconditional = Object.keys(conditions).find(
    (filter) => !candidates.some((type) => has(type, filter, true)),
  );
  if (unconditional !== undefined) throw noConditions(unconditional);
  return new Map(
    candidates.flatMap((candidate) => {
      const choice = choiceFor(candidate, input);
      return choice === undefined ? [] : [[candidate.type, choice] as const];
    }),
  );
}

function noConditions(filter: string): Failure {
  return new Failure(
    'not_supported',
    l10n.t('No debugger with the exception filter “{0}” supports a condition for it.', filter),
    'Leave the condition out; with it, the filter would stop at every exception. Nothing was changed.',
  );
}

/** Returns the call's choice for one type. Returns undefined if the type has none of the call's filters. */
function choiceFor(candidate: Candidate, input: ExceptionInput): ExceptionChoice | undefined {
  const own = input.filters.filter((filter) =>
    has(candidate, filter, conditionOf(input, filter) !== undefined),
  );
  if (own.length === 0 && input.filters.length > 0) return undefined;
  const conditions = own.flatMap((filter) => {
    const condition = conditionOf(input, filter);
    return condition === undefined ? [] : [[filter, condition] as const];
  });
  return { filters: own, conditions: Object.fromEntries(conditions) };
}

function has({ filters }: AvailableFilters, name: string, withCondition = false): boolean {
  return filters.some(
    ({ filter, takesCondition }) => filter === name && (takesCondition || !withCondition),
  );
}

/** Returns the named type, or else the types of running sessions, or else all types whose filters are known. */
function candidatesFor(services: ToolServices, type: string | undefined): readonly Candidate[] {
  if (type !== undefined) return [named(services, type)];
  const running = runningTypes(services);
  return candidatesOf(services, running.length > 0 ? running : installedTypes(services));
}

/** Returns the types of the running sessions. The types of one adapter count as one type. */
function runningTypes({ model }: ToolServices): readonly string[] {
  const answered = liveSessions(model.state).filter(
    (session) => Object.keys(session.capabilities).length > 0,
  );
  return [...new Set(answered.map((session) => filterType(session.type)))];
}

function installedTypes({ workspace }: ToolServices): readonly string[] {
  return [...new Set(workspace.debuggers().map(({ type }) => filterType(type)))];
}

function candidatesOf(
  { exceptions, model }: ToolServices,
  types: readonly string[],
): readonly Candidate[] {
  return types.flatMap((type) => {
    const found = exceptions.filters.of(model.state, type);
    return found === undefined ? [] : [{ type, ...found }];
  });
}

function named(services: ToolServices, type: string): Candidate {
  const [found] = candidatesOf(services, [filterType(type)]);
  if (found !== undefined) return found;
  const installed = installedTypes(services);
  if (!installed.includes(filterType(type))) {
    throw new Failure(
      'debugger_not_installed',
      l10n.t('No installed debugger has the type “{0}”.', type),
      'Use one of installed. Nothing was changed.',
      { installed: installed.slice(0, MAX_TYPES) },
    );
  }
  throw new Failure(
    'not_supported',
    l10n.t(
      'The exception filters of the debugger “{0}” are known only after it has run once.',
      type,
    ),
    'Start a program with it (stop_on_entry), then call again. Nothing was changed.',
  );
}

/**
 * Returns the error for a filter that no candidate has. It names other debuggers that have the filter, because the call
 * may be intended for a later session.
 */
function notOffered(
  services: ToolServices,
  candidates: readonly Candidate[],
  filter: string,
): Failure {
  const available = Object.fromEntries(
    candidates
      .slice(0, MAX_TYPES)
      .map(({ type, filters }) => [type, filters.map((offered) => offered.filter)]),
  );
  const owners = candidatesOf(services, installedTypes(services))
    .filter((candidate) => has(candidate, filter))
    .map((candidate) => candidate.type);
  const unread = installedTypes(services).filter(
    (type) => services.exceptions.filters.of(services.model.state, type) === undefined,
  );
  const message =
    runningTypes(services).length > 0
      ? l10n.t('No running debugger offers the exception filter “{0}”.', filter)
      : l10n.t('No known debugger has the exception filter “{0}”.', filter);
  const elsewhere =
    owners.length > 0 ? ` It is a filter of ${owners.join(', ')}: pass that as type.` : '';
  const untried =
    owners.length === 0 && unread.length > 0
      ? ` The filters of ${unread.slice(0, MAX_TYPES).join(', ')} are known after a session has run.`
      : '';
  return new Failure(
    'not_supported',
    message,
    `Use one of available.${elsewhere}${untried} Nothing was changed.`,
    { available },
  );
}

/**
 * Returns the current choices, even without a running session. The result is empty if every session has its default.
 */
export function chosenView({ exceptions, model }: ToolServices): {
  exception_filters?: z.input<typeof chosenFilters>[];
} {
  const views = exceptions.chosen().map(({ type, session, filters, conditions }) => {
    const running =
      session ??
      liveSessions(model.state).find(
        (live) => type !== undefined && filterType(live.type) === type && offered(live).length > 0,
      );
    const missing = running === undefined ? [] : exceptions.missingIn(running);
    return defined({
      type,
      session_id: session?.id,
      filters,
      conditions: Object.keys(conditions).length > 0 ? conditions : undefined,
      not_offered: missing.length > 0 ? missing : undefined,
    });
  });
  return views.length > 0 ? { exception_filters: views } : {};
}
