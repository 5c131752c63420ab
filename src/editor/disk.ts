import path from 'node:path';
import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { Disk, FileContent } from '../tools/files/fileAccess';
import { kindOf, readRegular, realPathOf } from './realFiles';

const NO_LIBRARIES =
  '**/{node_modules,site-packages,dist-packages,.venv,venv,vendor,.yarn,bower_components}/**';

/** The names of programs. Many have no extension. */
const PROGRAM = /^[^.]+$|\.(?:exe|com|out|bin|elf|app)$/;

/** The time limit of a search for files, in milliseconds. */
const SEARCH_LIMIT_MS = 2000;
/** The maximum number of source files that are searched for a function by name. */
const MAX_SOURCES = 3000;
/** The maximum number of files with one name that are found. */
const MAX_FOUND = 50;

/** The tools' access to files, which `GuardedWorkspace` restricts. Only this file and `realFiles.ts` read them. */
export class VsCodeDisk implements Disk {
  async realPath(file: string): Promise<string> {
    return await realPathOf(path.resolve(file));
  }

  async read(real: string, named: string): Promise<FileContent> {
    const uris = new Set([vscode.Uri.file(real).toString(), vscode.Uri.file(named).toString()]);
    const document = vscode.workspace.textDocuments.find(({ uri }) => uris.has(uri.toString()));
    if (document?.isDirty === true)
      return { kind: 'text', text: document.getText(), changedAt: Infinity };
    // The file is read directly from the disk, without a request to VS Code's window.
    const content = await readRegular(real);
    return document === undefined || content.kind !== 'text'
      ? content
      : { ...content, text: document.getText() };
  }

  async kindOf(real: string): Promise<'file' | 'folder' | undefined> {
    return await kindOf(real);
  }

  async languageOf(real: string): Promise<string | undefined> {
    try {
      return (await vscode.workspace.openTextDocument(vscode.Uri.file(real))).languageId;
    } catch {
      return undefined; // The file is binary.
    }
  }

  languageByName(file: string): string | undefined {
    const name = path.basename(file).toLowerCase();
    const languages = vscode.extensions.all.flatMap((extension) =>
      listOf(fields(fields(extension.packageJSON)['contributes'])['languages']).map(fields),
    );
    const has = (list: unknown, fits: (text: string) => boolean): boolean =>
      listOf(list).some((entry) => fits((textOf(entry) ?? '').toLowerCase()));
    const found =
      languages.find(({ filenames }) => has(filenames, (text) => text === name)) ??
      languages.find(({ extensions }) =>
        has(extensions, (text) => text !== '' && name.endsWith(text)),
      );
    // A file without a language is text, unless it may be a program.
    return textOf(found?.['id']) ?? (PROGRAM.test(name) ? undefined : 'plaintext');
  }

  async filesNamed(name: string): Promise<readonly string[]> {
    // In a glob, brackets escape a character.
    return name === '' ? [] : await found(`**/${name.replace(/[[\]{}?*!]/g, '[$&]')}`, MAX_FOUND);
  }

  async filesWith(extensions: readonly string[]): Promise<readonly string[]> {
    return await found(`**/*.{${extensions.join(',')}}`, MAX_SOURCES);
  }
}

/** The files that the editor's search finds within the time limit. */
async function found(pattern: string, most: number): Promise<readonly string[]> {
  const source = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), SEARCH_LIMIT_MS);
  try {
    const uris = await vscode.workspace.findFiles(pattern, NO_LIBRARIES, most, source.token);
    return uris.filter((uri) => uri.scheme === 'file').map((uri) => uri.fsPath);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}
