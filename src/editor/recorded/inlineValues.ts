import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileKey } from '../../debugger/sourcePath';
import { cutText } from '../../results/fit';
import type { RecordedTrace } from '../../tools/trace/recorded';
import { isUnchanged, lineText } from './shownText';
import {
  loopAt,
  recordedFiles,
  traceLines,
  type LineValues,
  type RecordedFile,
  type ShownTrace,
} from './traceLines';
import { TrackedLines } from './trackedLines';

/** The maximum number of characters beside a line. The whole text is in the hover. */
const MAX_CHARACTERS = 160;
/** The schemes of documents that are files. Others, such as the old side of a comparison, show other texts. */
const SCHEMES: readonly string[] = ['file', 'vscode-remote'];

interface Shown {
  readonly trace: RecordedTrace;
  readonly files: ReadonlyMap<string, RecordedFile>;
  readonly rounds: Map<string, number>;
  now: ShownTrace;
}

/**
 * Shows the values of the latest trace beside its lines (VS Code `TextEditorDecorationType`), until the person hides
 * them. Values move with their lines. A line whose text is not the recorded one shows no values.
 */
export class InlineValues implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor('editor.inlineValuesForeground'),
      backgroundColor: new vscode.ThemeColor('editor.inlineValuesBackground'),
      margin: '0 0 0 2em',
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  private readonly subscriptions: { dispose(): unknown }[];
  private readonly keys = new Map<string, boolean>();
  private shown: Shown | undefined;
  /** Where the lines of a document are. Undefined for a document whose text is not the recorded one. */
  private readonly tracked = new Map<string, TrackedLines | undefined>();

  constructor() {
    this.subscriptions = [
      this.decoration,
      vscode.window.onDidChangeVisibleTextEditors(() => this.render()),
      vscode.window.onDidChangeActiveTextEditor(() => this.writeKeys()),
      vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.tracked.delete(String(uri))),
    ];
  }

  show(trace: RecordedTrace): void {
    const files = new Map(recordedFiles(trace).map((file) => [fileKey(file.path), file]));
    const rounds = new Map<string, number>();
    this.shown = { trace, files, rounds, now: traceLines(trace, rounds) };
    this.tracked.clear();
    this.render();
  }

  hide(): void {
    this.shown = undefined;
    this.tracked.clear();
    this.render();
  }

  /** Shows another round of the loop at the cursor. */
  turn(by: 1 | -1): void {
    const { shown } = this;
    const editor = vscode.window.activeTextEditor;
    if (shown === undefined || editor === undefined) return;
    const line = this.linesOf(editor.document)?.recordedAt(editor.selection.active.line) ?? 0;
    const loop = loopAt(shown.now, editor.document.uri.fsPath, line);
    if (loop === undefined) return;
    const round = Math.min(Math.max(loop.round + by, 1), loop.rounds);
    shown.rounds.set(loop.key, round);
    shown.now = traceLines(shown.trace, shown.rounds);
    vscode.window.setStatusBarMessage(l10n.t('Round {0} of {1}', round, loop.rounds), 3000);
    this.render();
  }

  /** The values beside the lines of a document, by the index of the line. */
  valuesIn(document: vscode.TextDocument): ReadonlyMap<number, LineValues> {
    const lines = this.linesOf(document);
    if (this.shown === undefined || lines === undefined) return new Map();
    const path = fileKey(document.uri.fsPath);
    return new Map(
      this.shown.now.lines.flatMap((values) => {
        if (fileKey(values.path) !== path) return [];
        const at = lines.indexOf(values.line);
        const isRecorded = at !== undefined && lineText(document, at) === values.source;
        return isRecorded ? [[at, values] as const] : [];
      }),
    );
  }

  dispose(): void {
    this.hide();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The documents's tracked lines. They begin when the document is first looked at, with the recorded text. */
  private linesOf(document: vscode.TextDocument): TrackedLines | undefined {
    if (!SCHEMES.includes(document.uri.scheme)) return undefined;
    const key = String(document.uri);
    const file = this.shown?.files.get(fileKey(document.uri.fsPath));
    if (file === undefined) return undefined;
    if (!this.tracked.has(key))
      this.tracked.set(key, isUnchanged(document, file) ? new TrackedLines(file.lines) : undefined);
    return this.tracked.get(key);
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const lines = this.tracked.get(String(document.uri));
    if (lines === undefined || contentChanges.length === 0) return;
    for (const { range, text } of contentChanges)
      lines.edit({ start: range.start, end: range.end, text });
    this.render();
  }

  private render(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const options = [...this.valuesIn(document)].map(([at, values]) => optionsOf(at, values));
      editor.setDecorations(this.decoration, options);
    }
    this.writeKeys();
  }

  private writeKeys(): void {
    const document = vscode.window.activeTextEditor?.document;
    const values = document === undefined ? undefined : this.valuesIn(document);
    const has = values !== undefined && values.size > 0;
    const path = fileKey(document?.uri.fsPath ?? '');
    const loops = this.shown?.now.loops ?? [];
    this.writeKey('agentDebugger.recordedLines', has);
    this.writeKey(
      'agentDebugger.recordedRounds',
      has && loops.some((loop) => fileKey(loop.path) === path),
    );
  }

  private writeKey(key: string, value: boolean): void {
    if ((this.keys.get(key) ?? false) === value) return;
    this.keys.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

function optionsOf(at: number, { notes }: LineValues): vscode.DecorationOptions {
  const end = new vscode.Position(at, Number.MAX_SAFE_INTEGER);
  const hover = new vscode.MarkdownString();
  // Texts of the program are no Markdown.
  for (const note of notes) hover.appendText(note).appendMarkdown('\n\n');
  return {
    range: new vscode.Range(end, end),
    hoverMessage: hover,
    renderOptions: { after: { contentText: ` ${cutText(notes.join(', '), MAX_CHARACTERS)} ` } },
  };
}
