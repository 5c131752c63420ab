import { realpath, stat as statOnDisk } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Failure } from '../debugger/failure';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { LaunchSource } from '../tools/launchFile';
import type { InstalledDebugger, TaskResult, Workspace } from '../tools/services';
import type { SourceText } from '../debugger/stopReport';
import { fileNotFound } from '../tools/files';
import { runPreLaunchTask } from './preLaunchTask';

/** Files larger than this are not source text. */
const MOST_BYTES = 50 * 1024 * 1024;

/** Folders of a project that hold what others wrote. */
const LIBRARY_FOLDERS = /[\\/](?:node_modules|site-packages|dist-packages|\.venv|venv|vendor|\.yarn|bower_components)[\\/]/;

const NO_LIBRARIES = '**/{node_modules,site-packages,dist-packages,.venv,venv,vendor,.yarn,bower_components}/**';

/** How long files are looked for, and how many. */
const SEARCH_LIMIT_MS = 2000;
const MOST_FOUND = 50;

/** The tools' port to the person's workspace. */
export class VsCodeWorkspace implements Workspace {
  private readonly fits = new Map<string, Promise<boolean>>();

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  get folders(): readonly { readonly name: string; readonly path: string }[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
  }

  async launchSources(): Promise<readonly LaunchSource[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const files = await Promise.all(folders.map((folder) => launchFile(folder)));
    const launch = vscode.workspace.getConfiguration('launch').inspect<unknown>('configurations');
    const compounds = vscode.workspace.getConfiguration('launch').inspect<unknown>('compounds');
    const inputs = vscode.workspace.getConfiguration('launch').inspect<unknown>('inputs');
    const wider: LaunchSource[] = [
      { kind: 'user_settings', folder: undefined, content: { value: { configurations: launch?.globalValue, compounds: compounds?.globalValue, inputs: inputs?.globalValue } } },
    ];
    // Only a workspace file's values are the workspace's; in a window of one folder they are its launch.json again.
    if (vscode.workspace.workspaceFile !== undefined) {
      wider.unshift({ kind: 'workspace_file', folder: undefined, content: { value: { configurations: launch?.workspaceValue, compounds: compounds?.workspaceValue, inputs: inputs?.workspaceValue } } });
    }
    return [...files.flatMap((file) => file ?? []), ...wider];
  }

  launchInputs(folderPath: string | undefined): readonly unknown[] {
    const launch = vscode.workspace.getConfiguration('launch', folderUri(folderPath));
    return listOf(launch.inspect<unknown>('inputs')?.workspaceFolderValue ?? launch.get<unknown>('inputs'));
  }

  variable(name: string, argument: string | undefined, folderPath: string | undefined): string | undefined {
    if (name === 'env' && argument !== undefined) return process.env[argument] ?? '';
    if (name === 'config' && argument !== undefined) {
      const value: unknown = vscode.workspace.getConfiguration(undefined, folderUri(folderPath)).get(argument);
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
    }
    const editor = vscode.window.activeTextEditor;
    return name === 'selectedText' && editor !== undefined && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : undefined;
  }

  /** This side's: the extensions of debuggers that are known here run here, too. */
  get platform(): 'windows' | 'osx' | 'linux' | undefined {
    return process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'osx' : process.platform === 'linux' ? 'linux' : undefined;
  }

  debuggers(): readonly InstalledDebugger[] {
    return vscode.extensions.all.flatMap((extension) => {
      const manifest = fields(extension.packageJSON);
      return listOf(fields(manifest['contributes'])['debuggers']).flatMap((each) => {
        const type = textOf(fields(each)['type']);
        // `*` stands for all types, and is none.
        if (type === undefined || type === '*') return [];
        return { type, label: textOf(fields(each)['label']) ?? type, languages: listOf(fields(each)['languages']).flatMap((language) => textOf(language) ?? []), commands: commandsIn(fields(each)['variables']) };
      });
    });
  }

  async languageOf(file: string): Promise<string | undefined> {
    try {
      return (await vscode.workspace.openTextDocument(vscode.Uri.file(file))).languageId;
    } catch {
      return undefined; // a binary
    }
  }

  /** Whether a file is in the person's folders, and not where package managers put what others wrote. */
  isOwnCode(file: string): boolean {
    if (LIBRARY_FOLDERS.test(file)) return false;
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
  }

