import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

const SCHEME = 'agent-debugger-settings';

/** A change of a settings file that is shown before it is written. */
export interface PreviewedSettings {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Texts that are masked, because every extension can read a text in an editor, and models receive it as context. */
  readonly secrets: readonly string[];
}

/** Shows two read-only texts side by side. */
export class SettingsPreview implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private last = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  static register(): {
    readonly preview: SettingsPreview;
    readonly registration: vscode.Disposable;
  } {
    const preview = new SettingsPreview();
    return {
      preview,
      registration: vscode.workspace.registerTextDocumentContentProvider(SCHEME, preview),
    };
  }

  /** Shows the change while `ask` runs, and closes it afterwards. */
  async during<T>(
    { file, before, after, secrets }: PreviewedSettings,
    ask: () => Promise<T>,
  ): Promise<T> {
    this.last += 1;
    const uri = (side: string): vscode.Uri =>
      vscode.Uri.from({
        scheme: SCHEME,
        path: `/${side}/${path.basename(file)}`,
        query: String(this.last),
      });
    const [left, right] = [uri('before'), uri('after')];
    const masked = (text: string): string =>
      secrets.reduce(
        (shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '••••••••')),
        text,
      );
    this.texts.set(left.toString(), masked(before));
    this.texts.set(right.toString(), masked(after));
    try {
      await vscode.commands.executeCommand(
        'vscode.diff',
        left,
        right,
        l10n.t('{0}: what will be written', path.basename(file)),
        { preview: true, preserveFocus: true },
      );
      return await ask();
    } finally {
      this.texts.delete(left.toString());
      this.texts.delete(right.toString());
      const isOurs = ({ input }: vscode.Tab): boolean =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString();
      await vscode.window.tabGroups.close(
        vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isOurs)),
        true,
      );
    }
  }
}
