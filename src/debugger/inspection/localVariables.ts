import { DebuggerError } from '../debuggerError';
import type { Place } from './handles';
import type { Inspector } from './inspector';
import { readFields, type ObjectFields } from './objectFields';
import {
  expensiveScopes,
  nameOfEntry,
  MAX_OWN_SCOPES,
  ownScopes,
  variablesOf,
  type Frame,
  type Scope,
  type Variable,
} from './stackAndVariables';
import type { SessionState } from '../state/state';

export interface LocalVariable {
  readonly variable: Variable;
  readonly hiddenIn: string | undefined;
  /** The fields of an object whose value does not show them. */
  readonly object?: ObjectFields | undefined;
}

/** The variables of a function's own scopes, and what was omitted. */
export interface LocalVariables {
  /** The scope that represents all of them; undefined if there is none. */
  readonly scope: Scope | undefined;
  /**
   * The variables, innermost scope first. If an inner scope hides a variable, `hiddenIn` names the variable's own
   * scope.
   */
  readonly variables: readonly LocalVariable[];
  /** The number of variables beyond `MAX_LOCALS`. */
  readonly omitted: number;
  /** The number of scopes that were not read because there are too many. */
  readonly omittedScopes: number;
  /** Scopes outside of functions that were not read because the adapter marks them as expensive. */
  readonly expensive: readonly string[];
  /** The number of entries that are not variables. */
  readonly unreadable: number;
}

/** The maximum number of variables. It is more than the largest result can show. */
const MAX_LOCALS = 2000;

/** pytest's variables for the parts of an `assert`. No program can have such a name. */
const ASSERTION_PART = /^@py_(?:assert|format)\d*$/;

/** Handles a request that an adapter refused or did not answer, so that the rest can still be reported. */
export type OnRefusal = (error: unknown) => undefined;

/** Collects refusals and rethrows other errors. If the program has continued in the meantime, nothing is reported. */
export function noting(refusals: DebuggerError[]): OnRefusal {
  return (error) => {
    if (
      !(error instanceof DebuggerError) ||
      (error.problem.kind !== 'adapterRefused' && error.problem.kind !== 'adapterTimeout')
    )
      throw error;
    refusals.push(error);
    return undefined;
  };
}

/**
 * Reads the local variables, and the fields of objects whose value does not show them. If the fields cannot be read,
 * only the value is reported.
 */
export async function readLocalsWithFields(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  frame: Frame,
  signal: AbortSignal,
  refused: OnRefusal,
): Promise<LocalVariables> {
  const locals = readLocals(inspector, session, place, frame, signal, refused);
  const variables = locals.then((read) => read.variables.map((variable) => variable.variable));
  // The rejection is handled together with that of `locals`.
  variables.catch(() => undefined);
  const [read, objects] = await Promise.all([
    locals,
    readFields(inspector, session, place, frame.id, variables, signal, noting([])),
  ]);
  return {
    ...read,
    variables: read.variables.map((variable) => ({
      ...variable,
      object: objects.get(variable.variable),
    })),
  };
}

/** Reads the variables of a frame's function. */
export async function readLocals(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  frame: Frame,
  signal: AbortSignal,
  refused: OnRefusal,
): Promise<LocalVariables> {
  const scopes =
    (await inspector.scopes(session, place, frame.id, signal).catch(refused))?.scopes ?? [];
  const found = ownScopes(scopes);
  const own = found.slice(0, MAX_OWN_SCOPES);
  const lists = await Promise.all(
    own.map(async (scope) => ({
      scope,
      entries:
        (await inspector
          .variables(session, place, scope.reference, {}, signal, frame.id)
          .catch(refused)) ?? [],
    })),
  );
  const local = own.find(({ name }) => /^locals?\b/i.test(name));
  return {
    scope: local ?? own[own.length - 1],
    ...variablesIn(lists),
    omittedScopes: found.length - own.length,
    expensive: local === undefined ? expensiveScopes(scopes) : [],
  };
}

/** The variables of the scopes, innermost first, up to the limit. */
function variablesIn(
  lists: readonly { readonly scope: Scope; readonly entries: readonly unknown[] }[],
): Pick<LocalVariables, 'variables' | 'omitted' | 'unreadable'> {
  let room = MAX_LOCALS;
  let [omitted, unreadable] = [0, 0];
  const seen = new Set<string>();
  const variables = lists.flatMap(({ scope, entries: all }) => {
    const entries = all.filter((entry) => !ASSERTION_PART.test(nameOfEntry(entry)));
    const taken = entries.slice(0, room);
    const read = variablesOf(taken);
    room -= taken.length;
    omitted += entries.length - taken.length;
    unreadable += taken.length - read.length;
    const hidden = read.map((variable) => ({
      variable,
      hiddenIn: seen.has(variable.name) ? scope.name : undefined,
    }));
    for (const { name } of read) seen.add(name);
    return hidden;
  });
  return { variables, omitted, unreadable };
}
