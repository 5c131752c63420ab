import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { fields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { MAX_OF_A_QUESTION, tooLong } from '../question';
import {
  mapTexts,
  replacedIn,
  replaceVariables,
  textsIn,
  variablesIn,
  type TemplateVariable,
} from '../templates';

/** An input that a configuration asks for when it is started. */
export interface LaunchQuestion {
  /** The id of `${input:id}`, or the command of `${command:id}`. */
  readonly id: string;
  readonly description?: string;
  readonly options?: readonly string[];
  readonly default?: string;
}

/** A command of an extension that VS Code runs to expand a variable. */
export interface LaunchCommand {
  readonly command: string;
  readonly args?: unknown;
}

/** Matches the names of commands that ask the person. Other commands compute a value. */
const ASKS = /pick|select|choose|prompt|ask/i;

/**
 * Refuses variables in values that an agent passes. VS Code would replace `${…}`, or even run a command for it. It has
 * no escape syntax for variables.
 * @throws Failure `invalid_input`
 */
export function refuseVariables(values: unknown): void {
  for (const text of textsIn(values)) {
    const variable = replacedIn(text);
    if (variable !== undefined) throw variableFailure(variable);
  }
}

function variableFailure(variable: string): Failure {
  return new Failure(
    'invalid_input',
    l10n.t(
      'VS Code would replace {0}. Values from an agent must not contain variables.',
      variable.slice(0, 200),
    ),
    'Pass the plain value instead: a variable cannot be escaped in VS Code. Other ${…} can stay. Nothing was started.',
  );
}

/**
 * Replaces variables of the configuration with the given values. Variables without a value are not changed.
 * @throws Failure `invalid_input` for values that form a variable together with the text around them
 */
export function fillVariables(
  configuration: Fields,
  values: Readonly<Record<string, string>>,
): Fields {
  const valueOf = ({ name, argument }: TemplateVariable): string | undefined =>
    (name === 'input' || name === 'command') &&
    argument !== undefined &&
    Object.hasOwn(values, argument)
      ? values[argument]
      : undefined;
  const fill = (text: string): string => {
    const filled = replaceVariables(text, valueOf);
    if (filled === text) return text;
    const left = new Set(
      variablesIn(text)
        .filter((variable) => valueOf(variable) === undefined)
        .map((variable) => variable.text),
    );
    const made = variablesIn(filled).find(
      (variable) => !left.has(variable.text) && replacedIn(variable.text) !== undefined,
    );
    if (made !== undefined) throw variableFailure(made.text);
    return filled;
  };
  return fields(mapTexts(configuration, fill));
}

/**
 * Returns the configuration with the values that VS Code will insert for `${config:…}`, `${env:…}` and
 * `${selectedText}`, as far as they are known. A value may contain variables, which VS Code replaces too.
 * @throws Failure `invalid_input` if it becomes too long to be shown to the person
 */
export function expandVariables(
  configuration: Fields,
  valueOf: (variable: TemplateVariable) => string | undefined,
): Fields {
  let characters = 0;
  const expand = (text: string, inside: readonly string[]): string =>
    replaceVariables(text, (variable) => {
      const value = inside.includes(variable.text) ? undefined : valueOf(variable);
      if (value === undefined) return undefined;
      characters += value.length + 1;
      if (characters > MAX_OF_A_QUESTION) throw tooLong(characters, MAX_OF_A_QUESTION);
      return expand(value, [...inside, variable.text]);
    });
  return fields(mapTexts(configuration, (text) => expand(text, [])));
}

/**
 * Returns the inputs that the start of the configuration would ask for.
 * @param inputs the definitions in launch.json
 */
export function questionsOf(
  configuration: Fields,
  inputs: readonly Fields[],
): readonly LaunchQuestion[] {
  const found = new Map<string, LaunchQuestion>();
  for (const { name, argument: id } of textsIn(configuration).flatMap(variablesIn)) {
    if (id === undefined || found.has(id)) continue;
    if (name === 'command' && ASKS.test(id)) found.set(id, { id });
    if (name !== 'input') continue;
    // If there are several definitions with the same id, VS Code uses the last one.
    const input = inputs.findLast((definition) => definition['id'] === id);
    if (input?.['type'] === 'command' && !ASKS.test(textOf(input['command']) ?? '')) continue;
    found.set(id, { id, ...described(input ?? {}) });
  }
  return [...found.values()];
}

/**
 * Returns the commands that the start of the configuration runs or may run.
 * @param inputs all definitions. One id may have several definitions, in different places.
 * @param commands the commands behind `${command:…}`, from the debugger's manifest
 */
export function commandsOf(
  configuration: Fields,
  inputs: readonly Fields[],
  commands: Readonly<Record<string, string>>,
): readonly LaunchCommand[] {
  const found = new Map<string, LaunchCommand>();
  const seen = new Set<string>();
  const add = (command: LaunchCommand): void => void found.set(JSON.stringify(command), command);
  const visit = (value: unknown): void => {
    for (const { text, name, argument: id } of textsIn(value).flatMap(variablesIn)) {
      if (id === undefined || seen.has(text)) continue;
      seen.add(text);
      if (name === 'command')
        add({ command: Object.hasOwn(commands, id) ? (commands[id] ?? id) : id });
      if (name !== 'input') continue;
      for (const input of inputs.filter((definition) => definition['id'] === id)) {
        if (input['type'] === 'command')
          add(
            defined({
              command: textOf(input['command']) ?? '',
              args: input['args'],
            }),
          );
        // An offered value is inserted unchanged, and its variables are replaced.
        else visit([input['default'], input['options']]);
      }
    }
  };
  visit(configuration);
  return [...found.values()];
}

/** Returns the first input whose given value is not among its options, or undefined if there is none. */
export function wrongValue(
  values: Readonly<Record<string, string>>,
  inputs: readonly Fields[],
): LaunchQuestion | undefined {
  for (const [id, value] of Object.entries(values)) {
    // Several folders may have inputs with the same id.
    const offers = inputs
      .filter((input) => input['id'] === id)
      .map((input) => ({ id, ...described(input) }));
    const [first] = offers;
    if (
      first !== undefined &&
      offers.every(({ options }) => options !== undefined && !options.includes(value))
    )
      return first;
  }
  return undefined;
}

function described(input: Fields): Omit<LaunchQuestion, 'id'> {
  const description = textOf(input['description']);
  const fallback = textOf(input['default']);
  const options = listOf(input['options']).flatMap(
    (option) => textOf(option) ?? textOf(fields(option)['value']) ?? [],
  );
  return defined({
    description,
    options: options.length > 0 ? options : undefined,
    default: fallback,
  });
}
