import * as l10n from '@vscode/l10n';
import type { Outcome, RunLimits } from '../../control/outcome';
import { Superseded } from '../../debugger/inspection/stopRequests';
import type { OutputLine } from '../../debugger/output/outputLog';
import {
  isEvaluating,
  rootOf,
  threadOfStop,
  treeOf,
  type DebugState,
  type SessionState,
} from '../../debugger/state/state';
import type { StopDetail } from '../../results/views/stopReport';
import { defined } from '../../util/defined';
import { success } from '../defineTool';
import type { RunResult } from '../schemas';
import type { Call, ToolServices } from '../services';
import { reportEnd, tailOf } from './endReport';
import { aboutInputWait, aboutMissingInput, inputWaitOf } from './inputWait';

/** Returns the limits of a call that reports the stop that it waits for. */
export function limitsOf(timeoutSeconds: number, call: Call): RunLimits {
  const timeoutMs = Math.min(timeoutSeconds, call.maxWaitSeconds) * 1000;
  return { deadline: performance.now() + timeoutMs, signal: call.signal, prefetch: 'fields' };
}

/**
 * Reports an outcome. If the program continued before the stop could be read (for example, the person pressed F10), the
 * current stop is reported instead, or the wait continues.
 * @param sessionKey the session that the call acts on
 */
export async function reportRun(
  services: ToolServices,
  call: Call,
  sessionKey: string,
  outcome: Outcome,
  limits: RunLimits,
  detail: StopDetail = 'whole',
): Promise<RunResult> {
  let current = outcome;
  while (current.kind === 'stopped') {
    const { sessionKey: stoppedKey } = current;
    try {
      return await reportStop(services, call, stoppedKey, undefined, detail);
    } catch (error) {
      const isLate = performance.now() >= limits.deadline;
      if (!(error instanceof Superseded)) throw error;
      if (isLate && isStopped(services.model.state, stoppedKey)) throw error;
    }
    current = await services.control.present(stoppedKey, sessionKey, limits);
  }
  switch (current.kind) {
    case 'ended':
      return await reportEnd(services, call, current.rootKey);
    case 'timeout':
      return await reportTimeout(services, sessionKey);
    case 'cancelled':
      return interrupted();
  }
}

function isStopped(state: DebugState, sessionKey: string): boolean {
  return state.sessions.get(sessionKey)?.lifecycle === 'stopped';
}

/** Reports the stop of a session, or of one of its threads. @throws Superseded if it is no longer stopped */
export async function reportStop(
  services: ToolServices,
  call: Call,
  sessionKey: string,
  thread?: number,
  detail: StopDetail = 'whole',
): Promise<RunResult> {
  const before = services.model.state.sessions.get(sessionKey);
  if (before?.lifecycle !== 'stopped') throw new Superseded();
  const threadId = thread ?? threadOfStop(before) ?? (await firstThread(services, before, call));
  const session = services.model.state.sessions.get(sessionKey);
  if (threadId === undefined || session === undefined) throw new Superseded();
  const stop = await services.stops.report(session, threadId, call.signal, detail);
  const message =
    stop.exit_code === undefined
      ? undefined
      : l10n.t(
          'The program is about to end with exit code {0}, because its SystemExit is not caught. Call continue_debugging to let it end.',
          stop.exit_code,
        );
  const hint = aboutMissingInput(stop.exception?.type, session);
  return defined({
    status: 'stopped',
    message,
    stop_event_data: stop,
    hint,
  });
}

/** Returns the stopped thread if the stop names none. The adapter's list of threads then shows the stopped ones. */
async function firstThread(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<number | undefined> {
  await services.inspector.threads(session, call.signal);
  const now = services.model.state.sessions.get(session.key);
  return now === undefined ? undefined : threadOfStop(now);
}

/**
 * Reports a timeout. If the program waits for standard input, the report says so, because another wait would not help.
 */
export async function reportTimeout(
  services: ToolServices,
  sessionKey: string,
): Promise<RunResult> {
  const outcome = timeoutResult(services, sessionKey);
  const session = services.model.state.sessions.get(sessionKey);
  const members =
    session === undefined
      ? []
      : treeOf(services.model.state, rootOf(services.model.state, session));
  const wait = await inputWaitOf(members);
  if (session === undefined || wait === undefined) return outcome;
  const isOpen = services.inputs.of(session)?.state === 'open';
  return { ...outcome, ...aboutInputWait(wait, members, isOpen) };
}

/**
 * Reports that the program is still running, with its output. For example, a server reports in its output that it is
 * ready.
 */
export function timeoutResult({ model, stops }: ToolServices, sessionKey: string): RunResult {
  const session = model.state.sessions.get(sessionKey);
  const tree = session === undefined ? [] : treeOf(model.state, rootOf(model.state, session));
  // Before the adapter has responded to `launch` or `attach`, it is unknown whether a program exists.
  const isStarting =
    tree.length > 0 &&
    tree.every(({ lifecycle, threads }) => lifecycle === 'starting' && threads.size === 0);
  return {
    status: 'timeout',
    message: timeoutMessage(tree.some(isEvaluating), isStarting),
    ...(session !== undefined
      ? { session_id: session.id, ...tailOf(stops.output.takeUnreported(tree)) }
      : {}),
  };
}

function timeoutMessage(waitsForExpression: boolean, isStarting: boolean): string {
  if (waitsForExpression)
    return l10n.t(
      'The wait timed out. An evaluated expression has not returned and may still run; the debugger may not respond until it ends. Call wait_for_stop to wait longer, or stop_debugging to end the session.',
    );
  if (isStarting)
    return l10n.t(
      'The wait timed out. The debugger is still starting the program or connecting to it. Call wait_for_stop to wait longer, or stop_debugging to end the session.',
    );
  return l10n.t(
    'The wait for a stop timed out. The program is still running. Call wait_for_stop to wait longer, or pause_debugging to pause it.',
  );
}

/** A printed line that a call waited for. */
export interface AwaitedLine {
  readonly line: OutputLine;
  readonly cursor: number;
  /** Whether the line was printed before the call, after the last result. */
  readonly wasThere: boolean;
}

/** Reports a printed line. */
export function reportLine(sessionId: string, { line, cursor, wasThere }: AwaitedLine) {
  const message = wasThere
    ? l10n.t(
        'The program printed a matching line before this call and after the last result. It is still running.',
      )
    : l10n.t('The program printed a matching line and is still running.');
  return success({ message, session_id: sessionId, matched: { line: line.text, cursor } });
}

export function interrupted(): RunResult {
  return {
    status: 'interrupted',
    message: l10n.t('The wait was cancelled. The program is still running.'),
  };
}
