import type { DebugModel } from '../../debugger/state/debugModel';
import type { OutputLine } from '../../debugger/output/outputLog';
import type { SessionState } from '../../debugger/state/state';
import { withCount } from '../../debugger/output/repeatedLines';
import type { TextTest } from '../../debugger/texts';
import { shownOf } from './shownOutput';

export interface ReportedOutput {
  /** Those that an answer shows, in the order of printing. */
  readonly lines: string[];
  readonly omitted: number;
}

/** Up to where a session's output has been told. */
interface Reported {
  readonly cursor: number;
  /** By category: what of a line that had not ended yet. */
  readonly open: ReadonlyMap<string, string>;
}

const NOTHING_TOLD: Reported = { cursor: 0, open: new Map() };

/** Of a line that has grown beyond this since a part of it was told, only what is new is told. */
const TOLD_WHOLE = 200;

/** Up to where each session's output has been told: every line once, with the answer that comes next. */
export class OutputReporter {
  private readonly reported = new Map<string, Reported>();
  /** Up to where it has been told that a line was found that was waited for. */
  private readonly found = new Map<string, number>();

  constructor(private readonly model: DebugModel) {}

  /** What sessions printed and nobody has been told yet; from now on it is told. */
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

  /** A line of which a part was told is told again when there is more of it: it is the first of its category. */
  private unreported(session: SessionState): readonly OutputLine[] {
    const { cursor, open } = this.reported.get(session.key) ?? NOTHING_TOLD;
    const parts = new Map(open);
    return this.model
      .output(session)
      .read({ since: cursor })
      .flatMap((line) => {
        const part = parts.get(line.category);
        parts.delete(line.category);
        if (part === undefined) return line;
        if (part === line.text) return [];
        return part.length > TOLD_WHOLE && line.text.startsWith(part)
          ? { ...line, text: `…${line.text.slice(part.length)}` }
          : line;
      });
  }

  /** The same, and it stays untold. */
  peekUnreported(sessions: readonly SessionState[]): ReportedOutput {
    let lines = sessions.flatMap((session) => this.unreported(session));
    lines.sort((one, other) => one.order - other.order);
    // An adapter may pass on what its program's terminal shows as well.
    const passedOn = new Set(
      lines.flatMap((line) => (line.category === 'terminal' ? [] : [line.text])),
    );
    lines = lines.filter((line) => line.category !== 'terminal' || !passedOn.has(line.text));
    const shown = shownOf(lines);
    return {
      lines: shown.map(({ line, times }) => withCount({ line: line.text, times })),
      omitted: lines.length - shown.reduce((sum, each) => sum + each.times, 0),
    };
  }

  /**
   * Looks for a line that no answer has told: each time it is called in the lines since the last time, the first time in
   * all that were printed since the last answer, since that is when whoever waits began not to see them.
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
            (this.reported.get(session.key) ?? NOTHING_TOLD).cursor,
            this.found.get(session.key) ?? 0,
          );
        const [line] = log.read({ since, pattern });
        read.set(session.key, log.cursor);
        if (line === undefined) continue;
        // Of a line that has not ended yet, the rest is still to be read.
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

  /** Forgets sessions that the model has forgotten. */
  prune(): void {
    const { sessions } = this.model.state;
    for (const marks of [this.reported, this.found])
      for (const key of marks.keys()) if (!sessions.has(key)) marks.delete(key);
  }
}
