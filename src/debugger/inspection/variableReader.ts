import type { VariablesHandle } from './handles';
import type { Inspector } from './inspector';
import type { SessionState } from '../state/state';
import type { TextTest } from '../texts';
import { defined } from '../../util/defined';
import { nameOfEntry, variablesOf, type Variable } from './stackAndVariables';

/** The requested members of a container. */
export interface MemberQuery {
  readonly start: number;
  readonly count: number;
  readonly filter?: 'indexed' | 'named' | undefined;
  readonly pattern?: TextTest | undefined;
}

export interface MemberPage {
  readonly variables: readonly Variable[];
  /** The number of matching members, as far as the adapter reports them. */
  readonly total: number;
  /** The index at which the next page begins; undefined at the end. */
  readonly next: number | undefined;
  /** The number of elements whose names were not searched. Large collections are not read completely for a search. */
  readonly unsearched: number;
  /** The number of entries in the page that are not members. */
  readonly unreadable: number;
  /** The number of members from `start` on that the adapter announced but did not send. */
  readonly missing: number;
  /**
   * The variable that contains the following members. debugpy shows 100 elements of a list and the others under “more”.
   */
  readonly rest?: Variable | undefined;
}

/** The number of characters of a name that are matched. A dictionary key may have any length. */
const MAX_MATCHED_CHARACTERS = 200;

/** The number of elements above which a container is never requested completely. */
const MANY_ELEMENTS = 1000;

type RequestPage = (paging: {
  filter?: 'indexed' | 'named';
  start?: number;
  count?: number;
}) => Promise<readonly unknown[]>;

/**
 * Reads a page of a container's members: elements first, then named members. The adapter pages large collections (DAP
 * `variables`, `filter`, `start`, `count`). If it does not page, or pages incorrectly, the page is cut here. Only the
 * names of entries beyond the page are read.
 */
export async function readMembers(
  inspector: Inspector,
  session: SessionState,
  handle: VariablesHandle,
  query: MemberQuery,
  signal: AbortSignal,
): Promise<MemberPage> {
  const request: RequestPage = (paging) =>
    inspector.variables(session, handle, handle.reference, paging, signal, handle.scopeOf);
  const { filter, pattern } = query;
  const isMany = (handle.indexedVariables ?? 0) > MANY_ELEMENTS;
  if (isMany && pattern === undefined && filter !== 'named')
    return await readMany(request, handle, query);

  const only = isMany && filter === undefined ? 'named' : filter;
  const read = await (isMany && only === 'named'
    ? namedOf(request)
    : request(defined({ filter: only })));
  const members = matching(read, only, pattern);
  // delve sends only the first 64 elements. The others have to be requested page by page.
  const unsent = Math.max(0, (handle.indexedVariables ?? 0) - read.length);
  const unsearched = pattern === undefined ? 0 : unsent;
  const page = pageOf(
    members.slice(query.start, query.start + query.count),
    query.start,
    members.length,
    only === filter ? unsearched : handle.indexedVariables,
  );
  if (unsent > 0 && pattern === undefined && filter !== 'named') {
    const paged = await readMany(request, handle, query);
    // If the array is sparse, the adapter has already sent all of its elements.
    if (paged.variables.length > 0 && paged.variables.length >= page.variables.length) return paged;
  }
  return { ...page, rest: moreBehind(read) };
}

/** The matching members. They are filtered here as well, because adapters may ignore the filter. */
function matching(
  read: readonly unknown[],
  only: MemberQuery['filter'],
  pattern: TextTest | undefined,
): readonly unknown[] {
  if (pattern === undefined && only === undefined) return read;
  return read.filter(
    (entry) =>
      hasName(entry, pattern) && (only === undefined || isElement(entry) === (only === 'indexed')),
  );
}

/** The “more” entry of debugpy, which contains the following members. */
function moreBehind(read: readonly unknown[]): Variable | undefined {
  return variablesOf(read.slice(-LAST_ONES)).find(
    ({ type, reference }) => type === 'MoreItems' && reference > 0,
  );
}

/** The number of last entries that are searched for debugpy's “more”. Only the length follows it. */
const LAST_ONES = 2;

