import type { DebugProtocol } from '@vscode/debugprotocol';
import { onBreakpoint, withFunctionBreakpoints, withSourceBreakpoints } from './breakpointAnswers';
import { withPrintedExit, withProgramExit, withProgramStart, withReportedExit } from './exitCode';
import {
  countOf,
  fields,
  flagOf,
  listOf,
  readMessage,
  RESUMES,
  wholeOf,
  type EventMessage,
  type Fields,
  type RequestMessage,
  type ResponseMessage,
} from '../protocol';
import { withoutEnded } from './retention';
import {
  adapterExit,
  ended,
  hasExited,
  isLostBeforeStart,
  notBegun,
  notGreeted,
  onAdapterFailed,
  unreached,
} from './sessionEnd';
import { stopFrom } from './stopEvent';
import { keptText, withoutTrace } from '../texts';
import {
  isUnasked,
  type DebugEvent,
  type DebugState,
  type Lifecycle,
  type PendingRequest,
  type SessionState,
  type StopState,
  type ThreadState,
} from './state';

/** Requests whose answers change the state; all others are not kept. */
const TRACKED: ReadonlySet<string> = new Set([
  ...RESUMES,
  'initialize',
  'launch',
  'attach',
  'threads',
  'setBreakpoints',
  'setFunctionBreakpoints',
]);

/**
 * The only way that the state changes: pure, total, and deterministic. A message that is none, or that an adapter
 * should not have sent, leaves the state as it was.
 */
export function reduce(state: DebugState, event: DebugEvent): DebugState {
  if (event.type === 'sessionCreated') return create(state, event);
  const session = state.sessions.get(event.key);
  if (session === undefined) return state;
  const next = reduceSession(session, event);
  if (next === session) return state;
  const sessions = new Map(state.sessions).set(event.key, next);
  return {
    ...state,
    sessions: next.lifecycle === 'terminated' ? withoutEnded(sessions) : sessions,
  };
}

/**
 * A session, or a session whose adapter is started again: VS Code keeps a session's id over a restart, and so do we,
 * with its stops counted on so that nothing of before is taken for something of now.
 */
function create(
  state: DebugState,
  event: Extract<DebugEvent, { type: 'sessionCreated' }>,
): DebugState {
  const before = state.sessions.get(event.key);
  if (before !== undefined && event.knowledge === 'partial') return state;
  const number = state.sessionCount + 1;
  const session: SessionState = {
    ...nothingKnown(),
    key: event.key,
    id: before?.id ?? `s${number}`,
    name: event.name,
    type: event.sessionType,
    parentKey: event.parentKey,
    configuration: event.configuration,
    startedAt: event.at,
    knowledge: event.knowledge,
    lifecycle: event.knowledge === 'partial' ? 'running' : 'starting',
    stopCount: before?.stopCount ?? 0,
    resumeCount: before?.resumeCount ?? 0,
  };
  return {
    sessions: new Map(state.sessions).set(event.key, session),
    sessionCount: before === undefined ? number : state.sessionCount,
  };
}

/** What of a session is not known before its adapter has said anything. */
function nothingKnown(): Omit<SessionState, SaidAtTheStart> {
  return {
    capabilities: {},
    threads: new Map(),
    lastStop: undefined,
    resume: undefined,
    pauseAsked: false,
    invalidations: 0,
    exitCode: undefined,
    exitSignal: undefined,
    end: undefined,
    endAnnounced: false,
    endAsked: false,
    process: undefined,
    modules: 0,
    sourceBreakpoints: new Map(),
    functionBreakpoints: undefined,
    pending: new Map(),
    terminal: 'none',
  };
}

type SaidAtTheStart =
  | 'key'
  | 'id'
  | 'name'
  | 'type'
  | 'parentKey'
  | 'configuration'
  | 'startedAt'
  | 'knowledge'
  | 'lifecycle'
  | 'stopCount'
  | 'resumeCount';

