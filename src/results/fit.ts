import type { Fields } from '../debugger/protocol';
import { timesOf } from '../debugger/output/repeatedLines';
import { cutText } from '../debugger/texts';
import { defined } from '../util/defined';
import { SHRINK_STEPS, VALUES_BY_NAME, WHOLE, type ShrinkStep } from './fieldRules';
import { restStart, restText } from './fields';

export { cutText };

type Plain = { [key: string]: unknown };

/** What is done step by step until the result fits: how long texts may be, and whether lists may be shortened. */
const STEPS = [
  { text: 1000, lists: 'whole' },
  { text: 400, lists: 'whole' },
  { text: 400, lists: 'known' },
  { text: 160, lists: 'known' },
  { text: 60, lists: 'known' },
  { text: 60, lists: 'any' },
] as const;

/**
 * Fits a result to its budget in characters of JSON: long texts first, then lists, those that are missed least first.
 * What happened and where (status, reason, place) is never cut. What was left out is counted in `omitted`.
 */
export function fitResult<Result extends Fields>(result: Result, maxChars: number): Result {
  if (length(result) <= maxChars) return result;
  let fitted: Result = result;
  for (const { text, lists } of STEPS) {
    // Each step begins with the whole: what was cut says how much there really was.
    fitted = structuredClone(result);
    countTexts(fitted, cutTexts(fitted, text));
    if (length(fitted) <= maxChars) return fitted;
    if (lists === 'whole') continue;
    for (const step of SHRINK_STEPS)
      if (shrink(fitted, lists === 'any' ? { ...step, keep: 1 } : step, maxChars)) return fitted;
  }
  for (const most of [10, 5, 2, 0]) {
    thin(fitted['variables'], most);
    if (length(fitted) <= maxChars) return fitted;
  }
  for (const path of listsBySize(fitted))
    if (
      shrink(
        fitted,
        {
          path,
          keep: 1,
          from: 'start',
          counted: path[path.length - 1] ?? 'entries',
          rest: { call: 'max_chars' },
        },
        maxChars,
      )
    )
      return fitted;
  return fitted;
}

function length(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Shortens one list as far as needed; true when the result then fits. A list that cannot make it fit is cut to `keep`. */
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

/** How many entries are left out, and how they are fetched: those of before count. */
function leftOut(
  { counted, rest }: ShrinkStep,
  before: Plain,
  all: number,
  shown: number,
): Record<string, unknown> {
  const earlier = typeof before[counted] === 'number' ? before[counted] : 0;
  const hint = `fetch_${counted}`;
  // Where a page began whose tool said where the next one begins: `start=200` after 100 entries is a page from 100.
  const next = rest === undefined ? undefined : restStart(rest, before[hint]);
  const first = next === undefined ? 0 : Math.max(0, next - all);
  return defined({
    [counted]: earlier + all - shown,
    [hint]: rest === undefined ? undefined : restText(rest, first + shown),
  });
}

/** How many frames or lines entries stand for: equal ones are shown as one, with their number. */
function weight(entries: readonly unknown[]): number {
  return entries.reduce<number>((sum, entry) => {
    if (typeof entry === 'string') return sum + timesOf(entry);
    const number = isPlain(entry) ? (entry['folded'] ?? entry['times']) : undefined;
    return sum + (typeof number === 'number' ? number : 1);
  }, 0);
}

/** Leaves values so many of their members, and counts the others: those of a single value may be too many for a result. */
function thin(value: unknown, most: number): void {
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) thin(each, most);
  } else if (isPlain(value)) {
    for (const each of Object.values(value)) thin(each, most);
    const { children, omitted_children: omitted } = value;
    if (!Array.isArray(children) || children.length <= most) return;
    value['omitted_children'] =
      (typeof omitted === 'number' ? omitted : 0) + children.length - most;
    if (most === 0) delete value['children'];
    else value['children'] = (children as readonly unknown[]).slice(0, most);
  }
}

/** The paths of all lists in a result, the largest first. */
function listsBySize(result: Plain): readonly (readonly string[])[] {
  const found: { path: readonly string[]; size: number }[] = [];
  const walk = (value: Plain, path: readonly string[]): void => {
    for (const [key, each] of Object.entries(value)) {
      if (Array.isArray(each)) found.push({ path: [...path, key], size: length(each) });
      else if (isPlain(each)) walk(each, [...path, key]);
    }
  };
  walk(result, []);
  return found.sort((one, other) => other.size - one.size).map(({ path }) => path);
}

/** Where a result counts what it leaves out. */
function counting(result: Plain): Plain {
  return isPlain(result['stop_event_data']) ? result['stop_event_data'] : result;
}

/** Says how many texts were cut, and how the rest of one is read. */
function countTexts(result: Plain, cut: number): void {
  if (cut === 0) return;
  const top = counting(result);
  top['omitted'] = {
    ...(isPlain(top['omitted']) ? top['omitted'] : {}),
    cut_texts: cut,
    fetch_cut_texts: 'max_chars, or evaluate a part',
  };
}

/** Cuts texts longer than `limit`, saying how many characters there were. Texts inside are changed in place. Returns how many were cut. */
function cutTexts(value: unknown, limit: number, isOfProgram = false): number {
  let cut = 0;
  const shorten = (text: string): string => {
    const short = cutText(text, limit);
    if (short !== text) cut += 1;
    return short;
  };
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      if (typeof each === 'string') value[index] = shorten(each);
      else cut += cutTexts(each, limit);
    });
  } else if (isPlain(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (typeof each !== 'string') cut += cutTexts(each, limit, VALUES_BY_NAME.has(key));
      else if (isOfProgram || !WHOLE.has(key)) value[key] = shorten(each);
    }
  }
  return cut;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
