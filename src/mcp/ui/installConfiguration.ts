import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { bridgeProgram } from '../clients/bridge';
import { CLIENTS, OTHER } from '../clients/catalog';
import type { Access, Client, Machine } from '../clients/client';
import {
  ChangedMeanwhile,
  readSettings,
  undoWrite,
  writeSettings,
  type Snapshot,
  type Undo,
} from '../clients/configurationFile';
import { workTreeOf } from '../clients/gitWorkTree';
import type { Installed } from '../clients/installed';
import {
  accessFor,
  canHoldKey,
  knownOf,
  pasteText,
  placesOf,
  planRemoval,
  planSetUp,
  type Difference,
  type Known,
  type Place,
  type PlannedChange,
  type Reach,
} from '../clients/setUp';
import { UnusableSettings } from '../clients/unusable';
import type { Person } from './person';
import type { SettingsPreview } from './settingsPreview';
import { remoteMachine } from './remoteMachine';

export interface SetUpServices {
  readonly address: () => Promise<{ readonly url: string; readonly key: string }>;
  readonly isRunning: () => boolean;
  /** Another program has the port. */
  readonly isPortTaken: () => boolean;
  /** Before a client is given the address and the key. */
  readonly keyGiven: (url: string) => Promise<void>;
  /** Before a client is told to start the bridge. */
  readonly prepareBridge: () => Promise<void>;
  readonly machine: Machine;
  readonly person: Person;
  readonly installed: Installed;
  readonly preview: SettingsPreview;
  /** For what a notification is answered with, whenever that is: nothing else waits for it. */
  readonly later: (work: Promise<void>) => void;
}

type Way = Access['kind'];
type Item = vscode.QuickPickItem & { readonly places?: readonly Place[] };

/** Sets up a client, or several, each after the person has seen what will be written. */
export async function installConfiguration(services: SetUpServices): Promise<void> {
  const { person } = services;
  const known = await standings(services);
  const outdated = known.filter(({ standing }) => standing === 'other').map(({ place }) => place);
  const renewal: Item[] =
    outdated.length === 0
      ? []
      : [
          {
            label: `$(sync) ${l10n.t('Set up again what has another key, address or program')}`,
            detail: known
              .flatMap(({ place, differences }) =>
                differences.length === 0 ? [] : `${place.client.name} (${wordsFor(differences)})`,
              )
              .join(', '),
            places: outdated,
          },
        ];
  const chosen = await person.choose([...renewal, ...itemsFor(known, services.machine)], {
    title: l10n.t('Set up a client'),
    matchOnDetail: true,
  });
  for (const place of chosen?.places ?? []) await setUp(place, services);
}

/** Takes our entry out of a client's settings, after the person has seen what is left. */
export async function removeConfiguration(services: SetUpServices): Promise<void> {
  const { person } = services;
  const known = (await standings(services)).filter(
    ({ standing }) => standing === 'current' || standing === 'other',
  );
  if (known.length === 0) {
    await person.tell(l10n.t('No client’s settings name Agent Debugger.'));
    return;
  }
  const chosen = await person.choose(itemsFor(known, services.machine), {
    title: l10n.t('Remove the configuration from a client'),
    matchOnDetail: true,
  });
  for (const place of chosen?.places ?? []) await takeOut(place, services);
}

