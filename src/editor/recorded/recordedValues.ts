import path from 'node:path';
import * as vscode from 'vscode';
import { isForeignShare } from '../../debugger/sourcePath';
import type { Recorded, RecordedTrace } from '../../tools/trace/recorded';
import type { Listeners } from '../../util/listeners';
import { settings } from '../settings';
import { InlineValues } from './inlineValues';
import { RecordedView, RECORDED_VIEW } from './recordedView';
import { bounded, RecordedResults } from './results';
import type { Place } from './table';

/** The values that calls have recorded, as the person sees them in VS Code. */
export class RecordedValues implements vscode.Disposable {
  readonly inline = new InlineValues();
  readonly results = new RecordedResults();
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(
    extension: vscode.Uri,
    recorded: Listeners<Recorded>,
    private readonly warn: (error: unknown) => void,
  ) {
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(`agentDebugger.recordedValues.${name}`, run);
    const folder = vscode.Uri.joinPath(extension, 'media', 'recordedValues');
    const actions = {
      open: (place: Place) => void this.open(place).catch(warn),
      show: (trace: RecordedTrace) => void this.show(trace).catch(warn),
    };
    this.subscriptions = [
      this.inline,
      new RecordedView(folder, this.results, actions),
      // The call does not wait for the views, and does not fail with them.
      recorded.add((result) => void setImmediate(() => this.add(result))),
      command('show', () => vscode.commands.executeCommand(`${RECORDED_VIEW}.focus`)),
      command('hide', () => this.inline.hide()),
      command('nextRound', () => this.inline.turn(1)),
      command('previousRound', () => this.inline.turn(-1)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('agentDebugger.showRecordedValues')) return;
        if (!settings.showsRecordedValues) this.clear();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private add(result: Recorded): void {
    if (!settings.showsRecordedValues) return;
    try {
      if (this.results.all.length === 0) setHasResults(true);
      this.results.add(result);
      const { result: kept } = bounded(result);
      if (kept.kind === 'trace') this.inline.show(kept);
    } catch (error) {
      this.warn(error);
    }
  }

  private clear(): void {
    this.inline.hide();
    this.results.clear();
    setHasResults(false);
  }

  private async show(trace: RecordedTrace): Promise<void> {
    const { path: file, lines } = trace.history;
    this.inline.show(trace);
    if (file !== undefined) await this.open({ path: file, line: lines[0]?.line ?? 1 });
  }

  /** Opens a place, unless its path leads to another computer. */
  private async open({ path: file, line }: Place): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    if (!path.isAbsolute(file) || isForeignShare(file, folders)) return;
    const at = new vscode.Position(line - 1, 0);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), {
      selection: new vscode.Range(at, at),
    });
  }
}

function setHasResults(value: boolean): void {
  void vscode.commands.executeCommand('setContext', 'agentDebugger.recordedResults', value);
}
