import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import type { SourceText } from '../../results/views/stopSource';
import { fileNotFound } from './files';
import type { LaunchSource } from '../launch/launchFile';
import { checkLocal } from './localPath';
import type { ProgramFile, Workspace } from '../services';

/** The text of a file, or the reason why there is none. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly changedAt: number | undefined }
  | { readonly kind: 'absent' | 'folder' | 'too_large' | 'binary' | 'unreadable' };

/** The person's disk, without access checks. Only the guard below uses this interface. */
export interface Disk {
  /**
   * Returns the path with all links resolved. For a missing file, it is the real path of the nearest existing folder,
   * followed by the rest of the path.
   */
  realPath(file: string): Promise<string>;
  /**
   * Reads a file.
   * @param real the real path, which is read. If a link has replaced the file in the meantime, the link is not
   * followed.
   * @param named the path as it was named
   */
  read(real: string, named: string): Promise<FileContent>;
  kindOf(real: string): Promise<'file' | 'folder' | undefined>;
  /** Returns the language by name and first line, as the editor detects it. Returns undefined for a binary. */
  languageOf(real: string): Promise<string | undefined>;
  /** Returns the language by name alone. Returns undefined if the file may be a binary. */
  languageByName(file: string): string | undefined;
  /**
   * Returns the files with this name that the editor's search finds in the workspace. This includes links that the
   * search follows.
   */
  filesNamed(name: string): Promise<readonly string[]>;
  /** Returns the files with one of these extensions (without dots), in the same way. */
  filesWith(extensions: readonly string[]): Promise<readonly string[]>;
}

/** The part of the workspace that the guard passes through unchanged. */
export interface BareWorkspace extends Pick<
  Workspace,
  | 'trusted'
  | 'folders'
  | 'debuggers'
  | 'runTask'
  | 'taskCommands'
  | 'launchInputs'
  | 'variable'
  | 'setting'
  | 'platform'
> {
  /** Reads the launch configurations. @param read returns the text of a file, or undefined if there is none */
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
 * The only access of tools to files. Without a question to the person, a tool may read and quote files, and confirm
 * that they exist, in the workspace folders. The same applies to files that the debugger of a live session has named as
 * sources. All other files may be read only for a call whose question named the file and was approved. The real path
 * determines the access. Links are resolved first, including those in the folders' paths, and the real path is read.
 */
export class GuardedWorkspace implements Workspace {
  /**
   * @param named whether the debugger of a live session has named the file with this real path
   * @param approved the real paths of the approved files
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

  setting(name: string, folderPath: string | undefined): unknown {
    return this.bare.setting(name, folderPath);
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
        throw notText(l10n.t('{0} is too large to be read as a source file.', file));
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
    return await this.bare.isForLanguage(file, debugType, (candidate) =>
      this.languageOf(candidate).catch(unlessRefused),
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

  /**
   * Whether a program is in a folder of the PATH. Such programs count as the person's choice, even if another party
   * names them.
   */
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
      found.map(async (file) => (await this.outside(file)) === undefined),
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

  async taskCommands(
    ...given: Parameters<Workspace['taskCommands']>
  ): ReturnType<Workspace['taskCommands']> {
    return await this.bare.taskCommands(...given);
  }

  /** Reads a file. Returns undefined if the file may not be read. */
  private async read(file: string): Promise<FileContent | undefined> {
    const { real, mayBeRead } = await this.resolved(file);
    return mayBeRead ? await this.disk.read(real, file) : undefined;
  }

  /**
   * Returns the real path, and whether it may be read.
   * @throws Failure `invalid_input` for a path that is refused before it is resolved
   */
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
      l10n.t('{0} is outside the workspace, so it is read only if the person allows it.', file),
      'Pass a file of the workspace, or line_number to select the line. Otherwise the person can add its folder to the workspace, or turn on agentDebugger.mcp.confirm to be asked about it.',
      candidates.length === 0 ? {} : { candidates: candidates.slice(0, MAX_CANDIDATES) },
    );
  }
}

/** The maximum number of listed workspace files that have the same name as a file outside. */
const MAX_CANDIDATES = 5;

/** The folder of Node packages, as part of a path. */
const MODULES = `${path.sep}node_modules${path.sep}`;

/**
 * The number of characters that are read from a script. They are enough to find the program that runs it, even for a
 * shell script that starts another program.
 */
const HEAD = 4000;

/** Whether a file may be quoted without a question to the person. False for a refused path. */
export async function mayQuote(
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

/** Returns undefined for a refused path, because a debugger may name any path. Other errors are thrown again. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}
