import type { DebugProtocol } from '@vscode/debugprotocol';
import { onBreakpoint, withFunctionBreakpoints, withSourceBreakpoints } from './breakpointAnswers';
import { effectOfAnswer, effectOfEvent, effectOfRequest, firstEpoch, raised } from './epochs';
import { withPrintedExit, withProgramExit, withProgramStart, withReportedExit } from './exitCode';
import {
  countOf,
  fields,
  flagOf,
  RESUMES,
  wholeOf,
  type EventMessage,
  type Fields,
  type ProtocolMessage,
  type RequestMessage,
  type ResponseMessage,
} from '../protocol';
import { withoutEnded } from './retention';
import {
  adapterExit,
  ended,
  endedAtStart,
  initializeFailed,
  onAdapterFailed,
  onEndRequested,
} from './sessionEnd';
import { keptText, withoutTrace } from '../texts';
import {
  messageOf,
  type DebugEvent,
  type DebugState,
  type PendingRequest,
  type SessionState,
} from './state';
import { onContinued, onStopped, onThread, resumed, withThreadList } from './threads';

/** The requests whose responses change the state. In addition, requests that may change a value are tracked. */
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
 * Returns the state after an event. This is the only way to change the state. It is pure, total and deterministic. An
 * invalid message, or one that an adapter should not have sent, does not change the state.
 */
export function reduce(state: DebugState, event: DebugEvent): DebugState {
  return reduceRead(state, event, messageOf(event));
}

/** Does the same as `reduce`, for callers that have already read the event's message. */
export function reduceRead(
  state: DebugState,
  event: DebugEvent,
  message: ProtocolMessage | undefined,
): DebugState {
  if (event.type === 'sessionCreated') return create(state, event);
  const session = state.sessions.get(event.key);
  if (session === undefined) return state;
  const next = reduceSession(session, event, message);
  if (next === session) return state;
  const sessions = new Map(state.sessions).set(event.key, next);
  return {
    ...state,
    sessions: next.lifecycle === 'terminated' ? withoutEnded(sessions) : sessions,
  };
}

/**
 * Creates a session, or resets one whose adapter is started again. VS Code keeps a session's id across a restart, and
 * so do we. The numbers of its stops and epochs continue, so that earlier data is not mistaken for current data.
 */
function create(
  state: DebugState,
  event: Extract<DebugEvent, { type: 'sessionCreated' }>,
): DebugState {
  const before = state.sessions.get(event.key);
  if (before !== undefined && event.knowledge === 'partial') return state;
  const number = state.sessionCount + 1;
  const session: SessionState = {
    ...initialState(),
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
    ...firstEpoch(before),
  };
  return {
    sessions: new Map(state.sessions).set(event.key, session),
    sessionCount: before === undefined ? number : state.sessionCount,
  };
}

/** The part of a session's state that its adapter reports later. */
function initialState(): Omit<SessionState, CreationFields> {
  return {
    capabilities: {},
    threads: new Map(),
    lastStop: undefined,
    resume: undefined,
    pauseRequested: false,
    exitCode: undefined,
    exitSignal: undefined,
    end: undefined,
    endAnnounced: false,
    endRequested: false,
    process: undefined,
    modules: 0,
    sourceBreakpoints: new Map(),
    functionBreakpoints: undefined,
    pending: new Map(),
    terminal: 'none',
  };
}

type CreationFields =
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
  | 'epoch'
  | 'epochOf';

function reduceSession(
  session: SessionState,
  event: Exclude<DebugEvent, { type: 'sessionCreated' }>,
  message: ProtocolMessage | undefined,
): SessionState {
  switch (event.type) {
    case 'sessionEnded':
      return ended(session, { reason: 'terminated', at: event.at, message: undefined });
    case 'adapterFailed':
      return onAdapterFailed(session, event);
    case 'adapterExited':
      return ended(session, adapterExit(session, event));
    case 'pauseGivenUp':
      return session.pauseRequested ? { ...session, pauseGivenUp: true } : session;
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
      if (session.lifecycle === 'terminated' || message === undefined) return session;
      if (message.type === 'request')
        return event.type === 'toAdapter'
          ? onRequest(session, message, event.at)
          : onReverseRequest(session, message);
      if (event.type === 'toAdapter') return session;
      return message.type === 'response'
        ? onResponse(session, message, event.at)
        : onEvent(raised(session, effectOfEvent(message.event)), message, event.at);
    }
  }
}

/** A request from the adapter to VS Code. DAP "Reverse Requests". */
function onReverseRequest(session: SessionState, request: RequestMessage): SessionState {
  return request.command === 'runInTerminal' &&
    (session.terminal === 'none' || session.terminal === 'ended')
    ? { ...session, terminal: 'unread' }
    : session;
}

function onRequest(before: SessionState, request: RequestMessage, at: number): SessionState {
  const effect = effectOfRequest(request);
  const session = raised(before, effect);
  // The session is ending, so the response to this request does not matter.
  if (request.command === 'disconnect' || request.command === 'terminate')
    return onEndRequested(session, request.command, at);
  if (effect !== 'change' && !TRACKED.has(request.command)) return session;
  const { seq, command } = request;
  const next: SessionState = {
    ...session,
    pending: new Map(session.pending).set(seq, {
      command,
      arguments: request.arguments,
      epoch: session.epoch,
    }),
    pauseRequested: session.pauseRequested || command === 'pause',
    pauseGivenUp: session.pauseGivenUp === true && command !== 'pause',
  };
  return effect === 'resume'
    ? { ...next, resume: { seq, command, outcome: 'pending', message: undefined } }
    : next;
}

function onResponse(before: SessionState, response: ResponseMessage, at: number): SessionState {
  const request = before.pending.get(response.requestSeq);
  if (request === undefined) return before;
  const pending = new Map(before.pending);
  pending.delete(response.requestSeq);
  const next = raised({ ...before, pending }, effectOfAnswer(request));
  if (RESUMES.has(request.command)) return onResumeAnswered(next, request, response);
  switch (request.command) {
    case 'initialize':
      return response.success
        ? withCapabilities(next, response.body)
        : endedAtStart(next, initializeFailed(response.message, at));
    case 'launch':
    case 'attach':
      if (!response.success)
        return endedAtStart(next, {
          reason: 'launchFailed',
          at,
          message: response.message === undefined ? undefined : withoutTrace(response.message),
        });
      return next.lifecycle === 'starting' ? { ...next, lifecycle: 'running' } : next;
    case 'threads':
      return response.success ? withThreadList(next, response.body, request) : next;
    case 'setBreakpoints':
      return withSourceBreakpoints(next, request, response);
    case 'setFunctionBreakpoints':
      return withFunctionBreakpoints(next, request, response);
    default:
      return next;
  }
}

/**
 * Handles the response to a resume. If the resume succeeded and no stop has followed, all threads are running, unless
 * the response or the request specifies a single thread (DAP `allThreadsContinued`, `singleThread`).
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
  // A restarted program has not exited.
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
  return resumed(next, single ? threadId : undefined, request.epoch);
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
    case 'breakpoint':
      return onBreakpoint(session, event.body);
    default:
      return session;
  }
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

function withCapabilities(session: SessionState, body: Fields): SessionState {
  const capabilities: DebugProtocol.Capabilities = { ...session.capabilities, ...body };
  return { ...session, capabilities };
}
