import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import {
  isEvaluating,
  liveSessions,
  rootOf,
  sessionById,
  threadOfStop,
  treeOf,
  type DebugState,
  type SessionState,
} from '../../debugger/state/state';
import { asFailure } from '../../results/debuggerFailures';
import { Superseded } from '../../debugger/inspection/stopRequests';
import { threadList } from '../../results/views/threads';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { chosenView } from './exceptionChoice';
import {
  chosenFilters,
  maxChars,
  resultFields,
  resultSchema,
  sessionId,
  threadId,
} from '../schemas';
import type { ToolServices } from '../services';
import { unknownSession } from '../unknownSession';

const sessionView = z.object({
  session_id: z.string(),
  parent: z.string().optional(),
  name: z.string(),
  type: z.string(),
  state: z.enum(['starting', 'running', 'stopped', 'terminating', 'terminated']),
  started: z.iso.datetime(),
  partly_known: z.boolean().optional(),
  evaluating: z.boolean().optional(),
  pid: z.int().optional(),
  modules: z.int().optional(),
  exit_code: z.int().optional(),
  ended: z.string().optional(),
  threads: z
    .array(
      z.object({ id: z.int(), name: z.string().optional(), state: z.enum(['running', 'stopped']) }),
    )
    .readonly()
    .optional(),
  omitted_threads: z.int().optional(),
  stop: z
    .object({
      stop_id: z.int(),
      reason: z.string(),
      thread_id: z.int(),
      source: z.object({ path: z.string(), name: z.string() }).nullable().optional(),
      line: z.int().nullable().optional(),
      function_name: z.string().optional(),
    })
    .optional(),
});

export const getDebugState = defineTool({
  name: 'get_debug_state',
  set: 'core',
  effect: 'read',
  title: 'Show Debug State',
  userDescription: 'Shows the debug sessions and where they are stopped',
  modelDescription:
    'Report where everything is: debug sessions (a tree by parent), their threads, the current stop, and the last lines of output.',
  icon: 'pulse',
  input: z.strictObject({
    session_id: sessionId,
    thread_id: threadId.optional().describe('Show only this thread.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    sessions: z.array(sessionView).optional(),
    output: resultFields.output.optional(),
    cursor: z.int().optional(),
    exception_filters: z.array(chosenFilters).optional(),
  }),
  evidence: true,
  needs: 'nothing',
  doing: () => l10n.t('Reading the debug state'),
  run: async ({ input, services, call }) => {
    const { state } = services.model;
    const chosen =
      input.session_id === undefined ? undefined : sessionById(state, input.session_id);
    if (input.session_id !== undefined && chosen === undefined)
      throw unknownSession(state, input.session_id, 'Leave out session_id to see all sessions.');
    const shown = shownSessions(state, chosen);
    const sessions = await Promise.all(
      shown.map((session) => view(services, session, input.thread_id, call.signal)),
    );
    const newest = shown.at(-1);
    const root = newest === undefined ? undefined : rootOf(state, newest);
    const printed =
      root === undefined
        ? []
        : treeOf(state, root).flatMap((session) => services.model.output(session).tail(5));
    const output = printed.sort((one, other) => one.order - other.order).map((line) => line.text);
    const message = sessions.length === 0 ? l10n.t('No debug session is running.') : undefined;
    return success({
      ...defined({ message }),
      sessions,
      ...chosenView(services),
      ...defined({ output: output.length > 0 ? output.slice(-5) : undefined }),
    });
  },
});

/**
 * Returns the named session and its child sessions, or else the live sessions, or else the tree of the newest ended
 * session.
 */
function shownSessions(
  state: DebugState,
  chosen: SessionState | undefined,
): readonly SessionState[] {
  if (chosen !== undefined) return treeOf(state, chosen);
  const live = liveSessions(state);
  if (live.length > 0) return live;
  const last = [...state.sessions.values()].at(-1);
  return last === undefined ? [] : treeOf(state, rootOf(state, last));
}

async function view(
  services: ToolServices,
  session: SessionState,
  only: number | undefined,
  signal: AbortSignal,
): Promise<z.input<typeof sessionView>> {
  const stop = await stopOf(services, session, only, signal);
  // The program may have moved in the meantime. All reported data is from the same moment.
  const now = services.model.state.sessions.get(session.key) ?? session;
  const parent =
    now.parentKey === undefined ? undefined : services.model.state.sessions.get(now.parentKey);
  const threads = threadList(now, only);
  return defined({
    session_id: now.id,
    parent: parent?.id,
    name: now.name,
    type: now.type,
    state: now.lifecycle,
    started: new Date(now.startedAt).toISOString(),
    partly_known: now.knowledge === 'partial' ? true : undefined,
    evaluating: isEvaluating(now) ? true : undefined,
    pid: now.process?.pid,
    modules: now.modules > 0 ? now.modules : undefined,
    exit_code: now.exitCode,
    ended: now.lifecycle === 'terminated' ? endOf(now) : undefined,
    threads: threads.shown.length > 0 ? threads.shown : undefined,
    omitted_threads: threads.omitted > 0 ? threads.omitted : undefined,
    stop:
      stop !== undefined && now.threads.get(stop.thread_id)?.stop?.id === stop.stop_id
        ? stop
        : undefined,
  });
}

function endOf({ end }: SessionState): string | undefined {
  return end?.message === undefined ? end?.reason : `${end.reason}: ${end.message}`;
}

/** Returns the current stop of a session, with its innermost frame if the adapter reports it. */
async function stopOf(
  services: ToolServices,
  session: SessionState,
  only: number | undefined,
  signal: AbortSignal,
): Promise<z.input<typeof sessionView>['stop']> {
  const thread = only ?? threadOfStop(session);
  const stop = thread === undefined ? undefined : session.threads.get(thread)?.stop;
  if (thread === undefined || stop === undefined) return undefined;
  const found = { stop_id: stop.id, reason: stop.reason, thread_id: thread };
  try {
    const { frames } = await services.inspector.frames(
      session,
      services.inspector.placeOf(session, thread),
      0,
      1,
      signal,
    );
    const [top] = frames;
    if (top === undefined) return found;
    return {
      ...found,
      source: top.path === undefined ? null : { path: top.path, name: path.basename(top.path) },
      line: top.path === undefined ? null : top.line,
      function_name: top.name,
    };
  } catch (error) {
    if (error instanceof Superseded) return undefined;
    if (asFailure(error) !== undefined) return found;
    throw error;
  }
}
