import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { listed } from '../../results/listing';
import { fields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { absolute } from '../files/files';
import type { StartInput } from './startInput';
import type { ToolServices } from '../services';

/** The configuration property that each parameter sets. */
const PROPERTIES = { args: 'args', cwd: 'cwd', env: 'env', stop_on_entry: 'stopOnEntry' } as const;

/** The parameters that apply only to a launched program. */
const OF_A_LAUNCH = ['args', 'env'] as const;

/** Returns the parameters of a call that set a property of the configuration. */
export function overridesIn(input: StartInput): readonly (keyof typeof PROPERTIES)[] {
  return (['args', 'cwd', 'env', 'stop_on_entry'] as const).filter(
    (name) => input[name] !== undefined,
  );
}

/**
 * Returns the properties that a call sets in a configuration. They replace existing properties, but environment
 * variables are added to the existing ones.
 * @throws Failure `invalid_input` if the configuration cannot use a parameter, so that no parameter is ignored silently
 */
export async function overrides(
  services: ToolServices,
  configuration: Fields,
  input: StartInput,
): Promise<Fields> {
  const unused =
    configuration['request'] === 'attach'
      ? OF_A_LAUNCH.filter((name) => input[name] !== undefined)
      : [];
  if (unused.length > 0) {
    throw new Failure(
      'invalid_input',
      l10n.t(
        'The configuration attaches to a running program, so {0} cannot be set.',
        listed(unused),
      ),
      'Leave it out. Nothing was started.',
    );
  }
  return defined({
    [PROPERTIES.args]: input.args,
    [PROPERTIES.cwd]: input.cwd === undefined ? undefined : await absolute(services, input.cwd),
    [PROPERTIES.env]:
      input.env === undefined ? undefined : withVariables(configuration['env'], input.env),
    [PROPERTIES.stop_on_entry]: input.stop_on_entry,
  });
}

/** Adds environment variables. Some debuggers accept a list of `NAME=value` (lldb-dap). */
function withVariables(before: unknown, more: Readonly<Record<string, string>>): unknown {
  if (!Array.isArray(before)) return { ...fields(before), ...more };
  const others = listOf(before).filter(
    (variable) => !Object.hasOwn(more, textOf(variable)?.split('=', 1)[0] ?? ''),
  );
  return [...others, ...Object.entries(more).map(([name, value]) => `${name}=${value}`)];
}

/**
 * Refuses overrides for a compound, because it is unclear which member they apply to.
 * @throws Failure `invalid_input`
 */
export function refuseForCompound(input: StartInput, members: readonly string[]): void {
  const given = overridesIn(input);
  if (given.length === 0) return;
  throw new Failure(
    'invalid_input',
    l10n.t(
      '“{0}” is a compound of several programs, so {1} cannot be set.',
      input.configuration_name ?? '',
      listed(given),
    ),
    'Start its members by their own names. Nothing was started.',
    { available: [...members] },
  );
}