export async function copyConfiguration(services: SetUpServices): Promise<void> {
  const { person, machine } = services;
  const { url, key, program } = await reachOf(services);
  const http = { kind: 'http', url, key } as const;
  const row = (client: Client, label: string, access: Access): CopyItem => ({
    label,
    description: short(client.userFiles?.(machine)[0] ?? '', machine),
    client,
    access,
  });
  const separator = (label: string): CopyItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const items = [
    separator(l10n.t('the stdio bridge, without a key (recommended)')),
    ...CLIENTS.map((client) => row(client, client.name, program())),
    row(OTHER, l10n.t('Any other client (stdio)'), program()),
    separator(l10n.t('HTTP, with the key')),
    ...CLIENTS.filter((client) => client.http !== undefined).map((client) =>
      row(client, l10n.t('{0} (HTTP)', client.name), http),
    ),
    row(OTHER, l10n.t('Any other client (HTTP)'), http),
  ];
  const chosen = await person.choose(items, {
    title: l10n.t('Copy the configuration for a client'),
    matchOnDescription: true,
  });
  if (chosen?.client === undefined || chosen.access === undefined) return;
  await prepare(chosen.access, services);
  await vscode.env.clipboard.writeText(await pasteText(chosen.client, chosen.access));
  const file = chosen.description ?? '';
  if (chosen.access.kind === 'stdio') {
    await person.tell(
      file === ''
        ? l10n.t('Copied. No key is in it.')
        : l10n.t('Copied: paste it into {0}. No key is in it.', file),
    );
    return;
  }
  const copied =
    file === ''
      ? l10n.t('Copied. It holds the key: share it with nobody.')
      : l10n.t('Copied: paste it into {0}. It holds the key: share it with nobody.', file);
  const named = chosen.client.userFiles?.(machine)[0];
  const dangers = await dangersOf(
    named === undefined ? undefined : await readSettings(named).catch(() => undefined),
    services,
  );
  if (dangers.length === 0) await person.tell(copied);
  else await person.warn([copied, ...dangers].join(' '));
}

interface CopyItem extends vscode.QuickPickItem {
  readonly client?: Client;
  readonly access?: Access;
}

/** What a client is given has to be there, and that it has the key is remembered. */
async function prepare(access: Access, { keyGiven, prepareBridge }: SetUpServices): Promise<void> {
  if (access.kind === 'http') await keyGiven(access.url);
  else await prepareBridge();
}

/** What may get the key out, where it is about to be in a file. */
async function dangersOf(
  settings: Snapshot | undefined,
  { machine, isPortTaken }: SetUpServices,
): Promise<readonly string[]> {
  const root =
    settings === undefined
      ? undefined
      : await workTreeOf({ named: settings.named, real: settings.file, home: machine.home });
  return [
    ...(root === undefined
      ? []
      : [
          l10n.t(
            'The file lies in the Git work tree {0}: the key goes wherever that repository goes.',
            short(root, machine),
          ),
        ]),
    ...(isPortTaken()
      ? [l10n.t('Another program has the port now: the client would send it the key.')]
      : []),
  ];
}

/**
 * For Cursor's own list of servers. It drops the headers of addresses that extensions register (cursor/cursor, issue
 * 3536), so it gets the bridge, which needs none. Undefined where its settings file has us already.
 */
export async function accessForCursor(services: SetUpServices): Promise<Access | undefined> {
  const { machine } = services;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri
    .fsPath;
  if (
    (await standings(services)).some(
      ({ place, standing }) => place.client.id === 'cursor' && standing !== 'none',
    )
  )
    return undefined;
  await services.prepareBridge();
  return bridgeProgram(machine, runtime(), folder);
}

async function setUp(place: Place, services: SetUpServices): Promise<void> {
  const { person } = services;
  const plan = async (way: Way): Promise<Proposal | undefined> => {
    const access = accessFor(place, await reachOf(services), way);
    const change = await planSetUp(place, access);
    return change === undefined ? undefined : { change, access };
  };
  const change = await approved(place, services, plan, l10n.t('Set up {0}', place.client.name));
  if (change === 'same') await person.tell(l10n.t('{0} is set up already.', place.client.name));
  if (change === 'same' || change === undefined) return;
  const earlier = await services.installed.find(change.file);
  await services.installed.add(change);
  services.later(tellDone(place, change, earlier, services));
}

/** After the change: how to take it back, and what else it needs. */
async function tellDone(
  place: Place,
  undo: Undo,
  earlier: Undo | undefined,
  services: SetUpServices,
): Promise<void> {
  const { person } = services;
  const start = services.isRunning() ? [] : [l10n.t('Start the MCP server')];
  const [back, open] = [l10n.t('Undo'), l10n.t('Open the file')];
  const words = l10n.t(
    '{0} is set up in {1}. Restart it if it does not see the server.',
    place.client.name,
    short(undo.file, services.machine),
  );
  const pressed = await person.tell(words, ...start, back, open);
  if (pressed === open) await vscode.window.showTextDocument(vscode.Uri.file(undo.file));
  else if (pressed === back) await takeBack(place, undo, earlier, services);
  else if (pressed !== undefined) await vscode.commands.executeCommand('agentDebugger.mcp.start');
}

