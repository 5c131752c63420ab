import path from 'node:path';
import { inThread } from '../../../../syntax/reading';
import { MAX_SCANNED } from '../../../../util/projectText';
import type { callsOutsideFunctions } from './javascriptCalls';
import type { readFunctions } from './readFunctions';
import type { SourceCall, SourceFunction } from './sourceFunction';

/** The extensions, without dots, of files whose functions can be read. */
export const READABLE = [
  ...(['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'py'] as const),
  ...(['c', 'cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx', 'm', 'mm', 'kt', 'swift'] as const),
  ...(['go', 'rs', 'java', 'cs', 'php', 'rb'] as const),
];

export type Readable = (typeof READABLE)[number];

/** Returns the functions of a source file. Returns undefined for an unsupported language, or a text that is too long. */
export async function functionsIn(
  file: string,
  text: string,
): Promise<readonly SourceFunction[] | undefined> {
  const extension = path.extname(file).slice(1).toLowerCase();
  const readable = READABLE.find((each) => each === extension);
  if (text.length > MAX_SCANNED || readable === undefined) return undefined;
  return (await inThread<typeof readFunctions>('readFunctions', text, file, readable)) ?? [];
}

/** Returns the calls of a JavaScript file that are not in functions. */
export async function javaScriptProgramCalls(
  file: string,
  text: string,
): Promise<readonly SourceCall[]> {
  const calls = await inThread<typeof callsOutsideFunctions>('callsOutsideFunctions', text, file);
  return calls ?? [];
}
