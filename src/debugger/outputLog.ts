import { stripVTControlCharacters } from 'node:util';
import { copied, cutText } from './texts';

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
  /** The size of dropped lines that are still held. */
  private waste = 0;
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
    // What is kept of a long text must not keep the whole of it.
    const isLong = text.length > this.capacity / 16;
    const parts = this.withinCapacity((this.open.get(category) ?? '') + text).split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) this.push(category, part, variablesReference, isLong);
    // A line that never ends must not grow without bound.
    if (rest.length > this.capacity / 16) {
      this.open.delete(category);
      this.push(category, rest, 0, isLong);
    } else if (rest === '') this.open.delete(category);
    else this.open.set(category, isLong ? copied(rest) : rest);
    // Neither must lines of ever new categories.
    for (const [oldest, unended] of this.open) {
      if (this.open.size <= MOST_OPEN) break;
      this.open.delete(oldest);
      this.push(oldest, unended, 0);
    }
  }

  /** What of a text can stay: lines before that are counted and no more, however many they are. */
  private withinCapacity(text: string): string {
    if (text.length <= 2 * this.capacity) return text;
    const start = text.lastIndexOf('\n', text.length - this.capacity - 1) + 1;
    if (start === 0) return text;
    const skipped = newlines(text, start);
    // Those that are kept are older than these.
    this.dropAll();
    this.last += skipped;
    this.droppedLines += skipped;
    return text.slice(start);
  }

  private dropAll(): void {
    this.droppedLines += this.lines.length - this.first;
    this.lines = [];
    this.first = 0;
    this.size = 0;
    this.waste = 0;
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

  private push(category: string, raw: string, variablesReference: number, isPart = false): void {
    this.last += 1;
    const shown = cutText(raw, this.capacity / 4);
    const seen = visible(shown);
    const text = isPart || shown.length > 4 * seen.length ? copied(seen) : seen;
    const line = { number: this.last, order: this.nextOrder(), category, text, variablesReference };
    this.lines.push(line);
    this.size += line.text.length + 1;
    while (this.size > this.capacity && this.first < this.lines.length - 1) {
      const size = (this.lines[this.first]?.text.length ?? 0) + 1;
      this.size -= size;
      this.waste += size;
      this.first += 1;
      this.droppedLines += 1;
    }
    // Cut off in one go what was dropped one by one: when it is half of the lines, or as much text as may be kept.
    if ((this.first > 4096 && this.first > this.lines.length / 2) || this.waste > this.capacity) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
      this.waste = 0;
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

/** Categories are few; an adapter may make some up. */
const MOST_OPEN = 16;

function newlines(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
