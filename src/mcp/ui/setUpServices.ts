import * as vscode from 'vscode';
import { bridgeProgram } from '../clients/bridgeProgram';
import { CLIENTS } from '../clients/catalog';
import type { Access, ClientMachine, StdioAccess } from '../clients/client';
import type { Installed } from '../clients/installed';
import { settingsStatusOf, placesOf, type SettingsStatus, type Reach } from '../clients/setUp';
import { localFolders } from './localFolders';
import type { Person } from './person';
import type { SettingsPreview } from './settingsPreview';

/** The parts of the server and the editor that are needed to set up clients. */
export interface SetUpServices {
  readonly address: () => Promise<{ readonly url: string; readonly key: string }>;
  readonly isRunning: () => boolean;
  /** Whether another program has the port. */
  readonly isPortTaken: () => boolean;
  /** Called before a client receives the address and the key. */
  readonly keyGiven: (url: string) => Promise<void>;
  /** Called before a client is set up to start the bridge. */
  readonly prepareBridge: () => Promise<void>;
  readonly machine: ClientMachine;
  readonly person: Person;
  readonly installed: Installed;
  /** The skill as it is written into the folders of agents. */
  readonly skill: () => Promise<string>;
  /** Called when the skill was written, so that its folders are checked after an update of the extension. */
  readonly skillWritten: () => PromiseLike<void>;
  readonly preview: SettingsPreview;
  /**
   * Whether the editor's agents have the extension's tools. An entry in a file that the editor reads would double them.
   */
  readonly isInEditor: boolean;
  /** Records that the person knows that an entry doubles the tools (`causeOf`). */
  readonly markReported: (cause: string) => PromiseLike<void>;
  /**
   * Runs the work that follows the answer to a notification. No caller waits for it, because the answer may arrive
   * late.
   */
  readonly later: (work: Promise<void>) => void;
}

export type Item<T> = vscode.QuickPickItem & T;

export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** The state of each client's settings, at each level. */
export async function settingsStatuses(
  services: SetUpServices,
): Promise<readonly SettingsStatus[]> {
  const reach = await reachOf(services);
  const folders = localFolders();
  const places = CLIENTS.flatMap((client) => placesOf(client, services.machine, folders));
  return await Promise.all(places.map((place) => settingsStatusOf(place, reach)));
}

/** The current ways in which clients reach the server. */
export async function reachOf({ address, machine }: SetUpServices): Promise<Reach> {
  return { ...(await address()), program: (folder) => bridgeFor(machine, folder) };
}

/** The program that a client starts, run by the runtime of this extension. */
export function bridgeFor(machine: ClientMachine, folder?: string): StdioAccess {
  const runtime = {
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
  };
  return bridgeProgram(machine, runtime, folder);
}

/** Prepares the access for a client: installs the bridge, or records that a client has the key. */
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
