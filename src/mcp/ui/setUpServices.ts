import * as vscode from 'vscode';
import { bridgeProgram } from '../clients/bridge';
import { CLIENTS } from '../clients/catalog';
import type { Access, ClientMachine, StdioAccess } from '../clients/client';
import type { Installed } from '../clients/installed';
import { knownOf, placesOf, type KnownSettings, type Reach } from '../clients/setUp';
import type { Person } from './person';
import type { SettingsPreview } from './settingsPreview';

/** What setting up clients needs of the server and the editor. */
export interface SetUpServices {
  readonly address: () => Promise<{ readonly url: string; readonly key: string }>;
  readonly isRunning: () => boolean;
  /** Another program has the port. */
  readonly isPortTaken: () => boolean;
  /** Called before a client is given the address and the key. */
  readonly keyGiven: (url: string) => Promise<void>;
  /** Called before a client is told to start the bridge. */
  readonly prepareBridge: () => Promise<void>;
  readonly machine: ClientMachine;
  readonly person: Person;
  readonly installed: Installed;
  /** The skill as it is written into the folders of agents. */
  readonly skill: () => Promise<string>;
  /** Called when the skill was written: after an update of the extension its folders are looked at. */
  readonly skillWritten: () => PromiseLike<void>;
  readonly preview: SettingsPreview;
  /** The editor's own agents have the extension's tools: with our entry in a file that the editor reads, they have them twice. */
  readonly isInEditor: boolean;
  /** The person was told that an entry doubles the tools (`causeOf`). */
  readonly toldOfDoubled: (cause: string) => PromiseLike<void>;
  /** For the answer to a notification, which may come late: nothing else waits for it. */
  readonly later: (work: Promise<void>) => void;
}

export type Item<T> = vscode.QuickPickItem & T;

export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** What is known of each client's settings, at each level. */
export async function knownPlaces(services: SetUpServices): Promise<readonly KnownSettings[]> {
  const reach = await reachOf(services);
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const places = CLIENTS.flatMap((client) => placesOf(client, services.machine, folders));
  return await Promise.all(places.map((place) => knownOf(place, reach)));
}

/** How clients reach the server now. */
export async function reachOf({ address, machine }: SetUpServices): Promise<Reach> {
  return { ...(await address()), program: (folder) => bridgeFor(machine, folder) };
}

/** The program that a client starts, run by what runs this extension. */
export function bridgeFor(machine: ClientMachine, folder?: string): StdioAccess {
  const runtime = {
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
  };
  return bridgeProgram(machine, runtime, folder);
}

/** Prepares what a client is about to be given: the bridge is installed, or it is remembered that a client has the key. */
export async function prepareAccess(
  access: Access,
  { keyGiven, prepareBridge }: SetUpServices,
): Promise<void> {
  if (access.kind === 'http') await keyGiven(access.url);
  else await prepareBridge();
}

/** A file's path, with `~` for the home folder. */
export function shortPath(file: string, { home }: ClientMachine): string {
  return file.startsWith(home) ? `~${file.slice(home.length)}` : file;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
