import path from 'node:path';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { StopEventData } from './stopEventData';

/** A file that the person has. */
export interface SourceText {
  readonly lines: readonly string[];
  /** When it was changed last, in milliseconds since 1970: `Infinity` while changes are not saved, undefined where nobody knows. */
  readonly changedAt?: number | undefined;
}

/** Undefined where it cannot be read. */
export type ReadSource = (file: string) => Promise<SourceText | undefined>;

/** How much of a line of source is read; `results/fit` shortens it further, once credentials are out of it. */
const MOST_OF_A_LINE = 2000;

/** The line that a frame is at and those beside it, and whether the file was changed after the session's start. */
export async function sourceLines(
  readSource: ReadSource,
  session: SessionState,
  frame: Frame | undefined,
  signal: AbortSignal,
): Promise<Pick<StopEventData, 'source_lines' | 'source_changed_since_start'>> {
  if (frame?.path === undefined || !path.isAbsolute(frame.path)) return {};
  // An adapter may name any file, also one that cannot be read to its end.
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
              `${first + index === frame.line ? '>' : ' '}${first + index} ${line.trimEnd().slice(0, MOST_OF_A_LINE)}`,
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
