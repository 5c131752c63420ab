/** Properties that contain a program's environment. The names of variables are shown. Their values are never shown. */
const ENVIRONMENTS: ReadonlySet<string> = new Set(['env', 'environment', 'environmentVariables']);

export const REMOVED = '[removed]';

/** A message as text: JSON in one line, without the values of environment variables. Never throws. */
export function messageText(message: unknown): string {
  try {
    const text: unknown = JSON.stringify(message, withoutValues);
    return typeof text === 'string' ? text : String(text);
  } catch (error) {
    // The message has a circular structure, or a value that JSON does not support.
    return `[not readable: ${error instanceof Error ? error.message : String(error)}]`;
  }
}

function withoutValues(key: string, value: unknown): unknown {
  if (typeof value === 'string' && HOLDS_ENVIRONMENT.test(value)) return textWithoutValues(value);
  if (!ENVIRONMENTS.has(key) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutValue);
  return Object.fromEntries(Object.keys(value).map((name) => [name, REMOVED]));
}

/** Removes the value from an entry: `{ name, value }`, as C++ debuggers write it, or `NAME=value`. */
function withoutValue(entry: unknown): unknown {
  if (typeof entry === 'string') {
    const end = entry.indexOf('=');
    return end === -1 ? entry : `${entry.slice(0, end)}=${REMOVED}`;
  }
  if (typeof entry === 'object' && entry !== null && 'value' in entry)
    return { ...entry, value: REMOVED };
  return entry;
}

/** JSON inside a string. MCP repeats the result of a tool in this way. */
const HOLDS_ENVIRONMENT = /^\s*[[{].*"env(?:ironment(?:Variables)?)?"\s*:/s;

function textWithoutValues(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), withoutValues);
  } catch {
    // The text is not JSON, for example a program's output.
    return text;
  }
}