function reduceSession(
  session: SessionState,
  event: Exclude<DebugEvent, { type: 'sessionCreated' }>,
): SessionState {
  switch (event.type) {
    case 'sessionEnded':
      return ended(session, { reason: 'terminated', at: event.at, message: undefined });
    case 'adapterFailed':
      return onAdapterFailed(session, event);
    case 'adapterExited':
      return ended(session, adapterExit(session, event));
    case 'terminalOutput':
      return session.terminal === 'read' || session.terminal === 'ended'
        ? session
        : { ...session, terminal: 'read' };
    case 'programStarted':
      return withProgramStart(session, event.pid);
    case 'programExited':
      return withProgramExit(session, event);
    case 'toAdapter':
    case 'fromAdapter': {
      if (session.lifecycle === 'terminated') return session;
      const message = readMessage(event.message);
      if (message === undefined) return session;
      if (message.type === 'request')
        return event.type === 'toAdapter'
          ? onRequest(session, message, event.at)
          : onReverseRequest(session, message);
      if (event.type === 'toAdapter') return session;
      return message.type === 'response'
        ? onResponse(session, message, event.at)
        : onEvent(session, message, event.at);
    }
  }
}

/** What an adapter asks of VS Code. DAP "Reverse Requests". */
function onReverseRequest(session: SessionState, request: RequestMessage): SessionState {
  return request.command === 'runInTerminal' &&
    (session.terminal === 'none' || session.terminal === 'ended')
    ? { ...session, terminal: 'unread' }
    : session;
}

function onRequest(session: SessionState, request: RequestMessage, at: number): SessionState {
  if (request.command === 'disconnect' || request.command === 'terminate') {
    if (isLostBeforeStart(session)) return notBegun(session, notGreeted(session.end?.message, at));
    if (isUnasked(session)) return unreached(session, at);
    // A program may refuse a graceful `terminate`, or stop once more on its way out; `disconnect` is the end.
    const endAnnounced = session.endAnnounced || request.command === 'disconnect';
    // VS Code disconnects from an adapter that has said that it ends, too, and a person from one whose program has ended.
    const endAsked = session.endAsked || (!session.endAnnounced && !hasExited(session));
    const isKnown =
      session.lifecycle === 'terminating' &&
      endAnnounced === session.endAnnounced &&
      endAsked === session.endAsked;
    return isKnown ? session : { ...session, lifecycle: 'terminating', endAnnounced, endAsked };
  }
  if (request.command === 'pause')
    return session.pauseAsked ? session : { ...session, pauseAsked: true };
  if (!TRACKED.has(request.command)) return session;
  const pending = new Map(session.pending).set(request.seq, {
    command: request.command,
    arguments: request.arguments,
    stopCount: session.stopCount,
  });
  const next = { ...session, pending };
  if (!RESUMES.has(request.command)) return next;
  return {
    ...next,
    resumeCount: session.resumeCount + 1,
    resume: { seq: request.seq, command: request.command, outcome: 'pending', message: undefined },
  };
}

function onResponse(session: SessionState, response: ResponseMessage, at: number): SessionState {
  const request = session.pending.get(response.requestSeq);
  if (request === undefined) return session;
  const pending = new Map(session.pending);
  pending.delete(response.requestSeq);
  const next = { ...session, pending };
  if (RESUMES.has(request.command)) return onResumeAnswered(next, request, response);
  switch (request.command) {
    case 'initialize':
      return response.success
        ? withCapabilities(next, response.body)
        : notBegun(next, notGreeted(response.message, at));
    case 'launch':
    case 'attach':
      if (!response.success)
        return notBegun(next, {
          reason: 'launchFailed',
          at,
          message: response.message === undefined ? undefined : withoutTrace(response.message),
        });
      return next.lifecycle === 'starting' ? { ...next, lifecycle: 'running' } : next;
    case 'threads':
      return response.success ? withThreadList(next, response.body, request.stopCount) : next;
    case 'setBreakpoints':
      return withSourceBreakpoints(next, request, response);
    case 'setFunctionBreakpoints':
      return withFunctionBreakpoints(next, request, response);
    default:
      return next;
  }
}

