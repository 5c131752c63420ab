import { isOwnKey, isSteering, member, ResultSchema, type SchemaNode } from './places';

/** A text of a result, with a prefix so that its name is checked as well: `API_KEY = ` before a variable's value. */
export interface ResultText {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
  /** Whether the text is the key itself (if it is not one of our own), and not the value. */
  readonly isKey: boolean;
  readonly prefix: string;
  /** The name of the value. Empty if it has none. */
  readonly name: string;
  readonly text: string;
}

/** The maximum length of a name that is used as a prefix. */
const MAX_OF_A_NAME = 200;

/** Fields that contain a variable's value. */
const VALUES: ReadonlySet<string> = new Set(['value', 'before', 'now']);

/**
 * All texts in a result except our own keywords and ids, followed by all keys that are not ours: names of variables,
 * environment variables, and properties of a configuration.
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
    ofList?: string,
  ): void => {
    const name = Array.isArray(holder) ? undefined : holder['name'];
    for (const [key, value] of Object.entries(holder)) {
      const isOwn = top === 'top' || ownKeys || Array.isArray(holder) || isOwnKey(place, key);
      const foreign = isOwn ? undefined : key;
      const at = top === 'top' ? places.at(key) : member(place, key);
      if (!isOwn) keys.push({ holder, key, isKey: true, prefix: '', name: '', text: key });
      // The entries of a list have the name of the list.
      const named = Array.isArray(holder) ? ofList : foreign;
      if (isHolder(value)) visit(value, at, 'within', isOwn && key === 'omitted', named);
      if (typeof value !== 'string' || (isOwn && isSteering(at, key, value))) continue;
      const own = nameOf(key, name) ?? named;
      const ofResult = top === 'top' && key === 'result' ? expression : undefined;
      const prefix = prefixOf(own ?? ofResult);
      const full = (own ?? ofResult ?? '').slice(-MAX_OF_A_NAME);
      values.push({ holder, key, isKey: false, prefix, name: full, text: value });
    }
  };

  if (isHolder(result)) visit(result, schema, 'top', false);
  return [...values, ...keys];
}

/** The name of the variable whose value is in this field. */
function nameOf(key: string, name: unknown): string | undefined {
  return VALUES.has(key) && typeof name === 'string' ? name : undefined;
}

function prefixOf(name: string | undefined): string {
  return name === undefined ? '' : `${name.slice(-MAX_OF_A_NAME).replaceAll('\n', ' ')} = `;
}

/** Replaces the texts of a result in place. The order of its keys stays unchanged. */
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

/** Renames keys. If two keys become equal, a number is appended. */
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

/** Sets a property, even if the key is `__proto__`. */
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
