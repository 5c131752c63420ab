import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import {
  liveSessions,
  rootOf,
  sessionById,
  treeOf,
  type SessionState,
} from '../../debugger/state/state';
import { asFailure } from '../../results/debuggerFailures';
import { Failure } from '../../results/failure';
import { Superseded } from '../../debugger/inspection/inspector';
import type { OutputLine } from '../../debugger/output/outputLog';
import { folded } from '../../debugger/output/repeatedLines';
import { threadList } from '../../results/views/threads';
import { defineTool, success } from '../defineTool';
import { readPattern } from '../agentPattern';
import { chosenView } from './exceptionChoice';
import { chosenFilters, maxChars, resultSchema, sessionId, threadId } from '../schemas';
import type { ToolServices } from '../services';
import { unknownSession } from '../unknownSession';
import { threadOfStop } from '../target';
import { aboutUnreadStreams } from '../reports/unseenOutput';

const session = z.object({
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
  userDescription: 'Tells which debug sessions there are and where they are stopped',
  modelDescription:
    'Tell where everything is: debug sessions (a tree by parent), their threads, the current stop, and the last lines of output.',
  icon: 'pulse',
  input: z.strictObject({
    session_id: sessionId,
    thread_id: threadId.optional().describe('Show only this thread.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    sessions: z.array(session).optional(),
    output: z.array(z.string()).optional(),
    cursor: z.int().optional(),
    exception_filters: z.array(chosenFilters).optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Reading the debug state'),
  run: async ({ input, services, call }) => {
    const { state } = services.model;
    const chosen =
      input.session_id === undefined ? undefined : sessionById(state, input.session_id);
    if (input.session_id !== undefined && chosen === undefined)
      throw unknownSession(state, input.session_id, 'Leave out session_id to see all sessions.');
    const live = liveSessions(state);
    const last = [...state.sessions.values()].at(-1);
    const shown =
      chosen !== undefined
        ? treeOf(state, chosen)
        : live.length > 0
          ? live
          : last === undefined
            ? []
            : treeOf(state, rootOf(state, last));
    const sessions = await Promise.all(
      shown.map((each) => view(services, each, input.thread_id, call.signal)),
    );
    const newest = shown.at(-1);
    const root = newest === undefined ? undefined : rootOf(state, newest);
    const printed =
      root === undefined
        ? []
        : treeOf(state, root).flatMap((each) => services.model.output(each).tail(5));
    const output = printed.sort((one, other) => one.order - other.order).map((line) => line.text);
    return success({
      ...(sessions.length === 0 ? { message: l10n.t('No debug session is running.') } : {}),
      sessions,
      ...chosenView(services),
      ...(output.length > 0 ? { output: output.slice(-5) } : {}),
    });
  },
});

async function view(
  services: ToolServices,
  seen: SessionState,
  only: number | undefined,
  signal: AbortSignal,
): Promise<z.input<typeof session>> {
  const stop = await stopOf(services, seen, only, signal);
  // Meanwhile it may have gone on: what is told is one moment.
  const each = services.model.state.sessions.get(seen.key) ?? seen;
  const parent =
    each.parentKey === undefined ? undefined : services.model.state.sessions.get(each.parentKey);
  const threads = threadList(each, only);
  return {
    session_id: each.id,
    ...(parent !== undefined ? { parent: parent.id } : {}),
    name: each.name,
    type: each.type,
    state: each.lifecycle,
    started: new Date(each.startedAt).toISOString(),
    ...(each.knowledge === 'partial' ? { partly_known: true } : {}),
    ...(services.model.answers.isEvaluating(each.key) ? { evaluating: true } : {}),
    ...(each.process?.pid !== undefined ? { pid: each.process.pid } : {}),
    ...(each.modules > 0 ? { modules: each.modules } : {}),
    ...(each.exitCode !== undefined ? { exit_code: each.exitCode } : {}),
    ...(each.lifecycle === 'terminated' && each.end !== undefined
      ? {
          ended:
            each.end.message === undefined
              ? each.end.reason
              : `${each.end.reason}: ${each.end.message}`,
        }
      : {}),
    ...(threads.shown.length > 0 ? { threads: threads.shown } : {}),
    ...(threads.omitted > 0 ? { omitted_threads: threads.omitted } : {}),
    ...(stop !== undefined && each.threads.get(stop.thread_id)?.stop?.id === stop.stop_id
      ? { stop }
      : {}),
  };
}

/** Where a session is stopped, with its innermost frame where the adapter tells it. */
async function stopOf(
  services: ToolServices,
  each: SessionState,
  only: number | undefined,
  signal: AbortSignal,
): Promise<z.input<typeof session>['stop']> {
  const thread = only ?? threadOfStop(each);
  const held = thread === undefined ? undefined : each.threads.get(thread)?.stop;
  if (thread === undefined || held === undefined) return undefined;
  const found = { stop_id: held.id, reason: held.reason, thread_id: thread };
  try {
    const { frames } = await services.inspector.frames(
      each,
      services.inspector.placeOf(each, thread),
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

const outputLine = z.object({
  text: z.string(),
  times: z.int().optional(),
  category: z.string().optional(),
  session_id: z.string().optional(),
  variables_reference: z.int().optional(),
});

export const getDebugOutput = defineTool({
  name: 'get_debug_output',
  set: 'core',
  effect: 'read',
  title: 'Show Debug Output',
  userDescription: 'Reads what the program printed',
  modelDescription:
    'Read what the program and its debugger printed. since takes the cursor of the last answer; pattern filters lines by a regular expression. Works after the end, too. get_variables expands a logged object by its variables_reference.',
  icon: 'output',
  input: z.strictObject({
    session_id: sessionId,
    since: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('cursor of an earlier answer; only newer lines.'),
    category: z.enum(['stdout', 'stderr', 'console', 'important', 'terminal']).optional(),
    pattern: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Regular expression (RE2: no look-around or back-references); only matching lines.',
      ),
    max_lines: z
      .int()
      .min(1)
      .max(5000)
      .default(50)
      .describe('The newest so many lines, 1 to 5000.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    session_id: z.string().optional(),
    lines: z.array(outputLine).optional(),
    cursor: z.int().optional(),
    dropped: z.int().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Reading the output'),
  run: async ({ input, services }) => {
    const pattern = input.pattern === undefined ? undefined : await readPattern(input.pattern);
    const { state } = services.model;
    const named =
      input.session_id === undefined
        ? (liveSessions(state).at(-1) ?? [...state.sessions.values()].at(-1))
        : sessionById(state, input.session_id);
    if (named === undefined) {
      if (input.session_id !== undefined)
        throw unknownSession(
          state,
          input.session_id,
          'Call get_debug_state for the sessions there are.',
        );
      throw new Failure(
        'no_session',
        l10n.t('No debug session has run yet.'),
        'Call start_debugging first.',
      );
    }
    const printing = printingSessions(services, named, input.session_id !== undefined);
    const logs = printing.map((each) => services.model.output(each));
    const found = printing
      .flatMap((from) => {
        const log = services.model.output(from);
        return log
          .read({ since: log.numberUpTo(input.since), category: input.category, pattern })
          .map((line) => ({ line, from }));
      })
      .sort((one, other) => one.line.order - other.line.order);
    const lines = found.slice(-input.max_lines);
    const isHidden = treeOf(state, rootOf(state, named)).some((each) => each.terminal === 'unread');
    /** The objects that were logged, for get_variables. */
    const reference = (
      { logged }: OutputLine,
      from: SessionState,
    ): { variables_reference?: number } => {
      const handle =
        logged === undefined
          ? 0
          : services.inspector.handles.logged(state.sessions.get(from.key) ?? from, logged);
      return handle > 0 ? { variables_reference: handle } : {};
    };
    // Nothing was found: what was looked for may be what the debugger does not read.
    const unread =
      lines.length > 0 || input.since > 0 ? undefined : aboutUnreadStreams(rootOf(state, named));
    const main = mostFrequent(
      lines.map(({ from }) => from),
      named,
    );
    return success({
      session_id: main.id,
      ...(unread !== undefined ? { hint: unread } : {}),
      ...(isHidden
        ? {
            message: l10n.t(
              'The program runs in a terminal, and VS Code gives none of what is printed there (its shell has no shell integration).',
            ),
          }
        : {}),
      lines: folded(lines, isRepeated).map(({ line: { line, from }, times }) => ({
        text: line.text,
        ...(times > 1 ? { times } : {}),
        ...(line.category === 'stdout' ? {} : { category: line.category }),
        ...(from === main ? {} : { session_id: from.id }),
        ...reference(line, from),
      })),
      cursor: Math.max(0, ...logs.map((each) => each.newestOrder)),
      dropped: logs.reduce((sum, each) => sum + each.dropped, 0),
      ...(found.length > lines.length
        ? { omitted: { lines: found.length - lines.length, fetch_lines: 'max_lines, since' } }
        : {}),
    });
  },
});

type OutputView = { readonly line: OutputLine; readonly from: SessionState };

function isRepeated(one: OutputView, other: OutputView): boolean {
  return (
    one.line.text === other.line.text &&
    one.line.category === other.line.category &&
    one.from === other.from &&
    one.line.logged === undefined &&
    other.line.logged === undefined
  );
}

/** What is said of it once need not be said of each line. */
function mostFrequent(sessions: readonly SessionState[], atATie: SessionState): SessionState {
  const counts = new Map([[atATie, 0]]);
  for (const each of sessions) counts.set(each, (counts.get(each) ?? 0) + 1);
  let most = atATie;
  for (const [each, count] of counts) if (count > (counts.get(most) ?? 0)) most = each;
  return most;
}

/**
 * Whose output is told: of a session that was named, its own and of those below it; else, and where these have printed
 * nothing, of its whole tree. js-debug prints of one program through the parent and the child.
 */
function printingSessions(
  { model }: ToolServices,
  chosen: SessionState,
  isNamed: boolean,
): readonly SessionState[] {
  const below = treeOf(model.state, chosen);
  if (isNamed && below.some((each) => model.output(each).cursor > 0)) return below;
  return treeOf(model.state, rootOf(model.state, chosen));
}