/**
 * A resume that succeeded with no stop since means running: of all threads, unless the answer or the request says
 * that it was one thread only (DAP `allThreadsContinued`, `singleThread`).
 */
function onResumeAnswered(
  session: SessionState,
  request: PendingRequest,
  response: ResponseMessage,
): SessionState {
  const isNewest = session.resume?.seq === response.requestSeq;
  const resume = isNewest
    ? {
        ...session.resume,
        outcome: response.success ? ('done' as const) : ('failed' as const),
        message: response.message,
      }
    : session.resume;
  // A program that is started anew has not exited yet.
  const next = {
    ...session,
    resume,
    ...(request.command === 'restart' && response.success
      ? { exitCode: undefined, exitSignal: undefined }
      : {}),
  };
  if (!response.success) return next;
  const threadId = wholeOf(request.arguments['threadId']);
  const single =
    request.arguments['singleThread'] === true ||
    (request.command === 'continue' && flagOf(response.body['allThreadsContinued']) === false);
  return resumed(next, single ? threadId : undefined, request.stopCount);
}

/** Threads go on: all, or one. Those that a newer stop than `sinceStop` holds stay held. */
function resumed(
  session: SessionState,
  threadId: number | undefined,
  sinceStop: number,
): SessionState {
  let changed = false;
  const threads = new Map<number, ThreadState>();
  for (const thread of session.threads.values()) {
    const goesOn =
      thread.stop !== undefined &&
      thread.stop.id <= sinceStop &&
      (threadId === undefined || thread.id === threadId);
    threads.set(thread.id, goesOn ? { ...thread, stop: undefined } : thread);
    changed ||= goesOn;
  }
  // A stop may have named no thread, and none may be known: then it is the session alone that was held.
  const isSessionAlone =
    threads.size === 0 && session.lifecycle === 'stopped' && session.stopCount <= sinceStop;
  return changed || isSessionAlone ? withLifecycle({ ...session, threads }) : session;
}

/** A stopped session without a thread that is held runs. Only a stop makes one stopped; the other phases of life stay. */
function withLifecycle(session: SessionState): SessionState {
  if (session.lifecycle !== 'stopped') return session;
  const isHeld = [...session.threads.values()].some((thread) => thread.stop !== undefined);
  return isHeld ? session : { ...session, lifecycle: 'running' };
}

function onEvent(session: SessionState, event: EventMessage, at: number): SessionState {
  switch (event.event) {
    case 'stopped':
      return onStopped(session, event.body, at);
    case 'continued':
      return onContinued(session, event.body);
    case 'thread':
      return onThread(session, event.body);
    case 'capabilities':
      return withCapabilities(session, fields(event.body['capabilities']));
    case 'process':
      return onProcess(session, event.body);
    case 'module':
      return onModule(session, event.body);
    case 'exited':
      return withReportedExit(session, event.body);
    case 'output':
      return withPrintedExit(session, event.body, at);
    case 'terminated':
      return session.endAnnounced && session.threads.size === 0
        ? session
        : { ...session, lifecycle: 'terminating', endAnnounced: true, threads: new Map() };
    case 'invalidated':
      return { ...session, invalidations: session.invalidations + 1 };
    case 'breakpoint':
      return onBreakpoint(session, event.body);
    default:
      return session;
  }
}

function onContinued(session: SessionState, body: Fields): SessionState {
  const isOne = flagOf(body['allThreadsContinued']) === false;
  return resumed(session, isOne ? wholeOf(body['threadId']) : undefined, session.stopCount);
}

