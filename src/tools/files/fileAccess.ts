import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import type { SourceText } from '../../results/views/stopSource';
import { fileNotFound } from './files';
import type { LaunchSource } from '../launch/launchFile';
import { checkLocal } from './localPath';
import type { ProgramFile, Workspace } from '../services';

/** What a file is found to be: its text, or why there is none. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly changedAt: number | undefined }
  | { readonly kind: 'absent' | 'folder' | 'too_large' | 'binary' | 'unreadable' };

/** The person's disk, unguarded: a port, which only the guard below uses. */
export interface Disk {
  /** The path without links. Of a file that is not there, that of the nearest folder that is, and the rest. */
  realPath(file: string): Promise<string>;
  /** @param real the path without links, which is read; a link that has taken its place since is not followed */
  read(real: string, named: string): Promise<FileContent>;
  kindOf(real: string): Promise<'file' | 'folder' | undefined>;
  /** By what the editor says of its name and first line; undefined for a binary. */
  languageOf(real: string): Promise<string | undefined>;
  /** By its name alone; undefined for what may be a binary. */
  languageByName(file: string): string | undefined;
  /** Files of that name that the editor's search finds in the person's folders, links that it follows included. */
  filesNamed(name: string): Promise<readonly string[]>;
  /** The same for files with one of these extensions, which stand without dots. */
  filesWith(extensions: readonly string[]): Promise<readonly string[]>;
}

/** What the guard passes on as it is. */
export interface BareWorkspace extends Pick<
  Workspace,
  'trusted' | 'folders' | 'debuggers' | 'runTask' | 'launchInputs' | 'variable' | 'platform'
> {
  /** @param read tells a file's text, undefined where there is none */
  launchSources(
    read: (file: string) => Promise<{ readonly text: string } | 'unread' | undefined>,
  ): Promise<readonly LaunchSource[]>;
  isForLanguage(
    file: string,
    debugType: string,
    languageOf: (file: string) => Promise<string | undefined>,
  ): Promise<boolean>;
}

/**
 * The one way in which tools come to files. Without asking, a tool may read, quote and confirm what lies in the
 * workspace's folders, and what the debugger of a live session has named as a source. Anything else it may read only for
 * a call whose question named the file and was answered with yes. What counts is where a path leads, not how it is
 * written: links are resolved first, those of the folders too, and then the real path is read.
 */
export class GuardedWorkspace implements Workspace {
  /**
   * @param named whether the debugger of a live session has named the file with this real path
   * @param approved real paths
   */
  constructor(
    private readonly bare: BareWorkspace,
    private readonly disk: Disk,
    private readonly named: (real: string) => Promise<boolean>,
    private readonly approved: ReadonlySet<string> = new Set(),
  ) {}

  get trusted(): boolean {
    return this.bare.trusted;
  }

  get folders(): Workspace['folders'] {
    return this.bare.folders;
  }

  get platform(): Workspace['platform'] {
    return this.bare.platform;
  }

  launchInputs(folderPath: string | undefined): readonly unknown[] {
    return this.bare.launchInputs(folderPath);
  }

  variable(
    name: string,
    argument: string | undefined,
    folderPath: string | undefined,
  ): string | undefined {
    return this.bare.variable(name, argument, folderPath);
  }

  approving(files: readonly string[]): Workspace {
    return new GuardedWorkspace(this.bare, this.disk, this.named, new Set(files));
  }

