import path from 'node:path';
import * as vscode from 'vscode';
import { adapterOf } from '../debugger/adapters/registry';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { BareWorkspace } from '../tools/files/fileAccess';
import type { LaunchSource } from '../tools/launch/launchFile';
import type { InstalledDebugger, TaskCommand, TaskResult } from '../tools/services';
import { runPreLaunchTask } from './preLaunchTask';
import { KnownLinks } from './realFiles';
import { commandsOfTask } from './taskCommands';

type LanguageOf = Parameters<BareWorkspace['isForLanguage']>[2];
type ReadLaunchFile = Parameters<BareWorkspace['launchSources']>[0];

/** The folders of a project that contain third-party code. */
const LIBRARY_FOLDERS =
  /[\\/](?:node_modules|site-packages|dist-packages|\.venv|venv|vendor|\.yarn|bower_components)[\\/]/;

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, 'windows' | 'osx' | 'linux'>>> = {
  win32: 'windows',
  darwin: 'osx',
  linux: 'linux',
};

/**
 * The person's workspace, without the contents of files. File contents are read through `disk.ts`, which is guarded.
 */
export class VsCodeWorkspace implements BareWorkspace {
  private readonly fits = new Map<string, Promise<boolean>>();

  constructor(private readonly links: KnownLinks = new KnownLinks()) {}

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  get folders(): readonly { readonly name: string; readonly path: string }[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
      name: folder.name,
      path: folder.uri.fsPath,
    }));
  }

  async launchSources(read: ReadLaunchFile): Promise<readonly LaunchSource[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const files = await Promise.all(folders.map((folder) => launchFile(folder, read)));
    return [...files.flatMap((file) => file ?? []), ...settingsSources()];
  }

  launchInputs(folderPath: string | undefined): readonly unknown[] {
    const launch = vscode.workspace.getConfiguration('launch', folderUri(folderPath));
    return listOf(
      launch.inspect<unknown>('inputs')?.workspaceFolderValue ?? launch.get<unknown>('inputs'),
    );
  }

  variable(
    name: string,
    argument: string | undefined,
    folderPath: string | undefined,
  ): string | undefined {
    if (name === 'env' && argument !== undefined) return process.env[argument] ?? '';
    if (name === 'config' && argument !== undefined) {
      const value: unknown = vscode.workspace
        .getConfiguration(undefined, folderUri(folderPath))
        .get(argument);
      return typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : textOf(value);
    }
    const editor = vscode.window.activeTextEditor;
    if (name !== 'selectedText' || editor === undefined || editor.selection.isEmpty)
      return undefined;
    // eslint-disable-next-line no-restricted-syntax -- the person's own selection, on their own card
    return editor.document.getText(editor.selection);
  }

  setting(name: string, folderPath: string | undefined): unknown {
    return vscode.workspace.getConfiguration(undefined, folderUri(folderPath)).get<unknown>(name);
  }

  /** The platform of the extension host. The listed debuggers run on it as well. */
  get platform(): 'windows' | 'osx' | 'linux' | undefined {
    return PLATFORMS[process.platform];
  }

  debuggers(): readonly InstalledDebugger[] {
    return vscode.extensions.all.flatMap((extension) => {
      const manifest = fields(extension.packageJSON);
      return listOf(fields(manifest['contributes'])['debuggers']).flatMap((contribution) => {
        const { type: value, label, languages, variables } = fields(contribution);
        const type = textOf(value);
        // `*` stands for all types and is not a type itself.
        if (type === undefined || type === '*') return [];
        return {
          type,
          label: textOf(label) ?? type,
          languages: listOf(languages).flatMap((language) => textOf(language) ?? []),
          commands: commandsIn(variables),
        };
      });
    });
  }

  /**
   * Whether a file is in a workspace folder and not in a folder of libraries. Its real path decides: the workspace may
   * be opened by a link, and package managers link the packages of a workspace into `node_modules`.
   */
  isOwnCode(file: string): boolean {
    const inside = this.folders
      .map((folder) => this.links.within(file, folder.path))
      .filter((found) => found !== undefined);
    if (inside.length > 0) return inside.some((found) => !LIBRARY_FOLDERS.test(`/${found}`));
    if (LIBRARY_FOLDERS.test(file)) return false;
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
  }

  /**
   * Whether a debug type supports a file's language. False only if it declares other languages, and another debugger
   * declares this one.
   */
  async isForLanguage(file: string, debugType: string, languageOf: LanguageOf): Promise<boolean> {
    // The result is cached by file extension until extensions are installed or removed, because opening a file is slow.
    const key = `${vscode.extensions.all.length} ${debugType} ${path.extname(file) || file}`;
    const cached = this.fits.get(key) ?? this.fitsLanguage(file, debugType, languageOf);
    this.fits.set(key, cached);
    return await cached;
  }

  private async fitsLanguage(
    file: string,
    debugType: string,
    languageOf: LanguageOf,
  ): Promise<boolean> {
    const language = await languageOf(file);
    const debuggers = this.debuggers();
    // Only one of the types of a debugger may declare its languages: `pwa-node`, and not `node`.
    const types = adapterOf(debugType).types;
    const mine = debuggers
      .filter(({ type }) => types.includes(type))
      .flatMap(({ languages }) => languages);
    if (language === undefined || mine.length === 0 || mine.includes(language)) return true;
    return !debuggers.some(({ languages }) => languages.includes(language));
  }

  /** Whether VS Code allows breakpoints in files of a language. */
  hasBreakpoints(language: string): boolean {
    return vscode.extensions.all.some((extension) =>
      listOf(fields(fields(extension.packageJSON)['contributes'])['breakpoints']).some(
        (contribution) => fields(contribution)['language'] === language,
      ),
    );
  }

  async runTask(
    task: unknown,
    folderPath: string | undefined,
    signal: AbortSignal,
  ): Promise<TaskResult | undefined> {
    return await runPreLaunchTask(task, folderPath, signal);
  }

  async taskCommands(
    task: unknown,
    folderPath: string | undefined,
  ): Promise<readonly TaskCommand[] | undefined> {
    return await commandsOfTask(task, folderPath);
  }
}

