import path from 'node:path';
import { fields, isFields, listOf } from '../../debugger/protocol';
import { homeFolder } from '../windows/home';
import { CLIENTS } from './catalog';
import { SERVER_NAME, type Client, type ClientMachine } from './client';
import { readSettings } from './configurationFile';
import { jsonFormat } from './jsonEntry';
import { placesOf, type SettingsLocation } from './setUp';

/** VS Code's own files with MCP servers. Nothing is set up there, because its agents have the extension's tools. */
const VS_CODE: Client = {
  id: 'vscode',
  name: 'VS Code',
  format: 'json',
  container: 'servers',
  // The file is next to the storage folder of extensions, even in a profile and on a remote machine.
  userFiles: ({ extensionsStorage }) => [path.join(path.dirname(extensionsStorage), 'mcp.json')],
  workspaceFiles: ['.vscode/mcp.json'],
  stdio: () => ({}),
};

/** The files of other clients that VS Code reads if `chat.mcp.discovery.enabled` is set. */
const DISCOVERED: readonly {
  readonly source: string;
  readonly client: string;
  readonly level: SettingsLocation['level'];
}[] = [
  { source: 'claude-desktop', client: 'claude-desktop', level: 'user' },
  { source: 'copilot', client: 'copilot-cli', level: 'user' },
  { source: 'windsurf', client: 'windsurf', level: 'user' },
  { source: 'cursor-global', client: 'cursor', level: 'user' },
  { source: 'cursor-workspace', client: 'cursor', level: 'workspace' },
];

/** The agents of VS Code that read a file with servers: all agents, or only Copilot sessions (the Agent Host). */
export type Readers = 'all' | 'copilot';

/** An entry that provides the tools to VS Code's agents a second time. Its place contains the entry's name. */
export interface DoubledEntry {
  readonly place: SettingsLocation;
  /** The entry's name in the file. */
  readonly name: string;
  readonly readers: Readers;
  /** The client that owns the file. Undefined for VS Code's own file. */
  readonly client: string | undefined;
}

export interface EditorFiles {
  readonly machine: ClientMachine;
  /** The window's folders. */
  readonly folders: readonly string[];
  /** The value of VS Code's setting `chat.mcp.discovery.enabled`. */
  readonly discovery: unknown;
}

/** The entries for our server in the files that VS Code reads. Unreadable files are ignored. */
export async function doubledEntries(
  files: EditorFiles,
  url: string,
): Promise<readonly DoubledEntry[]> {
  const found = await Promise.all(
    editorPlaces(files).map(async ({ place, readers }) => {
      const names = await ourNames(place, url, files.machine).catch(() => []);
      const client = place.client === VS_CODE ? undefined : place.client.name;
      return names.map((name) => ({ place: withEntry(place, name), name, readers, client }));
    }),
  );
  return found.flat();
}

/** The files that VS Code reads. */
export function filesRead(files: EditorFiles): readonly string[] {
  return editorPlaces(files).flatMap(({ place }) => place.files);
}

/** The agents of VS Code that also read a client's file. Undefined if none do. */
export function readersOf(place: SettingsLocation, files: EditorFiles): Readers | undefined {
  return editorPlaces(files).find((source) => source.place.files[0] === place.files[0])?.readers;
}

function editorPlaces({
  machine,
  folders,
  discovery,
}: EditorFiles): readonly { readonly place: SettingsLocation; readonly readers: Readers }[] {
  const of = (id: string, level: SettingsLocation['level']): readonly SettingsLocation[] =>
    CLIENTS.filter((client) => client.id === id)
      .flatMap((client) => placesOf(client, machine, folders))
      .filter((place) => place.level === level);
  const isDiscovered = (source: string): boolean =>
    discovery === true || fields(discovery)[source] === true;
  const all = [
    ...placesOf(VS_CODE, machine, folders),
    // The project's `.mcp.json`.
    ...of('claude-code', 'workspace'),
    ...DISCOVERED.filter(({ source }) => isDiscovered(source)).flatMap(({ client, level }) =>
      of(client, level),
    ),
  ].map((place) => ({ place, readers: 'all' as const }));
  const inCopilot = of('copilot-cli', 'user').map((place) => ({
    place,
    readers: 'copilot' as const,
  }));
  return isDiscovered('copilot') ? all : [...all, ...inCopilot];
}

function withEntry(place: SettingsLocation, entryName: string): SettingsLocation {
  return { ...place, client: { ...place.client, entryName } };
}

async function ourNames(
  { client, files, folder }: SettingsLocation,
  url: string,
  machine: ClientMachine,
): Promise<readonly string[]> {
  const texts = await Promise.all(
    files.map(async (file) => (await readSettings(file, folder)).text.replace(/^\uFEFF/, '')),
  );
  const { container } = client;
  return texts.flatMap((text) =>
    Object.entries(fields(fields(jsonFormat.others(text, { container, name: '' }))[container]))
      .filter(([name, entry]) => isOurs(name, entry, url, machine))
      .map(([name]) => name),
  );
}

/** Whether an entry is the one that we write, or another entry for our server. */
function isOurs(name: string, entry: unknown, url: string, machine: ClientMachine): boolean {
  if (!isFields(entry) || entry['disabled'] === true) return false;
  if (name === SERVER_NAME) return true;
  const addresses = [entry['url'], entry['httpUrl'], entry['serverUrl']];
  if (addresses.some((address) => isOurAddress(address, url))) return true;
  const bridge = homeFolder(machine);
  return [entry['command'], ...listOf(entry['args'])].some(
    (part) =>
      typeof part === 'string' &&
      (/^agent-debugger-mcp(?:@.*)?$/.test(part) ||
        (part.startsWith(bridge) && /^[\\/]stdio\.(?:sh|js)$/.test(part.slice(bridge.length)))),
  );
}

function isOurAddress(address: unknown, url: string): boolean {
  const [named, ours] = [URL.parse(String(address)), URL.parse(url)];
  return (
    named !== null &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(named.hostname) &&
    named.port === ours?.port &&
    ['/mcp', '/sse'].includes(named.pathname)
  );
}
