import { stripVTControlCharacters } from 'node:util';

/** One line that a program or its adapter printed. */
export interface OutputLine {
  /** Grows by one for each line of a session; what `since` and `cursor` count. */
  readonly number: number;
  /** Grows by one for each line of all sessions: to merge what several of them printed. */
  readonly order: number;
  readonly category: string;
  readonly text: string;
  /** The adapter's reference to the logged object's parts; 0 for none. */
  readonly variablesReference: number;
}

export interface OutputQuery {
  /** Only lines after this cursor. */
  readonly since: number;
  readonly category?: string | undefined;
  readonly pattern?: RegExp | undefined;
}

const MEGABYTE = 1024 * 1024;

/**
 * What one session printed: whole lines in the order of their arrival, in a ring of bounded size. Characters are
 * counted, not bytes. Escape sequences are removed; of a line that was overwritten with carriage returns (a progress
 * bar), what a person would see at its end stays.
 */
export class OutputLog {
  private lines: OutputLine[] = [];
  private first = 0;
  private size = 0;
  private readonly open = new Map<string, string>();
  private last = 0;
  private droppedLines = 0;

  constructor(
    private readonly capacity: number = MEGABYTE,
    private readonly nextOrder: () => number = () => this.last,
  ) {}

  /** The number of the newest line that has ended. */
  get cursor(): number {
    return this.last;
  }

  /** How many of the oldest lines have been dropped. */
  get dropped(): number {
    return this.droppedLines;
  }

  append(category: string, text: string, variablesReference = 0): void {
    const parts = ((this.open.get(category) ?? '') + text).split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) this.push(category, part, variablesReference);
    // A line that never ends must not grow without bound.
    if (rest.length > this.capacity / 16) {
      this.open.delete(category);
      this.push(category, rest, 0);
    } else if (rest === '') this.open.delete(category);
    else this.open.set(category, rest);
  }

  /** Makes lines that were not ended by a newline visible: at a stop and at the end of the program. */
  flush(): void {
    for (const [category, text] of this.open) this.push(category, text, 0);
    this.open.clear();
  }

  /** The lines that match, oldest first; last those that have not ended yet, such as a prompt, which are no part of `cursor`. */
  read({ since, category, pattern }: OutputQuery): OutputLine[] {
    const found: OutputLine[] = [];
    for (let index = this.indexAfter(since); index < this.lines.length; index += 1) {
      const line = this.lines[index];
      if (line === undefined) continue;
      if (category !== undefined && line.category !== category) continue;
      if (pattern !== undefined && !pattern.test(line.text)) continue;
      found.push(line);
    }
    const matches = (line: OutputLine): boolean => (category === undefined || line.category === category) && (pattern === undefined || pattern.test(line.text));
    return [...found, ...this.unended().filter(matches)];
  }

  /** The newest lines, oldest first. */
  tail(count: number): OutputLine[] {
    return [...this.lines.slice(Math.max(this.first, this.lines.length - count)), ...this.unended()].slice(-count);
  }

  /** Each time it is read anew: what is printed next may still go on with it. */
  private unended(): OutputLine[] {
    return [...this.open].map(([category, text], index) => ({ number: this.last + 1 + index, order: Number.MAX_SAFE_INTEGER, category, text: visible(text), variablesReference: 0 }));
  }

  private push(category: string, raw: string, variablesReference: number): void {
    this.last += 1;
    const shown = raw.length > this.capacity / 4 ? raw.slice(0, this.capacity / 4) : raw;
    const line = { number: this.last, order: this.nextOrder(), category, text: visible(shown), variablesReference };
    this.lines.push(line);
    this.size += line.text.length + 1;
    while (this.size > this.capacity && this.first < this.lines.length - 1) {
      this.size -= (this.lines[this.first]?.text.length ?? 0) + 1;
      this.first += 1;
      this.droppedLines += 1;
    }
    // Cut off in one go what was dropped one by one.
    if (this.first > 4096 && this.first > this.lines.length / 2) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
    }
  }

  private indexAfter(since: number): number {
    const oldest = this.lines[this.first]?.number;
    if (oldest === undefined) return this.lines.length;
    return this.first + Math.max(0, since + 1 - oldest);
  }
}

/** A line as a person would see it. */
function visible(raw: string): string {
  const plain = stripVTControlCharacters(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
  const overwritten = plain.lastIndexOf('\r');
  return overwritten === -1 ? plain : plain.slice(overwritten + 1);
}
