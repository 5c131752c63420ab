import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Access } from '../clients/client';
import {
  ChangedMeanwhile,
  undoWrite,
  writeSettings,
  type Undo,
} from '../clients/configurationFile';
import { UnusableSettings } from '../clients/entryFormat';
import { canHoldKey, type PlannedEdit } from '../clients/setUp';
import { remarkOnDoubled } from './doubledRemarks';
import { keyDangers } from './keyDangers';
import type { Person } from './person';
import { remoteMachine } from './remoteMachine';
import { messageOf, prepareAccess, shortPath, type SetUpServices } from './setUpServices';

/** The way in which a client reaches the server. */
export type Way = Access['kind'];

/** A change of a settings file and, in a set-up, the client's access. */
export interface Proposal {
  readonly change: PlannedEdit;
  readonly access?: Access;
}

/** Plans a change. Undefined if there is nothing to change. */
export type PlanChange = (way: Way) => Promise<Proposal | undefined>;

/**
 * Shows a change, asks the person, and writes it. The change is planned and shown again if the file has changed in the
 * meantime, or if the person chooses the other way. A file that cannot be parsed is not written.
 */
export async function confirmChange(
  file: string,
  services: SetUpServices,
  plan: PlanChange,
  title: string,
): Promise<Undo | 'same' | undefined> {
  let way: Way = 'stdio';
  for (;;) {
    try {
      const proposal = await plan(way);
      if (proposal === undefined) return 'same';
      const answer = await showAndAsk(proposal, title, services);
      if (answer === 'leave') return undefined;
      if (answer === 'write') return await write(proposal, services);
      way = answer;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) {
        await reportUnusable(error, file, services);
        return undefined;
      }
      const changed = shortPath(error.file, services.machine);
      await services.person.inform(
        l10n.t('{0} has changed in the meantime. Review the change again.', changed),
      );
    }
  }
}

type Answer = 'write' | 'leave' | Way;

async function showAndAsk(
  proposal: Proposal,
  title: string,
  services: SetUpServices,
): Promise<Answer> {
  const { before, after, secrets } = proposal.change;
  if (await isUnsaved(before.file, services.person)) return 'leave';
  return await services.preview.during(
    { file: before.file, before: before.text, after, secrets },
    () => ask(proposal, title, services),
  );
}

async function write({ change, access }: Proposal, services: SetUpServices): Promise<Undo> {
  if (access !== undefined) await prepareAccess(access, services);
  if (change.undo === undefined) return await writeSettings(change.before, change.after, change);
  if (await undoWrite(change.undo)) return change.undo;
  throw new ChangedMeanwhile(change.before.file);
}

/** @returns what to do with the change, or the way to show instead */
async function ask(proposal: Proposal, title: string, services: SetUpServices): Promise<Answer> {
  const write = {
    label: `$(check) ${l10n.t('Write it')}`,
    detail: (await remarksOn(proposal, services)).join(' '),
    answer: 'write' as const,
  };
  const leave = {
    label: `$(close) ${l10n.t('Leave the file as it is')}`,
    answer: 'leave' as const,
  };
  const chosen = await services.person.choose([write, ...otherWays(proposal), leave], {
    title,
    placeHolder: shortPath(proposal.change.before.file, services.machine),
    ignoreFocusOut: true,
  });
  return chosen?.answer ?? 'leave';
}

function otherWays({
  change,
  access,
}: Proposal): readonly (vscode.QuickPickItem & { readonly answer: Way })[] {
  if (access === undefined || change.place === undefined || !canHoldKey(change.place)) return [];
  if (access.kind === 'http')
    return [
      {
        label: `$(shield) ${l10n.t('Show it with the stdio bridge instead')}`,
        detail: l10n.t('The file will contain no key.'),
        answer: 'stdio',
      },
    ];
  return [
    {
      label: `$(key) ${l10n.t('Show it with the address and the key instead')}`,
      detail: l10n.t(
        'Over HTTP, for a client that cannot start programs. The client sends the key to any program that uses the port.',
      ),
      answer: 'http',
    },
  ];
}

async function remarksOn(
  { change, access }: Proposal,
  services: SetUpServices,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  if (access?.kind === 'http') {
    const isWindows = services.machine.platform === 'win32';
    remarks.push(
      isWindows
        ? l10n.t('It will contain the key: do not share it.')
        : l10n.t('It will contain the key; only you can read it.'),
    );
    for (const danger of await keyDangers(change.before, services))
      remarks.push(`$(warning) ${danger}`);
  }
  if (access?.kind === 'stdio')
    remarks.push(l10n.t('It will contain no key, only paths of this computer.'));
  const doubled = access === undefined ? undefined : remarkOnDoubled(change.place, services);
  if (doubled !== undefined) remarks.push(`$(info) ${doubled}`);
  const { remoteName } = vscode.env;
  if (remoteName !== undefined)
    remarks.push(l10n.t('The file is on {0}, for clients there.', remoteMachine(remoteName)));
  return remarks;
}

/** Whether the editor has unsaved changes to a file. VS Code would later ask which of two versions to keep. */
async function isUnsaved(file: string, person: Person): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(
    (open) => open.isDirty && open.uri.scheme === 'file' && open.uri.fsPath === file,
  );
  if (document === undefined) return false;
  await vscode.window.showTextDocument(document);
  await person.warn(l10n.t('{0} has unsaved changes: save it first.', file));
  return true;
}

async function reportUnusable(
  error: unknown,
  file: string,
  { person }: SetUpServices,
): Promise<void> {
  if (!(error instanceof UnusableSettings)) {
    await person.warn(l10n.t('{0} could not be changed: {1}', file, messageOf(error)));
    return;
  }
  const open = l10n.t('Open the file');
  const unusable = error.file ?? file;
  const message = l10n.t('{0} was not changed. {1}', unusable, error.message);
  if ((await person.warn(message, open)) !== open) return;
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(unusable));
  if (error.offset === undefined) return;
  const at = editor.document.positionAt(error.offset);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
}
