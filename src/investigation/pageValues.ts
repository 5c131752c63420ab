import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';

const MOST_OF_AN_ARGUMENT = 2000;
const MOST_OF_AN_ADDRESS = 4000;

/** A logged value as JSON, or its description. */
export function argumentOf(argument: Fields): unknown {
  const { type, value } = argument;
  if (type === 'string' && typeof value === 'string') return cut(value, MOST_OF_AN_ARGUMENT);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return argumentText(argument) ?? textOf(type) ?? '';
}

/** The browser's description of a logged object. */
export function argumentText(argument: Fields): string | undefined {
  const properties = listOf(fields(argument['preview'])['properties']).map(fields);
  const shown = properties.map((property) => `${String(property['name'])}: ${valueOf(property)}`);
  if (shown.length > 0) return `{${shown.join(', ')}}`;
  const text = textOf(argument['description']) ?? textOf(argument['value']);
  return text === undefined ? undefined : cut(text, MOST_OF_AN_ARGUMENT);
}

/** A property's value. A text is quoted, so that redaction and readers see where it ends. */
function valueOf({ type, value }: Fields): string {
  return type === 'string' && typeof value === 'string' ? JSON.stringify(value) : String(value);
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
  return cut(textOf(url) ?? '', MOST_OF_AN_ADDRESS);
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