  async outside(file: string): Promise<string | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead ? undefined : real;
  }

  async readText(file: string): Promise<string> {
    const content = await this.read(file);
    if (content === undefined) throw await this.outsideFailure(file);
    switch (content.kind) {
      case 'text':
        return content.text;
      case 'absent':
        throw await fileNotFound(this, file, l10n.t('There is no file {0}.', file));
      case 'folder':
        throw notText(l10n.t('{0} is a folder.', file));
      case 'too_large':
        throw notText(l10n.t('{0} is too large for a source file.', file));
      case 'binary':
        throw notText(l10n.t('{0} is not a text file.', file));
      case 'unreadable':
        throw notText(l10n.t('{0} cannot be read.', file));
    }
  }

  async readSource(file: string): Promise<SourceText | undefined> {
    const content = await this.read(file).catch(unlessRefused);
    return content?.kind === 'text'
      ? { lines: content.text.split(/\r\n|\r|\n/), changedAt: content.changedAt }
      : undefined;
  }

  async exists(file: string): Promise<boolean | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead ? (await this.disk.kindOf(real)) !== undefined : undefined;
  }

  async isFolder(file: string): Promise<boolean> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead && (await this.disk.kindOf(real)) === 'folder';
  }

  async languageOf(file: string): Promise<string | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead ? await this.disk.languageOf(real) : this.disk.languageByName(file);
  }

  async isForLanguage(file: string, debugType: string): Promise<boolean> {
    return await this.bare.isForLanguage(file, debugType, (each) =>
      this.languageOf(each).catch(unlessRefused),
    );
  }

  async program(file: string): Promise<ProgramFile | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    const isPackages = file.includes(MODULES) && real.includes(MODULES);
    if (!mayBeRead && !isPackages && !this.isOnPath(file)) return undefined;
    if ((await this.disk.kindOf(real)) !== 'file') return undefined;
    const content = await this.disk.read(real, file);
    return { path: real, head: content.kind === 'text' ? content.text.slice(0, HEAD) : undefined };
  }

  /** Which programs are there, the person has decided: a name on the PATH leads to them, whoever says it. */
  private isOnPath(file: string): boolean {
    const folders = (this.bare.variable('env', 'PATH', undefined) ?? '').split(path.delimiter);
    return folders.includes(path.dirname(file));
  }

  async filesNamed(name: string): Promise<readonly string[]> {
    return await this.insideOf(await this.disk.filesNamed(name));
  }

  async filesWith(extensions: readonly string[]): Promise<readonly string[]> {
    return await this.insideOf(await this.disk.filesWith(extensions));
  }

  private async insideOf(found: readonly string[]): Promise<readonly string[]> {
    const inside = await Promise.all(
      found.map(async (each) => (await this.outside(each)) === undefined),
    );
    return found.filter((_, index) => inside[index]);
  }

  async launchSources(): Promise<readonly LaunchSource[]> {
    return await this.bare.launchSources(async (file) => {
      const content = await this.read(file);
      if (content === undefined) return 'unread';
      return content.kind === 'text' ? content : undefined;
    });
  }

  debuggers(): ReturnType<Workspace['debuggers']> {
    return this.bare.debuggers();
  }

  async runTask(...given: Parameters<Workspace['runTask']>): ReturnType<Workspace['runTask']> {
    return await this.bare.runTask(...given);
  }

  /** Undefined where the file may not be read. */
  private async read(file: string): Promise<FileContent | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead ? await this.disk.read(real, file) : undefined;
  }

  /** @throws Failure `invalid_input` for a path that is not even looked at */
  private async resolved(
    file: string,
  ): Promise<{ readonly real: string; readonly mayBeRead: boolean }> {
    checkLocal(
      file,
      this.folders.map((folder) => folder.path),
    );
    const real = await this.disk.realPath(file);
    return {
      real,
      mayBeRead:
        this.approved.has(real) || (await this.isInFolders(real)) || (await this.named(real)),
    };
  }

  private async isInFolders(real: string): Promise<boolean> {
    const folders = await Promise.all(
      this.folders.map((folder) => this.disk.realPath(folder.path)),
    );
    return folders.some(
      (folder) =>
        real === folder || real.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep),
    );
  }

  private async outsideFailure(file: string): Promise<Failure> {
    const candidates = await this.filesNamed(path.basename(file));
    return new Failure(
      'file_outside_workspace',
      l10n.t('{0} is outside the workspace, so it is not read without the person’s yes.', file),
      'Pass a file of the workspace, or line_number where a line is meant. Else the person can add its folder to the workspace, or switch on agentDebugger.mcp.confirm to be asked about it.',
      candidates.length === 0 ? {} : { candidates: candidates.slice(0, MOST_CANDIDATES) },
    );
  }
}

/** How many files of the workspace are told that have the name of one outside. */
const MOST_CANDIDATES = 5;

/** Where packages of Node are. */
const MODULES = `${path.sep}node_modules${path.sep}`;

/** So many characters of a script say what runs it, also of a shell script that starts another. */
const HEAD = 4000;

/** Whether what is in a file may be told of without asking; not of a path that is refused. */
export async function mayTellOf(
  workspace: Pick<Workspace, 'outside'>,
  file: string,
): Promise<boolean> {
  try {
    return (await workspace.outside(file)) === undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function notText(message: string): Failure {
  return new Failure('file_not_text', message, 'Pass a source file. Nothing was changed.');
}

/** A debugger may name any path: of one that is refused there is nothing to tell. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}
