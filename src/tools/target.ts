import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { Failure } from '../results/failure';
import type { FrameHandle, VariablesHandle } from '../debugger/inspection/handles';
import {
  liveSessions,
  rootOf,
  sessionById,
  stoppedThreads,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import { frameView } from '../results/views/stopEventData';
import { threadNotFound } from '../debugger/debuggerError';
import { threadList } from '../results/views/threads';
import type { ComingStart } from './launch/comingStarts';
import type { ToolServices } from './services';
import { frameId, sessionId, stoppedThreadId, variablesReference } from './schemas';
import { resolveSession } from './targetSession';
import { numberOf, textOf } from '../debugger/protocol';
import { defined } from '../util/defined';

/** The kinds of targets that a tool can act on, and the data that the tool gets for each kind. */
export interface Targets {
  readonly nothing: undefined;
  /** A live session. It is the session that the caller named, or the only one that fits. */
  readonly session: { readonly session: SessionState };
  /** A live session, or where there is none, a start that has no session yet. */
  readonly sessionOrStart: { readonly session: SessionState } | { readonly start: ComingStart };
  /** A live session and the thread that `thread_id` names in it. */
  readonly thread: { readonly session: SessionState; readonly threadId: number };
  readonly frame: { readonly session: SessionState; readonly frame: FrameHandle };
  /** A frame, unless the call names an earlier answer with `of`, or a hit with `collection_id`. */
  readonly frameOrAnswer:
    { readonly session: SessionState; readonly frame: FrameHandle } | undefined;
  readonly variables: { readonly session: SessionState; readonly variables: VariablesHandle };
}

export type Need = keyof Targets;

/** The parameters that name a target. A tool has the parameters of the target that it needs. */
export const TARGET_PARAMETERS: Readonly<Record<Need, z.ZodRawShape>> = {
  nothing: {},
  session: { session_id: sessionId },
  sessionOrStart: { session_id: sessionId },
  thread: { thread_id: stoppedThreadId, session_id: sessionId },
  frame: { frame_id: frameId, session_id: sessionId },
  frameOrAnswer: { frame_id: frameId, session_id: sessionId },
  variables: { variables_reference: variablesReference, session_id: sessionId },
};

type Ids = Readonly<Record<string, unknown>>;

/** Finds the target of a call. @throws Failure that lists the candidates */
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
        textOf(input['session_id']),
        numberOf(input['thread_id']),
      ),
    }),
    sessionOrStart: () => {
      const id = textOf(input['session_id']);
      const start = startInstead(services, id);
      return start === undefined
        ? { session: resolveSession(services.model.state, id) }
        : { start };
    },
    thread: () =>
      resolveThread(services, textOf(input['session_id']), numberOf(input['thread_id'])),
    frame: () => resolveFrame(services, input),
    frameOrAnswer: () =>
      textOf(input['of'] ?? input['collection_id']) === undefined
        ? resolveFrame(services, input)
        : withoutFrame(input),
    variables: () => resolveVariables(services, input),
  };
  const start =
    need === 'nothing' ? undefined : startInstead(services, textOf(input['session_id']));
  if (start === undefined || need === 'sessionOrStart') return await resolvers[need]();
  throw new Failure(
    'no_session',
    l10n.t('The start of {0} has no debug session yet.', start.name),
    'VS Code is still starting it, may be asking the person something, or is waiting for a task. Call get_debug_state to see whether it has one, or stop_debugging to call it off.',
  );
}

/** Returns the start that a call means that names no session while there is none. */
function startInstead(
  { model, starts }: Pick<ToolServices, 'model' | 'starts'>,
  id: string | undefined,
): ComingStart | undefined {
  return id === undefined && liveSessions(model.state).length === 0 ? starts.newest() : undefined;
}

async function resolveFrame(services: ToolServices, input: Ids): Promise<Targets['frame']> {
  const sessionNamed = textOf(input['session_id']);
  const frameNamed = numberOf(input['frame_id']);
  if (frameNamed === undefined) return await currentFrame(services, sessionNamed);
  const { handle, session } = services.inspector.handles.resolveFrame(frameNamed);
  return {
    session: sameSession(session, sessionNamed, services.model.state, 'frame_id'),
    frame: handle,
  };
}

/** @throws Failure `invalid_input` if a call names both an earlier result and a frame */
function withoutFrame(input: Ids): undefined {
  if (input['frame_id'] === undefined && input['session_id'] === undefined) return undefined;
  throw new Failure(
    'invalid_input',
    l10n.t('An earlier result and a frame were passed.'),
    'Pass of or collection_id, or frame_id and session_id: a result has its own moment. Nothing was started.',
  );
}

function resolveVariables(services: ToolServices, input: Ids): Targets['variables'] {
  const reference = numberOf(input['variables_reference']) ?? Number.NaN;
  const { handle, session } = services.inspector.handles.resolveVariables(reference);
  const sessionNamed = textOf(input['session_id']);
  const { state } = services.model;
  return {
    session: sameSession(session, sessionNamed, state, 'variables_reference'),
    variables: handle,
  };
}

/**
 * Returns an identifier of a target, to check later whether it is still the same. It contains the session's tree, and
 * for a thread or frame its stop. Undefined if a tool acts on no target.
 */
export function identityOf(
  target: Targets[Need],
  { model }: Pick<ToolServices, 'model'>,
): string | undefined {
  if (target === undefined) return undefined;
  if ('start' in target) return target.start.launching.mark;
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

function resolveThread(
  { model, inspector }: Pick<ToolServices, 'model' | 'inspector'>,
  sessionId: string | undefined,
  named: number | undefined,
): Targets['thread'] {
  const session = resolveSession(model.state, sessionId, named);
  const threadId = named ?? inspector.preferredThread(session) ?? currentThread(session);
  const thread = session.threads.get(threadId);
  if (thread === undefined) throw threadNotFound(session, threadId);
  return { session, threadId };
}

/**
 * Returns the thread of the current stop.
 * @throws Failure `not_stopped`, or `ambiguous_thread` with the stopped threads
 */
function currentThread(session: SessionState): number {
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
  // One stop has stopped all threads, and names one of them.
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
      ...defined({ omitted: omitted > 0 ? { threads: omitted } : undefined }),
    },
  );
}

/** Returns the frame of the current stop that a call without a frame acts on. @throws Failure `not_stopped`, `ambiguous_thread` */
async function currentFrame(
  services: ToolServices,
  sessionId: string | undefined,
): Promise<Targets['frame']> {
  const { session, threadId } = resolveThread(services, sessionId, undefined);
  const place = services.inspector.placeOf(session, threadId);
  const top = await services.inspector.current(session, place, new AbortController().signal);
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

/** Checks that an object that a caller named belongs to the call's session. @throws Failure `wrong_session` */
export function checkOwner(owner: SessionState, session: SessionState, parameter: string): void {
  if (owner.key === session.key) return;
  // The caller may not have named the session, so there may be no session_id to omit.

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
