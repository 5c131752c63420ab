import * as l10n from '@vscode/l10n';
import { doubledEntries, filesRead, type DoubledEntry } from '../clients/doubled';
import { doublingPlugins } from '../clients/doubledPlugins';
import { askAboutPlugin, PLUGINS } from './doubledByPlugin';
import { causeOf, editorFiles, placeOf, pluginSources } from './doubledRemarks';
import { removeEntry } from './removeEntry';
import { messageOf, shortPath, type SetUpServices } from './setUpServices';

/** The causes that the person was told of: once each, whatever they answered. */
export interface ToldCauses {
  read(): readonly string[];
  write(causes: readonly string[]): PromiseLike<void>;
}

/** The offer of the server to VS Code itself. */
export interface Offer {
  readonly isMade: boolean;
  end(): PromiseLike<void>;
}

const MOST_TOLD = 100;

/**
 * Tells the person that VS Code's agents have the tools twice, once for each cause, and offers to remove one. The
 * extension's own tools are the better ones there: they have cards and need no server.
 */
export async function tellOfDoubledTools(
  services: SetUpServices,
  told: ToldCauses,
  offer: Offer,
): Promise<void> {
  const { url } = await services.address();
  const files = editorFiles(services);
  const [entries, plugins] = await Promise.all([
    doubledEntries(files, url),
    doublingPlugins(pluginSources(services)),
  ]);
  const causes = [
    ...(offer.isMade ? [{ id: 'offer', ask: () => askAboutOffer(offer, services) }] : []),
    ...entries.map((entry) => ({
      id: causeOf(entry.place, entry.name),
      ask: () => askAboutEntry(entry, services),
    })),
    ...plugins.map((plugin) => ({
      id: `${PLUGINS}\n${plugin.folder}`,
      ask: () => askAboutPlugin(plugin, services),
    })),
  ];
  const looked = new Set(['offer', PLUGINS, ...filesRead(files)]);
  const isGone = (id: string): boolean =>
    looked.has(placeOf(id)) && !causes.some((cause) => cause.id === id);
  await forget(told, isGone);
  for (const { id, ask } of causes) {
    const before = told.read();
    if (before.includes(id)) continue;
    await told.write([...before.slice(1 - MOST_TOLD), id]);
    services.later(
      ask().then(async (isRemoved) => {
        if (isRemoved) await forget(told, (each) => each === id);
      }),
    );
  }
}

/** A cause that is gone is news again if it comes back. */
async function forget(told: ToldCauses, isGone: (id: string) => boolean): Promise<void> {
  const before = told.read();
  const left = before.filter((id) => !isGone(id));
  if (left.length < before.length) await told.write(left);
}

async function askAboutOffer(offer: Offer, { person }: SetUpServices): Promise<boolean> {
  const [end, keep] = [l10n.t('Stop offering it'), l10n.t('Keep both')];
  const message = l10n.t(
    'VS Code’s agents have each tool of the debugger twice: from the extension, and from the MCP server that it offers to VS Code.',
  );
  if ((await person.tell(message, end, keep)) !== end) return false;
  await offer.end();
  return true;
}

async function askAboutEntry(entry: DoubledEntry, services: SetUpServices): Promise<boolean> {
  const { person, machine } = services;
  const file = entry.place.files[0] ?? '';
  const [remove, keep] = [l10n.t('Remove the entry'), l10n.t('Keep both')];
  const pressed = await person.tell(
    describe(entry, shortPath(file, machine)).join(' '),
    remove,
    keep,
  );
  if (pressed !== remove) return false;
  try {
    return await removeEntry(entry.place, services);
  } catch (error) {
    await person.warn(l10n.t('{0} could not be changed: {1}', file, messageOf(error)));
    return false;
  }
}

function describe({ name, readers, client }: DoubledEntry, file: string): readonly string[] {
  const doubled =
    readers === 'all'
      ? l10n.t(
          'VS Code’s agents have each tool of the debugger twice: from the extension, and from the MCP server “{0}” in {1}.',
          name,
          file,
        )
      : l10n.t(
          'Copilot sessions in VS Code have each tool of the debugger twice: from the extension, and from the MCP server “{0}” in {1}.',
          name,
          file,
        );
  if (client === undefined) return [doubled];
  return [doubled, l10n.t('{0} has the tools by that entry, too.', client)];
}
