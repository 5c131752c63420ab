import { fields, type Fields } from '../protocol';

/**
 * The limits of a session's cache: the number of answers, and their size in bytes. Answers may be large, and VS Code
 * sends many requests.
 */
const MAX_ANSWERS = 200;
const MAX_SIZE = 16_000_000;

/** A read-only request. Its key is computed only when it is needed, which is rare. */
export interface ReadRequest {
  readonly command: string;
  readonly arguments: Fields;
  key: string | undefined;
}

interface CachedAnswer {
  readonly request: ReadRequest;
  readonly body: Fields;
  readonly size: number;
}

/** The newest answers of one session, all of its current epoch. */
export class AnswerCache {
  /** The answers by the `seq` of their request, oldest first. */
  private readonly cached = new Map<number, CachedAnswer>();
  /** The size of all cached answers. */
  private size = 0;

  /** The newest answer to a request with this command and these arguments. */
  find(command: string, args: object): Fields | undefined {
    const key = keyOf(command, args);
    let newest: Fields | undefined;
    for (const { request, body } of this.cached.values())
      if (request.command === command && keyOfRequest(request) === key) newest = body;
    return newest;
  }

  /**
   * Adds an answer and evicts the oldest answers if necessary. An answer that exceeds the limit by itself is not
   * cached.
   */
  add(seq: number, request: ReadRequest, body: Fields): void {
    const size = sizeOf(body, MAX_SIZE + 1);
    if (size > MAX_SIZE || this.cached.has(seq)) return;
    this.cached.set(seq, { request, body, size });
    this.size += size;
    for (const [oldest, answer] of this.cached) {
      if (this.size <= MAX_SIZE && this.cached.size <= MAX_ANSWERS) return;
      this.size -= answer.size;
      this.cached.delete(oldest);
    }
  }

  clear(): void {
    this.cached.clear();
    this.size = 0;
  }
}

/**
 * The approximate size of a JSON value in bytes. The computation stops at `most`, and at a depth that no answer
 * reaches.
 */
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

/** The arguments of read-only requests, in the order in which a key contains them. */
const READ_ARGUMENTS = [
  'threadId',
  'frameId',
  'variablesReference',
  'startFrame',
  'levels',
  'filter',
  'start',
  'count',
] as const;
const IN_ORDER: ReadonlySet<string> = new Set(READ_ARGUMENTS);

/** The key of a request. It depends neither on the order of its arguments nor on `format`. */
export function keyOf(command: string, args: object): string {
  const given: Fields = fields(args);
  let key = command;
  for (const name of READ_ARGUMENTS) {
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