/** A page of a large collection: its elements and, after the last one, the named members. */
async function readMany(
  request: RequestPage,
  handle: VariablesHandle,
  { start, count, filter }: MemberQuery,
): Promise<MemberPage> {
  const claimed = handle.indexedVariables ?? 0;
  const requested = Math.max(0, Math.min(count, claimed - start));
  const sent = requested === 0 ? [] : await request({ filter: 'indexed', start, count: requested });
  // The response may include named members. Some adapters ignore `filter`, and js-debug sends the prototype of the page
  // itself.
  const all = sent.some(isElement) ? sent.filter(isElement) : sent;
  // An adapter that ignores `start` and `count` sends all elements. Numbers may also be keys (Go).
  const isWhole =
    all.length > requested ||
    (start > 0 && all.length > 0 && all.every((entry, index) => indexOf(entry) === index));
  const indexed = isWhole ? all.length : claimed;
  const elements = isWhole ? all.slice(start, start + count) : all;
  if (filter === 'indexed') return pageOf(elements, start, indexed);
  const isFull = elements.length === count && handle.namedVariables !== undefined;
  if (isFull || start + elements.length < indexed)
    return pageOf(elements, start, indexed + (handle.namedVariables ?? 0));
  // After the last element, named members are read. If the adapter has not counted them, they are counted now.
  const named = handle.namedVariables === 0 ? [] : await namedOf(request);
  const from = Math.max(0, start - indexed);
  return pageOf(
    [...elements, ...named.slice(from, from + count - elements.length)],
    start,
    indexed + named.length,
  );
}

/**
 * The named members of a large collection. A page is requested first, because an adapter that ignores `filter` would
 * send every element (lldb-dap, half a minute for 100,000).
 */
async function namedOf(request: RequestPage): Promise<readonly unknown[]> {
  const isNamed = (entry: unknown): boolean => !isElement(entry);
  const page = await request({ filter: 'named', start: 0, count: MANY_ELEMENTS });
  const named = page.filter(isNamed);
  if (named.length < MANY_ELEMENTS) return named;
  return (await request({ filter: 'named' })).filter(isNamed);
}

function pageOf(
  entries: readonly unknown[],
  start: number,
  total: number,
  unsearched = 0,
): MemberPage {
  const variables = variablesOf(entries);
  const read = start + entries.length;
  const left = Math.max(0, total - read);
  const isEmpty = entries.length === 0;
  return {
    variables,
    total,
    next: left > 0 && !isEmpty ? read : undefined,
    unsearched,
    unreadable: entries.length - variables.length,
    missing: isEmpty ? left : 0,
  };
}

function hasName(entry: unknown, pattern: TextTest | undefined): boolean {
  return pattern === undefined || pattern.test(nameOfEntry(entry).slice(0, MAX_MATCHED_CHARACTERS));
}

/** Whether a member is an element, judged by its name. */
function isElement(entry: unknown): boolean {
  return ELEMENT.test(nameOfEntry(entry));
}

/** Whether a value is a string. Strings in C++ and Java also have members, which only repeat the value. */
export function isText({ value }: Variable): boolean {
  return value.startsWith('"');
}

/**
 * Whether a variable is not a member of the value itself: its prototype, its raw form, or a group of the members that
 * every value of its type has. Only such groups have neither value nor type (debugpy's “special variables”).
 */
export function isSynthetic({
  name,
  value,
  type = '',
}: Pick<Variable, 'name' | 'value' | 'type'>): boolean {
  return SYNTHETIC.test(name) || (value === '' && type === '');
}

/** Whether a variable is debugpy's own `len()`, after the members of a collection. */
export function isLength({ name, type = '' }: Pick<Variable, 'name' | 'type'>): boolean {
  return name === 'len()' && type === 'int';
}

const SYNTHETIC = /^(?:\[\[Prototype\]\]|\[raw\]|Raw View)$/;

/** The index of an element; infinite for other members. */
function indexOf(entry: unknown): number {
  return Number(ELEMENT.exec(nameOfEntry(entry))?.[1] ?? Infinity);
}

const ELEMENT = /^\[?(\d+)\]?$/;
