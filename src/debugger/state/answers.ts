import {
  fields,
  listOf,
  numberOf,
  readMessage,
  RESUMES,
  type Fields,
  type RequestMessage,
} from '../protocol';
import { foreseenIn } from '../foreseen';
import { isFieldsQuestion } from '../inspection/pythonFields';
import type { DebugEvent } from './state';

/** Requests that only look, and whose answer holds as long as the program stays where it is. */
export const READ_COMMANDS: ReadonlySet<string> = new Set([
  'stackTrace',
  'scopes',
  'variables',
  'exceptionInfo',
]);

/** Requests after which everything that was seen is still true. All others may have changed a value. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...READ_COMMANDS,
  'threads',
  'source',
  'modules',
  'loadedSources',
  'breakpointLocations',
  'completions',
  'disassemble',
  'readMemory',
  'locations',
  'setBreakpoints',
  'setFunctionBreakpoints',
  'setExceptionBreakpoints',
  'setDataBreakpoints',
  'setInstructionBreakpoints',
  'dataBreakpointInfo',
  'gotoTargets',
  'stepInTargets',
  'canEmulate',
  'enableNetworking',
]);

/** Events after which the program is elsewhere. */
const MOVES: ReadonlySet<string> = new Set(['stopped', 'continued', 'terminated']);

/** Events after which nothing that was seen is still true, though the program is where it was. */
const CHANGES: ReadonlySet<string> = new Set(['invalidated', 'memory']);

/** An answer may be large, and VS Code asks for many: what is kept of one session has an end, in answers and in size. */
const ANSWERS_KEPT = 200;
const SIZE_KEPT = 16_000_000;

type AnswerListener = (body: Fields) => void;

/** A look; its key is made when somebody looks for it, which is seldom: messages are many. */
interface ReadRequest {
  readonly command: string;
  readonly args: Fields;
  key: string | undefined;
}

/** A question that is under way. */
interface PendingRead extends ReadRequest {
  readonly generation: number;
  readonly moves: number;
  /** No look: what is asked may change values. */
  readonly mayChange: boolean;
  /** Sent before the adapter had given out what it is about: it counts if that has been done by the answer. */
  readonly isForeseen: boolean;
  readonly waiting: ((body: Fields | undefined) => void)[];
}

/** An answer. */
interface KnownAnswer extends ReadRequest {
  readonly body: Fields;
  readonly size: number;
}

interface AnswersOfSession {
  /** Looks that are under way, and what may change values meanwhile, by `seq`. */
  readonly asked: Map<number, PendingRead>;
  /** By the `seq` of the question, the oldest first. */
  readonly known: Map<number, KnownAnswer>;
  /** The size of all that is known. */
  size: number;
  /**
   * The frames and references that the adapter has given out at this stop. Adapters use the same numbers again at the
   * next one (lldb-dap: 1 for the locals), and VS Code may still be asking about the stop before: the answer to that is
   * none for this stop (lldb-dap: no variables at all).
   */
  readonly givenFrames: Set<number>;
  readonly givenReferences: Set<number>;
  /** Of which frames each reference of a scope was given out at this stop: of several by adapters that use the same for all (lldb-dap). */
  readonly scopeFrames: Map<number, Set<number>>;
  readonly listeners: Map<string, Set<AnswerListener>>;
  /** Raised when everything that was seen may have changed: an answer to an older question is not kept. */
  generation: number;
  /** Raised when the program moves: what was given out before it means nothing any more. */
  moves: number;
}

/**
 * What adapters have answered to looks, whoever asked: VS Code's views ask for much of what an agent asks for. So no
 * look is sent twice at one stop, and an answer is had when the adapter gives it, not after its way through VS Code.
 */
export class Answers {
  private readonly sessions = new Map<string, AnswersOfSession>();

