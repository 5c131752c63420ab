import * as vscode from 'vscode';

/** Questions and messages to the person. Tests replace it. */
export interface Person {
  choose<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): PromiseLike<T | undefined>;
  /** @returns the button that was pressed */
  inform(message: string, ...buttons: readonly string[]): PromiseLike<string | undefined>;
  warn(message: string, ...buttons: readonly string[]): PromiseLike<string | undefined>;
}

export const PERSON: Person = {
  choose: (items, options) => vscode.window.showQuickPick(items, options),
  inform: (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons),
  warn: (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons),
};
