import * as l10n from '@vscode/l10n';
import { listed } from '../results/listing';
import { Failure } from '../results/failure';
import {
  liveSessions,
  rootOf,
  sessionById,
  threadOfStop,
  treeOf,
  type DebugState,
  type SessionState,
  type ThreadState,
} from '../debugger/state/state';
import { unknownSession } from './unknownSession';

/**
 * Returns the session of a call: the named session, or else the only stopped session, or else the only running session.
 * If a parent session without threads is named (js-debug), its child with threads is returned. Of the processes of one
 * program, the one that stopped last is meant, or the first one while all of them run. A session that is about to end, or
 * to go on from a pause that was given up, is not meant if there is another one.
 * @throws Failure `no_session`, `session_not_found`, `session_ended`, `ambiguous_session`
 */
export function resolveSession(
  state: DebugState,
  id: string | undefined,
  threadId?: number,
): SessionState {
  if (id !== undefined) return withThreads(state, namedSession(state, id), threadId);
  const live = liveSessions(state);
  if (live.length === 0) throw noSession(state);
  const stopped = live.filter(stays);
  if (stopped.length > 0)
    return onlyOne(state, stopped, threadId, (thread) => thread?.stop !== undefined);
  const leaves = live.filter((session) => !live.some((other) => other.parentKey === session.key));
  const lasting = leaves.filter(({ lifecycle }) => lifecycle !== 'terminating');
  const candidates = lasting.length > 0 ? lasting : leaves;
  return onlyOne(state, candidates, threadId, (thread) => thread !== undefined);
}

/** Of the processes of one program, the one that stopped last, or else the first. Undefined for several programs. */
function ofOneProgram(
  state: DebugState,
  candidates: readonly SessionState[],
): SessionState | undefined {
  const roots = new Set(candidates.map((session) => rootOf(state, session).key));
  if (roots.size !== 1) return undefined;
  return newestFirst(candidates.filter(stays))[0] ?? candidates[0];
}

/** Whether a session is stopped, and does not go on by itself from a pause that was given up. */
function stays({ lifecycle, lastStop }: SessionState): boolean {
  return lifecycle === 'stopped' && lastStop?.isGivenUp !== true;
}

function newestFirst(stopped: readonly SessionState[]): readonly SessionState[] {
  return [...stopped].sort((one, other) => (other.lastStop?.at ?? 0) - (one.lastStop?.at ?? 0));
}

/** The error where no session is live. It tells how the newest one ended. */
function noSession(state: DebugState): Failure {
  const roots = [...state.sessions.values()].filter(
    (session) => rootOf(state, session).key === session.key,
  );
  const last = roots.at(-1);
  const message =
    last === undefined
      ? l10n.t('No debug session is running.')
      : `${l10n.t('No debug session is running.')} ${endedText(last)}`;
  return new Failure('no_session', message, 'Call start_debugging first.');
}

function endedText({ id, exitCode }: SessionState): string {
  return exitCode === undefined
    ? l10n.t('The debug session {0} has ended.', id)
    : l10n.t('The debug session {0} has ended with exit code {1}.', id, exitCode);
}

/**
 * Returns the session with this id. A session that has ended stands for its processes that live on.
 * @throws Failure `session_not_found`, `session_ended`
 */
function namedSession(state: DebugState, id: string): SessionState {
  const named = sessionById(state, id);
  if (named === undefined) throw unknownId(state, id);
  const lives = ({ lifecycle }: SessionState): boolean => lifecycle !== 'terminated';
  if (lives(named) || treeOf(state, named).some((each) => lives(each) && each.threads.size > 0))
    return named;
  const siblings = treeOf(state, rootOf(state, named)).filter(lives);
  throw new Failure(
    'session_ended',
    endedText(named),
    siblings.length === 0
      ? 'Call start_debugging to start a new one.'
      : `Its program goes on in ${siblings.map((each) => each.id).join(', ')}: pass session_id.`,
    sessionList(state),
  );
}

/** Returns the only candidate, or the only candidate with the thread. @throws Failure `ambiguous_session` */
function onlyOne(
  state: DebugState,
  candidates: readonly SessionState[],
  threadId: number | undefined,
  isIncluded: (thread: ThreadState | undefined) => boolean,
): SessionState {
  const matching = candidates.filter(
    ({ threads }) => threadId === undefined || isIncluded(threads.get(threadId)),
  );
  const [only, second] = matching.length > 0 ? matching : candidates;
  if (only !== undefined && second === undefined) return only;
  const main = threadId === undefined ? ofOneProgram(state, candidates) : undefined;
  if (main !== undefined) return main;
  throw ambiguous(state, candidates);
}

/**
 * Returns the session, or its child with threads if the session itself has none.
 * @throws Failure `ambiguous_session`
 */
function withThreads(
  state: DebugState,
  session: SessionState,
  threadId: number | undefined,
): SessionState {
  if (session.threads.size > 0) return session;
  const members = treeOf(state, session).filter(
    (member) => member.lifecycle !== 'terminated' && member.threads.size > 0,
  );
  const stopped = members.filter((member) => member.lifecycle === 'stopped');
  const matching = (stopped.length > 0 ? stopped : members).filter(
    (member) => threadId === undefined || member.threads.has(threadId),
  );
  const [only, second] = matching;
  if (only === undefined || second === undefined) return only ?? session;
  const main = threadId === undefined ? ofOneProgram(state, matching) : undefined;
  if (main !== undefined) return main;
  throw ambiguous(state, matching);
}

function ambiguous(state: DebugState, candidates: readonly SessionState[]): Failure {
  return new Failure(
    'ambiguous_session',
    l10n.t('Several debug sessions match: {0}.', listed(candidates.map((session) => session.id))),
    'Pass session_id.',
    sessionList(state),
  );
}

/**
 * Returns the newest stop of a thread that is still stopped, in all sessions, or in the named session and its children.
 */
export function newestStop(
  state: DebugState,
  id?: string,
): { readonly session: SessionState; readonly threadId: number } | undefined {
  const named = id === undefined ? undefined : sessionById(state, id);
  if (id !== undefined && named === undefined) throw unknownId(state, id);
  const members = named === undefined ? liveSessions(state) : treeOf(state, named);
  const stopped = members.filter((session) => session.lifecycle === 'stopped');
  for (const session of newestFirst(stopped)) {
    const threadId = threadOfStop(session);
    if (threadId !== undefined) return { session, threadId };
  }
  return undefined;
}

function unknownId(state: DebugState, id: string): Failure {
  return unknownSession(
    state,
    id,
    'Call get_debug_state for a list of the sessions.',
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
