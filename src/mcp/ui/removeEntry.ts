import * as l10n from '@vscode/l10n';
import { planRemoval, type SettingsLocation } from '../clients/setUp';
import { confirmChange, type PlanChange } from './confirmChange';
import { shortPath, type SetUpServices } from './setUpServices';

/** Removes our entry from a file. The person sees the result first. @returns whether it was removed */
export async function removeEntry(
  place: SettingsLocation,
  services: SetUpServices,
): Promise<boolean> {
  const plan: PlanChange = async () => {
    const change = await planRemoval(place, services.installed);
    return change === undefined ? undefined : { change };
  };
  const title = l10n.t('Remove the configuration from {0}', place.client.name);
  const change = await confirmChange(place.files[0] ?? '', services, plan, title);
  if (change === undefined) return false;
  if (change === 'same') return true;
  await services.installed.remove(change.file);
  const file = shortPath(change.file, services.machine);
  await services.person.inform(l10n.t('Agent Debugger is no longer in {0}.', file));
  return true;
}
