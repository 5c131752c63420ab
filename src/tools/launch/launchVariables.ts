import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { fields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { MOST_OF_A_QUESTION, tooLong } from '../question';
import {
  mapTexts,
  replacedIn,
  replaceVariables,
  textsIn,
  variablesIn,
  type TemplateVariable,
} from '../templates';

/** What a configuration asks a person when it is started. */
export interface LaunchQuestion {
  /** The id of `${input:id}`, or the command of `${command:id}`. */
  readonly id: string;
  readonly description?: string;
  readonly options?: readonly string[];
  readonly default?: string;
}

/** A command of an extension that VS Code runs to fill a variable in. */
export interface LaunchCommand {
  readonly command: string;
  readonly args?: unknown;
}

/** Commands that open a list or a box; others compute something and ask nobody. */
const ASKS = /pick|select|choose|prompt|ask/i;

/**
 * What an agent passes is text. VS Code would replace `${…}` in it, run a command for it even, and knows no escape.
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
      'VS Code would replace {0}; what an agent passes is text without variables.',
      variable.slice(0, 200),
    ),
    'Pass the plain value in its place: VS Code knows no escape for a variable. Other ${…} may stay. Nothing was started.',
  );
}

/**
 * The configuration with the given values in the place of its variables; those without a value stay.
 * @throws Failure `invalid_input` for values that make a variable together with what stands around them
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
 * The configuration with what VS Code will put in for `${config:…}`, `${env:…}` and `${selectedText}`, as far as that
 * is known: what stands there may hold variables of its own, which VS Code replaces as well.
 * @throws Failure `invalid_input` where that grows beyond what a person can be shown
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
      if (characters > MOST_OF_A_QUESTION) throw tooLong(characters, MOST_OF_A_QUESTION);
      return expand(value, [...inside, variable.text]);
    });
  return fields(mapTexts(configuration, (text) => expand(text, [])));
}

/** What starting the configuration would ask. `inputs` are those that launch.json defines. */
export function questionsOf(
  configuration: Fields,
  inputs: readonly Fields[],
): readonly LaunchQuestion[] {
  const found = new Map<string, LaunchQuestion>();
  for (const { name, argument: id } of textsIn(configuration).flatMap(variablesIn)) {
    if (id === undefined || found.has(id)) continue;
    if (name === 'command' && ASKS.test(id)) found.set(id, { id });
    if (name !== 'input') continue;
    // Of several with the same id, VS Code takes the last.
    const input = inputs.filter((each) => each['id'] === id).at(-1);
    if (input?.['type'] === 'command' && !ASKS.test(textOf(input['command']) ?? '')) continue;
    found.set(id, { id, ...described(input ?? {}) });
  }
  return [...found.values()];
}

/**
 * The commands that starting the configuration runs, or may run.
 * @param inputs all that are defined; of one id there may be several, in different places
 * @param commands what `${command:…}` stands for, as the debugger's manifest has it
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
      for (const input of inputs.filter((each) => each['id'] === id)) {
        if (input['type'] === 'command')
          add(
            defined({
              command: textOf(input['command']) ?? '',
              args: input['args'],
            }),
          );
        // What a person is offered is put in as it stands, and its variables are replaced.
        else visit([input['default'], input['options']]);
      }
    }
  };
  visit(configuration);
  return [...found.values()];
}

/** A given value that is not among those that its input offers; undefined where each is, or its input takes any. */
export function wrongValue(
  values: Readonly<Record<string, string>>,
  inputs: readonly Fields[],
): LaunchQuestion | undefined {
  for (const [id, value] of Object.entries(values)) {
    // Folders may have inputs of the same id.
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
