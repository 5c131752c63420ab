import * as l10n from '@vscode/l10n';
import { doubledEntries, filesRead, type DoubledEntry } from '../clients/doubled';
import { doublingPlugins } from '../clients/doubledPlugins';
import { askAboutPlugin, PLUGINS } from './doubledByPlugin';
import { causeOf, editorFiles, placeOf, pluginSources } from './doubledRemarks';
import { removeEntry } from './removeEntry';
import { messageOf, shortPath, type SetUpServices } from './setUpServices';

/** The causes that were reported to the person. Each cause is reported once, regardless of the person's answer. */
export interface ReportedCauses {
  read(): readonly string[];
  write(causes: readonly string[]): PromiseLike<void>;
}

/** The offer of the server to VS Code itself. */
export interface Offer {
  readonly isMade: boolean;
  end(): PromiseLike<void>;
}

const MAX_REPORTED = 100;

/**
 * Reports that VS Code's agents have the tools twice, once per cause, and offers to remove the other source. The
 * extension's own tools are preferable, because they have cards and need no server.
 */
export async function reportDoubledTools(
  services: SetUpServices,
  reported: ReportedCauses,
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
  const checked = new Set(['offer', PLUGINS, ...filesRead(files)]);
  const isGone = (id: string): boolean =>
    checked.has(placeOf(id)) && !causes.some((cause) => cause.id === id);
  await forget(reported, isGone);
  for (const { id, ask } of causes) {
    const before = reported.read();
    if (before.includes(id)) continue;
    await reported.write([...before.slice(1 - MAX_REPORTED), id]);
    services.later(
      ask().then(async (isRemoved) => {
        if (isRemoved) await forget(reported, (reportedId) => reportedId === id);
      }),
    );
  }
}

/** Removes causes that no longer exist, so that they are reported again if they recur. */
async function forget(reported: ReportedCauses, isGone: (id: string) => boolean): Promise<void> {
  const before = reported.read();
  const left = before.filter((id) => !isGone(id));
  if (left.length < before.length) await reported.write(left);
}

async function askAboutOffer(offer: Offer, { person }: SetUpServices): Promise<boolean> {
  const [end, keep] = [l10n.t('Stop offering it'), l10n.t('Keep both')];
  const message = l10n.t(
    'VS Code’s agents have each tool of the debugger twice: from the extension, and from the MCP server that it offers to VS Code.',
  );
  if ((await person.inform(message, end, keep)) !== end) return false;
  await offer.end();
  return true;
}

async function askAboutEntry(entry: DoubledEntry, services: SetUpServices): Promise<boolean> {
  const { person, machine } = services;
  const file = entry.place.files[0] ?? '';
  const [remove, keep] = [l10n.t('Remove the entry'), l10n.t('Keep both')];
  const pressed = await person.inform(
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
