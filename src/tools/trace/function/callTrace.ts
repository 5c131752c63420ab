import { branchTaken, catchAround, caughtName, type SourceLines } from './branches';
import { previewChanges } from './previews';

/** The texts of what a frame shows, by name; a member of an object is `order.total` or `items[0]`. */
export type Values = ReadonlyMap<string, string>;

/** One value that a line changed; `before` is undefined for a name that was not there. */
export interface Change {
  readonly name: string;
  readonly before: string | undefined;
  readonly now: string;
}

/** A call that a line made. */
export interface Callee {
  readonly name: string;
  /** Undefined where they are not known. */
  readonly args?: readonly Argument[] | undefined;
  readonly end: CallEnd;
  /** What it did, where it was opened. */
  readonly life?: CallLife | undefined;
}

export type Argument = readonly [name: string, value: string];

/** How a call ended. `open`: it was left before its end was seen. A value that the adapter does not show is undefined. */
export type CallEnd =
  | { readonly kind: 'returned'; readonly value: string | undefined }
  | { readonly kind: 'threw'; readonly exception: string | undefined }
  | { readonly kind: 'open' };

/** A line that was executed. Events of one line that follow each other directly are one. */
export interface ExecutedLine {
  readonly line: number;
  readonly changes: readonly Change[];
  readonly callees: readonly Callee[];
  /** Of an `if`: whether its condition held. */
  readonly branch?: boolean | undefined;
  /** An exception that the line threw, and the line of this call that caught it. */
  readonly thrown?: { readonly text: string | undefined; readonly caughtAt: number | undefined };
}

/** The life of one call. */
export interface CallLife {
  readonly name: string;
  readonly path: string | undefined;
  readonly source: SourceLines;
  readonly args: readonly Argument[];
  readonly lines: readonly ExecutedLine[];
  /** How many lines were executed, each time counted. */
  readonly executed: number;
  readonly end: CallEnd;
  /** What the call changed in objects that its caller passed. */
  readonly argumentChanges: readonly Change[];
}

/** A parameter, by its name in the source. */
export interface Parameter {
  readonly name: string;
  /** The caller's own variable is behind it (`int &sum`). */
  readonly isReference?: boolean;
}

export interface TracedFunction {
  readonly name: string;
  readonly path: string | undefined;
  readonly source: SourceLines;
  /** The lines of the function in its source; undefined where they are not known. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  /** Undefined where they are not known: then what is there at the beginning counts. */
  readonly parameters?: readonly Parameter[] | undefined;
  /** The line at which it begins may be reached again within one call: a loop. Undefined where that is not known. */
  readonly entryRepeats?: boolean | undefined;
  /** Its calls can be left in the middle and go on later. */
  readonly suspends?: 'async' | 'generator' | undefined;
}

interface OpenLine {
  readonly line: number;
  readonly values: Values;
  readonly callees: Callee[];
  thrown?: { text: string | undefined; caughtAt: number | undefined };
}

/** Builds the life of one call from what is seen of it, in order. Pure: it knows no debugger. */
export class CallTrace {
  private readonly lines: ExecutedLine[] = [];
  private readonly args: readonly Argument[];
  private readonly first: Values;
  /** What was told of each name last; of a block that was left, it stays. */
  private readonly known = new Map<string, string>();
  /** The lines in which a local is mentioned first: before one of them ran, the local holds nothing of meaning. */
  private readonly firstMention = new Map<string, number>();
  private furthest = 0;
  private current: OpenLine | undefined;
  private count = 0;

  /** @param entry what the frame shows before its first line */
  constructor(
    private readonly called: TracedFunction,
    entry: Values,
  ) {
    this.first = entry;
    this.args = argumentsAt(called, entry);
    for (const [name, value] of entry)
      if (this.isArgument(baseOf(name))) this.known.set(name, value);
  }

  get executed(): number {
    return this.count;
  }

  /** The line that is being executed. */
  get line(): number | undefined {
    return this.current?.line;
  }

  /** The value that the frame showed for a name, at the line that is being executed. */
  shown(name: string): string | undefined {
    return this.current?.values.get(name);
  }

  /** The program is about to execute a line. @param values everything that the frame shows now */
  at(line: number, values: Values): void {
    this.count += 1;
    const before = this.current;
    if (before !== undefined) this.close(before, line, values);
    this.furthest = Math.max(this.furthest, line);
    this.current = { line, values, callees: [] };
  }

