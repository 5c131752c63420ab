import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { listed } from '../results/listing';
import { Failure } from '../results/failure';
import type { FrameHandle, VariablesHandle } from '../debugger/inspection/handles';
import {
  liveSessions,
  rootOf,
  sessionById,
  stoppedThreads,
  threadOfStop,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import { frameView } from '../results/views/stopEventData';
import { threadNotFound } from '../debugger/debuggerError';
import { threadList } from '../results/views/threads';
import type { ToolServices } from './services';
import { frameId, sessionId, stoppedThreadId, variablesReference } from './schemas';
import { unknownSession } from './unknownSession';

export { threadOfStop } from '../debugger/state/state';

/** What a tool acts on, and what it is then given. */
export interface Targets {
  readonly nothing: undefined;
  /** A live session, as the caller named it or as it can be told without doubt. */
  readonly session: { readonly session: SessionState };
  /** A live session and the thread that `thread_id` names in it. */
  readonly thread: { readonly session: SessionState; readonly threadId: number };
  readonly frame: { readonly session: SessionState; readonly frame: FrameHandle };
  readonly variables: { readonly session: SessionState; readonly variables: VariablesHandle };
}

export type Need = keyof Targets;

/** The parameters by which a caller names a target: each tool has those of what it needs. */
export const TARGET_PARAMETERS: Readonly<Record<Need, z.ZodRawShape>> = {
  nothing: {},
  session: { session_id: sessionId },
  thread: { thread_id: stoppedThreadId, session_id: sessionId },
  frame: { frame_id: frameId, session_id: sessionId },
  variables: { variables_reference: variablesReference, session_id: sessionId },
};

type Ids = Readonly<Record<string, unknown>>;

/** @throws Failure that lists what there is */
export async function resolveTarget<N extends Need>(
  need: N,
  input: Ids,
  services: ToolServices,
): Promise<Targets[N]> {
  const resolvers: { readonly [K in Need]: () => Targets[K] | Promise<Targets[K]> } = {
    nothing: () => undefined,
    session: () => ({
      session: resolveSession(
        services.model.state,
        text(input['session_id']),
        number(input['thread_id']),
      ),
    }),
    thread: () =>
      resolveThread(services.model.state, text(input['session_id']), number(input['thread_id'])),
    frame: () => resolveFrame(services, input),
    variables: () => resolveVariables(services, input),
  };
  return await resolvers[need]();
}

async function resolveFrame(services: ToolServices, input: Ids): Promise<Targets['frame']> {
  const sessionNamed = text(input['session_id']);
  const frameNamed = number(input['frame_id']);
  if (frameNamed === undefined) return await presentFrame(services, sessionNamed);
  const { handle, session } = services.inspector.handles.resolveFrame(frameNamed);
  return {
    session: sameSession(session, sessionNamed, services.model.state, 'frame_id'),
    frame: handle,
  };
}

function resolveVariables(services: ToolServices, input: Ids): Targets['variables'] {
  const reference = number(input['variables_reference']) ?? Number.NaN;
  const { handle, session } = services.inspector.handles.resolveVariables(reference);
  const sessionNamed = text(input['session_id']);
  const { state } = services.model;
  return {
    session: sameSession(session, sessionNamed, state, 'variables_reference'),
    variables: handle,
  };
}

/**
 * Which target it is, for telling whether it is still the same one: the session's tree, and of a thread the stop that
 * holds it. Undefined where a tool acts on none.
 */
export function identityOf(
  target: Targets[Need],
  { model }: Pick<ToolServices, 'model'>,
): string | undefined {
  if (target === undefined) return undefined;
  const { session } = target;
  if ('threadId' in target)
    return `${session.key}/${target.threadId}/${session.threads.get(target.threadId)?.stop?.id ?? 'runs'}`;
  const handle = handleOf(target);
  return handle === undefined
    ? rootOf(model.state, session).key
    : `${session.key}/${handle.threadId}/${handle.epoch}`;
}

function handleOf(target: NonNullable<Targets[Need]>): FrameHandle | VariablesHandle | undefined {
  if ('frame' in target) return target.frame;
  return 'variables' in target ? target.variables : undefined;
}

/**
 * The session that a call means: the named one; else the only one that is stopped; else the only one that runs.
 * A parent that has no threads of its own (js-debug) stands for the children that have.
 */
export function resolveSession(
  state: DebugState,
  id: string | undefined,
  threadId?: number,
): SessionState {
  const live = liveSessions(state);
  if (id !== undefined) {
    const named = sessionById(state, id);
    if (named === undefined) throw unknown(state, id);
    if (named.lifecycle === 'terminated')
      throw new Failure(
        'session_ended',
        l10n.t('The debug session {0} has ended.', id),
        'Call start_debugging to start a new one.',
        sessionList(state),
      );
    return withThreads(state, named, threadId);
  }
  if (live.length === 0)
    throw new Failure(
      'no_session',
      l10n.t('No debug session is running.'),
      'Call start_debugging first.',
    );
  const stopped = live.filter((session) => session.lifecycle === 'stopped');
  const holding =
    threadId === undefined
      ? stopped
      : stopped.filter((session) => session.threads.get(threadId)?.stop !== undefined);
  const [only, second] = holding.length > 0 ? holding : stopped;
  if (only !== undefined && second === undefined) return only;
  if (only !== undefined) throw ambiguous(state, stopped);
  const leaves = live.filter((session) => !live.some((other) => other.parentKey === session.key));
  const withThread =
    threadId === undefined ? leaves : leaves.filter((session) => session.threads.has(threadId));
  const [leaf, more] = withThread.length > 0 ? withThread : leaves;
  if (leaf !== undefined && more === undefined) return leaf;
  throw ambiguous(state, leaves);
}

/** A parent without threads stands for its one child that has some. @throws Failure `ambiguous_session` */
function withThreads(
  state: DebugState,
  session: SessionState,
  threadId: number | undefined,
): SessionState {
  if (session.threads.size > 0) return session;
  const members = treeOf(state, session).filter(
    (each) => each.lifecycle !== 'terminated' && each.threads.size > 0,
  );
  const stopped = members.filter((each) => each.lifecycle === 'stopped');
  const matching = (stopped.length > 0 ? stopped : members).filter(
    (each) => threadId === undefined || each.threads.has(threadId),
  );
  const [only, second] = matching;
  if (only !== undefined && second !== undefined) throw ambiguous(state, matching);
  return only ?? session;
}

function resolveThread(
  state: DebugState,
  sessionId: string | undefined,
  named: number | undefined,
): Targets['thread'] {
  const session = resolveSession(state, sessionId, named);
  const threadId = named ?? presentThread(session);
  const thread = session.threads.get(threadId);
  if (thread === undefined) throw threadNotFound(session, threadId);
  return { session, threadId };
}

/** The thread that the present stop is about. @throws Failure `not_stopped`, `ambiguous_thread` with those that are stopped */
function presentThread(session: SessionState): number {
  const stopped = stoppedThreads(session);
  const [only, second] = stopped;
  if (only === undefined)
    throw new Failure(
      'not_stopped',
      l10n.t('The session {0} is not stopped.', session.id),
      'Call wait_for_stop to wait for it, or pause_debugging to stop it.',
    );
  if (second === undefined) return only.id;
  const named = stopped.find((thread) => thread.id === session.lastStop?.threadId);
  // One stop holds them all, and names one.
  if (named !== undefined && stopped.every((thread) => thread.stop?.id === named.stop?.id))
    return named.id;
  const { shown, omitted } = threadList({
    ...session,
    threads: new Map(stopped.map((thread) => [thread.id, thread])),
  });
  throw new Failure(
    'ambiguous_thread',
    l10n.t(
      'Several threads of the session {0} are stopped, each at a stop of its own.',
      session.id,
    ),
    'Pass thread_id (or frame_id) of one of threads.',
    {
      session_id: session.id,
      threads: shown,
      ...(omitted > 0 ? { omitted: { threads: omitted } } : {}),
    },
  );
}

/** The frame that the present stop is in. @throws Failure `not_stopped`, `ambiguous_thread` */
async function presentFrame(
  services: ToolServices,
  sessionId: string | undefined,
): Promise<Targets['frame']> {
  const { session, threadId } = resolveThread(services.model.state, sessionId, undefined);
  const place = services.inspector.placeOf(session, threadId);
  const top = await services.inspector.top(session, place, new AbortController().signal);
  if (top === undefined)
    throw new Failure(
      'not_supported',
      l10n.t('The stopped thread has no stack frame.'),
      'Call get_call_stack, or continue to a line of the program.',
    );
  const { handle } = services.inspector.handles.resolveFrame(
    frameView(services.inspector, place, top).frame_id,
  );
  return { session, frame: handle };
}

function sameSession(
  owner: SessionState,
  id: string | undefined,
  state: DebugState,
  parameter: string,
): SessionState {
  if (id === undefined || id === owner.id) return owner;
  const named = sessionById(state, id);
  if (named !== undefined && rootOf(state, owner).key === named.key) return owner;
  throw wrongSession(owner, id, parameter);
}

/** Whether something that a caller named belongs to the session that its call is about. @throws Failure `wrong_session` */
export function checkOwner(owner: SessionState, session: SessionState, parameter: string): void {
  if (owner.key === session.key) return;
  // The session may be none that the caller named, so there may be nothing to leave out.
  throw wrongSession(owner, session.id, parameter, `Pass session_id=${owner.id}.`);
}

function wrongSession(
  owner: SessionState,
  id: string,
  parameter: string,
  hint = `Leave out session_id, or pass session_id=${owner.id}.`,
): Failure {
  return new Failure(
    'wrong_session',
    l10n.t('That {0} belongs to the session {1}, not to {2}.', parameter, owner.id, id),
    hint,
  );
}

function ambiguous(state: DebugState, candidates: readonly SessionState[]): Failure {
  return new Failure(
    'ambiguous_session',
    l10n.t('Several debug sessions fit: {0}.', listed(candidates.map((session) => session.id))),
    'Pass session_id.',
    sessionList(state),
  );
}

/** The newest stop that still holds a thread: of all sessions, or of the named one and those below it. */
export function newestStop(
  state: DebugState,
  id?: string,
): { readonly session: SessionState; readonly threadId: number } | undefined {
  const named = id === undefined ? undefined : sessionById(state, id);
  if (id !== undefined && named === undefined) throw unknown(state, id);
  const members = named === undefined ? liveSessions(state) : treeOf(state, named);
  const stopped = members
    .filter((session) => session.lifecycle === 'stopped')
    .sort((one, other) => (other.lastStop?.at ?? 0) - (one.lastStop?.at ?? 0));
  for (const session of stopped) {
    const threadId = threadOfStop(session);
    if (threadId !== undefined) return { session, threadId };
  }
  return undefined;
}

function unknown(state: DebugState, id: string): Failure {
  return unknownSession(
    state,
    id,
    'Call get_debug_state for the sessions there are.',
    sessionList(state),
  );
}

function sessionList(state: DebugState): {
  sessions: { session_id: string; name: string; state: string }[];
} {
  return {
    sessions: liveSessions(state).map((session) => ({
      session_id: session.id,
      name: session.name,
      state: session.lifecycle,
    })),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