/** This set-up alone, to the byte, where nobody has written since: an earlier one is there again. Else our entry goes. */
async function takeBack(
  place: Place,
  undo: Undo,
  earlier: Undo | undefined,
  services: SetUpServices,
): Promise<void> {
  const { person, installed } = services;
  const file = short(undo.file, services.machine);
  try {
    if (await undoWrite(undo)) {
      await installed.replace(undo.file, earlier);
      const isThere = (await planRemoval(place, installed)) !== undefined;
      await person.tell(
        isThere
          ? l10n.t('{0} is as it was, with the earlier set-up of Agent Debugger.', file)
          : l10n.t('{0} is as it was.', file),
      );
      return;
    }
    const removal = await planRemoval(place, installed);
    if (removal !== undefined) await writeSettings(removal.before, removal.after, removal);
    await installed.remove(undo.file);
    await person.tell(l10n.t('Agent Debugger is no longer in {0}.', file));
  } catch (error) {
    await person.warn(l10n.t('{0} could not be changed: {1}', undo.file, wordsOf(error)));
  }
}

async function takeOut(place: Place, services: SetUpServices): Promise<void> {
  const plan = async (): Promise<Proposal | undefined> => {
    const change = await planRemoval(place, services.installed);
    return change === undefined ? undefined : { change };
  };
  const change = await approved(
    place,
    services,
    plan,
    l10n.t('Remove the configuration from {0}', place.client.name),
  );
  if (change === undefined || change === 'same') return;
  await services.installed.remove(change.file);
  await services.person.tell(
    l10n.t('Agent Debugger is no longer in {0}.', short(change.file, services.machine)),
  );
}

/** A change, and in a set-up what the client is given. */
interface Proposal {
  readonly change: PlannedChange;
  readonly access?: Access;
}

/**
 * Shows a change, asks, and writes it; once more where somebody wrote meanwhile, or the person wants the other way.
 * Nothing is written over a file that is not understood.
 */
async function approved(
  place: Place,
  services: SetUpServices,
  plan: (way: Way) => Promise<Proposal | undefined>,
  title: string,
): Promise<Undo | 'same' | undefined> {
  const { person, preview } = services;
  const file = place.files[0] ?? '';
  let way: Way = 'stdio';
  for (;;) {
    try {
      const proposal = await plan(way);
      if (proposal === undefined) return 'same';
      const { change, access } = proposal;
      if (await isUnsaved(change.before.file, person)) return undefined;
      const answer = await preview.during(
        {
          file: change.before.file,
          before: change.before.text,
          after: change.after,
          secrets: change.secrets,
        },
        async () => await confirm(proposal, title, services),
      );
      if (answer === 'leave') return undefined;
      if (answer !== 'write') {
        way = answer;
        continue;
      }
      if (access !== undefined) await prepare(access, services);
      if (change.undo === undefined)
        return await writeSettings(change.before, change.after, change);
      if (await undoWrite(change.undo)) return change.undo;
      throw new ChangedMeanwhile(change.before.file);
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        await person.tell(
          l10n.t(
            '{0} was changed meanwhile: look at the change once more.',
            short(error.file, services.machine),
          ),
        );
        continue;
      }
      await tellUnusable(error, file, services);
      return undefined;
    }
  }
}

/** @returns the way that is to be shown instead, or what to do with the change */
async function confirm(
  { change, access }: Proposal,
  title: string,
  services: SetUpServices,
): Promise<'write' | 'leave' | Way> {
  const { machine, person } = services;
  const { before, place } = change;
  const write = {
    label: `$(check) ${l10n.t('Write it')}`,
    detail: (await remarksOn({ change, access }, services)).join(' '),
    answer: 'write' as const,
  };
  const bridge = {
    label: `$(shield) ${l10n.t('Show it with the stdio bridge instead')}`,
    detail: l10n.t('No key will be in the file.'),
    answer: 'stdio' as const,
  };
  const http = {
    label: `$(key) ${l10n.t('Show it with the address and the key instead')}`,
    detail: l10n.t(
      'Over HTTP, for a client that cannot start programs. It sends the key to whoever has the port.',
    ),
    answer: 'http' as const,
  };
  const leave = {
    label: `$(close) ${l10n.t('Leave the file as it is')}`,
    answer: 'leave' as const,
  };
  const others =
    access === undefined || !canHoldKey(place) ? [] : [access.kind === 'http' ? bridge : http];
  const chosen = await person.choose([write, ...others, leave], {
    title,
    placeHolder: short(before.file, machine),
    ignoreFocusOut: true,
  });
  return chosen?.answer ?? 'leave';
}

