import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listed } from '../../results/listing';
import { SERVER_NAME, type Access, type ClientMachine } from '../clients/client';
import { undoWrite, writeSettings, type Undo } from '../clients/configurationFile';
import {
  accessFor,
  planRemoval,
  planSetUp,
  type EntryDifference,
  type SettingsStatus,
  type SettingsLocation,
} from '../clients/setUp';
import { SKILL_NAME, skillText, type SkillPlace } from '../clients/skills';
import { confirmChange, type PlanChange } from './confirmChange';
import { causeOf, remarkOnDoubled } from './doubledRemarks';
import { removeEntry } from './removeEntry';
import { skillStatuses, removeSkill, setUpSkill, skillItems } from './skillSetUps';
import {
  bridgeFor,
  settingsStatuses,
  messageOf,
  reachOf,
  separator,
  shortPath,
  type Item,
  type SetUpServices,
} from './setUpServices';

export { copyConfiguration } from './copyConfiguration';
export { SKILL_NAME, skillText };
export { offerSkillUpdate } from './skillSetUps';
export { reportDoubledTools } from './doubledTools';

type PlacesItem = Item<{
  readonly places?: readonly SettingsLocation[];
  readonly skills?: readonly SkillPlace[];
}>;

/** Sets up one or several clients. The person sees each change before it is written. */
export async function installConfiguration(services: SetUpServices): Promise<void> {
  const statuses = await settingsStatuses(services);
  const items: PlacesItem[] = [
    ...renewalItem(statuses),
    ...itemsFor(statuses, services.machine),
    ...skillItems(await skillStatuses(services)),
  ];
  const chosen = await services.person.choose(items, {
    title: l10n.t('Set up a client'),
    matchOnDetail: true,
  });
  for (const place of chosen?.places ?? []) await setUp(place, services);
  for (const skill of chosen?.skills ?? []) await setUpSkill(skill, services);
}

/** Removes our entry from a client's settings. The person sees the result first. */
export async function removeConfiguration(services: SetUpServices): Promise<void> {
  const { person } = services;
  const statuses = (await settingsStatuses(services)).filter(
    ({ state }) => state === 'current' || state === 'other',
  );
  const skills = (await skillStatuses(services)).filter(
    ({ state }) => state === 'current' || state === 'other',
  );
  if (statuses.length + skills.length === 0) {
    await person.inform(l10n.t('Agent Debugger is not in the settings of any client.'));
    return;
  }
  const items: PlacesItem[] = [...itemsFor(statuses, services.machine), ...skillItems(skills)];
  const chosen = await person.choose(items, {
    title: l10n.t('Remove the configuration from a client'),
    matchOnDetail: true,
  });
  for (const place of chosen?.places ?? []) await removeEntry(place, services);
  for (const skill of chosen?.skills ?? []) await removeSkill(skill, services);
}

/**
 * The access for Cursor's own list of servers: the bridge, because Cursor drops the headers of addresses that
 * extensions register (cursor/cursor, issue 3536). Undefined if Cursor's settings file has our entry.
 */
export async function accessForCursor(services: SetUpServices): Promise<Access | undefined> {
  const isSetUp = (await settingsStatuses(services)).some(
    ({ place, state }) => place.client.id === 'cursor' && state !== 'none',
  );
  if (isSetUp) return undefined;
  await services.prepareBridge();
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return bridgeFor(services.machine, folder?.uri.fsPath);
}

async function setUp(place: SettingsLocation, services: SetUpServices): Promise<void> {
  const { person, installed } = services;
  const { name } = place.client;
  const plan: PlanChange = async (way) => {
    const access = accessFor(place, await reachOf(services), way);
    const change = await planSetUp(place, access);
    return change === undefined ? undefined : { change, access };
  };
  const change = await confirmChange(
    place.files[0] ?? '',
    services,
    plan,
    l10n.t('Set up {0}', name),
  );
  if (change === 'same') await person.inform(l10n.t('{0} is set up already.', name));
  if (change === 'same' || change === undefined) return;
  const earlier = await installed.find(change.file);
  await installed.add(change);
  if (remarkOnDoubled(place, services) !== undefined)
    await services.markReported(causeOf(place, SERVER_NAME));
  services.later(reportSetUp(place, change, earlier, services));
}

