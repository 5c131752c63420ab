import { fields, type Fields } from '../protocol';

/** An answer may be large, and VS Code asks for many: what is kept of one session has an end, in answers and in size. */
const ANSWERS_KEPT = 200;
const SIZE_KEPT = 16_000_000;

/** A look; its key is made when somebody looks for it, which is seldom: messages are many. */
export interface ReadRequest {
  readonly command: string;
  readonly arguments: Fields;
  key: string | undefined;
}

interface KnownAnswer {
  readonly request: ReadRequest;
  readonly body: Fields;
  readonly size: number;
}

/** The newest answers of one session, all of its present epoch. */
export class KeptAnswers {
  /** By the `seq` of the question, the oldest first. */
  private readonly known = new Map<number, KnownAnswer>();
  /** The size of all that is known. */
  private size = 0;

  /** The newest answer to such a look. */
  find(command: string, args: object): Fields | undefined {
    const key = keyOf(command, args);
    let newest: Fields | undefined;
    for (const { request, body } of this.known.values())
      if (request.command === command && keyOfRequest(request) === key) newest = body;
    return newest;
  }

  /** Keeps an answer, and gives up the oldest ones for it. One that is too large by itself is asked for again when it is needed. */
  keep(seq: number, request: ReadRequest, body: Fields): void {
    const size = sizeOf(body, SIZE_KEPT + 1);
    if (size > SIZE_KEPT || this.known.has(seq)) return;
    this.known.set(seq, { request, body, size });
    this.size += size;
    for (const [oldest, known] of this.known) {
      if (this.size <= SIZE_KEPT && this.known.size <= ANSWERS_KEPT) return;
      this.size -= known.size;
      this.known.delete(oldest);
    }
  }

  clear(): void {
    this.known.clear();
    this.size = 0;
  }
}

/** About how many bytes a value from JSON takes; it is not looked at further than `most`, nor deeper than answers are. */
function sizeOf(value: unknown, most: number, depth = 0): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > DEEPEST) return Infinity;
  let size = 32;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index += 1)
      size += 8 + sizeOf(value[index], most - size, depth + 1);
    return size;
  }
  for (const name in value) {
    if (size > most) return size;
    const member: unknown = value[name as keyof typeof value];
    size +=
      typeof member === 'string' ? 24 + member.length : 8 + sizeOf(member, most - size, depth + 1);
  }
  return size;
}

const DEEPEST = 20;

export function keyOfRequest(request: ReadRequest): string {
  request.key ??= keyOf(request.command, request.arguments);
  return request.key;
}

/** What the looks are asked with, in the order of a key. */
const ASKED_WITH = [
  'threadId',
  'frameId',
  'variablesReference',
  'startFrame',
  'levels',
  'filter',
  'start',
  'count',
] as const;
const IN_ORDER: ReadonlySet<string> = new Set(ASKED_WITH);

/** One key for one question, in whatever order and with whatever extras its arguments were written. */
export function keyOf(command: string, args: object): string {
  const given: Fields = fields(args);
  let key = command;
  for (const name of ASKED_WITH) {
    const value = given[name];
    if (value !== undefined && !(name === 'startFrame' && value === 0))
      key += ` ${name}=${typeof value === 'number' ? value : JSON.stringify(value)}`;
  }
  for (const name in given) {
    if (!IN_ORDER.has(name) && name !== 'format' && given[name] !== undefined)
      key += ` ${name}=${JSON.stringify(given[name])}`;
  }
  return key;
}