  /** Whether a debug type is one for a file's language: not where it names others, and another debugger names this one. */
  async isForLanguage(file: string, debugType: string): Promise<boolean> {
    // A file's name says it, and opening one takes a while: once for each kind of file, until extensions come or go.
    const key = `${vscode.extensions.all.length} ${debugType} ${path.extname(file) || file}`;
    const known = this.fits.get(key) ?? this.fitsLanguage(file, debugType);
    this.fits.set(key, known);
    return await known;
  }

  private async fitsLanguage(file: string, debugType: string): Promise<boolean> {
    const language = await this.languageOf(file);
    const debuggers = this.debuggers();
    const mine = debuggers.filter((each) => each.type === debugType).flatMap((each) => each.languages);
    if (language === undefined || mine.length === 0 || mine.includes(language)) return true;
    return !debuggers.some((each) => each.languages.includes(language));
  }

  /** Whether VS Code lets a person set breakpoints in files of a language. */
  hasBreakpoints(language: string): boolean {
    return vscode.extensions.all.some((each) => listOf(fields(fields(each.packageJSON)['contributes'])['breakpoints']).some((breakpoints) => fields(breakpoints)['language'] === language));
  }

  async readText(file: string): Promise<string> {
    const uri = vscode.Uri.file(file);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open !== undefined) return open.getText();
    const stat = await vscode.workspace.fs.stat(uri).then((found) => found, () => undefined);
    if (stat === undefined) throw await fileNotFound(this, file, l10n.t('There is no file {0}.', file));
    if ((stat.type & vscode.FileType.Directory) !== 0) throw notText(l10n.t('{0} is a folder.', file));
    if (stat.size > MOST_BYTES) throw notText(l10n.t('{0} is too large for a source file.', file));
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (bytes.subarray(0, 8192).includes(0)) throw notText(l10n.t('{0} is not a text file.', file));
    return new TextDecoder().decode(bytes);
  }

  /** A file as the person has it before them; undefined where it cannot be read. */
  async readSource(file: string): Promise<SourceText | undefined> {
    const uri = vscode.Uri.file(file).toString();
    const isDirty = vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri);
    // Asked of the disk itself, which takes no way through VS Code's window.
    const [text, changedAt] = await Promise.all([this.readText(file).catch(() => undefined), isDirty ? Infinity : statOnDisk(file).then(({ mtimeMs }) => mtimeMs, () => undefined)]);
    return text === undefined ? undefined : { lines: text.split(/\r\n|\r|\n/), changedAt };
  }

  async exists(file: string): Promise<boolean> {
    return await vscode.workspace.fs.stat(vscode.Uri.file(file)).then(() => true, () => false);
  }

  async isFolder(file: string): Promise<boolean> {
    return await vscode.workspace.fs.stat(vscode.Uri.file(file)).then((stat) => (stat.type & vscode.FileType.Directory) !== 0, () => false);
  }

  async realPath(file: string): Promise<string> {
    return await realpath(file).catch(() => file);
  }

  async filesNamed(name: string): Promise<readonly string[]> {
    if (name === '') return [];
    const source = new vscode.CancellationTokenSource();
    const timer = setTimeout(() => source.cancel(), SEARCH_LIMIT_MS);
    try {
      // In a glob, a character in brackets is itself.
      const found = await vscode.workspace.findFiles(`**/${name.replace(/[[\]{}?*!]/g, '[$&]')}`, NO_LIBRARIES, MOST_FOUND, source.token);
      return found.filter((uri) => uri.scheme === 'file').map((uri) => uri.fsPath);
    } catch {
      return [];
    } finally {
      clearTimeout(timer);
      source.dispose();
    }
  }

  async runTask(task: unknown, folderPath: string | undefined, signal: AbortSignal): Promise<TaskResult | undefined> {
    return await runPreLaunchTask(task, folderPath, signal);
  }
}

function folderUri(folderPath: string | undefined): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.fsPath === folderPath)?.uri;
}

function commandsIn(variables: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields(variables)).flatMap(([name, command]) => (typeof command === 'string' ? [[name, command] as const] : [])));
}

async function launchFile(folder: vscode.WorkspaceFolder): Promise<LaunchSource | undefined> {
  const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
  const bytes = await vscode.workspace.fs.readFile(file).then((found) => found, () => undefined);
  if (bytes === undefined) return undefined;
  return { kind: 'folder', folder: { name: folder.name, path: folder.uri.fsPath }, content: { text: new TextDecoder().decode(bytes), file: file.fsPath } };
}

function notText(message: string): Failure {
  return new Failure('file_not_text', message, 'Pass a source file. Nothing was changed.');
}