  /** Sees every message, after the state has changed with it. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionCreated' || event.type === 'sessionEnded') {
      const gone = this.sessions.get(event.key);
      // VS Code tells of a session's start once more when its tracker has long seen it.
      if (event.type === 'sessionCreated' && event.knowledge === 'partial' && gone !== undefined)
        return;
      this.sessions.delete(event.key);
      if (gone === undefined) return;
      forget(gone);
      // A restart keeps the session's key: what was asked before it is no question of now.
      if (event.type === 'sessionCreated')
        Object.assign(this.session(event.key), {
          generation: gone.generation + 1,
          moves: gone.moves + 1,
        });
      return;
    }
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message === undefined) return;
    if (message.type === 'request' && event.type === 'toAdapter') {
      this.question(this.session(event.key), message);
    } else if (message.type === 'event') {
      if (MOVES.has(message.event)) moved(this.session(event.key));
      else if (CHANGES.has(message.event)) forget(this.session(event.key));
    } else if (message.type === 'response' && event.type === 'fromAdapter') {
      this.answered(
        this.session(event.key),
        message.requestSeq,
        message.success ? message.body : undefined,
      );
    }
  }

  /** Whether somebody waits for the answer to such a look. */
  isAwaited(sessionKey: string, command: string): boolean {
    const session = this.sessions.get(sessionKey);
    if (session === undefined) return false;
    for (const key of session.listeners.keys()) if (key.startsWith(command)) return true;
    for (const asked of session.asked.values())
      if (asked.command === command && asked.waiting.length > 0) return true;
    return false;
  }

  /** What is already known, at this stop. */
  known(sessionKey: string, command: string, args: object): Fields | undefined {
    const key = keyOf(command, args);
    let newest: Fields | undefined;
    for (const each of this.sessions.get(sessionKey)?.known.values() ?? [])
      if (each.command === command && keyOfRequest(each) === key) newest = each.body;
    return newest;
  }

  /** The answer to the same look, where it is under way at this stop; undefined when it fails or is outdated by then. */
  underWay(
    sessionKey: string,
    command: string,
    args: object,
  ): Promise<Fields | undefined> | undefined {
    const session = this.sessions.get(sessionKey);
    if (session === undefined) return undefined;
    const key = keyOf(command, args);
    const asked = [...session.asked.values()].find(
      (each) =>
        !each.mayChange &&
        each.command === command &&
        each.generation === session.generation &&
        keyOfRequest(each) === key,
    );
    return asked === undefined ? undefined : new Promise((resolve) => asked.waiting.push(resolve));
  }

  /** Whether the adapter has not answered an expression yet: some answer nothing else as long as it runs. */
  isEvaluating(sessionKey: string): boolean {
    return [...(this.sessions.get(sessionKey)?.asked.values() ?? [])].some(
      (each) => each.command === 'evaluate' && each.mayChange,
    );
  }

  /** Whether a reference is that of several frames' scopes: it stands for the frame whose scopes were asked for last. */
  isOfSeveralFrames(sessionKey: string, reference: number): boolean {
    return (this.sessions.get(sessionKey)?.scopeFrames.get(reference)?.size ?? 0) > 1;
  }

  /** Whether the adapter has given out this frame at this stop. */
  hasFrame(sessionKey: string, frameId: number): boolean {
    return this.sessions.get(sessionKey)?.givenFrames.has(frameId) === true;
  }

  /** Names a look at this stop of a session: the same look at a later stop has another name. */
  keyOf(sessionKey: string, command: string, args: object): string {
    return `${sessionKey} ${this.sessions.get(sessionKey)?.generation ?? 0} ${keyOf(command, args)}`;
  }

  /** Calls back with the next answer to such a look. The returned function ends it. */
  listen(sessionKey: string, command: string, args: object, listener: AnswerListener): () => void {
    const { listeners } = this.session(sessionKey);
    const key = keyOf(command, args);
    const set = listeners.get(key) ?? new Set<AnswerListener>();
    listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) listeners.delete(key);
    };
  }

  private question(
    session: AnswersOfSession,
    { seq, command, arguments: args }: RequestMessage,
  ): void {
    // A stop makes all of before outdated, and may come before the answer to the request that led to it.
    if (RESUMES.has(command)) {
      moved(session);
      return;
    }
    const isLook = READ_COMMANDS.has(command) || isFieldsQuestion(command, args);
    const mayChange = !isLook && !HARMLESS.has(command);
    if (mayChange) forget(session);
    if (!isLook && !mayChange) return;
    const foreseen = foreseenIn(args);
    if (isLook && foreseen === undefined && !isGiven(session, command, args)) return;
    session.asked.set(seq, {
      command,
      args: foreseen ?? args,
      key: undefined,
      generation: session.generation,
      moves: session.moves,
      mayChange,
      isForeseen: foreseen !== undefined,
      waiting: [],
    });
  }

  private answered(session: AnswersOfSession, seq: number, answer: Fields | undefined): void {
    const asked = session.asked.get(seq);
    if (asked === undefined) return;
    session.asked.delete(seq);
    const counts = !asked.isForeseen || isGiven(session, asked.command, asked.args);
    const body = counts ? answer : undefined;
    if (asked.waiting.length > 0)
      for (const resolve of asked.waiting.splice(0))
        resolve(asked.generation === session.generation ? body : undefined);
    if (body !== undefined && asked.moves === session.moves)
      give(session, body, asked.command === 'scopes' ? numberOf(asked.args['frameId']) : undefined);
    if (asked.mayChange) forget(session);
    if (asked.mayChange || body === undefined || asked.generation !== session.generation) return;
    keep(session, seq, asked, body);
    if (session.listeners.size === 0) return;
    const listeners = session.listeners.get(keyOfRequest(asked));
    if (listeners !== undefined) for (const listener of [...listeners]) listener(body);
  }

  private session(key: string): AnswersOfSession {
    let session = this.sessions.get(key);
    if (session === undefined) {
      session = {
        asked: new Map(),
        known: new Map(),
        size: 0,
        givenFrames: new Set(),
        givenReferences: new Set(),
        scopeFrames: new Map(),
        listeners: new Map(),
        generation: 0,
        moves: 0,
      };
      this.sessions.set(key, session);
    }
    return session;
  }
}

