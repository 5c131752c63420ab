import * as vscode from 'vscode';
import type { Investigations } from '../../investigation/investigations';
import { placeOf, typeOf, uriOf, type Place } from '../../investigation/paths';
import { MAX_SHOWN_BYTES, revealOf, shownDocument } from '../../investigation/shownDocument';

const SCHEME = 'vdt';

/**
 * The files of investigations as read-only documents: `vdt://sessions/<sid>/<path>`, the same URI that MCP clients
 * read.
 */
export class InvestigationDocuments implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly investigations: Investigations) {}

  static register(investigations: Investigations): vscode.Disposable {
    return vscode.workspace.registerFileSystemProvider(
      SCHEME,
      new InvestigationDocuments(investigations),
      { isReadonly: true, isCaseSensitive: true },
    );
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const subscription = this.investigations.onDidChange(() =>
      this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]),
    );
    return new vscode.Disposable(() => subscription.dispose());
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const place = placeIn(uri);
    const entries = await this.investigations.entries(place.sid).catch(() => []);
    const entry = entries.find(({ path }) => path === place.path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { changedAt } = entry;
    const isWhole = place.lines === undefined && entry.size <= MAX_SHOWN_BYTES;
    const size = isWhole
      ? entry.size
      : (await shownDocument(this.investigations, place)).byteLength;
    return { type: vscode.FileType.File, ctime: changedAt, mtime: changedAt, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const shown = await shownDocument(this.investigations, placeIn(uri)).catch(() => undefined);
    if (shown === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return shown;
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/**
 * The place that a URI names. The lines are in the query, because VS Code treats a fragment as a location in the same
 * document.
 */
function placeIn(uri: vscode.Uri): Place {
  const lines = uri.query === '' ? '' : `#${uri.query}`;
  const place = placeOf(`${SCHEME}://${uri.authority}${uri.path}${lines}`);
  if (place === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return place;
}

/** Opens a file of an investigation: Markdown as a preview, other files with the lines selected. */
export async function openFile(
  investigations: Investigations,
  sid: string,
  path: string,
  lines?: Place['lines'],
): Promise<void> {
  const uri = vscode.Uri.parse(uriOf(sid, path));
  if (typeOf(path) === 'text/markdown') {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
    return;
  }
  if (lines === undefined) {
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    return;
  }
  const entries = await investigations.entries(sid);
  const size = entries.find((entry) => entry.path === path)?.size ?? 0;
  const { lines: part, first, last } = revealOf(size, lines);
  await vscode.commands.executeCommand(
    'vscode.open',
    part === undefined ? uri : uri.with({ query: `L${part.from + 1}-L${part.to + 1}` }),
    { preview: true, selection: new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER) },
  );
}
