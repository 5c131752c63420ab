import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { countOf, fields, textOf } from '../../debugger/protocol';
import type { RecordedTrace } from '../../tools/trace/recorded';
import { Throttle } from '../../util/throttle';
import { collectionTables } from './collectionTables';
import { pageOf } from './page';
import { nextSorted, tableState } from './pageState';
import type { KeptResult, RecordedResults } from './results';
import type { Choice, Place, Table } from './table';
import { traceTable } from './traceTable';

export const RECORDED_VIEW = 'agentDebugger.recordedValues';

/** The minimum time between two updates of the view, in milliseconds. */
const INTERVAL_MS = 250;
const AS_RECORDED: Choice = { filter: '' };

interface NamedTable {
  readonly id: string;
  readonly kept: KeptResult;
  readonly table: Table;
}

/** What happens when the person clicks. */
export interface ViewActions {
  readonly open: (place: Place) => void;
  readonly show: (trace: RecordedTrace) => void;
}

/**
 * The view “Recorded Values” (VS Code `WebviewViewProvider`). It is a webview because a tree has no columns. It makes
 * tables only while it is visible.
 */
export class RecordedView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private selected: string | undefined;
  private choice = AS_RECORDED;
  private places: readonly (Place | undefined)[] = [];
  private readonly made = new Map<number, readonly NamedTable[]>();
  private readonly throttle = new Throttle(() => this.draw(), INTERVAL_MS);
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(
    private readonly folder: vscode.Uri,
    private readonly results: RecordedResults,
    private readonly actions: ViewActions,
  ) {
    this.subscriptions = [
      this.throttle,
      vscode.window.registerWebviewViewProvider(RECORDED_VIEW, this),
      results.onDidChange(() => {
        // The newest result is what the person waits for.
        this.select(undefined);
        this.throttle.request();
      }),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    this.view = view;
    webview.options = { enableScripts: true, localResourceRoots: [this.folder] };
    const address = (file: string): string =>
      String(webview.asWebviewUri(vscode.Uri.joinPath(this.folder, file)));
    webview.html = pageOf({
      ...{ script: address('page.js'), style: address('page.css'), own: webview.cspSource },
      nonce: randomBytes(16).toString('hex'),
      language: vscode.env.language,
    });
    webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    view.onDidChangeVisibility(() => this.draw());
    view.onDidDispose(() => (this.view = undefined));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private select(id: string | undefined): void {
    this.selected = id;
    this.choice = AS_RECORDED;
  }

  private receive(message: unknown): void {
    const { type, id, text, column, place } = fields(message);
    const index = countOf(column);
    if (type === 'open') {
      const found = this.places[countOf(place) ?? -1];
      if (found !== undefined) this.actions.open(found);
      return;
    }
    if (type === 'show') {
      const result = this.current()?.kept.result;
      if (result?.kind === 'trace') this.actions.show(result);
      return;
    }
    if (type === 'select') this.select(textOf(id));
    if (type === 'filter') this.choice = { ...this.choice, filter: textOf(text) ?? '' };
    if (type === 'sort' && index !== undefined)
      this.choice = { ...this.choice, sorted: nextSorted(this.choice, index) };
    this.draw();
  }

  private current(tables = this.tables()): NamedTable | undefined {
    return tables.find(({ id }) => id === this.selected) ?? tables[0];
  }

  /** Makes the tables of results that have none yet. */
  private tables(): readonly NamedTable[] {
    const { all } = this.results;
    for (const id of this.made.keys())
      if (!all.some((kept) => kept.id === id)) this.made.delete(id);
    return all.flatMap((kept) => {
      const found = this.made.get(kept.id) ?? namedTables(kept);
      this.made.set(kept.id, found);
      return found;
    });
  }

  private draw(): void {
    if (this.view?.visible !== true) {
      this.made.clear();
      return;
    }
    const tables = this.tables();
    const current = this.current(tables);
    const table = current?.table ?? { title: '', columns: [], rows: [], remarks: [] };
    const { places, ...state } = tableState(table, this.choice);
    this.places = places;
    void this.view.webview.postMessage({
      ...state,
      tables: tables.map(({ id, table: { title } }) => ({ id, title })),
      selected: current?.id ?? '',
      filter: this.choice.filter,
      isTrace: current?.kept.result.kind === 'trace',
    });
  }
}

function namedTables(kept: KeptResult): readonly NamedTable[] {
  const { result, isCut } = kept;
  const tables = result.kind === 'trace' ? [traceTable(result, isCut)] : collectionTables(result);
  return tables.map((table, index) => ({ id: `${kept.id}/${index}`, kept, table }));
}
