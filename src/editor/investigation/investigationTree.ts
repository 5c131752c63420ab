import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { endOf } from '../../investigation/buglens';
import type { Investigations } from '../../investigation/investigations';
import { placeOf } from '../../investigation/paths';
import type { CaptureRecord, ChunkRecord, InvestigationRecord } from '../../investigation/record';
import { recordChoice } from '../../tools/investigation/clarify';
import { ICONS } from './chooseChunks';
import { openFile } from './documents';

export const VIEW = 'agentDebugger.investigations';
const OPEN = 'agentDebugger.openInvestigationFile';

export type Node =
  | { readonly kind: 'investigation'; readonly found: InvestigationRecord }
  | { readonly kind: 'group'; readonly group: Group; readonly found: InvestigationRecord }
  | {
      readonly kind: 'capture';
      readonly capture: CaptureRecord;
      readonly found: InvestigationRecord;
    }
  | { readonly kind: 'chunk'; readonly chunk: ChunkRecord; readonly found: InvestigationRecord }
  | { readonly kind: 'file'; readonly sid: string; readonly path: string };

type Group = 'captures' | 'chunks' | 'documents';

/** The investigations of the workspace: their captures, the chunks that may show the cause, and their documents. */
export class InvestigationTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly investigations: Investigations) {}

  /** Registers the view, and updates it on changes. */
  static register(investigations: Investigations): vscode.Disposable {
    const tree = new InvestigationTree(investigations);
    const subscription = investigations.onDidChange(() => tree.changed.fire(undefined));
    const view = vscode.window.createTreeView(VIEW, { treeDataProvider: tree });
    return vscode.Disposable.from(
      view,
      new vscode.Disposable(() => subscription.dispose()),
      view.onDidChangeCheckboxState(async ({ items }) => await tree.choose(items)),
      vscode.commands.registerCommand(
        OPEN,
        async (sid: string, path: string, lines?: { from: number; to: number }) =>
          await openFile(investigations, sid, path, lines),
      ),
    );
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined)
      return (await this.investigations.list()).map((found) => ({ kind: 'investigation', found }));
    if (node.kind === 'investigation') return [...groupsOf(node.found)];
    if (node.kind !== 'group') return [];
    return [...(await this.membersOf(node.group, node.found))];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'investigation':
        return investigationItem(node.found);
      case 'group':
        return groupItem(node.group, node.found);
      case 'capture':
        return captureItem(node.capture, node.found);
      case 'chunk':
        return chunkItem(node.chunk, node.found);
      case 'file':
        return fileItem(node.sid, node.path);
    }
  }

  /** Records the checked chunks as the person's choice for the next analysis. */
  async choose(items: readonly (readonly [Node, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const [first] = items.flatMap(([node]) => (node.kind === 'chunk' ? [node] : []));
    if (first === undefined) return;
    const current = await this.investigations.find(first.found.sid);
    const chosen = new Set(current.clarifications.at(-1)?.selectedIds ?? []);
    for (const [node, state] of items) {
      if (node.kind !== 'chunk') continue;
      if (state === vscode.TreeItemCheckboxState.Checked) chosen.add(node.chunk.id);
      else chosen.delete(node.chunk.id);
    }
    await recordChoice(this.investigations, current.sid, { selectedIds: [...chosen] }, 'person');
  }

  private async membersOf(group: Group, found: InvestigationRecord): Promise<readonly Node[]> {
    switch (group) {
      case 'captures':
        return found.captures.map((capture) => ({ kind: 'capture', capture, found }));
      case 'chunks':
        return (found.analysis?.chunks ?? []).map((chunk) => ({ kind: 'chunk', chunk, found }));
      case 'documents':
        return (await this.investigations.entries(found.sid))
          .filter(({ path }) => !path.startsWith('logs/capture') && !path.includes('.verify.'))
          .map(({ path }) => ({ kind: 'file', sid: found.sid, path }));
    }
  }
}

function groupsOf(found: InvestigationRecord): readonly Node[] {
  const groups: readonly Group[] = [
    ...(found.captures.length > 0 ? (['captures'] as const) : []),
    ...((found.analysis?.chunks.length ?? 0) > 0 ? (['chunks'] as const) : []),
    'documents',
  ];
  return groups.map((group) => ({ kind: 'group', group, found }));
}

function investigationItem({
  sid,
  title,
  endedAt,
  createdAt,
}: InvestigationRecord): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = sid;
  item.description = sid;
  item.tooltip = new Date(createdAt).toLocaleString();
  item.contextValue = 'investigation';
  item.iconPath = new vscode.ThemeIcon(endedAt === undefined ? 'beaker' : 'pass');
  return item;
}

function groupItem(group: Group, { sid }: InvestigationRecord): vscode.TreeItem {
  const [label, icon] = {
    captures: [l10n.t('Captures'), 'record'],
    chunks: [l10n.t('Where the cause may be'), 'search'],
    documents: [l10n.t('Documents'), 'files'],
  }[group];
  const item = new vscode.TreeItem(label ?? group, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${sid} ${group}`;
  item.iconPath = new vscode.ThemeIcon(icon ?? 'files');
  return item;
}

function captureItem(capture: CaptureRecord, { sid }: InvestigationRecord): vscode.TreeItem {
  const item = new vscode.TreeItem(capture.what);
  item.id = `${sid} ${capture.id}`;
  item.description = l10n.t('{0} errors, {1}', capture.errors, endText(capture));
  item.iconPath = new vscode.ThemeIcon(capture.kind === 'verify' ? 'verified' : 'record');
  item.command = openCommand(sid, capture.file);
  return item;
}

/** A text for the person that says how a run ended. */
function endText(capture: CaptureRecord): string {
  switch (capture.endedBy) {
    case undefined:
      return l10n.t('running');
    case 'exit':
      return capture.exitCode === undefined
        ? l10n.t('ended')
        : l10n.t('exit code {0}', capture.exitCode);
    case 'timeout':
      return l10n.t('time limit');
    default:
      return endOf(capture);
  }
}

function chunkItem(
  { id, title, excerpt, refs, metadata }: ChunkRecord,
  found: InvestigationRecord,
): vscode.TreeItem {
  const item = new vscode.TreeItem(title);
  item.id = `${found.sid} ${id}`;
  item.description = id;
  item.tooltip = excerpt;
  item.iconPath = new vscode.ThemeIcon(ICONS[metadata.type]);
  item.checkboxState =
    found.clarifications.at(-1)?.selectedIds.includes(id) === true
      ? vscode.TreeItemCheckboxState.Checked
      : vscode.TreeItemCheckboxState.Unchecked;
  const place = placeOf(refs[0] ?? '');
  if (place !== undefined) item.command = openCommand(place.sid, place.path, place.lines);
  return item;
}

function fileItem(sid: string, path: string): vscode.TreeItem {
  const item = new vscode.TreeItem(path);
  item.id = `${sid} ${path}`;
  item.iconPath = new vscode.ThemeIcon(path.endsWith('.md') ? 'markdown' : 'file');
  item.command = openCommand(sid, path);
  return item;
}

function openCommand(sid: string, path: string, lines?: object): vscode.Command {
  return { command: OPEN, title: l10n.t('Open'), arguments: [sid, path, lines] };
}
