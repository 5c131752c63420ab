import path from 'node:path';
import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { BareWorkspace } from '../tools/files/fileAccess';
import type { LaunchSource } from '../tools/launch/launchFile';
import type { InstalledDebugger, TaskResult } from '../tools/services';
import { runPreLaunchTask } from './preLaunchTask';

type LanguageOf = Parameters<BareWorkspace['isForLanguage']>[2];
type ReadLaunchFile = Parameters<BareWorkspace['launchSources']>[0];

/** Folders of a project that hold what others wrote. */
const LIBRARY_FOLDERS =
  /[\\/](?:node_modules|site-packages|dist-packages|\.venv|venv|vendor|\.yarn|bower_components)[\\/]/;

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, 'windows' | 'osx' | 'linux'>>> = {
  win32: 'windows',
  darwin: 'osx',
  linux: 'linux',
};

/** The person's workspace, without what is in its files: those are read through `disk.ts`, behind a guard. */
export class VsCodeWorkspace implements BareWorkspace {
  private readonly fits = new Map<string, Promise<boolean>>();

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
    const launch = vscode.workspace.getConfiguration('launch').inspect<unknown>('configurations');
    const compounds = vscode.workspace.getConfiguration('launch').inspect<unknown>('compounds');
    const inputs = vscode.workspace.getConfiguration('launch').inspect<unknown>('inputs');
    const wider: LaunchSource[] = [
      {
        kind: 'user_settings',
        folder: undefined,
        content: {
          value: {
            configurations: launch?.globalValue,
            compounds: compounds?.globalValue,
            inputs: inputs?.globalValue,
          },
        },
      },
    ];
    // Only a workspace file's values are the workspace's; in a window of one folder they are its launch.json again.
    if (vscode.workspace.workspaceFile !== undefined) {
      wider.unshift({
        kind: 'workspace_file',
        folder: undefined,
        content: {
          value: {
            configurations: launch?.workspaceValue,
            compounds: compounds?.workspaceValue,
            inputs: inputs?.workspaceValue,
          },
        },
      });
    }
    return [...files.flatMap((file) => file ?? []), ...wider];
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

  /** This side's: the extensions of debuggers that are known here run here, too. */
  get platform(): 'windows' | 'osx' | 'linux' | undefined {
    return PLATFORMS[process.platform];
  }

  debuggers(): readonly InstalledDebugger[] {
    return vscode.extensions.all.flatMap((extension) => {
      const manifest = fields(extension.packageJSON);
      return listOf(fields(manifest['contributes'])['debuggers']).flatMap((each) => {
        const type = textOf(fields(each)['type']);
        // `*` stands for all types, and is none.
        if (type === undefined || type === '*') return [];
        return {
          type,
          label: textOf(fields(each)['label']) ?? type,
          languages: listOf(fields(each)['languages']).flatMap(
            (language) => textOf(language) ?? [],
          ),
          commands: commandsIn(fields(each)['variables']),
        };
      });
    });
  }

  /** Whether a file is in the person's folders, and not where package managers put what others wrote. */
  isOwnCode(file: string): boolean {
    if (LIBRARY_FOLDERS.test(file)) return false;
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
  }

  /** Whether a debug type is one for a file's language: not where it names others, and another debugger names this one. */
  async isForLanguage(file: string, debugType: string, languageOf: LanguageOf): Promise<boolean> {
    // A file's name says it, and opening one takes a while: once for each kind of file, until extensions come or go.
    const key = `${vscode.extensions.all.length} ${debugType} ${path.extname(file) || file}`;
    const known = this.fits.get(key) ?? this.fitsLanguage(file, debugType, languageOf);
    this.fits.set(key, known);
    return await known;
  }

  private async fitsLanguage(
    file: string,
    debugType: string,
    languageOf: LanguageOf,
  ): Promise<boolean> {
    const language = await languageOf(file);
    const debuggers = this.debuggers();
    const mine = debuggers
      .filter((each) => each.type === debugType)
      .flatMap((each) => each.languages);
    if (language === undefined || mine.length === 0 || mine.includes(language)) return true;
    return !debuggers.some((each) => each.languages.includes(language));
  }

  /** Whether VS Code lets a person set breakpoints in files of a language. */
  hasBreakpoints(language: string): boolean {
    return vscode.extensions.all.some((each) =>
      listOf(fields(fields(each.packageJSON)['contributes'])['breakpoints']).some(
        (breakpoints) => fields(breakpoints)['language'] === language,
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
