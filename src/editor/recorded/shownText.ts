import type * as vscode from 'vscode';
import type { RecordedFile } from './traceLines';

/** Returns the text of a line that the person's editor shows. Undefined behind the end. */
export function lineText(document: vscode.TextDocument, index: number): string | undefined {
  return index < document.lineCount ? document.lineAt(index).text : undefined;
}

/** Whether a document has the recorded text, from the first to the last recorded line. */
export function isUnchanged(
  document: vscode.TextDocument,
  { lines, source }: RecordedFile,
): boolean {
  const all = [...lines];
  const last = all.reduce((most, line) => Math.max(most, line), 0);
  const first = all.reduce((least, line) => Math.min(least, line), last);
  for (let line = first; line <= last; line += 1)
    if (lineText(document, line - 1) !== source[line - 1]) return false;
  return true;
}
