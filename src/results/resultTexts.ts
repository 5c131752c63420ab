import { isOwnKey, isSteering, member, ResultSchema, type SchemaNode } from './places';

/** A text of a result, and what stands before it so that its name counts: `API_KEY = ` before a variable's value. */
export interface ResultText {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
  /** The text is the value there, or the key itself, where that is not one of our own. */
  readonly isKey: boolean;
  readonly prefix: string;
  readonly text: string;
}

/** As much of a name as stands before its value. */
const MOST_OF_A_NAME = 200;

/** A variable's value, by the name of its field. */
const VALUES: ReadonlySet<string> = new Set(['value', 'before', 'now']);

/**
 * All texts in a result by which nobody steers, and behind them all keys that are not ours: names of variables, of
 * environment variables, of a configuration's properties.
 */
export function textsOf(
  result: object,
  expression: string | undefined,
  schema: SchemaNode,
): readonly ResultText[] {
  const places = new ResultSchema(schema);
  const values: ResultText[] = [];
  const keys: ResultText[] = [];

  const visit = (
    holder: Record<string, unknown> | unknown[],
    place: SchemaNode,
    top: 'top' | 'within',
    ownKeys: boolean,
  ): void => {
    const name = Array.isArray(holder) ? undefined : holder['name'];
    for (const [key, value] of Object.entries(holder)) {
      const isOwn = top === 'top' || ownKeys || Array.isArray(holder) || isOwnKey(place, key);
      const at = top === 'top' ? places.at(key) : member(place, key);
      if (!isOwn) keys.push({ holder, key, isKey: true, prefix: '', text: key });
      if (isHolder(value)) visit(value, at, 'within', isOwn && key === 'omitted');
      if (typeof value !== 'string' || (isOwn && isSteering(at, key, value))) continue;
      const named = nameOf(key, name) ?? (isOwn ? undefined : key);
      const ofResult = top === 'top' && key === 'result' ? expression : undefined;
      const prefix = prefixOf(named ?? ofResult);
      values.push({ holder, key, isKey: false, prefix, text: value });
    }
  };

  if (isHolder(result)) visit(result, schema, 'top', false);
  return [...values, ...keys];
}

/** The name of the variable whose value is there. */
function nameOf(key: string, name: unknown): string | undefined {
  return VALUES.has(key) && typeof name === 'string' ? name : undefined;
}

function prefixOf(name: string | undefined): string {
  return name === undefined ? '' : `${name.slice(-MOST_OF_A_NAME).replaceAll('\n', ' ')} = `;
}

/** The result with other texts in the places of those that were found in it: changed in place, its keys in their order. */
export function changed<Result>(
  result: Result,
  texts: readonly ResultText[],
  shown: readonly string[],
): Result {
  const renamed = new Map<ResultText['holder'], Map<string, string>>();
  for (const [index, { holder, key, isKey, text }] of texts.entries()) {
    const now = shown[index] ?? text;
    if (now === text) continue;
    if (isKey)
      renamed.set(holder, (renamed.get(holder) ?? new Map<string, string>()).set(key, now));
    else put(holder, key, now);
  }
  for (const [holder, names] of renamed) rename(holder, names);
  return result;
}

/** Two keys that look alike then are told apart by a number. */
function rename(holder: object, names: ReadonlyMap<string, string>): void {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(holder);
  const taken = new Set(entries.map(([key]) => key));
  for (const [key] of entries) Reflect.deleteProperty(holder, key);
  for (const [key, value] of entries) {
    const name = names.get(key);
    if (name === undefined) put(holder, key, value);
    else {
      let free = name;
      for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
      taken.add(free);
      put(holder, free, value);
    }
  }
}

/** Also where the key is `__proto__`. */
function put(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function isHolder(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === 'object' && value !== null;
}
