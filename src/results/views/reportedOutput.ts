import type { DebugModel } from '../../debugger/state/debugModel';
import type { OutputLine } from '../../debugger/output/outputLog';
import type { SessionState } from '../../debugger/state/state';
import { withCount } from '../../debugger/output/repeatedLines';
import type { TextTest } from '../../debugger/texts';
import { shownOf } from './shownOutput';

export interface ReportedOutput {
  /** The lines that a result shows, in the order of printing. */
  readonly lines: string[];
  readonly omitted: number;
}

/** The part of a session's output that has been reported. */
interface Reported {
  readonly cursor: number;
  /** The reported parts of unfinished lines, by category. */
  readonly open: ReadonlyMap<string, string>;
}

const NOTHING_REPORTED: Reported = { cursor: 0, open: new Map() };

/**
 * If more characters than this of a line were reported before the line ended, only the rest is reported at its end.
 * Otherwise the whole line is reported again.
 */
const REPEATED_PART = 200;

/** Reports each line of output once, with the next result. */
export class OutputReporter {
  private readonly reported = new Map<string, Reported>();
  /** The newest lines that ended a wait. */
  private readonly found = new Map<string, number>();

  constructor(private readonly model: DebugModel) {}

  /** Returns the unreported output of sessions and marks it as reported. */
  takeUnreported(sessions: readonly SessionState[]): ReportedOutput {
    const printed = this.peekUnreported(sessions);
    for (const session of sessions) {
      const log = this.model.output(session);
      const { cursor } = log;
      this.reported.set(session.key, {
        cursor,
        open: new Map(log.read({ since: cursor }).map(({ category, text }) => [category, text])),
      });
    }
    return printed;
  }

  /**
   * The unreported lines. A partly reported line is reported again if it has grown. It is the first line of its
   * category.
   */
  private unreported(session: SessionState): readonly OutputLine[] {
    const { cursor, open } = this.reported.get(session.key) ?? NOTHING_REPORTED;
    const parts = new Map(open);
    return this.model
      .output(session)
      .read({ since: cursor })
      .flatMap((line) => {
        const part = parts.get(line.category);
        parts.delete(line.category);
        if (part === undefined) return line;
        if (part === line.text) return [];
        return part.length > REPEATED_PART && line.text.startsWith(part)
          ? { ...line, text: `…${line.text.slice(part.length)}` }
          : line;
      });
  }

  /** Returns the unreported output of sessions without marking it as reported. */
  peekUnreported(sessions: readonly SessionState[]): ReportedOutput {
    let lines = sessions.flatMap((session) => this.unreported(session));
    lines.sort((one, other) => one.order - other.order);
    // An adapter may also report the output that its program's terminal shows.
    const fromAdapter = new Set(
      lines.flatMap((line) => (line.category === 'terminal' ? [] : [line.text])),
    );
    lines = lines.filter((line) => line.category !== 'terminal' || !fromAdapter.has(line.text));
    const shown = shownOf(lines);
    return {
      lines: shown.map(({ line, times }) => withCount({ line: line.text, times })),
      omitted: lines.length - shown.reduce((sum, { times }) => sum + times, 0),
    };
  }

  /**
   * Returns a function that searches for a matching line that no result has reported. Its first call searches all lines
   * since the last result, because the caller has not seen them. Later calls search the lines since the previous call.
   */
  watch(
    sessions: () => readonly SessionState[],
    pattern: TextTest,
  ): () =>
    { readonly line: OutputLine; readonly cursor: number; readonly wasThere: boolean } | undefined {
    const began = new Map(
      sessions().map((session) => [session.key, this.model.output(session).cursor]),
    );
    const read = new Map<string, number>();
    return () => {
      for (const session of sessions()) {
        const log = this.model.output(session);
        const since =
          read.get(session.key) ??
          Math.max(
            (this.reported.get(session.key) ?? NOTHING_REPORTED).cursor,
            this.found.get(session.key) ?? 0,
          );
        const [line] = log.read({ since, pattern });
        read.set(session.key, log.cursor);
        if (line === undefined) continue;
        // The rest of an unfinished line still has to be read.
        const hasEnded = line.number <= log.cursor;
        if (hasEnded) this.found.set(session.key, line.number);
        return {
          line,
          cursor: Math.min(line.order, log.newestOrder),
          wasThere: hasEnded && line.number <= (began.get(session.key) ?? 0),
        };
      }
      return undefined;
    };
  }

  /** Removes sessions that the model no longer keeps. */
  prune(): void {
    const { sessions } = this.model.state;
    for (const marks of [this.reported, this.found])
      for (const key of marks.keys()) if (!sessions.has(key)) marks.delete(key);
  }
}
