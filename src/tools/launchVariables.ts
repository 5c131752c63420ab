import { fields, listOf, textOf, type Fields } from '../debugger/protocol';

/** What a configuration asks a person when it is started. */
export interface LaunchQuestion {
  /** The id of `${input:id}`, or the command of `${command:id}`. */
  readonly id: string;
  readonly description?: string;
  readonly options?: readonly string[];
  readonly default?: string;
}

const VARIABLE = /\$\{(input|command):([^}]+)\}/g;

/** Commands that open a list or a box; others compute something and ask nobody. */
const ASKS = /pick|select|choose|prompt|ask/i;

/** The configuration with the given values in the place of its variables; those without a value stay. */
export function fillVariables(configuration: Fields, values: Readonly<Record<string, string>>): Fields {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(VARIABLE, (whole, _kind, id: string) => values[id] ?? whole);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return fields(fill(configuration));
}

/** What starting the configuration would ask. `inputs` are those that launch.json defines. */
export function questionsOf(configuration: Fields, inputs: readonly Fields[]): readonly LaunchQuestion[] {
  const found = new Map<string, LaunchQuestion>();
  for (const [, kind, id] of JSON.stringify(configuration).matchAll(VARIABLE)) {
    if (id === undefined || found.has(id)) continue;
    if (kind === 'command') {
      if (ASKS.test(id)) found.set(id, { id });
      continue;
    }
    const input = inputs.find((each) => each['id'] === id);
    if (input?.['type'] === 'command' && !ASKS.test(textOf(input['command']) ?? '')) continue;
    found.set(id, { id, ...described(input ?? {}) });
  }
  return [...found.values()];
}

/** A given value that is not among those that its input offers; undefined where each is, or its input takes any. */
export function wrongValue(values: Readonly<Record<string, string>>, inputs: readonly Fields[]): LaunchQuestion | undefined {
  for (const [id, value] of Object.entries(values)) {
    // Folders may have inputs of the same id.
    const offers = inputs.filter((each) => each['id'] === id).map((each) => ({ id, ...described(each) }));
    const [first] = offers;
    if (first !== undefined && offers.every(({ options }) => options !== undefined && !options.includes(value))) return first;
  }
  return undefined;
}

function described(input: Fields): Omit<LaunchQuestion, 'id'> {
  const description = textOf(input['description']);
  const fallback = textOf(input['default']);
  const options = listOf(input['options']).flatMap((each) => textOf(each) ?? textOf(fields(each)['value']) ?? []);
  return { ...(description !== undefined ? { description } : {}), ...(options.length > 0 ? { options } : {}), ...(fallback !== undefined ? { default: fallback } : {}) };
}
