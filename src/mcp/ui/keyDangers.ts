import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../clients/configurationFile';
import { workTreeOf } from '../clients/gitWorkTree';
import { shortPath, type SetUpServices } from './setUpServices';

/** The ways in which the key might leak from a settings file that it will be written to. */
export async function keyDangers(
  settings: Snapshot | undefined,
  { machine, isPortTaken }: SetUpServices,
): Promise<readonly string[]> {
  const dangers: string[] = [];
  const root =
    settings === undefined
      ? undefined
      : await workTreeOf({ named: settings.named, real: settings.file, home: machine.home });
  if (root !== undefined)
    dangers.push(
      l10n.t(
        'The file is in the Git work tree {0}. The key is shared with that repository.',
        shortPath(root, machine),
      ),
    );
  if (isPortTaken())
    dangers.push(l10n.t('Another program now uses the port. The client would send the key to it.'));
  return dangers;
}