  /** The current line called something. */
  callee(callee: Callee): void {
    this.current?.callees.push(callee);
  }

  /** Whether the current line has thrown. */
  get isThrowing(): boolean {
    return this.current?.thrown !== undefined;
  }

  /** The newest call that the current line made, or an earlier one, has ended. */
  endCallee(end: CallEnd): void {
    const callees = this.current?.callees ?? [];
    const at = callees.findLastIndex((each) => each.end.kind === 'open' && each.life === undefined);
    const open = callees[at];
    if (open !== undefined) callees[at] = { ...open, end };
  }

  hasCallee(name: string): boolean {
    return this.current?.callees.some((each) => each.name === name) === true;
  }

  /** The current line threw. */
  thrown(text: string | undefined): void {
    if (this.current !== undefined) this.current.thrown = { text, caughtAt: undefined };
  }

  /** @param values what the frame showed last, if it was seen after its last line */
  finish(end: CallEnd, values?: Values): CallLife {
    const last = this.current;
    this.current = undefined;
    if (last !== undefined) {
      if (end.kind === 'threw' && last.thrown === undefined)
        last.thrown = { text: end.exception, caughtAt: undefined };
      this.close(last, undefined, values ?? last.values);
    }
    const { name, path, source } = this.called;
    return {
      name,
      path,
      source,
      args: this.args,
      lines: this.lines,
      executed: this.count,
      end,
      argumentChanges: this.argumentChanges(values ?? last?.values ?? this.first),
    };
  }

  private close(done: OpenLine, next: number | undefined, now: Values): void {
    const { line, callees, thrown } = done;
    const caughtAt =
      next === undefined ? undefined : this.caughtAt(line, next, thrown !== undefined);
    const changes = this.news(line, now);
    const bound = caughtAt === undefined ? undefined : caughtName(this.called.source[caughtAt - 1]);
    const value = changes.find(({ name }) => name === bound)?.now;
    const executed: ExecutedLine = {
      line,
      changes: value === undefined ? changes : changes.filter(({ name }) => name !== bound),
      // What a debugger shows as the value of a call that threw is none.
      callees: caughtAt === undefined ? callees : callees.filter((each) => each.args !== undefined),
      branch: next === undefined ? undefined : branchTaken(this.called.source, line, next),
      ...(thrown !== undefined || caughtAt !== undefined
        ? { thrown: { text: thrown?.text ?? value?.split('\n')[0], caughtAt } }
        : {}),
    };
    const before = this.lines.at(-1);
    if (isClosing(this.called.source[line - 1]) && isWithoutNews(executed)) return;
    if (before?.line === line) this.lines[this.lines.length - 1] = joined(before, executed);
    else this.lines.push(executed);
  }

  /** The line that begins what caught an exception, where the next line is in there and the executed one is not. */
  private caughtAt(line: number, next: number, hasThrown: boolean): number | undefined {
    const { source } = this.called;
    const header = catchAround(source, next);
    if (header === undefined) return hasThrown ? next : undefined;
    return line >= header && line <= next ? undefined : header;
  }

  /** What differs from what was told before, for the line that was executed meanwhile. */
  private news(line: number, now: Values): readonly Change[] {
    const assigned = assignedIn(this.called.source[line - 1] ?? '');
    const changes = differences(this.known, now).filter(({ name, before, now: value }) => {
      // A block that was left, or one that has not begun.
      if (value === 'undefined' && !assigned.includes(name)) return false;
      if (before !== undefined || this.isArgument(baseOf(name))) return true;
      const mentioned = this.mentioned(baseOf(name));
      return mentioned === undefined || mentioned <= this.furthest;
    });
    const shown = new Set(changes.map(({ name }) => baseOf(name)));
    for (const [name, value] of now) if (shown.has(baseOf(name))) this.known.set(name, value);
    return changes;
  }

  private isArgument(name: string): boolean {
    return this.args.some(([each]) => each === name);
  }

  private mentioned(name: string): number | undefined {
    const { range, source } = this.called;
    if (range === undefined) return undefined;
    const known = this.firstMention.get(name);
    if (known !== undefined) return known;
    for (let line = range.start; line <= range.end; line += 1)
      if (mentions(source[line - 1] ?? '', name)) {
        this.firstMention.set(name, line);
        return line;
      }
    this.firstMention.set(name, 0);
    return 0;
  }

