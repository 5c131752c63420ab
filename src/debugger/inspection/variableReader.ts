import type { VariablesHandle } from './handles';
import type { Inspector } from './inspector';
import type { SessionState } from '../state/state';
import type { TextTest } from '../texts';
import { defined } from '../../util/defined';
import { nameOfEntry, variablesOf, type Variable } from './stackAndVariables';

/** Which members of a container are wanted. */
export interface MemberQuery {
  readonly start: number;
  readonly count: number;
  readonly filter?: 'indexed' | 'named' | undefined;
  readonly pattern?: TextTest | undefined;
}

export interface MemberPage {
  readonly variables: readonly Variable[];
  /** How many there are that fit, as far as the adapter says. */
  readonly total: number;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
  /** How many elements were not looked at for a name: a collection is not read whole to find one. */
  readonly unsearched: number;
  /** How many members of the page the adapter sent that are none. */
  readonly unreadable: number;
  /** How many more there should be, as the adapter said, of which it gave none from `start` on. */
  readonly missing: number;
  /** Where the adapter keeps the members that follow these. debugpy shows 100 of a list and the others under “more”. */
  readonly rest?: Variable | undefined;
}

/** A key of a dictionary may be of any length; an agent's pattern may take long on it. */
const MOST_OF_A_NAME = 200;

/** With so many elements a container is never asked for whole. */
const MANY_ELEMENTS = 1000;

type RequestPage = (paging: {
  filter?: 'indexed' | 'named';
  start?: number;
  count?: number;
}) => Promise<readonly unknown[]>;

/**
 * Reads a page of a container's members: elements first, then the named ones. A large collection is paged by the
 * adapter (DAP `variables`, `filter`, `start`, `count`); what it cannot page, or pages wrongly, is cut here. Of what an
 * adapter sends beyond the page nothing is read but names.
 */
export async function readMembers(
  inspector: Inspector,
  session: SessionState,
  handle: VariablesHandle,
  query: MemberQuery,
  signal: AbortSignal,
): Promise<MemberPage> {
  const ask: RequestPage = (paging) =>
    inspector.variables(session, handle, handle.reference, paging, signal, handle.scopeOf);
  const { filter, pattern } = query;
  const isMany = (handle.indexedVariables ?? 0) > MANY_ELEMENTS;
  if (isMany && pattern === undefined && filter !== 'named')
    return await readMany(ask, handle, query);

  const only = isMany && filter === undefined ? 'named' : filter;
  const read = await (isMany && only === 'named' ? namedOf(ask) : ask(defined({ filter: only })));
  const fitting = matching(read, only, pattern);
  // delve sends the first 64, however many there are; more of them page by page.
  const unsent = Math.max(0, (handle.indexedVariables ?? 0) - read.length);
  const unsearched = pattern === undefined ? 0 : unsent;
  const page = pageOf(
    fitting.slice(query.start, query.start + query.count),
    query.start,
    fitting.length,
    only === filter ? unsearched : handle.indexedVariables,
  );
  if (unsent > 0 && pattern === undefined && filter !== 'named') {
    const paged = await readMany(ask, handle, query);
    // Of an array with holes the adapter has sent all that there are.
    if (paged.variables.length > 0 && paged.variables.length >= page.variables.length) return paged;
  }
  return { ...page, rest: moreBehind(read) };
}

/** The members that were asked for: adapters may ignore the filter they were given. */
function matching(
  read: readonly unknown[],
  only: MemberQuery['filter'],
  pattern: TextTest | undefined,
): readonly unknown[] {
  if (pattern === undefined && only === undefined) return read;
  return read.filter(
    (each) =>
      hasName(each, pattern) && (only === undefined || isElement(each) === (only === 'indexed')),
  );
}

/** debugpy's “more”, which holds the members that follow. */
function moreBehind(read: readonly unknown[]): Variable | undefined {
  return variablesOf(read.slice(-LAST_ONES)).find(
    ({ type, reference }) => type === 'MoreItems' && reference > 0,
  );
}

/** Among which debugpy's “more” is: behind it there is only the length. */
const LAST_ONES = 2;

/** Of a large collection: the elements of the page, and behind the last of them the named members. */
async function readMany(
  ask: RequestPage,
  handle: VariablesHandle,
  { start, count, filter }: MemberQuery,
): Promise<MemberPage> {
  const claimed = handle.indexedVariables ?? 0;
  const requested = Math.max(0, Math.min(count, claimed - start));
  const sent = requested === 0 ? [] : await ask({ filter: 'indexed', start, count: requested });
  // Named ones may be among them: where an adapter ignores `filter`, and js-debug sends the prototype of the page itself.
  const all = sent.some(isElement) ? sent.filter(isElement) : sent;
  // An adapter that ignores `start` and `count` answers with everything. Numbers may be keys as well (Go).
  const isWhole =
    all.length > requested ||
    (start > 0 && all.length > 0 && all.every((each, index) => indexOf(each) === index));
  const indexed = isWhole ? all.length : claimed;
  const elements = isWhole ? all.slice(start, start + count) : all;
  if (filter === 'indexed') return pageOf(elements, start, indexed);
  const isFull = elements.length === count && handle.namedVariables !== undefined;
  if (isFull || start + elements.length < indexed)
    return pageOf(elements, start, indexed + (handle.namedVariables ?? 0));
  // At the end of the elements; named ones that the adapter has not counted are counted now.
  const named = handle.namedVariables === 0 ? [] : await namedOf(ask);
  const from = Math.max(0, start - indexed);
  return pageOf(
    [...elements, ...named.slice(from, from + count - elements.length)],
    start,
    indexed + named.length,
  );
}

/**
 * The named members of a large collection. A page of them first: an adapter that ignores `filter` would send every
 * element (lldb-dap, half a minute for 100,000).
 */
async function namedOf(ask: RequestPage): Promise<readonly unknown[]> {
  const named = (await ask({ filter: 'named', start: 0, count: MANY_ELEMENTS })).filter(
    (each) => !isElement(each),
  );
  return named.length < MANY_ELEMENTS
    ? named
    : (await ask({ filter: 'named' })).filter((each) => !isElement(each));
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
  return pattern === undefined || pattern.test(nameOfEntry(entry).slice(0, MOST_OF_A_NAME));
}

/** Whether a member is an element, by its name. */
function isElement(entry: unknown): boolean {
  return ELEMENT.test(nameOfEntry(entry));
}

/** Whether a value shows all that is in it: a text of C++ or Java has members as well, in which it stands once more. */
export function isText({ value }: Variable): boolean {
  return value.startsWith('"');
}

/**
 * What adapters put beside the members that are the value's own: its prototype, its raw form, and groups of what every
 * value of its kind has, which alone have neither value nor type (debugpy's “special variables”).
 */
export function isBeside({
  name,
  value,
  type = '',
}: Pick<Variable, 'name' | 'value' | 'type'>): boolean {
  return BESIDE.test(name) || (value === '' && type === '');
}

/** debugpy's own `len()`, behind the members of a collection. */
export function isLength({ name, type = '' }: Pick<Variable, 'name' | 'type'>): boolean {
  return name === 'len()' && type === 'int';
}

const BESIDE = /^(?:\[\[Prototype\]\]|\[raw\]|Raw View)$/;

/** The number that names an element; infinite for what is none. */
function indexOf(entry: unknown): number {
  return Number(ELEMENT.exec(nameOfEntry(entry))?.[1] ?? Infinity);
}

const ELEMENT = /^\[?(\d+)\]?$/;
