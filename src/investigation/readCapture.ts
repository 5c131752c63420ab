import { Analyzer, type Analysis, type Range } from './analysis';
import { decode, type CaptureEvent } from './events';
import type { SessionFiles } from './files';
import { Turns } from '../results/turns';

/** Calls `line` for each line of a file. Only the current piece is in memory. */
export async function forEachLine(
  pieces: AsyncIterable<Uint8Array>,
  line: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const turns = new Turns();
  let open = '';
  for await (const piece of pieces) {
    const lines = (open + decoder.decode(piece, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    for (const text of lines) if (text !== '') line(text);
    await turns.next();
  }
  open += decoder.decode();
  if (open !== '') line(open);
}

/** Calls the function for each event of a capture. */
export async function forEachEvent(
  files: SessionFiles,
  sid: string,
  file: string,
  use: (event: CaptureEvent) => void,
): Promise<void> {
  await forEachLine(files.pieces(sid, file), (line) => use(decode(line)));
}

/** Analyzes a capture. @param focus the ranges to analyze, if there are any */
export async function analyze(
  files: SessionFiles,
  sid: string,
  file: string,
  focus: readonly Range[] = [],
): Promise<Analysis> {
  const analyzer = new Analyzer(focus);
  await forEachEvent(files, sid, file, (event) => analyzer.add(event));
  return analyzer.finish();
}