async function remarksOn(
  { change, access }: Proposal,
  services: SetUpServices,
): Promise<readonly string[]> {
  const { machine } = services;
  const { before } = change;
  return [
    ...(access?.kind === 'http'
      ? [
          machine.platform === 'win32'
            ? l10n.t('The key will be in it: share it with nobody.')
            : l10n.t('The key will be in it; only you can read it.'),
        ]
      : []),
    ...(access?.kind === 'http'
      ? (await dangersOf(before, services)).map((danger) => `$(warning) ${danger}`)
      : []),
    ...(access?.kind === 'stdio'
      ? [l10n.t('No key will be in it, only paths of this computer.')]
      : []),
    ...(vscode.env.remoteName === undefined
      ? []
      : [l10n.t('The file is on {0}, for clients there.', remoteMachine(vscode.env.remoteName))]),
  ];
}

/** VS Code would ask about two versions of one file later. */
async function isUnsaved(file: string, person: Person): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(
    (each) => each.isDirty && each.uri.scheme === 'file' && each.uri.fsPath === file,
  );
  if (document === undefined) return false;
  await vscode.window.showTextDocument(document);
  await person.warn(l10n.t('{0} has unsaved changes: save it first.', file));
  return true;
}

async function tellUnusable(
  error: unknown,
  file: string,
  { person }: SetUpServices,
): Promise<void> {
  const open = l10n.t('Open the file');
  if (!(error instanceof UnusableSettings)) {
    await person.warn(l10n.t('{0} could not be changed: {1}', file, wordsOf(error)));
    return;
  }
  const where = error.file ?? file;
  if (
    (await person.warn(l10n.t('{0} was left as it is. {1}', where, error.message), open)) !== open
  )
    return;
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(where));
  if (error.offset === undefined) return;
  const at = editor.document.positionAt(error.offset);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
}

async function standings(services: SetUpServices): Promise<readonly Known[]> {
  const reach = await reachOf(services);
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const places = CLIENTS.flatMap((client) => placesOf(client, services.machine, folders));
  return await Promise.all(places.map(async (place) => await knownOf(place, reach)));
}

async function reachOf({ address, machine }: SetUpServices): Promise<Reach> {
  return { ...(await address()), program: (folder) => bridgeProgram(machine, runtime(), folder) };
}

function itemsFor(known: readonly Known[], machine: Machine): Item[] {
  const section = (level: Place['level'], label: string): Item[] => {
    const items = known
      .filter(({ place }) => place.level === level)
      .map((each): Item => ({
        label: each.place.client.name,
        description: describe(each),
        detail: short(each.place.files[0] ?? '', machine),
        places: [each.place],
      }));
    return items.length === 0
      ? []
      : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };
  return [
    ...section('user', l10n.t('for you, in all projects')),
    ...section('workspace', l10n.t('for this workspace folder, without a key in the file')),
  ];
}

function describe({ standing, way, differences }: Known): string {
  switch (standing) {
    case 'none':
      return '';
    case 'current':
      return `$(check) ${way === 'http' ? l10n.t('set up over HTTP, with the key in the file') : l10n.t('set up')}`;
    case 'other':
      return `$(warning) ${wordsFor(differences)}`;
    case 'unusable':
      return `$(error) ${l10n.t('cannot be read')}`;
  }
}

/** What differs, never what it is: one of them is the key. */
function wordsFor(differences: readonly Difference[]): string {
  const words: Readonly<Record<Difference, string>> = {
    key: l10n.t('another key'),
    address: l10n.t('another address'),
    program: l10n.t('another program'),
    way: l10n.t('another way to reach it'),
  };
  return l10n.t(
    'with {0}',
    new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(
      differences.map((each) => words[each]),
    ),
  );
}

function short(file: string, { home }: Machine): string {
  return file.startsWith(home) ? `~${file.slice(home.length)}` : file;
}

const runtime = (): { execPath: string; isElectron: boolean } => ({
  execPath: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
});
const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
