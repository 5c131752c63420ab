import path from 'node:path';
import * as vscode from 'vscode';
import { isForeignShare } from '../../debugger/sourcePath';
import type { CallRecords } from '../../diagnostics/calls';
import { timelineEntries, type TimelineEntry } from '../../diagnostics/timeline';
import type { AgentAccess } from '../../tools/access';
import { Throttle } from '../../util/throttle';

export const TIMELINE_VIEW = 'agentDebugger.timeline';

/** The minimum time between two updates of the view, in milliseconds. */
const INTERVAL_MS = 250;

/**
 * Shows the calls of agents in the Run and Debug view. It is a tree (VS Code `TreeDataProvider`), so that themes,
 * keyboard and screen readers work as in VS Code's own views.
 */
export class TimelineView implements vscode.TreeDataProvider<TimelineEntry> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<TimelineEntry>;
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(
    private readonly calls: CallRecords,
    private readonly access: AgentAccess,
  ) {
    this.view = vscode.window.createTreeView(TIMELINE_VIEW, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    const throttle = new Throttle(() => this.changed.fire(), INTERVAL_MS);
    this.subscriptions = [
      this.changed,
      this.view,
      throttle,
      calls.onDidChange(() => throttle.request()),
      access.onDidChange(() => throttle.request()),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  getChildren(entry?: TimelineEntry): TimelineEntry[] {
    return entry === undefined
      ? [...timelineEntries(this.calls.records, this.access.calls)]
      : [...entry.children];
  }

  /** Required by `TreeView.reveal`. Only calls are revealed, which are at the top level. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(entry: TimelineEntry): vscode.TreeItem {
    const { id, label, description, spoken, icon, color, place, children } = entry;
    const item = new vscode.TreeItem(
      label,
      children.length === 0
        ? vscode.TreeItemCollapsibleState.None
        : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = id;
    item.description = description;
    item.tooltip = spoken;
    item.accessibilityInformation = { label: spoken };
    item.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    if (place !== undefined && mayOpen(place.file)) {
      const at = new vscode.Position(place.line - 1, 0);
      item.command = {
        command: 'vscode.open',
        title: label,
        arguments: [vscode.Uri.file(place.file), { selection: new vscode.Range(at, at) }],
      };
    }
    return item;
  }
}

/**
 * Whether a click may open a file. A call may name any path, including refused ones such as paths on foreign network
 * shares.
 */
function mayOpen(file: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return path.isAbsolute(file) && !isForeignShare(file, folders);
}
