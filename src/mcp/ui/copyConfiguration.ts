import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CLIENTS, OTHER } from '../clients/catalog';
import type { Access, Client } from '../clients/client';
import { readSettings } from '../clients/configurationFile';
import { pasteText, type Reach } from '../clients/setUp';
import { keyDangers } from './keyDangers';
import {
  prepareAccess,
  reachOf,
  separator,
  shortPath,
  type Item,
  type SetUpServices,
} from './setUpServices';

type CopyItem = Item<{ readonly client?: Client; readonly access?: Access }>;

/** Copies the configuration for a client that the person chooses. */
export async function copyConfiguration(services: SetUpServices): Promise<void> {
  const chosen = await services.person.choose(copyItems(await reachOf(services), services), {
    title: l10n.t('Copy the configuration for a client'),
    matchOnDescription: true,
  });
  if (chosen?.client === undefined || chosen.access === undefined) return;
  const { client, access, description: file = '' } = chosen;
  await prepareAccess(access, services);
  await vscode.env.clipboard.writeText(await pasteText(client, access));
  if (access.kind === 'stdio') await services.person.inform(copiedWithoutKey(file));
  else await informAboutKey(client, file, services);
}

function copyItems({ url, key, program }: Reach, { machine }: SetUpServices): CopyItem[] {
  const http = { kind: 'http', url, key } as const;
  const item = (client: Client, label: string, access: Access): CopyItem => ({
    label,
    description: shortPath(client.userFiles?.(machine)[0] ?? '', machine),
    client,
    access,
  });
  const httpClients = CLIENTS.filter((client) => client.http !== undefined);
  return [
    separator(l10n.t('the stdio bridge, without a key (recommended)')),
    ...CLIENTS.map((client) => item(client, client.name, program())),
    item(OTHER, l10n.t('Any other client (stdio)'), program()),
    separator(l10n.t('HTTP, with the key')),
    ...httpClients.map((client) => item(client, l10n.t('{0} (HTTP)', client.name), http)),
    item(OTHER, l10n.t('Any other client (HTTP)'), http),
  ];
}

function copiedWithoutKey(file: string): string {
  if (file === '') return l10n.t('Copied. It contains no key.');
  return l10n.t('Copied: paste it into {0}. It contains no key.', file);
}

async function informAboutKey(
  client: Client,
  file: string,
  services: SetUpServices,
): Promise<void> {
  const { person, machine } = services;
  const copied =
    file === ''
      ? l10n.t('Copied. It contains the key: do not share it.')
      : l10n.t('Copied: paste it into {0}. It contains the key: do not share it.', file);
  const named = client.userFiles?.(machine)[0];
  const settings =
    named === undefined ? undefined : await readSettings(named).catch(() => undefined);
  const dangers = await keyDangers(settings, services);
  if (dangers.length === 0) await person.inform(copied);
  else await person.warn([copied, ...dangers].join(' '));
}
