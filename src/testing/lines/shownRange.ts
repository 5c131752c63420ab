import { shownLines } from '../../tools/files/scannedText';
import { shortPath } from '../../tools/files/files';
import type { ToolServices } from '../../tools/services';
import type { LineRange } from './ranLines';

const MAX_LINE = 100;

/** Returns lines as an answer shows them, with the text of the first one. */
export async function shownRange(
  services: ToolServices,
  { path: file, from, to }: LineRange,
): Promise<{ readonly at: string; readonly code_line: string }> {
  const text = (await shownLines(services.workspace, file))[from - 1]?.trim() ?? '';
  return {
    at: `${shortPath(services, file)}:${from === to ? from : `${from}-${to}`}`,
    code_line: text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE)}…`,
  };
}
