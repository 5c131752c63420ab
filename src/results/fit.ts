import type { Fields } from '../debugger/protocol';

/** A list that may be shortened, by its path in the result. First come those that are missed least. */
interface Shrinkable {
  readonly path: readonly string[];
  /** How many of its entries stay in any case. */
  readonly keep: number;
  /** Where the entries come from that stay: a tail of output, the near end of a stack. */
  readonly from: 'start' | 'end';
  /** Under which name the entries that were left out are counted. */
  readonly counted: string;
  /** How to fetch them; `{}` stands for how many stayed. */
  readonly fetch?: string;
}

const SHRINKABLE: readonly Shrinkable[] = [
  { path: ['stop_event_data', 'call_stack'], keep: 8, from: 'start', counted: 'frames', fetch: 'get_call_stack start_frame={}' },
  { path: ['stop_event_data', 'output'], keep: 2, from: 'end', counted: 'output_lines', fetch: 'get_debug_output' },
  { path: ['stop_event_data', 'call_stack'], keep: 3, from: 'start', counted: 'frames', fetch: 'get_call_stack start_frame={}' },
  { path: ['stop_event_data', 'top_frame_variables', 'variables'], keep: 1, from: 'start', counted: 'variables', fetch: 'get_scopes, then get_variables start={}' },
  { path: ['call_stack'], keep: 1, from: 'start', counted: 'frames', fetch: 'start_frame' },
  { path: ['variables'], keep: 1, from: 'start', counted: 'variables', fetch: 'start={}' },
  { path: ['lines'], keep: 1, from: 'end', counted: 'lines', fetch: 'since, max_lines' },
  { path: ['breakpoints'], keep: 1, from: 'start', counted: 'breakpoints' },
  { path: ['removed'], keep: 1, from: 'start', counted: 'removed' },
  { path: ['output'], keep: 1, from: 'end', counted: 'output_lines', fetch: 'get_debug_output' },
  { path: ['configurations'], keep: 1, from: 'start', counted: 'configurations' },
  { path: ['sessions'], keep: 1, from: 'start', counted: 'sessions' },
];

type Plain = { [key: string]: unknown };

/** Lengths that long texts are cut to, one after the other, until the result fits. */
const TEXT_LIMITS = [1000, 400, 160, 60] as const;

/**
 * Fits a result to its budget in characters of JSON: long texts first, then lists, those that are missed least first.
 * What happened and where (status, reason, place) is never cut. What was left out is counted in `omitted`.
 */
export function fitResult<Result extends Fields>(result: Result, maxChars: number): Result {
  if (length(result) <= maxChars) return result;
  const fitted: Result = structuredClone(result);
  for (const limit of TEXT_LIMITS) {
    cutTexts(fitted, limit);
    if (length(fitted) <= maxChars) return fitted;
    if (limit === 400) {
      for (const each of SHRINKABLE) if (shrink(fitted, each, maxChars)) return fitted;
    }
  }
  for (const each of SHRINKABLE) if (shrink(fitted, { ...each, keep: 1 }, maxChars)) return fitted;
  return fitted;
}

function length(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Shortens one list as far as needed; true when the result then fits. */
function shrink(result: Plain, { path, keep, from, counted, fetch }: Shrinkable, maxChars: number): boolean {
  const holder = path.slice(0, -1).reduce<Plain | undefined>((at, key) => (at !== undefined && isPlain(at[key]) ? at[key] : undefined), result);
  const key = path[path.length - 1];
  if (holder === undefined || key === undefined) return false;
  const list = holder[key];
  if (!Array.isArray(list) || list.length <= keep) return false;
  const entries: readonly unknown[] = list;
  const top = path[0] === 'stop_event_data' && isPlain(result['stop_event_data']) ? result['stop_event_data'] : result;
  const before = isPlain(top['omitted']) ? top['omitted'] : {};
  const counts = typeof before[counted] === 'number' ? before[counted] : 0;
  const use = (count: number): boolean => {
    holder[key] = from === 'start' ? entries.slice(0, count) : entries.slice(entries.length - count);
    top['omitted'] = { ...before, [counted]: counts + entries.length - count, ...(fetch === undefined ? {} : { [`fetch_${counted}`]: fetch.replace('{}', String(count)) }) };
    return length(result) <= maxChars;
  };
  if (!use(keep)) return false;
  let fits = keep;
  let tooMany = entries.length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (use(middle)) fits = middle;
    else tooMany = middle;
  }
  return use(fits);
}

/** Cuts texts longer than `limit`, saying how many characters there were. Texts inside are changed in place. */
function cutTexts(value: unknown, limit: number): void {
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      if (typeof each === 'string') value[index] = cutText(each, limit);
      else cutTexts(each, limit);
    });
  } else if (isPlain(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (typeof each !== 'string') cutTexts(each, limit);
      else if (!UNCUT.has(key)) value[key] = cutText(each, limit);
    }
  }
}

/** What is needed whole to go on: places, names of things, how to fetch the rest. */
const UNCUT: ReadonlySet<string> = new Set(['path', 'file_path', 'status', 'code', 'hint', 'session_id', 'timestamp']);

/** The beginning of a text that is longer than `limit`, with its real length; never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.codePointAt(limit - 1) !== undefined && /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
