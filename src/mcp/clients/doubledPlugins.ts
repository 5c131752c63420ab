import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseJsonc } from 'jsonc-parser';
import { fields, listOf, type Fields } from '../../debugger/protocol';
import { SERVER_NAME, type ClientMachine } from './client';
import { readSettings } from './configurationFile';

/** The places where VS Code finds agent plugins. It has no API for this. The places are those of VS Code 1.139. */
export interface PluginSources {
  readonly machine: ClientMachine;
  /** The value of VS Code's setting `chat.plugins.enabled`. */
  readonly areEnabled: boolean;
  /** The value of VS Code's setting `chat.pluginLocations`: whether a plugin is enabled, by its path. */
  readonly locations: unknown;
  /** The folders with the plugins that VS Code itself installed, listed in their `installed.json`. */
  readonly installFolders: readonly string[];
  /** The window's folders. */
  readonly folders: readonly string[];
}

/** An installed plugin with the debugger's MCP server. */
export interface DoublingPlugin {
  /** The path of the plugin as it was found. Links are not resolved. */
  readonly folder: string;
  /** The plugin's key in `chat.pluginLocations`. Undefined if VS Code or Copilot CLI installed it. */
  readonly location: string | undefined;
}

/** The files in which VS Code finds a plugin's MCP servers, in all formats that it reads. */
const SERVER_FILES = [
  'mcp.json',
  '.mcp.json',
  'plugin.json',
  '.plugin/plugin.json',
  '.claude-plugin/plugin.json',
];

/**
 * The installed plugins that provide the tools to VS Code's agents a second time. An extension cannot read whether the
 * person has disabled a plugin in the Extensions view. Unreadable plugins are left out.
 */
export async function doublingPlugins(sources: PluginSources): Promise<readonly DoublingPlugin[]> {
  if (!sources.areEnabled) return [];
  const candidates = [
    ...located(sources),
    ...(await Promise.all(sources.installFolders.map(installedByEditor))).flat(),
    ...installedByCopilot(sources.machine),
  ];
  const found = await Promise.all(
    candidates.map(async (plugin) => ({ plugin, file: await fileWithOurServer(plugin.folder) })),
  );
  // The same plugin may be found in several ways. The setting is first, because it can switch the plugin off.
  const byFile = new Map<string, DoublingPlugin>();
  for (const { plugin, file } of found)
    if (file !== undefined && !byFile.has(file)) byFile.set(file, plugin);
  return [...byFile.values()];
}

function located({ machine, locations, folders }: PluginSources): readonly DoublingPlugin[] {
  return Object.entries(fields(locations))
    .filter(([, isOn]) => isOn !== false)
    .flatMap(([location]) =>
      foldersOf(location.trim(), machine.home, folders).map((folder) => ({ folder, location })),
    );
}

/**
 * The folders that a configured path refers to. The path may begin with `~`, or be relative to each of the window's
 * folders.
 */
function foldersOf(location: string, home: string, folders: readonly string[]): readonly string[] {
  if (location === '') return [];
  if (/^~($|[\\/])/.test(location)) return [path.join(home, location.slice(1))];
  if (path.isAbsolute(location)) return [path.normalize(location)];
  return folders.map((folder) => path.join(folder, location));
}

async function installedByEditor(installFolder: string): Promise<readonly DoublingPlugin[]> {
  const { installed } = (await read(path.join(installFolder, 'installed.json'))).content;
  return listOf(installed).flatMap((plugin) => {
    const folder = pathOf(fields(plugin)['pluginUri']);
    return folder === undefined ? [] : [{ folder, location: undefined }];
  });
}

/** Copilot CLI's plugins, which VS Code reads as well: one folder per marketplace, with one folder per plugin. */
function installedByCopilot({ home, names }: ClientMachine): readonly DoublingPlugin[] {
  const root = path.join(home, '.copilot', 'installed-plugins');
  return names(root).flatMap((marketplace) => {
    const folder = path.join(root, marketplace);
    return names(folder).map((name) => ({ folder: path.join(folder, name), location: undefined }));
  });
}

/** @returns the first file of a plugin that names our server, with links resolved */
async function fileWithOurServer(folder: string): Promise<string | undefined> {
  const files = await Promise.all(SERVER_FILES.map((name) => read(path.join(folder, name))));
  return files.find(({ content }) => Object.hasOwn(fields(content['mcpServers']), SERVER_NAME))
    ?.file;
}

/** A file and the object in it. The object is empty if the file cannot be read. */
async function read(named: string): Promise<{ readonly file: string; readonly content: Fields }> {
  try {
    const { file, text } = await readSettings(named);
    const content: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), [], {
      allowTrailingComma: true,
    });
    return { file, content: fields(content) };
  } catch {
    return { file: named, content: {} };
  }
}

/** In a remote window, VS Code's URIs of files on this machine have the scheme `vscode-remote`. */
function pathOf(uri: unknown): string | undefined {
  const parsed = typeof uri === 'string' ? URL.parse(uri) : null;
  try {
    if (parsed?.protocol === 'file:') return fileURLToPath(parsed);
    return parsed?.protocol === 'vscode-remote:' ? decodeURIComponent(parsed.pathname) : undefined;
  } catch {
    return undefined;
  }
}
