import { stripVTControlCharacters } from 'node:util';
import { copied, cutText, type TextTest } from '../texts';

/** One line that a program or its adapter printed. */
export interface OutputLine {
  /** Grows by one for each line of a session; what `since` and `cursor` count. */
  readonly number: number;
  /** Grows by one for each line of all sessions: to merge what several of them printed. */
  readonly order: number;
  readonly category: string;
  readonly text: string;
  /** The logged objects, where the adapter gives a reference to them. */
  readonly logged: LoggedObjects | undefined;
  /** It is what a logpoint prints, as far as its text and its place tell. */
  readonly isOfLogpoint?: true;
}

/** What is known of a printed text beside its category. */
export interface PrintedBy {
  readonly logged?: LoggedObjects | undefined;
  /** Whether a line of it is what a logpoint prints. */
  readonly isOfLogpoint?: ((line: string) => boolean) | undefined;
}

/** DAP "OutputEvent" `variablesReference`: holds for as long as the program is not let go on. */
export interface LoggedObjects {
  readonly reference: number;
  /** The session's `epochOf.resume` when they were printed: they hold until the next. */
  readonly epoch: number;
}

export interface OutputQuery {
  /** Only lines after this cursor. */
  readonly since: number;
  readonly category?: string | undefined;
  readonly pattern?: TextTest | undefined;
}

const MEGABYTE = 1024 * 1024;

/**
 * What one session printed: whole lines in the order of their arrival, in a ring of bounded size. Characters are
 * counted, not bytes. Escape sequences are removed; of lines that were overwritten (a progress bar by carriage returns,
 * several by moving the cursor up), what a person would see at their end stays.
 */
export class OutputLog {
  private lines: OutputLine[] = [];
  private first = 0;
  private size = 0;
  /** The size of dropped lines that are still held. */
  private waste = 0;
  private readonly open = new Map<string, string>();
  /** How many lines above its end each category's cursor is. */
  private readonly above = new Map<string, number>();
  private last = 0;
  private newest = 0;
  private droppedLines = 0;

  constructor(
    private readonly capacity: number = MEGABYTE,
    /** Gives so many lines their places among those of all sessions; the last one's. */
    private readonly nextOrder: (lines: number) => number = () => this.last,
  ) {}

  /** The number of the newest line that has ended. */
  get cursor(): number {
    return this.last;
  }

  /** The order of the newest line that has ended. */
  get newestOrder(): number {
    return this.newest;
  }

  /** The number of the last line up to a place among those of all sessions: what `read` then takes as `since`. */
  numberUpTo(order: number): number {
    let [from, to] = [this.first, this.lines.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if ((this.lines[middle]?.order ?? Infinity) <= order) from = middle + 1;
      else to = middle;
    }
    return (this.lines[from]?.number ?? this.last + 1) - 1;
  }

  /** How many of the oldest lines have been dropped. */
  get dropped(): number {
    return this.droppedLines;
  }

  append(category: string, text: string, by: PrintedBy = {}): void {
    // What is kept of a long text must not keep the whole of it.
    const isLong = text.length > this.capacity / 16;
    const parts = this.withinCapacity((this.open.get(category) ?? '') + text).split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) this.push(category, part, by, isLong);
    // A line that never ends must not grow without bound.
    if (rest.length > this.capacity / 16) {
      this.open.delete(category);
      this.push(category, rest, {}, isLong);
    } else if (rest === '') this.open.delete(category);
    else this.open.set(category, isLong ? copied(rest) : rest);
    // Neither must lines of ever new categories.
    for (const [oldest, unended] of this.open) {
      if (this.open.size <= MOST_OPEN) break;
      this.open.delete(oldest);
      this.push(oldest, unended);
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
    this.newest = this.nextOrder(skipped);
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
    for (const [category, text] of this.open) this.push(category, text);
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
    const matches = (line: OutputLine): boolean =>
      (category === undefined || line.category === category) &&
      (pattern === undefined || pattern.test(line.text));
    return [...found, ...this.unended().filter(matches)];
  }

  /** The newest lines, oldest first. */
  tail(count: number): OutputLine[] {
    return [
      ...this.lines.slice(Math.max(this.first, this.lines.length - count)),
      ...this.unended(),
    ].slice(-count);
  }

  /** Each time it is read anew: what is printed next may still go on with it. */
  private unended(): OutputLine[] {
    return [...this.open].map(([category, text], index) => ({
      number: this.last + 1 + index,
      order: Number.MAX_SAFE_INTEGER,
      category,
      text: visible(text),
      logged: undefined,
    }));
  }

  private push(
    category: string,
    raw: string,
    { logged, isOfLogpoint }: PrintedBy = {},
    isPart = false,
  ): void {
    const shown = cutText(raw, this.capacity / 4);
    if (this.overwrite(category, shown)) return;
    this.last += 1;
    const seen = visible(shown);
    const text = isPart || shown.length > 4 * seen.length ? copied(seen) : seen;
    this.newest = this.nextOrder(1);
    const line = {
      number: this.last,
      order: this.newest,
      category,
      text,
      logged,
      ...(isOfLogpoint?.(text) === true ? { isOfLogpoint: true as const } : {}),
    };
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

  /** Whether the line goes over one that is there, because the program has moved the cursor up. */
  private overwrite(category: string, raw: string): boolean {
    const above = Math.max(0, (this.above.get(category) ?? 0) + linesUp(raw));
    if (above === 0) return false;
    const index = this.lineAbove(category, above);
    this.above.set(category, above - 1);
    const line = this.lines[index];
    if (line === undefined) return false;
    const text = visible(raw);
    this.size += text.length - line.text.length;
    this.lines[index] = { ...line, text };
    return true;
  }

  /** The index of a category's last line but so many; -1 where there is none near the end. */
  private lineAbove(category: string, above: number): number {
    let left = above;
    for (
      let index = this.lines.length - 1;
      index >= this.first && index >= this.lines.length - SCREEN_LINES;
      index -= 1
    ) {
      if (this.lines[index]?.category === category) left -= 1;
      if (left === 0) return index;
    }
    return -1;
  }

  private indexAfter(since: number): number {
    const oldest = this.lines[this.first]?.number;
    if (oldest === undefined) return this.lines.length;
    return this.first + Math.max(0, since + 1 - oldest);
  }
}

/** How far up a program may overwrite what it printed: a high screen. */
const SCREEN_LINES = 200;

/** By how many lines a text moves the cursor up (ECMA-48 CUU, CPL), less those that it moves it down (CUD, CNL). */
function linesUp(raw: string): number {
  let up = 0;

  for (const [, count, letter] of raw.matchAll(/\u001b\[(\d{0,4})([ABEF])/g))
    up += Math.max(1, Number(count)) * (letter === 'A' || letter === 'F' ? 1 : -1);
  return up;
}

/** A line as a person would see it. */
function visible(raw: string): string {
  const plain = stripVTControlCharacters(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
  const overwritten = plain.lastIndexOf('\r');
  const last = overwritten === -1 ? plain : plain.slice(overwritten + 1);
  return last.includes('\b') ? erased(last) : last;
}

/** What is left of a line in which characters were taken back (a spinner). */
function erased(line: string): string {
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}

/** Categories are few; an adapter may make some up. */
const MOST_OPEN = 16;

function newlines(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
