import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { undoWrite, type Undo } from '../clients/configurationFile';
import {
  planSkill,
  planSkillRemoval,
  readersTwice,
  skillPlacesOf,
  skillStateOf,
  type SkillPlace,
  type SkillState,
} from '../clients/skills';
import { confirmChange } from './confirmChange';
import { localFolders } from './localFolders';
import { messageOf, separator, shortPath, type Item, type SetUpServices } from './setUpServices';

/** A place for the skill and its state. */
interface SkillStatus {
  readonly place: SkillPlace;
  readonly state: SkillState;
  /** The agents that would have the skill twice if it were installed here as well. */
  readonly twice: readonly string[];
}

type SkillItem = Item<{ readonly skills?: readonly SkillPlace[] }>;

/** The state of each place for the skill. */
export async function skillStatuses(services: SetUpServices): Promise<readonly SkillStatus[]> {
  const text = await services.skill();
  const folders = localFolders();
  const states = await Promise.all(
    skillPlacesOf(services.machine, folders).map(async (place) => ({
      place,
      state: await skillStateOf(place, text),
    })),
  );
  const present = states.filter(({ state }) => state !== 'none').map(({ place }) => place);
  return states.map((entry) => ({ ...entry, twice: readersTwice(entry.place, present) }));
}

/** One row per place, and a row for all places with another version. Empty if there are no places. */
export function skillItems(statuses: readonly SkillStatus[]): SkillItem[] {
  if (statuses.length === 0) return [];
  const outdated = statuses.filter(({ state }) => state === 'other').map(({ place }) => place);
  const update = {
    label: `$(sync) ${l10n.t('Update the skill')}`,
    detail: listOf(outdated.map(({ name }) => name)),
    skills: outdated,
  };
  return [
    separator(l10n.t('the skill: when and how to debug')),
    ...(outdated.length > 0 ? [update] : []),
    ...statuses.map(itemFor),
  ];
}

/** Offers to update the skills that an earlier version of the extension installed. */
export async function offerSkillUpdate(services: SetUpServices): Promise<void> {
  const outdated = (await skillStatuses(services)).filter(({ state }) => state === 'other');
  if (outdated.length === 0) return;
  const names = listOf(outdated.map(({ place }) => place.name));
  const update = l10n.t('Show the change');
  const message = l10n.t('Agent Debugger’s skill in {0} is from an earlier version.', names);
  if ((await services.person.inform(message, update)) !== update) return;
  for (const { place } of outdated) await setUpSkill(place, services);
}

function itemFor({ place, state, twice }: SkillStatus): SkillItem {
  const readers = l10n.t('read by {0}', listOf(place.readers));
  const doubled =
    state === 'none' && twice.length > 0
      ? `. $(info) ${l10n.t('Already in another folder for {0}', listOf(twice))}`
      : '';
  return {
    label: place.name,
    description: describe(state),
    detail: `${readers}${doubled}`,
    skills: [place],
  };
}

function describe(state: SkillState): string {
  switch (state) {
    case 'none':
      return '';
    case 'current':
      return `$(check) ${l10n.t('set up')}`;
    case 'other':
      return `$(sync) ${l10n.t('another version')}`;
    case 'foreign':
      return `$(warning) ${l10n.t('a skill of the same name')}`;
    case 'unusable':
      return `$(error) ${l10n.t('cannot be read')}`;
  }
}

/** Writes the skill into a folder and offers to undo that. The person sees the change first. */
export async function setUpSkill(place: SkillPlace, services: SetUpServices): Promise<void> {
  const { person, installed } = services;
  const plan = async (): Promise<{ readonly change: PlannedSkill } | undefined> => {
    const change = await planSkill(place, await services.skill());
    return change === undefined ? undefined : { change };
  };
  const title = l10n.t('Put the skill into {0}', place.name);
  const undo = await confirmChange(place.file, services, plan, title);
  if (undo === 'same') await person.inform(l10n.t('The skill in {0} is current.', place.name));
  if (undo === 'same' || undo === undefined) return;
  const earlier = await installed.find(undo.file);
  await installed.add(undo);
  await services.skillWritten();
  services.later(report(undo, earlier, services));
}

type PlannedSkill = NonNullable<Awaited<ReturnType<typeof planSkill>>>;

/** Removes the skill from a folder. The person sees the change first. */
export async function removeSkill(place: SkillPlace, services: SetUpServices): Promise<void> {
  const plan = async (): Promise<{ readonly change: PlannedSkill } | undefined> => {
    const change = await planSkillRemoval(place, services.installed);
    return change === undefined ? undefined : { change };
  };
  const title = l10n.t('Remove the skill from {0}', place.name);
  const undo = await confirmChange(place.file, services, plan, title);
  if (undo === undefined || undo === 'same') return;
  await services.installed.remove(undo.file);
  await services.person.inform(l10n.t('The skill is no longer in {0}.', place.name));
}

async function report(
  undo: Undo,
  earlier: Undo | undefined,
  { person, installed, machine }: SetUpServices,
): Promise<void> {
  const file = shortPath(undo.file, machine);
  const [back, open] = [l10n.t('Undo'), l10n.t('Open the file')];
  const pressed = await person.inform(l10n.t('The skill is in {0}.', file), back, open);
  if (pressed === open) await vscode.window.showTextDocument(vscode.Uri.file(undo.file));
  if (pressed !== back) return;
  try {
    if (!(await undoWrite(undo))) {
      await person.warn(l10n.t('{0} has changed since and was not changed again.', file));
      return;
    }
    await installed.replace(undo.file, earlier);
    await person.inform(l10n.t('{0} was not changed.', file));
  } catch (error) {
    await person.warn(l10n.t('{0} could not be changed: {1}', undo.file, messageOf(error)));
  }
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(names);
}