/** Reports that a client is set up, and offers to undo that and to start the server. */
async function reportSetUp(
  place: SettingsLocation,
  undo: Undo,
  earlier: Undo | undefined,
  services: SetUpServices,
): Promise<void> {
  const start = services.isRunning() ? [] : [l10n.t('Start the MCP server')];
  const [back, open] = [l10n.t('Undo'), l10n.t('Open the file')];
  const message = l10n.t(
    '{0} is set up in {1}. Restart it if it does not see the server.',
    place.client.name,
    shortPath(undo.file, services.machine),
  );
  const pressed = await services.person.inform(message, ...start, back, open);
  if (pressed === open) await vscode.window.showTextDocument(vscode.Uri.file(undo.file));
  else if (pressed === back) await takeBack(place, undo, earlier, services);
  else if (pressed !== undefined) await vscode.commands.executeCommand('agentDebugger.mcp.start');
}

/**
 * Undoes only this set-up, to the byte, if the file has not been changed since. In that case an earlier set-up is
 * restored. Otherwise our entry is removed.
 */
async function takeBack(
  place: SettingsLocation,
  undo: Undo,
  earlier: Undo | undefined,
  services: SetUpServices,
): Promise<void> {
  const { person, installed } = services;
  const file = shortPath(undo.file, services.machine);
  try {
    if (await undoWrite(undo)) {
      await installed.replace(undo.file, earlier);
      const isThere = (await planRemoval(place, installed)) !== undefined;
      await person.inform(
        isThere
          ? l10n.t('{0} was not changed. It still has the earlier setup of Agent Debugger.', file)
          : l10n.t('{0} was not changed.', file),
      );
      return;
    }
    const removal = await planRemoval(place, installed);
    if (removal !== undefined) await writeSettings(removal.before, removal.after, removal);
    await installed.remove(undo.file);
    await person.inform(l10n.t('Agent Debugger is no longer in {0}.', file));
  } catch (error) {
    await person.warn(l10n.t('{0} could not be changed: {1}', undo.file, messageOf(error)));
  }
}

/** One item for all outdated entries. Empty if there are none. */
function renewalItem(statuses: readonly SettingsStatus[]): PlacesItem[] {
  const outdated = statuses.filter(({ state }) => state === 'other');
  if (outdated.length === 0) return [];
  const differing = outdated.filter(({ differences }) => differences.length > 0);
  return [
    {
      label: `$(sync) ${l10n.t('Update clients whose key, address or program has changed')}`,
      detail: listed(
        differing.map(
          ({ place, differences }) => `${place.client.name} (${listOfDifferences(differences)})`,
        ),
      ),
      places: outdated.map(({ place }) => place),
    },
  ];
}

function itemsFor(statuses: readonly SettingsStatus[], machine: ClientMachine): PlacesItem[] {
  const section = (level: SettingsLocation['level'], label: string): PlacesItem[] => {
    const ofLevel = statuses.filter(({ place }) => place.level === level);
    if (ofLevel.length === 0) return [];
    return [separator(label), ...ofLevel.map((place) => itemFor(place, machine))];
  };
  return [
    ...section('user', l10n.t('for you, in all projects')),
    ...section('workspace', l10n.t('for this workspace folder, without a key in the file')),
  ];
}

function itemFor(status: SettingsStatus, machine: ClientMachine): PlacesItem {
  const { place } = status;
  return {
    label: place.client.name,
    description: describe(status),
    detail: shortPath(place.files[0] ?? '', machine),
    places: [place],
  };
}

function describe({ state, way, differences }: SettingsStatus): string {
  switch (state) {
    case 'none':
      return '';
    case 'current':
      return `$(check) ${way === 'http' ? l10n.t('set up over HTTP, with the key in the file') : l10n.t('set up')}`;
    case 'other':
      return `$(warning) ${listOfDifferences(differences)}`;
    case 'unusable':
      return `$(error) ${l10n.t('cannot be read')}`;
  }
}

/** Names the differences without their values, because one of them is the key. */
function listOfDifferences(differences: readonly EntryDifference[]): string {
  const names: Readonly<Record<EntryDifference, string>> = {
    key: l10n.t('another key'),
    address: l10n.t('another address'),
    program: l10n.t('another program'),
    way: l10n.t('another way to reach it'),
  };
  const list = new Intl.ListFormat(vscode.env.language, { type: 'conjunction' });
  return l10n.t('with {0}', list.format(differences.map((difference) => names[difference])));
}