/** The launch configurations in the user's settings and in a workspace file. */
function settingsSources(): readonly LaunchSource[] {
  const launch = vscode.workspace.getConfiguration('launch');
  const configurations = launch.inspect<unknown>('configurations');
  const compounds = launch.inspect<unknown>('compounds');
  const inputs = launch.inspect<unknown>('inputs');
  const user: LaunchSource = {
    kind: 'user_settings',
    folder: undefined,
    content: {
      value: {
        configurations: configurations?.globalValue,
        compounds: compounds?.globalValue,
        inputs: inputs?.globalValue,
      },
    },
  };
  // Without a workspace file, the workspace's values are those of the only folder's launch.json.
  if (vscode.workspace.workspaceFile === undefined) return [user];
  const workspaceFile: LaunchSource = {
    kind: 'workspace_file',
    folder: undefined,
    content: {
      value: {
        configurations: configurations?.workspaceValue,
        compounds: compounds?.workspaceValue,
        inputs: inputs?.workspaceValue,
      },
    },
  };
  return [workspaceFile, user];
}

function folderUri(folderPath: string | undefined): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.fsPath === folderPath)?.uri;
}

function commandsIn(variables: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields(variables)).flatMap(([name, command]) =>
      typeof command === 'string' ? [[name, command] as const] : [],
    ),
  );
}

async function launchFile(
  folder: vscode.WorkspaceFolder,
  read: ReadLaunchFile,
): Promise<LaunchSource | undefined> {
  const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json').fsPath;
  const found = await read(file);
  if (found === undefined) return undefined;
  return {
    kind: 'folder',
    folder: { name: folder.name, path: folder.uri.fsPath },
    content: found === 'unread' ? { unread: file } : { text: found.text, file },
  };
}
