import { stripVTControlCharacters } from 'node:util';
import { copied, cutText, type TextTest } from '../texts';

/** One line that a program or its adapter printed. */
export interface OutputLine {
  /** The number of the line in its session, as used by `since` and `cursor`. */
  readonly number: number;
  /** The number of the line among the lines of all sessions, to merge the output of several sessions. */
  readonly order: number;
  readonly category: string;
  readonly text: string;
  /** The logged objects, if the adapter gives a reference to them. */
  readonly logged: LoggedObjects | undefined;
  /** Set if a logpoint printed the line, as far as its text and its location show. */
  readonly isOfLogpoint?: true;
}

/** Facts about the origin of a printed text, in addition to its category. */
export interface PrintedBy {
  readonly logged?: LoggedObjects | undefined;
  /** Tests whether a logpoint printed a line of the text. */
  readonly isOfLogpoint?: ((line: string) => boolean) | undefined;
}

/** DAP "OutputEvent" `variablesReference`: valid until the program is resumed. */
export interface LoggedObjects {
  readonly reference: number;
  /** The session's `epochOf.resume` when they were printed. They are valid until it changes. */
  readonly epoch: number;
}

export interface OutputQuery {
  /** Selects only lines after this cursor. */
  readonly since: number;
  readonly category?: string | undefined;
  readonly pattern?: TextTest | undefined;
}

const MEGABYTE = 1024 * 1024;

/**
 * The output of one session: complete lines in the order of their arrival, in a ring whose size in characters is
 * bounded. Escape sequences are removed. If lines are overwritten (a progress bar with carriage returns, or several
 * lines by moving the cursor up), only the final text is kept.
 */
export class OutputLog {
  private lines: OutputLine[] = [];
  private first = 0;
  private size = 0;
  /** The size of dropped lines that are still in the array. */
  private waste = 0;
  private readonly open = new Map<string, string>();
  /** The categories whose last line was added before its newline arrived. */
  private readonly addedEarly = new Set<string>();
  /** The number of lines that each category's cursor is above the end. */
  private readonly above = new Map<string, number>();
  private last = 0;
  private newest = 0;
  private droppedLines = 0;

  constructor(
    private readonly capacity: number = MEGABYTE,
    /** Assigns order numbers to the given number of lines. @returns the order of the last line */
    private readonly nextOrder: (lines: number) => number = () => this.last,
  ) {}

  /** The number of the newest complete line. */
  get cursor(): number {
    return this.last;
  }

  /** The order of the newest complete line. */
  get newestOrder(): number {
    return this.newest;
  }

  /** The number of the last line up to an order, for use as `since` in `read`. */
  numberUpTo(order: number): number {
    let [from, to] = [this.first, this.lines.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if ((this.lines[middle]?.order ?? Infinity) <= order) from = middle + 1;
      else to = middle;
    }
    return (this.lines[from]?.number ?? this.last + 1) - 1;
  }

  /** The number of lines that have been dropped. */
  get dropped(): number {
    return this.droppedLines;
  }

  append(category: string, text: string, by: PrintedBy = {}): void {
    // The parts of a long text are copied, so that they do not keep the whole text in memory.
    const isLong = text.length > this.capacity / 16;
    const added = this.withoutLateNewline(category, text);
    const parts = this.withinCapacity((this.open.get(category) ?? '') + added).split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) this.push(category, part, by, isLong);
    // A line that never ends must not grow without bound.
    if (rest.length > this.capacity / 16) this.addEarly(category, rest, isLong);
    else if (rest === '') this.open.delete(category);
    else this.open.set(category, isLong ? copied(rest) : rest);
    // The number of categories with an incomplete line must not grow without bound either.
    for (const [oldest, unended] of this.open) {
      if (this.open.size <= MAX_OPEN) break;
      this.addEarly(oldest, unended);
    }
  }

  /** Adds a line whose newline has not arrived. */
  private addEarly(category: string, text: string, isPart = false): void {
    this.open.delete(category);
    this.push(category, text, {}, isPart);
    if (this.addedEarly.size < MAX_OPEN) this.addedEarly.add(category);
  }

  /** Removes the newline of a line that was added before. Without it, the log would have an empty line. */
  private withoutLateNewline(category: string, text: string): string {
    if (text === '' || !this.addedEarly.delete(category)) return text;
    return text.replace(/^\r?\n/, '');
  }

  /** The end of a text that fits into the capacity. Earlier lines are only counted. */
  private withinCapacity(text: string): string {
    if (text.length <= 2 * this.capacity) return text;
    const start = text.lastIndexOf('\n', text.length - this.capacity - 1) + 1;
    if (start === 0) return text;
    const skipped = newlines(text, start);
    // The lines in the log are older than the skipped ones.
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

  /** Adds incomplete lines to the log: at a stop and at the end of the program. */
  flush(): void {
    for (const [category, text] of this.open) this.addEarly(category, text);
  }

  /** The matching lines, oldest first. Incomplete lines, such as a prompt, are last and are not counted in `cursor`. */
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

  /** The incomplete lines. Further output may continue them. */
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
    // Dropped lines are removed from the array all at once: when they are half of it, or when their text exceeds the
    // capacity.
    if ((this.first > 4096 && this.first > this.lines.length / 2) || this.waste > this.capacity) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
      this.waste = 0;
    }
  }

  /** Replaces an earlier line if the program has moved the cursor up. @returns whether it did */
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

  /**
   * The index of the line that is `above` lines above the end, among the lines of a category; -1 if there is none near
   * the end.
   */
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

/** The maximum number of lines up that a program may overwrite its output: the height of a large screen. */
const SCREEN_LINES = 200;

/**
 * The number of lines that a text moves the cursor up (ECMA-48 CUU, CPL), minus the lines that it moves the cursor down
 * (CUD, CNL).
 */
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

/** A line without the characters that backspaces removed, as in a spinner. */
function erased(line: string): string {
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}

/** The maximum number of categories with an incomplete line. An adapter may send any category. */
const MAX_OPEN = 16;

function newlines(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