  /** What the caller sees: members of what it passed, as long as the name stood for that. */
  private argumentChanges(last: Values): readonly Change[] {
    const rebound = new Set(
      this.lines.flatMap(({ line }) => assignedIn(this.called.source[line - 1] ?? '')),
    );
    return differences(this.first, last).filter(({ name, now }) => {
      const base = baseOf(name);
      if (!this.isArgument(base)) return false;
      const isReference = this.called.parameters?.some(
        (each) => each.name === base && each.isReference === true,
      );
      if (isReference === true) return true;
      return !rebound.has(base) && (name !== base || isCompound(now));
    });
  }
}

/** The parameters with their values; an object's members are told with it. */
function argumentsAt({ parameters }: TracedFunction, entry: Values): readonly Argument[] {
  const names = parameters?.map(({ name }) => name) ?? [
    ...new Set([...entry.keys()].map((name) => baseOf(name))),
  ];
  return names.flatMap((name): Argument[] => {
    const value = entry.get(name);
    if (value === undefined) return [];
    const members = [...entry].filter(([each]) => each !== name && baseOf(each) === name);
    const listed = members.map(
      ([each, text]) => `${each.slice(name.length).replace(/^\./, '')}: ${text}`,
    );
    return [
      [
        name,
        members.length === 0 ? value : `${withoutAddress(value)} {${listed.join(', ')}}`.trim(),
      ],
    ];
  });
}

function withoutAddress(text: string): string {
  return text.replace(/ at 0x[\da-f]+(?=>$)|^0x[\da-f]+$/i, '').trim();
}

/** The differences of two snapshots. Where members say what changed in an object, its own text is left out. */
export function differences(before: Values, now: Values): readonly Change[] {
  const changes: Change[] = [];
  for (const [name, value] of now) {
    const earlier = before.get(name);
    if (earlier === undefined || earlier === 'undefined')
      changes.push({ name, before: undefined, now: value });
    else if (earlier !== value)
      changes.push(
        ...(previewChanges(name, earlier, value) ?? [{ name, before: earlier, now: value }]),
      );
  }
  const withMembers = new Set(
    changes.flatMap(({ name }) => (name === baseOf(name) ? [] : [baseOf(name)])),
  );
  return changes.filter(({ name, before: earlier, now: value }) => {
    const base = baseOf(name);
    if (name === base)
      return (
        !withMembers.has(name) ||
        earlier === undefined ||
        !isCompound(earlier) ||
        !isCompound(value)
      );
    // The members of an object that is new are in its own text.
    return earlier !== undefined || before.has(base) || !now.has(base);
  });
}

/** `order` of `order.total` and `items[0].name`. */
export function baseOf(name: string): string {
  return /^[^.[\s]+/.exec(name)?.[0] ?? name;
}

/** Whether a text is that of an object or a collection, and not of a plain value. */
export function isCompound(value: string): boolean {
  return /[[{(<@]|\b0x/.test(value.replace(/^(["'`])[\s\S]*\1$/, ''));
}

/** A block's end, at which some debuggers stop. */
function isClosing(text: string | undefined): boolean {
  return text !== undefined && /^\s*[})\]]+[;,]?\s*$/.test(text);
}

function isWithoutNews({ changes, callees, thrown }: ExecutedLine): boolean {
  return changes.length === 0 && callees.length === 0 && thrown === undefined;
}

function joined(one: ExecutedLine, next: ExecutedLine): ExecutedLine {
  const changes = [...one.changes];
  for (const each of next.changes) {
    const at = changes.findIndex(({ name }) => name === each.name);
    const earlier = changes[at];
    if (earlier === undefined) changes.push(each);
    else changes[at] = { ...each, before: earlier.before };
  }
  return {
    ...one,
    ...next,
    changes: changes.filter(({ before, now }) => before !== now),
    callees: [...one.callees, ...next.callees],
    branch: next.branch ?? one.branch,
  };
}

function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\w$]/.test(around)) return true;
  }
  return false;
}

/** The names to which a line assigns, as far as its beginning shows. */
function assignedIn(text: string): readonly string[] {
  const name = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::\s*[\w[\], .|]+)?=(?![=>])/u.exec(text)?.[1];
  return name === undefined ? [] : [name];
}
