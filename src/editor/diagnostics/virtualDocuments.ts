import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DocumentName, FollowingDocument } from '../../diagnostics/documents';
import { NEWEST, withOlder, type Filter } from '../../diagnostics/filter';
import { MESSAGE_KINDS, type MessageKind } from '../../diagnostics/messages';
import { Throttle } from '../../util/throttle';

/** The scheme of the read-only documents. */
export const SCHEME = 'agent-debugger';

/** The minimum time between two updates of an open document, in milliseconds. */
const INTERVAL_MS = 250;

interface OpenDocument {
  readonly uri: vscode.Uri;
  readonly document: FollowingDocument;
  filter: Filter;
  readonly throttle: Throttle;
  readonly subscription: { dispose(): void };
}

/**
 * Read-only documents of the diagnostics (VS Code `TextDocumentContentProvider`). Logs are updated while they are open,
 * and keep showing their end if the person has scrolled there. Reports are not updated.
 */
export class VirtualDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly open = new Map<string, OpenDocument>();
  private readonly reports = new Map<string, string>();
  /** Editors that showed the end before their document changed. */
  private readonly atEnd = new Set<vscode.TextEditor>();
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(private readonly documents: Readonly<Record<DocumentName, FollowingDocument>>) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.close(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document)),
    ];
  }

  dispose(): void {
    for (const open of this.open.values()) stop(open);
    this.open.clear();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const report = this.reports.get(uri.toString());
    if (report !== undefined) return report;
    const open = this.find(uri);
    if (open === undefined) return l10n.t('This report is no longer kept. Create it again.');
    try {
      return await open.document.render(open.filter);
    } catch (error) {
      // For example, if a redaction pattern cannot be used, no content may be shown.
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Shows a log, which is updated while it is open. */
  async show(name: DocumentName, filter: Filter = NEWEST): Promise<vscode.TextEditor> {
    const uri = this.uriOf(name);
    const open = this.find(uri);
    if (open !== undefined) open.filter = filter;
    this.changed.fire(uri);
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    revealEnd(editor);
    return editor;
  }

  /** Shows a report, which is not updated. */
  async showReport(name: string, text: string): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.reports.set(uri.toString(), text);
    this.changed.fire(uri);
    return await vscode.window.showTextDocument(uri, { preview: false });
  }

  /** Shows more older entries. */
  showOlder(uri: vscode.Uri | undefined): void {
    const open = this.chosen(uri);
    if (open === undefined) return;
    open.filter = withOlder(open.filter);
    this.changed.fire(open.uri);
  }

  /** Filters a document by the given filter, otherwise by the person's choice. */
  async filter(uri: vscode.Uri | undefined, given?: Partial<Filter>): Promise<void> {
    const open = this.chosen(uri);
    if (open === undefined) return;
    const filter = given ?? (await askForFilter(open.document, open.filter));
    if (filter === undefined) return;
    open.filter = { ...NEWEST, ...filter };
    this.changed.fire(open.uri);
  }

  private uriOf(name: DocumentName): vscode.Uri {
    const path = `/${this.documents[name].title.replace(/[:/\\]/g, '')}.log`;
    return vscode.Uri.from({ scheme: SCHEME, path, query: name });
  }

  private chosen(uri: vscode.Uri | undefined): OpenDocument | undefined {
    const at = uri ?? vscode.window.activeTextEditor?.document.uri;
    return at === undefined ? undefined : this.find(at);
  }

  /** The open document at a URI. A log is opened if it is not open yet. */
  private find(uri: vscode.Uri): OpenDocument | undefined {
    const key = uri.toString();
    const existing = this.open.get(key);
    if (existing !== undefined) return existing;
    const names = ['calls', 'trace', 'traffic'] as const;
    const name = names.find((logName) => logName === uri.query);
    if (name === undefined) return undefined;
    const document = this.documents[name];
    const throttle = new Throttle(() => this.update(uri), INTERVAL_MS);
    const subscription = document.onDidChange(() => throttle.request());
    const open: OpenDocument = { uri, document, filter: NEWEST, throttle, subscription };
    this.open.set(key, open);
    return open;
  }

  private close(uri: vscode.Uri): void {
    const key = uri.toString();
    this.reports.delete(key);
    const open = this.open.get(key);
    if (open === undefined) return;
    stop(open);
    this.open.delete(key);
  }

  private update(uri: vscode.Uri): void {
    for (const editor of editorsOf(uri)) if (showsEnd(editor)) this.atEnd.add(editor);
    this.changed.fire(uri);
  }

  private follow(document: vscode.TextDocument): void {
    if (document.uri.scheme !== SCHEME) return;
    for (const editor of editorsOf(document.uri)) {
      if (this.atEnd.delete(editor)) revealEnd(editor);
    }
  }
}

function stop({ throttle, subscription }: OpenDocument): void {
  throttle.dispose();
  subscription.dispose();
}

function editorsOf(uri: vscode.Uri): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
}

function showsEnd({ document, visibleRanges }: vscode.TextEditor): boolean {
  return (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2;
}

function revealEnd(editor: vscode.TextEditor): void {
  const end = new vscode.Position(Math.max(0, editor.document.lineCount - 1), 0);
  editor.revealRange(new vscode.Range(end, end));
}

interface FilterItem extends vscode.QuickPickItem {
  readonly session?: string;
  readonly messageKind?: MessageKind;
}

/** Asks for sessions and kinds in one list; undefined if the person cancels. */
async function askForFilter(
  document: FollowingDocument,
  { sessions, kinds }: Filter,
): Promise<Partial<Filter> | undefined> {
  const allSessions = document.sessions();
  const items: FilterItem[] = [
    { label: l10n.t('Sessions'), kind: vscode.QuickPickItemKind.Separator },
    ...allSessions.map((session) => ({
      label: session,
      session,
      picked: sessions?.includes(session) ?? true,
    })),
  ];
  if (document.hasKinds)
    items.push(
      { label: l10n.t('Kinds'), kind: vscode.QuickPickItemKind.Separator },
      ...MESSAGE_KINDS.map((messageKind) => ({
        label: kindLabel(messageKind),
        messageKind,
        picked: kinds?.includes(messageKind) ?? true,
      })),
    );
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: document.title,
    placeHolder: l10n.t('Show entries of these sessions and kinds'),
  });
  if (chosen === undefined) return undefined;
  const chosenSessions = chosen.flatMap(({ session }) => session ?? []);
  const chosenKinds = chosen.flatMap(({ messageKind }) => messageKind ?? []);
  return {
    // If all are chosen, later sessions are shown as well.
    sessions: chosenSessions.length === allSessions.length ? undefined : chosenSessions,
    kinds:
      chosenKinds.length === MESSAGE_KINDS.length || !document.hasKinds ? undefined : chosenKinds,
  };
}

function kindLabel(kind: MessageKind): string {
  switch (kind) {
    case 'request':
      return l10n.t('Requests');
    case 'response':
      return l10n.t('Responses');
    case 'event':
      return l10n.t('Events');
  }
}
