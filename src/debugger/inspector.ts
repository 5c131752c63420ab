import * as l10n from '@vscode/l10n';
import { readException, type ExceptionDetails } from './exceptionDetails';
import { Failure } from './failure';
import { isCurrent, type HandleTable, type Place } from './handles';
import type { DebugModel } from './debugModel';
import type { AdapterRequests } from './requests';
import { readFrames, readScopes, readVariables, topFrame, type Frame, type Scope, type Variable } from './stackAndVariables';
import { numberOf, countOf, fields, textOf } from './protocol';
import type { SessionState, StopState } from './state';

/** How many frames a stop's answer asks for; the rest is counted and can be fetched. */
export const FRAMES_OF_A_STOP = 20;

export interface FramePage {
  readonly frames: readonly Frame[];
  /** How many there are in all, as far as the adapter says. */
  readonly total: number | undefined;
}

/** The program went on while its stop was being looked at: what was read may belong to another place. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Looks into a stopped program. Each answer is checked against the stop that it was asked for. */
export class Inspector {
  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    readonly handles: HandleTable,
  ) {}

  /** The place of a thread that is stopped now. @throws Failure `not_stopped`, `thread_not_found` */
  placeOf(session: SessionState, threadId: number): Place & { readonly stop: StopState } {
    const thread = session.threads.get(threadId);
    if (thread === undefined) throw threadNotFound(session, threadId);
    if (thread.stop === undefined) throw notStopped(session, threadId);
    return { sessionKey: session.key, threadId, stopId: thread.stop.id, invalidations: session.invalidations, stop: thread.stop };
  }

  async frames(session: SessionState, place: Place, startFrame: number, levels: number, signal: AbortSignal): Promise<FramePage> {
    const body = await this.ask(session, place, 'stackTrace', { threadId: place.threadId, startFrame, levels }, signal);
    // An adapter may ignore `levels` and answer with all frames (DAP `supportsDelayedStackTraceLoading` absent).
    const all = readFrames(body);
    const isWhole = startFrame > 0 && (all.length > levels || countOf(body['totalFrames']) === all.length);
    const frames = isWhole ? all.slice(startFrame, startFrame + levels) : all.slice(0, levels);
    const total = countOf(body['totalFrames']) ?? (all.length > levels ? all.length : undefined);
    return { frames, total: total === undefined ? (frames.length < levels ? startFrame + frames.length : undefined) : Math.max(total, startFrame + frames.length) };
  }

  /** The frame that a stopped thread is in; VS Code itself asks for it at each stop, so it is mostly known. */
  async top(session: SessionState, place: Place, signal: AbortSignal): Promise<Frame | undefined> {
    const known = this.model.answers.known(session.key, 'stackTrace', { threadId: place.threadId, startFrame: 0, levels: 1 });
    const top = known === undefined ? undefined : topFrame(readFrames(known));
    return top ?? topFrame((await this.frames(session, place, 0, FRAMES_OF_A_STOP, signal)).frames);
  }

  async scopes(session: SessionState, place: Place, frameId: number, signal: AbortSignal): Promise<Scope[]> {
    return readScopes(await this.ask(session, place, 'scopes', { frameId }, signal));
  }

  async variables(session: SessionState, place: Place, reference: number, paging: { start?: number; count?: number; filter?: 'indexed' | 'named' }, signal: AbortSignal): Promise<Variable[]> {
    return readVariables(await this.ask(session, place, 'variables', { variablesReference: reference, ...paging }, signal));
  }

  async evaluate(session: SessionState, place: Place, frameId: number, expression: string, context: string, signal: AbortSignal): Promise<Pick<Variable, 'value' | 'type' | 'reference' | 'namedVariables' | 'indexedVariables' | 'memoryReference'>> {
    // The answer counts even when the program moved on meanwhile: an expression may well have let it go on.
    const body = await this.requests.send(session, 'evaluate', { expression, frameId, context }, signal);
    return {
      value: textOf(body['result']) ?? '',
      type: textOf(body['type']),
      reference: this.stillHolds(place) ? (countOf(body['variablesReference']) ?? 0) : 0,
      namedVariables: countOf(body['namedVariables']),
      indexedVariables: countOf(body['indexedVariables']),
      memoryReference: textOf(body['memoryReference']),
    };
  }

  /** DAP `exceptionInfo`, where the adapter has it. */
  async exception(session: SessionState, place: Place, signal: AbortSignal): Promise<ExceptionDetails | undefined> {
    if (session.capabilities.supportsExceptionInfoRequest !== true) return undefined;
    return readException(await this.ask(session, place, 'exceptionInfo', { threadId: place.threadId }, signal));
  }

  /** The threads, asked for where the messages have not told of them. */
  async threads(session: SessionState, signal: AbortSignal): Promise<readonly { id: number; name: string | undefined }[]> {
    const known = [...session.threads.values()];
    if (known.length > 0 && known.every((thread) => thread.name !== undefined)) return known;
    const body = await this.requests.send(session, 'threads', {}, signal);
    const list = Array.isArray(body['threads']) ? body['threads'] : [];
    return list.flatMap((each) => {
      const id = numberOf(fields(each)['id']);
      return id === undefined ? [] : [{ id, name: textOf(fields(each)['name']) }];
    });
  }

  stillHolds(place: Place): boolean {
    const session = this.model.state.sessions.get(place.sessionKey);
    return session !== undefined && isCurrent(session, place);
  }

  /** @throws Superseded when the thread is not where it was any more */
  private async ask(session: SessionState, place: Place, command: string, args: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    if (!this.stillHolds(place)) throw new Superseded();
    try {
      const body = await this.requests.look(session, command, args, signal);
      if (!this.stillHolds(place)) throw new Superseded();
      return body;
    } catch (error) {
      if (error instanceof Failure && !this.stillHolds(place)) throw new Superseded();
      throw error;
    }
  }
}

export function threadNotFound(session: SessionState, threadId: number): Failure {
  const threads = [...session.threads.values()].map((thread) => ({ id: thread.id, name: thread.name, state: thread.stop === undefined ? 'running' : 'stopped' }));
  return new Failure('thread_not_found', l10n.t('The session {0} has no thread {1}.', session.id, threadId), 'Take thread_id from stop_event_data or get_debug_state.', { session_id: session.id, threads });
}

export function notStopped(session: SessionState, threadId: number): Failure {
  return new Failure('not_stopped', l10n.t('Thread {0} of the session {1} is running, not stopped.', threadId, session.id), 'Call wait_for_stop to wait for it, or pause_debugging to stop it.');
}
