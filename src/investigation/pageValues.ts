import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';

const MAX_OF_AN_ARGUMENT = 2000;
const MAX_OF_AN_ADDRESS = 4000;

/** A logged value as JSON, or its description. */
export function argumentOf(argument: Fields): unknown {
  const { type, value } = argument;
  if (type === 'string' && typeof value === 'string') return cut(value, MAX_OF_AN_ARGUMENT);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return argumentText(argument) ?? textOf(type) ?? '';
}

/** The browser's description of a logged object. */
export function argumentText(argument: Fields): string | undefined {
  const shown = previewText(fields(argument['preview']));
  if (shown !== undefined) return cut(shown, MAX_OF_AN_ARGUMENT);
  const text = textOf(argument['description']) ?? textOf(argument['value']);
  return text === undefined ? undefined : cut(text, MAX_OF_AN_ARGUMENT);
}

/**
 * A preview of an object (CDP `Runtime.ObjectPreview`) as JavaScript would write it. Undefined if it shows no contents,
 * as for errors, whose description has the stack trace.
 */
function previewText({ subtype, description, overflow, ...preview }: Fields): string | undefined {
  const [properties, entries] = [listOf(preview['properties']), listOf(preview['entries'])];
  if (subtype === 'error' || properties.length + entries.length === 0) return undefined;
  const more = overflow === true ? ['…'] : [];
  const named = (property: Fields): string => `${String(property['name'])}: ${valueOf(property)}`;
  const name = textOf(description) ?? 'Object';
  const isPlain = name === 'Object' || /^Array\(/.test(name);
  const prefix = isPlain ? '' : `${name} `;
  if (LISTS.has(subtype)) {
    const items = properties.map(fields);
    // A list may have further properties, such as those of a match.
    const texts = items.map((item) =>
      /^\d{1,10}$/.test(String(item['name'])) ? valueOf(item) : named(item),
    );
    return `${prefix}[${[...texts, ...more].join(', ')}]`;
  }
  const all =
    entries.length > 0 ? entries.map(fields).map(entryText) : properties.map(fields).map(named);
  return `${prefix}{${[...all, ...more].join(', ')}}`;
}

const LISTS: ReadonlySet<unknown> = new Set(['array', 'typedarray']);

function entryText({ key, value }: Fields): string {
  const [name, text] = [fields(key), fields(value)].map(nestedText);
  return key === undefined ? String(text) : `${name} => ${text}`;
}

/** A preview within another. A primitive has only its description. */
function nestedText(preview: Fields): string {
  const { type, description } = preview;
  if (type === 'string' && typeof description === 'string') return JSON.stringify(description);
  return previewText(preview) ?? String(description);
}

/** A property's value. A text is quoted, so that redaction and readers see where it ends. */
function valueOf({ type, value, valuePreview }: Fields): string {
  if (type === 'accessor') return '(getter)';
  const nested = previewText(fields(valuePreview));
  if (nested !== undefined) return nested;
  return type === 'string' && typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Whether a preview names objects without their contents. */
export function hasUnreadParts(argument: Fields): boolean {
  return listOf(fields(argument['preview'])['properties']).map(fields).some(isUnread);
}

function isUnread({ type, subtype, valuePreview }: Fields): boolean {
  return type === 'object' && subtype !== 'null' && valuePreview === undefined;
}

/**
 * Adds the contents of the objects within a logged object, which were read after it was logged.
 * @param members the members of the object (CDP `Runtime.getProperties`)
 * @returns the argument as it was, if the object has changed since then
 */
export function withParts(argument: Fields, members: readonly unknown[]): Fields {
  const now = new Map(members.map(fields).map(({ name, value }) => [name, fields(value)] as const));
  const preview = fields(argument['preview']);
  const properties = listOf(preview['properties']).map(fields);
  if (!properties.every((property) => isSame(property, now.get(property['name'])))) return argument;
  const complete = properties.map((property) => {
    const inner = now.get(property['name'])?.['preview'];
    return isUnread(property) && inner !== undefined
      ? { ...property, valuePreview: inner }
      : property;
  });
  return { ...argument, preview: { ...preview, properties: complete } };
}

/** Whether a property of a preview still has its value. A long text is cut in a preview. */
function isSame({ type, value }: Fields, now: Fields | undefined): boolean {
  if (type === 'accessor') return true;
  if (now === undefined || now['type'] !== type) return false;
  if (type !== 'number' && type !== 'boolean') return true;
  return String(now['value'] ?? now['unserializableValue']) === value;
}

/** A console stack trace in JavaScript's format. */
export function stackText(stack: unknown): string {
  return listOf(fields(stack)['callFrames'])
    .slice(0, 20)
    .map(fields)
    .map((frame) => {
      const [line, column] = [
        numberOf(frame['lineNumber']) ?? 0,
        numberOf(frame['columnNumber']) ?? 0,
      ];
      return `at ${textOf(frame['functionName']) ?? ''} (${addressOf(frame['url'])}:${line + 1}:${column + 1})`;
    })
    .join('\n');
}

/** An address, shortened because a `data:` address contains a whole file. */
export function addressOf(url: unknown): string {
  return cut(textOf(url) ?? '', MAX_OF_AN_ADDRESS);
}

/** The beginning of a text. Redaction recognizes a key that was cut by the `…`. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The object that a JSON text contains; an empty one if it contains none. */
export function fieldsIn(payload: unknown): Fields {
  try {
    return typeof payload === 'string' ? fields(JSON.parse(payload)) : {};
  } catch {
    return {};
  }
}
