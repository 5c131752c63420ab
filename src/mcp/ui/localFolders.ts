import * as vscode from 'vscode';

/** The paths of the window's folders on this machine. */
export function localFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}
