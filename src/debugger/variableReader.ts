import type { VariablesHandle } from './handles';
import type { Inspector } from './inspector';
import type { SessionState } from './state';
import type { Variable } from './stackAndVariables';

/** Which members of a container are wanted. */
export interface MemberQuery {
  readonly start: number;
  readonly count: number;
  readonly filter?: 'indexed' | 'named' | undefined;
  readonly pattern?: RegExp | undefined;
}

export interface MemberPage {
  readonly variables: readonly Variable[];
  /** How many there are that fit, as far as that is known. */
  readonly total: number | undefined;
  /** How many elements were not looked at for a name: a collection is not read whole to find one. */
  readonly unsearched: number;
}

/** A key of a dictionary may be of any length; an agent's pattern may take long on it. */
const MOST_OF_A_NAME = 200;

/** With so many elements a container is never asked for whole. */
const MANY_ELEMENTS = 1000;

/**
 * Reads a page of a container's members: elements first, then the named ones. A large collection is paged by the
 * adapter (DAP `variables`, `filter`, `start`, `count`); what it cannot page, or pages wrongly, is cut here.
 */
export async function readMembers(inspector: Inspector, session: SessionState, handle: VariablesHandle, query: MemberQuery, signal: AbortSignal): Promise<MemberPage> {
  const { start, count, filter, pattern } = query;
  const ask = (paging: { filter?: 'indexed' | 'named'; start?: number; count?: number }): Promise<Variable[]> => inspector.variables(session, handle, handle.reference, paging, signal);
  const indexed = handle.indexedVariables ?? 0;
  const isMany = indexed > MANY_ELEMENTS;

  if (isMany && pattern === undefined && filter !== 'named') {
    const wanted = Math.max(0, Math.min(count, indexed - start));
    const elements = wanted === 0 ? [] : cutToPage(await ask({ filter: 'indexed', start, count: wanted }), start, wanted);
    if (filter === 'indexed' || wanted === count) return { variables: elements, total: filter === 'indexed' ? indexed : indexed + (handle.namedVariables ?? 0), unsearched: 0 };
    const named = (await ask({ filter: 'named' })).filter((each) => !isElement(each.name));
    const from = Math.max(0, start - indexed);
    return { variables: [...elements, ...named.slice(from, from + count - elements.length)], total: indexed + named.length, unsearched: 0 };
  }

  const paged = filter === 'indexed' && pattern === undefined;
  const only = isMany && pattern !== undefined && filter === undefined ? 'named' : filter;
  const read = await ask({ ...(only !== undefined ? { filter: only } : {}), ...(paged ? { start, count } : {}) });
  // Adapters may ignore the filter they were given.
  const fitting = read.filter((each) => (pattern === undefined || pattern.test(each.name.slice(0, MOST_OF_A_NAME))) && (only === undefined || isElement(each.name) === (only === 'indexed')));
  const unsearched = only === filter ? 0 : indexed;
  // More than there can be on the page: the adapter has ignored `start` and `count`.
  const most = handle.indexedVariables === undefined ? count : Math.max(0, Math.min(count, indexed - start));
  if (paged && read.length <= most) return { variables: fitting, total: handle.indexedVariables, unsearched };
  return { variables: fitting.slice(start, start + count), total: fitting.length, unsearched };
}

/** An adapter that ignores `start` and `count` answers with everything. */
function cutToPage(read: readonly Variable[], start: number, count: number): readonly Variable[] {
  return read.length > count ? read.slice(start, start + count) : read;
}

/** Whether a member is an element, by its name. */
function isElement(name: string): boolean {
  return /^\[?\d+\]?$/.test(name);
}
