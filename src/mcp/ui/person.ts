import * as vscode from 'vscode';

/** Questions and messages to the person; tests answer in their place. */
export interface Person {
  choose<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): PromiseLike<T | undefined>;
  /** @returns the button that was pressed */
  tell(message: string, ...buttons: readonly string[]): PromiseLike<string | undefined>;
  warn(message: string, ...buttons: readonly string[]): PromiseLike<string | undefined>;
}

export const PERSON: Person = {
  choose: (items, options) => vscode.window.showQuickPick(items, options),
  tell: (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons),
  warn: (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons),
};
