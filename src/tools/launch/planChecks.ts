import * as l10n from '@vscode/l10n';
import { TEST_AT_LINE } from '../../debugger/host';
import { extensionOfType } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { listed } from '../../results/listing';
import type { ToolServices } from '../services';
import { readLaunches } from './launchFile';
import type { StartPlan } from './launchPlan';
import { questionsOf, wrongValue } from './launchVariables';
import { debuggerNotInstalled } from './missingDebugger';
import type { StartInput } from './startInput';

/** Refuses unknown types, for which VS Code would open a dialog. @throws Failure `debugger_not_installed` */
export function checkTypes({ workspace }: ToolServices, plan: StartPlan): void {
  const debuggers = workspace.debuggers();
  const installed = new Set(debuggers.map(({ type }) => type));
  const unknown = plan.launches.find(({ type }) => type !== TEST_AT_LINE && !installed.has(type));
  if (unknown === undefined) return;
  throw debuggerNotInstalled(
    l10n.t('No installed debugger has the type “{0}” of “{1}”.', unknown.type, unknown.name),
    debuggers,
    extensionOfType(unknown.type),
    'Or use one of installed.',
  );
}

/** Refuses values that a person could not pick from the list of an input. @throws Failure `invalid_input` */
export async function checkInputs(
  { workspace }: ToolServices,
  { inputs = {} }: StartInput,
): Promise<void> {
  const wrong =
    Object.keys(inputs).length === 0
      ? undefined
      : wrongValue(inputs, readLaunches(await workspace.launchSources()).inputs);
  if (wrong === undefined) return;
  throw new Failure(
    'invalid_input',
    l10n.t(
      '“{0}” is not one of the values of the input “{1}”: {2}.',
      inputs[wrong.id] ?? '',
      wrong.id,
      listed(wrong.options ?? []),
    ),
    'Pass one of them in inputs. Nothing was started.',
    { questions: [wrong] },
  );
}

/**
 * Refuses a configuration that asks for input, instead of waiting for an answer. It is for calls without a person.
 * @throws Failure `input_needed` with the questions
 */
export async function checkVariables({ workspace }: ToolServices, plan: StartPlan): Promise<void> {
  const asked = questionsOf(
    { all: plan.launches.map((launch) => launch.configuration) },
    readLaunches(await workspace.launchSources()).inputs,
  );
  if (asked.length === 0) return;
  throw new Failure(
    'input_needed',
    l10n.t('“{0}” asks for input: {1}.', plan.name, listed(asked.map(({ id }) => id))),
    'Pass inputs with a value for each id in questions.',
    { questions: asked },
  );
}
