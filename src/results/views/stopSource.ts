import path from 'node:path';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { StopEventData } from './stopEventData';

/** The text of a source file in the editor. */
export interface SourceText {
  readonly lines: readonly string[];
  /**
   * The time of its last change in milliseconds since 1970: `Infinity` if it has unsaved changes, undefined if unknown.
   */
  readonly changedAt?: number | undefined;
}

/** Reads a source file; undefined if it cannot be read. */
export type ReadSource = (file: string) => Promise<SourceText | undefined>;

/** The number of characters of a source line that are read. `results/fit` shortens the line further after redaction. */
const MAX_OF_A_LINE = 2000;

/**
 * The line of a frame with the lines before and after it, and whether the file was changed after the session's start.
 */
export async function sourceLines(
  readSource: ReadSource,
  session: SessionState,
  frame: Frame | undefined,
  signal: AbortSignal,
): Promise<Pick<StopEventData, 'source_lines' | 'source_changed_since_start'>> {
  if (frame?.path === undefined || !path.isAbsolute(frame.path)) return {};
  // An adapter may name any file, including a file that cannot be read to its end.
  const source = await Promise.race([readSource(frame.path), aborted(signal)]);
  if (source === undefined) return {};
  const isChanged = (source.changedAt ?? 0) > session.startedAt;
  const { lines } = source;
  const first = Math.max(1, frame.line - 1);
  const shown =
    frame.line < 1 || frame.line > lines.length
      ? undefined
      : lines
          .slice(first - 1, frame.line + 1)
          .map(
            (line, index) =>
              `${first + index === frame.line ? '>' : ' '}${first + index} ${line.trimEnd().slice(0, MAX_OF_A_LINE)}`,
          );
  return defined({
    source_lines: shown,
    source_changed_since_start: isChanged ? true : undefined,
  });
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