function onProcess(session: SessionState, body: Fields): SessionState {
  const process = { name: keptText(body['name']), pid: countOf(body['systemProcessId']) };
  return { ...session, process };
}

function onModule(session: SessionState, body: Fields): SessionState {
  if (body['reason'] === 'new') return { ...session, modules: session.modules + 1 };
  return body['reason'] === 'removed'
    ? { ...session, modules: Math.max(0, session.modules - 1) }
    : session;
}

function onStopped(session: SessionState, body: Fields, at: number): SessionState {
  const stop = stopFrom(session, body, at);
  const { threadId, allThreadsStopped } = stop;
  const threads = new Map(session.threads);
  if (allThreadsStopped === true || threadId === undefined)
    for (const thread of session.threads.values()) threads.set(thread.id, { ...thread, stop });
  if (threadId !== undefined)
    threads.set(threadId, { id: threadId, name: threads.get(threadId)?.name, stop });
  const lifecycle: Lifecycle = session.endAnnounced ? 'terminating' : 'stopped';
  return {
    ...session,
    threads,
    stopCount: stop.id,
    lastStop: stop,
    pauseAsked: false,
    lifecycle,
    knowledge: 'full',
  };
}

function onThread(session: SessionState, body: Fields): SessionState {
  const id = wholeOf(body['threadId']);
  if (id === undefined) return session;
  if (body['reason'] === 'exited') {
    if (!session.threads.has(id)) return session;
    const threads = new Map(session.threads);
    threads.delete(id);
    return withLifecycle({ ...session, threads });
  }
  if (session.threads.has(id)) return session;
  // A stop of all holds this one too, unless a thread has gone on alone since: that one may have started it.
  const isAllHeld =
    session.lifecycle === 'stopped' &&
    [...session.threads.values()].every((thread) => thread.stop !== undefined);
  const stop = isAllHeld ? stopOfAll(session.lastStop) : undefined;
  return { ...session, threads: new Map(session.threads).set(id, { id, name: undefined, stop }) };
}

/** The adapter's list of threads is the truth about which there are; a stop of all of them holds the new ones too. */
function withThreadList(session: SessionState, body: Fields, sinceStop: number): SessionState {
  if (session.lifecycle === 'terminating') return session;
  const ofAll = session.lifecycle === 'stopped' ? stopOfAll(session.lastStop) : undefined;
  const threads = new Map<number, ThreadState>();
  for (const each of listOf(body['threads'])) {
    const id = wholeOf(fields(each)['id']);
    if (id === undefined) continue;
    const known = session.threads.get(id);
    threads.set(id, {
      id,
      name: keptText(fields(each)['name']) ?? known?.name,
      stop: known === undefined ? ofAll : known.stop,
    });
  }
  // A stop that came after the question, or that names the thread, knows it better than the answer does.
  for (const thread of session.threads.values()) {
    const isHeld =
      thread.stop !== undefined &&
      (thread.stop.id > sinceStop || thread.stop.threadId === thread.id);
    if (isHeld && !threads.has(thread.id)) threads.set(thread.id, thread);
  }
  return isSame(threads, session.threads) ? session : withLifecycle({ ...session, threads });
}

function stopOfAll(stop: StopState | undefined): StopState | undefined {
  return stop?.allThreadsStopped === true || stop?.threadId === undefined ? stop : undefined;
}

/** VS Code asks for the threads at every stop, and mostly nothing about them is new. */
function isSame(
  threads: ReadonlyMap<number, ThreadState>,
  before: ReadonlyMap<number, ThreadState>,
): boolean {
  if (threads.size !== before.size) return false;
  for (const { id, name, stop } of threads.values()) {
    const known = before.get(id);
    if (known === undefined || known.name !== name || known.stop !== stop) return false;
  }
  return true;
}

function withCapabilities(session: SessionState, body: Fields): SessionState {
  const capabilities: DebugProtocol.Capabilities = { ...session.capabilities, ...body };
  return { ...session, capabilities };
}
