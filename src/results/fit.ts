import type { Fields } from '../debugger/protocol';
import { timesOf } from '../debugger/output/repeatedLines';
import { cutText } from '../debugger/texts';
import { defined } from '../util/defined';
import { SHRINK_STEPS, VALUES_BY_NAME, WHOLE, type ShrinkStep } from './fieldRules';
import { restStart, restText } from './fields';

export { cutText };

type Plain = { [key: string]: unknown };

/**
 * The steps until the result fits: the maximum length of texts, and how lists are shortened. `any` keeps one entry of
 * each list.
 */
const STEPS = [
  { text: 1000, lists: 'whole' },
  { text: 400, lists: 'whole' },
  { text: 400, lists: 'byRules' },
  { text: 160, lists: 'byRules' },
  { text: 60, lists: 'byRules' },
  { text: 60, lists: 'any' },
] as const;

/**
 * Fits a result to its budget in characters of JSON: first long texts are cut, then lists, least important lists first.
 * The outcome and its location (status, reason, place) are never cut. Omitted entries are counted in `omitted`.
 */
export function fitResult<Result extends Fields>(result: Result, maxChars: number): Result {
  if (length(result) <= maxChars) return result;
  let fitted: Result = result;
  for (const { text, lists } of STEPS) {
    // Each step starts from the whole result, so that cut texts state their real length.
    fitted = structuredClone(result);
    countTexts(fitted, cutTexts(fitted, text));
    if (length(fitted) <= maxChars) return fitted;
    if (lists === 'whole') continue;
    for (const step of SHRINK_STEPS)
      if (shrink(fitted, lists === 'any' ? { ...step, keep: 1 } : step, maxChars)) return fitted;
  }
  for (const most of [10, 5, 2, 0]) {
    shortenChildren(fitted['variables'], most);
    if (length(fitted) <= maxChars) return fitted;
  }
  for (const path of listsBySize(fitted))
    if (shrink(fitted, stepFor(path), maxChars)) return fitted;
  return fitted;
}

/** How a list without rules is shortened. */
function stepFor(path: readonly string[]): ShrinkStep {
  const counted = path[path.length - 1] ?? 'entries';
  return { path, keep: 1, from: 'start', counted, rest: { call: 'max_chars' } };
}

function length(value: unknown): number {
  return JSON.stringify(value).length;
}

/**
 * Shortens one list as far as needed; true if the result then fits. A list that cannot make it fit is cut to `keep`.
 */
function shrink(result: Plain, step: ShrinkStep, maxChars: number): boolean {
  const list = listAt(result, step.path);
  if (list === undefined || list.entries.length <= step.keep) return false;
  const { entries } = list;
  const top = step.path[0] === 'stop_event_data' ? counting(result) : result;
  const before = isPlain(top['omitted']) ? top['omitted'] : {};
  const use = (count: number): boolean => {
    const shown =
      step.from === 'start' ? entries.slice(0, count) : entries.slice(entries.length - count);
    list.holder[list.key] = shown;
    top['omitted'] = { ...before, ...leftOut(step, before, weight(entries), weight(shown)) };
    return length(result) <= maxChars;
  };
  if (!use(step.keep)) return false;
  let fits = step.keep;
  let tooMany = entries.length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (use(middle)) fits = middle;
    else tooMany = middle;
  }
  return use(fits);
}

interface ListPlace {
  readonly holder: Plain;
  readonly key: string;
  readonly entries: readonly unknown[];
}

function listAt(result: Plain, path: readonly string[]): ListPlace | undefined {
  const holder = path
    .slice(0, -1)
    .reduce<Plain | undefined>(
      (at, key) => (at !== undefined && isPlain(at[key]) ? at[key] : undefined),
      result,
    );
  const key = path[path.length - 1];
  if (holder === undefined || key === undefined) return undefined;
  const list = holder[key];
  return Array.isArray(list) ? { holder, key, entries: list } : undefined;
}

/** The number of omitted entries, including entries omitted earlier, and how to fetch them. */
function leftOut(
  { counted, rest }: ShrinkStep,
  before: Plain,
  all: number,
  shown: number,
): Record<string, unknown> {
  const earlier = typeof before[counted] === 'number' ? before[counted] : 0;
  const hint = `fetch_${counted}`;
  // The start of this page, computed from the start of the next page that the tool returned: `start=200` after 100
  // entries means that this page starts at 100.
  const next = rest === undefined ? undefined : restStart(rest, before[hint]);
  const first = next === undefined ? 0 : Math.max(0, next - all);
  return defined({
    [counted]: earlier + all - shown,
    [hint]: rest === undefined ? undefined : restText(rest, first + shown),
  });
}

/** The number of frames or lines that the entries represent. Equal ones are shown as one entry with their number. */
function weight(entries: readonly unknown[]): number {
  return entries.reduce<number>((sum, entry) => {
    if (typeof entry === 'string') return sum + timesOf(entry);
    const number = isPlain(entry) ? (entry['folded'] ?? entry['times']) : undefined;
    return sum + (typeof number === 'number' ? number : 1);
  }, 0);
}

/**
 * Keeps at most `most` members of each value, and counts the others. A single value may have too many members for a
 * result.
 */
function shortenChildren(value: unknown, most: number): void {
  if (Array.isArray(value)) {
    for (const entry of value as readonly unknown[]) shortenChildren(entry, most);
  } else if (isPlain(value)) {
    for (const member of Object.values(value)) shortenChildren(member, most);
    const { children, omitted_children: omitted } = value;
    if (!Array.isArray(children) || children.length <= most) return;
    value['omitted_children'] =
      (typeof omitted === 'number' ? omitted : 0) + children.length - most;
    if (most === 0) delete value['children'];
    else value['children'] = (children as readonly unknown[]).slice(0, most);
  }
}

/** The paths of all lists in a result, largest lists first. */
function listsBySize(result: Plain): readonly (readonly string[])[] {
  const found: { path: readonly string[]; size: number }[] = [];
  const walk = (value: Plain, path: readonly string[]): void => {
    for (const [key, member] of Object.entries(value)) {
      if (Array.isArray(member)) found.push({ path: [...path, key], size: length(member) });
      else if (isPlain(member)) walk(member, [...path, key]);
    }
  };
  walk(result, []);
  return found.sort((one, other) => other.size - one.size).map(({ path }) => path);
}

/** The object in which a result counts its omissions. */
function counting(result: Plain): Plain {
  return isPlain(result['stop_event_data']) ? result['stop_event_data'] : result;
}

/** Adds the number of texts that were cut, and how to read them completely. */
function countTexts(result: Plain, cut: number): void {
  if (cut === 0) return;
  const top = counting(result);
  top['omitted'] = {
    ...(isPlain(top['omitted']) ? top['omitted'] : {}),
    cut_texts: cut,
    fetch_cut_texts: 'max_chars, or evaluate a part',
  };
}

/**
 * Cuts texts longer than `limit` in place. A cut text states its original length. Returns the number of texts that were
 * cut.
 */
function cutTexts(value: unknown, limit: number, isOfProgram = false): number {
  let cut = 0;
  const shorten = (text: string): string => {
    const short = cutText(text, limit);
    if (short !== text) cut += 1;
    return short;
  };
  if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      if (typeof entry === 'string') value[index] = shorten(entry);
      else cut += cutTexts(entry, limit);
    });
  } else if (isPlain(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'string') cut += cutTexts(member, limit, VALUES_BY_NAME.has(key));
      else if (isOfProgram || !WHOLE.has(key)) value[key] = shorten(member);
    }
  }
  return cut;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
