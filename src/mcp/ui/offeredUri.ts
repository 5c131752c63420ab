import * as vscode from 'vscode';

/**
 * The address of the offered server, with the window's folder. VS Code sends it as `uri.toString(true)` in one place
 * and as `uri.toString()` in another. The folder is encoded for the first, and the server also accepts the second, in
 * which it is encoded twice (`wishIn`).
 */
export function offeredUri(url: string, folder: string | undefined): vscode.Uri {
  const uri = vscode.Uri.parse(url);
  return folder === undefined
    ? uri
    : uri.with({ query: `workspace=${encodeURIComponent(folder)}` });
}
