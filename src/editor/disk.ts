import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { Disk, FileContent } from '../tools/fileAccess';

/** Files larger than this are not source text. */
const MOST_BYTES = 50 * 1024 * 1024;

/** So much of a file tells whether it is text. */
const LOOKED_AT = 8192;

/** Systems follow no longer chain of links either. */
const MOST_LINKS = 40;

const NO_LIBRARIES = '**/{node_modules,site-packages,dist-packages,.venv,venv,vendor,.yarn,bower_components}/**';

/** How long files are looked for, and how many. */
const SEARCH_LIMIT_MS = 2000;
const MOST_FOUND = 50;

/** Windows has not all flags. */
const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 }: Partial<typeof constants> = constants;

/** The one file of `editor`, `tools` and `debugger` that reads files; `GuardedWorkspace` says which. */
export class VsCodeDisk implements Disk {
  async realPath(file: string): Promise<string> {
    return await realPathOf(path.resolve(file), MOST_LINKS);
  }

  async read(real: string, named: string): Promise<FileContent> {
    const uris = new Set([vscode.Uri.file(real).toString(), vscode.Uri.file(named).toString()]);
    const document = vscode.workspace.textDocuments.find((each) => uris.has(each.uri.toString()));
    if (document?.isDirty === true) return { kind: 'text', text: document.getText(), changedAt: Infinity };
    // Asked of the disk itself, which takes no way through VS Code's window.
    const content = await readRegular(real);
    return document === undefined || content.kind !== 'text' ? content : { ...content, text: document.getText() };
  }

  async kindOf(real: string): Promise<'file' | 'folder' | undefined> {
    return await stat(real).then((found) => (found.isDirectory() ? 'folder' : 'file'), () => undefined);
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
    const languages = vscode.extensions.all.flatMap((extension) => listOf(fields(fields(extension.packageJSON)['contributes'])['languages']).map(fields));
    const has = (list: unknown, fits: (text: string) => boolean): boolean => listOf(list).some((each) => fits((textOf(each) ?? '').toLowerCase()));
    const found = languages.find((each) => has(each['filenames'], (text) => text === name)) ?? languages.find((each) => has(each['extensions'], (text) => text !== '' && name.endsWith(text)));
    return textOf(found?.['id']);
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
}

/**
 * A path without links. A file that is not there is where its folder really is; a link to what is not there is where
 * it leads, as the same link is to what is: otherwise it would tell the one from the other.
 */
async function realPathOf(file: string, links: number): Promise<string> {
  const found = await realpath(file).catch(() => undefined);
  if (found !== undefined) return found;
  const folder = path.dirname(file);
  if (folder === file || links === 0) return path.parse(file).root;
  const real = await realPathOf(folder, links);
  const target = await readlink(file).catch(() => undefined);
  return target === undefined ? path.join(real, path.basename(file)) : await realPathOf(path.resolve(real, target), links - 1);
}

/**
 * A regular file, read by the path that was judged: one that a link has become part of since is taken as not there. No
 * link is followed, and a pipe is not waited for.
 */
async function readRegular(real: string): Promise<FileContent> {
  try {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = await handle.stat();
      if ((await realpath(real)) !== real) return { kind: 'absent' };
      if (found.isDirectory()) return { kind: 'folder' };
      if (!found.isFile()) return { kind: 'binary' };
      if (found.size > MOST_BYTES) return { kind: 'too_large' };
      const bytes = await handle.readFile();
      return bytes.subarray(0, LOOKED_AT).includes(0) ? { kind: 'binary' } : { kind: 'text', text: new TextDecoder().decode(bytes), changedAt: found.mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = textOf(fields(error)['code']) ?? '';
    return { kind: KINDS[code] ?? 'unreadable' };
  }
}

/** What the system's refusals say of a file. */
const KINDS: Readonly<Record<string, 'absent' | 'folder'>> = { ENOENT: 'absent', ENOTDIR: 'absent', ELOOP: 'absent', EISDIR: 'folder', ERR_INVALID_ARG_VALUE: 'absent' };
