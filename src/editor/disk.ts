import path from 'node:path';
import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { Disk, FileContent } from '../tools/files/fileAccess';
import { kindOf, readRegular, realPathOf } from './realFiles';

const NO_LIBRARIES =
  '**/{node_modules,site-packages,dist-packages,.venv,venv,vendor,.yarn,bower_components}/**';

/** Names of programs; many have no extension. */
const PROGRAM = /^[^.]+$|\.(?:exe|com|out|bin|elf|app)$/;

/** How long files are looked for, and how many. */
const SEARCH_LIMIT_MS = 2000;
/** Sources among which a function is looked for by its name. */
const MOST_SOURCES = 3000;
const MOST_FOUND = 50;

/** The one way from the tools to files; `GuardedWorkspace` says to which. Only this file and `realFiles.ts` read any. */
export class VsCodeDisk implements Disk {
  async realPath(file: string): Promise<string> {
    return await realPathOf(path.resolve(file));
  }

  async read(real: string, named: string): Promise<FileContent> {
    const uris = new Set([vscode.Uri.file(real).toString(), vscode.Uri.file(named).toString()]);
    const document = vscode.workspace.textDocuments.find((each) => uris.has(each.uri.toString()));
    if (document?.isDirty === true)
      return { kind: 'text', text: document.getText(), changedAt: Infinity };
    // Asked of the disk itself, which takes no way through VS Code's window.
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
      return undefined; // a binary
    }
  }

  languageByName(file: string): string | undefined {
    const name = path.basename(file).toLowerCase();
    const languages = vscode.extensions.all.flatMap((extension) =>
      listOf(fields(fields(extension.packageJSON)['contributes'])['languages']).map(fields),
    );
    const has = (list: unknown, fits: (text: string) => boolean): boolean =>
      listOf(list).some((each) => fits((textOf(each) ?? '').toLowerCase()));
    const found =
      languages.find((each) => has(each['filenames'], (text) => text === name)) ??
      languages.find((each) =>
        has(each['extensions'], (text) => text !== '' && name.endsWith(text)),
      );
    // What no language claims is text, unless it may be a program.
    return textOf(found?.['id']) ?? (PROGRAM.test(name) ? undefined : 'plaintext');
  }

  async filesNamed(name: string): Promise<readonly string[]> {
    // In a glob, a character in brackets is itself.
    return name === '' ? [] : await found(`**/${name.replace(/[[\]{}?*!]/g, '[$&]')}`, MOST_FOUND);
  }

  async filesWith(extensions: readonly string[]): Promise<readonly string[]> {
    return await found(`**/*.{${extensions.join(',')}}`, MOST_SOURCES);
  }
}

/** What the editor's search finds within its time limit. */
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
