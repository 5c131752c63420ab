import { DebuggerError } from '../debuggerError';
import type { Place } from './handles';
import type { Inspector } from './inspector';
import { readFields, type ObjectFields } from './objectFields';
import {
  expensiveScopes,
  nameOfEntry,
  MOST_OWN_SCOPES,
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
  /** Of an object whose text says nothing of what is in it. */
  readonly object?: ObjectFields | undefined;
}

/** The variables of a function's own scopes, and what of them is not among them. */
export interface LocalVariables {
  /** The scope that stands for all; undefined where there is none. */
  readonly scope: Scope | undefined;
  /** Innermost scope first; a name that an inner scope hides says in which scope it is. */
  readonly variables: readonly LocalVariable[];
  /** Those beyond `MOST_LOCALS`. */
  readonly omitted: number;
  /** Scopes that were not read, because there are too many. */
  readonly omittedScopes: number;
  /** What was not read, because the adapter says that it costs much, and is all that surrounds a place outside of functions. */
  readonly expensive: readonly string[];
  /** Entries that are no variables. */
  readonly unreadable: number;
}

/** More than the largest answer can show. */
const MOST_LOCALS = 2000;

/** What pytest makes of the parts of an `assert`: a name that no program can have. */
const ASSERTION_PART = /^@py_(?:assert|format)\d*$/;

/** What an adapter refused or left unanswered, in words: no reason to withhold the rest. */
export type OnRefusal = (error: unknown) => undefined;

/** Notes refusals, and throws whatever else goes wrong: that the program went on is a reason to withhold all. */
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

/** The same, and the fields of objects whose text says nothing of them: where those cannot be read, the text is all there is. */
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
  // It is waited for with `locals`.
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
  const own = found.slice(0, MOST_OWN_SCOPES);
  const lists = await Promise.all(
    own.map(async (scope) => ({
      scope,
      entries:
        (await inspector
          .variables(session, place, scope.reference, {}, signal, frame.id)
          .catch(refused)) ?? [],
    })),
  );
  const local = own.find((each) => /^locals?\b/i.test(each.name));
  return {
    scope: local ?? own[own.length - 1],
    ...variablesIn(lists),
    omittedScopes: found.length - own.length,
    expensive: local === undefined ? expensiveScopes(scopes) : [],
  };
}

/** The variables of scopes, the innermost first, as far as there is room. */
function variablesIn(
  lists: readonly { readonly scope: Scope; readonly entries: readonly unknown[] }[],
): Pick<LocalVariables, 'variables' | 'omitted' | 'unreadable'> {
  let room = MOST_LOCALS;
  let [omitted, unreadable] = [0, 0];
  const seen = new Set<string>();
  const variables = lists.flatMap(({ scope, entries: all }) => {
    const entries = all.filter((each) => !ASSERTION_PART.test(nameOfEntry(each)));
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
