import path from 'node:path';
import { adapterOf } from '../../../debugger/adapters/registry';
import { noting } from '../../../debugger/inspection/localVariables';
import { readFields } from '../../../debugger/inspection/objectFields';
import { variablesOf, type Variable } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { TracedFunction, Values } from './callModel';
import { evaluated } from './evaluated';
import { mentions } from './executedLine';
import { valuesIn, type ThreadStack } from './threadStack';

type Services = Pick<ToolServices, 'inspector'>;

/** The maximum number of variables that are read. Each one takes a request. */
const MAX_NAMES = 12;
/** The maximum number of variables in a scope that is read at each stop. The debugger reads all of them. */
const MAX_IN_SCOPE = 200;

/** The variables outside of a function that its code may change. */
export interface OutsideVariables {
  readonly names: readonly string[];
  /** The number of others that are not read. */
  readonly leftOut: number;
  /** Adds the variables that the frame of a stop does not show. The debugger only reads them. */
  readonly readAt: (now: ThreadStack) => Promise<ThreadStack>;
}

/**
 * Finds the variables outside of a function that its code may change: those found in its source, or those that the
 * debugger knows.
 * @param entry the beginning of a call
 */
export async function outsideVariables(
  services: Services,
  called: TracedFunction,
  entry: ThreadStack,
  signal: AbortSignal,
): Promise<OutsideVariables> {
  if (called.captured === undefined && adapterOf(entry.session.type).outsideScope !== undefined)
    return await inScope(services, called, entry, signal);
  const found = await namesOutside(services, called, entry, signal);
  const names = found.slice(0, MAX_NAMES);
  return {
    names,
    leftOut: (called.capturedLeftOut ?? 0) + found.length - names.length,
    readAt: (now) => withCaptured(services, names, now, signal),
  };
}

async function namesOutside(
  services: Services,
  { captured }: TracedFunction,
  entry: ThreadStack,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { session, top } = entry;
  const request = adapterOf(session.type).outsideNames;
  if (captured !== undefined || request === undefined || top.path === undefined)
    return captured ?? [];
  const expression = request.expression(top.line, path.basename(top.path));
  return request.read((await evaluated(services, entry, expression, signal, 'repl')) ?? '');
}

/**
 * Adds the variables outside of a function that its frame does not show (DAP `evaluate`).
 * @param names the names of the variables. The debugger only reads them.
 */
export async function withCaptured(
  services: Services,
  names: readonly string[],
  now: ThreadStack,
  signal: AbortSignal,
): Promise<ThreadStack> {
  const { values } = now;
  const missing = names.filter((name) => !values.has(name));
  if (missing.length === 0) return now;
  const read = await Promise.all(
    missing.map(async (expression) => {
      const text = await evaluated(services, now, expression, signal);
      return text === undefined ? [] : [[expression, text] as const];
    }),
  );
  return { ...now, values: new Map([...values, ...read.flat()]) };
}

/** Finds the variables in the adapter's scope of outside variables that the source of a function mentions. */
async function inScope(
  services: Services,
  { source, range }: TracedFunction,
  entry: ThreadStack,
  signal: AbortSignal,
): Promise<OutsideVariables> {
  const lines = range === undefined ? [] : source.slice(range.start - 1, range.end);
  const isMentioned = (name: string): boolean => {
    const own = name.split('::').at(-1) ?? name;
    return lines.some((line) => mentions(line, own));
  };
  const first = await variablesInScope(services, entry, signal).catch(() => []);
  const found = first.filter(({ name }) => isMentioned(name));
  if (first.length > MAX_IN_SCOPE)
    return { names: [], leftOut: found.length, readAt: (now) => Promise.resolve(now) };
  return {
    names: found.map(({ name }) => name),
    leftOut: 0,
    readAt: async (now) => {
      try {
        const all = now === entry ? first : await variablesInScope(services, now, signal);
        const mentioned = all.filter(({ name }) => isMentioned(name));
        const outside = await valuesOf(services, now, mentioned, signal);
        return { ...now, values: new Map([...outside, ...now.values]) };
      } catch {
        // The program has moved, or the call was cancelled, which the next step notices.
        return now;
      }
    },
  };
}

/** Reads the variables in the adapter's scope of outside variables. */
async function variablesInScope(
  { inspector }: Services,
  { session, threadId, top }: ThreadStack,
  signal: AbortSignal,
): Promise<readonly Variable[]> {
  const name = adapterOf(session.type).outsideScope;
  const place = inspector.placeOf(session, threadId);
  const noted = noting([]);
  const read = await inspector.scopes(session, place, top.id, signal).catch(noted);
  const scope = read?.scopes.find((each) => each.name === name);
  if (scope === undefined) return [];
  const all = await inspector
    .variables(session, place, scope.reference, {}, signal, top.id)
    .catch(noted);
  return variablesOf(all ?? []);
}

/** Returns the texts of variables, with the fields of objects. */
async function valuesOf(
  { inspector }: Services,
  { session, threadId, top }: ThreadStack,
  variables: readonly Variable[],
  signal: AbortSignal,
): Promise<Values> {
  const place = inspector.placeOf(session, threadId);
  const found = Promise.resolve(variables);
  const noted = noting([]);
  const objects = await readFields(inspector, session, place, top.id, found, signal, noted);
  const locals = variables.map((variable) => ({
    ...{ variable, hiddenIn: undefined },
    object: objects.get(variable),
  }));
  return valuesIn(session, { variables: locals });
}