/** Keeps an answer, and gives up the oldest ones for it. One that is too large by itself is asked for again when it is needed. */
function keep(
  session: AnswersOfSession,
  seq: number,
  { command, args, key }: ReadRequest,
  body: Fields,
): void {
  const size = sizeOf(body, SIZE_KEPT + 1);
  if (size > SIZE_KEPT || session.known.has(seq)) return;
  session.known.set(seq, { command, args, key, body, size });
  session.size += size;
  if (session.size <= SIZE_KEPT && session.known.size <= ANSWERS_KEPT) return;
  for (const [oldest, known] of session.known) {
    if (session.size <= SIZE_KEPT && session.known.size <= ANSWERS_KEPT) return;
    session.size -= known.size;
    session.known.delete(oldest);
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

function forget(session: AnswersOfSession): void {
  session.generation += 1;
  session.known.clear();
  session.size = 0;
  for (const { waiting } of session.asked.values())
    for (const resolve of waiting.splice(0)) resolve(undefined);
}

function moved(session: AnswersOfSession): void {
  session.moves += 1;
  session.givenFrames.clear();
  session.givenReferences.clear();
  session.scopeFrames.clear();
  forget(session);
}

/** Whether the adapter has given out, at this stop, what a look is about. Threads outlive a stop. */
function isGiven(session: AnswersOfSession, command: string, args: Fields): boolean {
  if (command === 'scopes' || command === 'evaluate')
    return session.givenFrames.has(numberOf(args['frameId']) ?? Number.NaN);
  return (
    command !== 'variables' ||
    session.givenReferences.has(numberOf(args['variablesReference']) ?? Number.NaN)
  );
}

/** Notes the frames and references in an answer. Every message of a stop comes by here: plain loops, nothing allocated. */
function give(session: AnswersOfSession, body: Fields, scopesOf: number | undefined): void {
  giveReference(session, body);
  const frames = listOf(body['stackFrames']);
  for (let index = 0; index < frames.length && index < GIVEN_READ; index += 1) {
    const id = numberOf(fields(frames[index])['id']);
    if (id !== undefined) session.givenFrames.add(id);
  }
  if (scopesOf !== undefined) giveScopes(session, body, scopesOf);
  for (const list of [listOf(body['scopes']), listOf(body['variables'])]) {
    for (let index = 0; index < list.length && index < GIVEN_READ; index += 1)
      giveReference(session, fields(list[index]));
  }
}

function giveScopes({ scopeFrames }: AnswersOfSession, body: Fields, frameId: number): void {
  for (const scope of listOf(body['scopes']).slice(0, GIVEN_READ)) {
    const reference = numberOf(fields(scope)['variablesReference']);
    if (reference !== undefined && reference > 0)
      scopeFrames.set(reference, (scopeFrames.get(reference) ?? new Set()).add(frameId));
  }
}

function giveReference(session: AnswersOfSession, { variablesReference }: Fields): void {
  const reference = numberOf(variablesReference);
  if (reference !== undefined && reference > 0) session.givenReferences.add(reference);
}

/** Of a list of a million, what nobody is shown is not asked about either; if it is, it is asked anew. */
const GIVEN_READ = 1000;

function keyOfRequest(request: ReadRequest): string {
  request.key ??= keyOf(request.command, request.args);
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
function keyOf(command: string, args: object): string {
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
