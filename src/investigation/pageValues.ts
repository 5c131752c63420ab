import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';

const MOST_OF_AN_ARGUMENT = 2000;
const MOST_OF_AN_ADDRESS = 4000;

/** A logged value as JSON has it, or as its description. */
export function argumentOf(argument: Fields): unknown {
  const { type, value } = argument;
  if (type === 'string' && typeof value === 'string') return value.slice(0, MOST_OF_AN_ARGUMENT);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return argumentText(argument) ?? textOf(type) ?? '';
}

/** A logged object in the words of the browser. */
export function argumentText(argument: Fields): string | undefined {
  const properties = listOf(fields(argument['preview'])['properties']).map(fields);
  const shown = properties.map((each) => `${String(each['name'])}: ${String(each['value'])}`);
  if (shown.length > 0) return `{${shown.join(', ')}}`;
  const text = textOf(argument['description']) ?? textOf(argument['value']);
  return text?.slice(0, MOST_OF_AN_ARGUMENT);
}

/** A stack trace of the console, as JavaScript prints them. */
export function stackText(stack: unknown): string {
  return listOf(fields(stack)['callFrames'])
    .slice(0, 20)
    .map(fields)
    .map((each) => {
      const [line, column] = [
        numberOf(each['lineNumber']) ?? 0,
        numberOf(each['columnNumber']) ?? 0,
      ];
      return `at ${textOf(each['functionName']) ?? ''} (${addressOf(each['url'])}:${line + 1}:${column + 1})`;
    })
    .join('\n');
}

/** An address may hold a whole file (`data:`). */
export function addressOf(url: unknown): string {
  return (textOf(url) ?? '').slice(0, MOST_OF_AN_ADDRESS);
}

/** The object that a text of JSON is; none where it is no such text. */
export function fieldsIn(payload: unknown): Fields {
  try {
    return typeof payload === 'string' ? fields(JSON.parse(payload)) : {};
  } catch {
    return {};
  }
}
