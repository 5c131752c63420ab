import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { giveWay, MAX_SCANNED } from '../../util/projectText';
import type { Workspace } from '../services';

/**
 * Reads a file of the project whose text is scanned as a whole. All scans get their text from here or from
 * `scannedIfAny`.
 * @throws Failure as `readText`, and `file_not_text` for a file that is too large to be scanned
 */
export async function scannedText(
  workspace: Pick<Workspace, 'readText'>,
  file: string,
): Promise<string> {
  const text = await workspace.readText(file);
  if (text.length > MAX_SCANNED) throw tooLarge(file);
  await giveWay(text);
  return text;
}

/**
 * Reads a file that says something about a project, if there is one. A file that is too large to be scanned says
 * nothing.
 */
export async function scannedIfAny(
  workspace: Pick<Workspace, 'readSource'>,
  file: string,
): Promise<string | undefined> {
  const lines = (await workspace.readSource(file))?.lines;
  if (lines === undefined) return undefined;
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (length > MAX_SCANNED) return undefined;
  await giveWay({ length });
  return lines.join('\n');
}

/** Reads the lines of a file, if there is one, of which some are shown, or each is looked at once. */
export async function shownLines(
  workspace: Pick<Workspace, 'readSource'>,
  file: string,
): Promise<readonly string[]> {
  return (await workspace.readSource(file))?.lines ?? [];
}

/** The failure for a file that is too large to be scanned. */
export function tooLarge(file: string): Failure {
  return new Failure(
    'file_not_text',
    l10n.t('{0} is too large to be searched for tests or functions.', file),
    `At most ${MAX_SCANNED / 1024} kB of a source file are read. Pass a smaller file, or start the program with start_debugging and set breakpoints by line. Nothing was changed.`,
  );
}
