/** One edit of a document. Lines are numbered from 0, as in VS Code. */
export interface LineEdit {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly text: string;
}

/**
 * Where the recorded lines of a file are now. An edit moves the lines behind it, and removes the lines that it replaces.
 * A line with another text than the recorded one shows nothing, so whoever shows a line compares its text as well.
 */
export class TrackedLines {
  private now: ReadonlyMap<number, number>;

  /** @param lines the recorded lines, from 1 */
  constructor(lines: Iterable<number>) {
    this.now = new Map([...lines].map((line) => [line, line - 1]));
  }

  /** Returns the present index of a recorded line, from 0. Undefined if the line was removed. */
  indexOf(line: number): number | undefined {
    return this.now.get(line);
  }

  /** Returns the recorded line at an index, or the nearest one above it. */
  recordedAt(index: number): number | undefined {
    let best: readonly [line: number, at: number] | undefined;
    for (const [line, at] of this.now)
      if (at <= index && (best === undefined || at > best[1])) best = [line, at];
    return best?.[0];
  }

  edit(change: LineEdit): void {
    this.now = new Map(
      [...this.now].flatMap(([line, at]) => {
        const moved = movedBy(change, at);
        return moved === undefined ? [] : [[line, moved]];
      }),
    );
  }
}

function movedBy({ start, end, text }: LineEdit, at: number): number | undefined {
  const added = text.split('\n').length - 1;
  const delta = added - (end.line - start.line);
  if (at < start.line) return at;
  if (at > end.line) return at + delta;
  // The whole line stands behind the edit.
  if (at === end.line && end.character === 0 && (start.character === 0 || at > start.line))
    return at + delta;
  return at === start.line ? at : undefined;
}
