import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { Superseded } from '../debugger/inspector';
import type { Settled, Wait, WaitOptions } from '../debugger/debugModel';
import { isFailure, isOver, rootOf, treeOf, type DebugState, type SessionState, type StopState } from '../debugger/state';
import type { Report } from '../debugger/stopReport';
import type { Printed } from '../debugger/toldOutput';
import { withWhatWasMissed } from './missed';
import type { runOutcome } from './schemas';
import type { Call, ToolServices } from './services';
import { threadOfStop } from './target';
import { aboutUnseenOutput } from './unseenOutput';

export type RunOutcome = z.input<typeof runOutcome>;

/** What a wait for the program found. */
export type Happening =
  | { readonly kind: 'stopped'; readonly sessionKey: string; readonly stop: StopState }
  | { readonly kind: 'ended'; readonly rootKey: string };

/** How many stops each session had: only a newer one ends a wait. */
export type StopCounts = ReadonlyMap<string, number>;

export function stopCounts(state: DebugState): StopCounts {
  return new Map([...state.sessions.values()].map((session) => [session.key, session.stopCount]));
}

/**
 * The first of: a newer stop anywhere in the session's tree, or the end of the whole tree. Whatever was the reason
 * of the stop, and whoever caused it. When the thread that was let go is no more (or its session), another one that
 * has been held all the while is what there is to look at.
 */
export function happening(state: DebugState, sessionKey: string, since: StopCounts, movedThread?: number): Happening | undefined {
  const session = state.sessions.get(sessionKey);
  if (session === undefined) return { kind: 'ended', rootKey: sessionKey };
  const root = rootOf(state, session);
  for (const member of treeOf(state, root)) {
    const stop = member.lastStop;
    if (stop !== undefined && stop.id > (since.get(member.key) ?? 0) && member.lifecycle === 'stopped') return { kind: 'stopped', sessionKey: member.key, stop };
  }
  if (hasLeft(session, movedThread)) {
    const held = treeOf(state, root).find((member) => member.lifecycle === 'stopped' && member.lastStop !== undefined);
    if (held?.lastStop !== undefined) return { kind: 'stopped', sessionKey: held.key, stop: held.lastStop };
  }
  return isOver(state, root) ? { kind: 'ended', rootKey: root.key } : undefined;
}

function hasLeft(session: SessionState, movedThread: number | undefined): boolean {
  return session.lifecycle === 'terminated' || (movedThread !== undefined && session.lifecycle === 'stopped' && !session.threads.has(movedThread));
}

/** Arms a wait for a stop: what its answer will hold is asked for as soon as it comes. Before the request that it waits for. */
export function armed<T>({ model, prefetch }: ToolServices, select: (state: DebugState) => T | undefined, options: WaitOptions): Wait<T> {
  const over = prefetch.expect();
  const wait = model.wait(select, options);
  void wait.settled.then(over, over);
  return wait;
}

export function waitMilliseconds(timeoutSeconds: number, call: Call): number {
  return Math.min(timeoutSeconds, call.maxWaitSeconds) * 1000;
}

/**
 * Waits for what happens next in a tree and answers with it. Where the program moved on before the stop could be
 * looked at (the person pressed F10), what holds it now is told instead, or else the wait goes on.
 */
export async function outcomeOf(services: ToolServices, call: Call, sessionKey: string, first: Wait<Happening>, deadline: number, how: Report = 'whole'): Promise<RunOutcome> {
  const { model } = services;
  let settled: Settled<Happening> = await first.settled;
  for (;;) {
    if (settled.kind === 'timeout') return timedOut(services, sessionKey);
    if (settled.kind === 'cancelled') return interrupted();
    if (settled.value.kind === 'ended') return await endOfRun(services, settled.value.rootKey);
    const { sessionKey: held } = settled.value;
    const since = stopCounts(model.state);
    try {
      return await stoppedOutcome(services, call, held, undefined, how);
    } catch (error) {
      if (!(error instanceof Superseded) || (isStopped(model.state, held) && performance.now() >= deadline)) throw error;
    }
    const next = (state: DebugState): Happening | undefined => {
      const session = state.sessions.get(held);
      if (session?.lifecycle === 'stopped' && session.lastStop !== undefined) return { kind: 'stopped', sessionKey: held, stop: session.lastStop };
      return happening(state, sessionKey, since);
    };
    settled = await armed(services, next, { timeoutMs: Math.max(0, deadline - performance.now()), signal: call.signal }).settled;
  }
}

function isStopped(state: DebugState, sessionKey: string): boolean {
  return state.sessions.get(sessionKey)?.lifecycle === 'stopped';
}

/** The answer about a session that is stopped now, or about one of its threads. @throws Superseded when it is not any more */
export async function stoppedOutcome(services: ToolServices, call: Call, sessionKey: string, thread?: number, how: Report = 'whole'): Promise<RunOutcome> {
  const before = services.model.state.sessions.get(sessionKey);
  if (before?.lifecycle !== 'stopped') throw new Superseded();
  const threadId = thread ?? threadOfStop(before) ?? (await firstThread(services, before, call));
  const session = services.model.state.sessions.get(sessionKey);
  if (threadId === undefined || session === undefined) throw new Superseded();
  const stop = await services.stops.report(session, threadId, call.signal, how);
  const ending = stop.exit_code === undefined ? undefined : l10n.t('The program is about to end with exit code {0}: nobody catches its SystemExit. Call continue_debugging to let it end.', stop.exit_code);
  return { status: 'stopped', ...(ending !== undefined ? { message: ending } : {}), stop_event_data: stop };
}

/** A stop may name no thread: then the adapter's list of threads tells which are held. */
async function firstThread(services: ToolServices, session: SessionState, call: Call): Promise<number | undefined> {
  await services.inspector.threads(session, call.signal);
  const now = services.model.state.sessions.get(session.key);
  return now === undefined ? undefined : threadOfStop(now);
}

export function completed(services: ToolServices, rootKey: string): RunOutcome {
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined) return { status: 'completed', message: l10n.t('The debug session ended normally.') };
  const members = treeOf(services.model.state, root);
  const exitCode = members.map((each) => each.exitCode).find((each) => each !== undefined);
  const failed = members.find((each) => isFailure(each.end))?.end;
  const tail = tailOf(services.stops.output.untold(members));
  if (failed !== undefined) {
    const words = failed.message ?? l10n.t('no reason given');
    if (failed.reason === 'program_lost') {
      return { status: 'error', code: 'adapter_error', message: l10n.t('The debugger “{0}” has lost the program, which may still run: {1}', root.type, words), hint: 'The session is over. Look whether the program still runs before you call start_debugging again.', session_id: root.id, ...tail };
    }
    return failed.reason === 'adapter_gone'
      ? { status: 'error', code: 'adapter_error', message: l10n.t('The debug adapter “{0}” is gone: {1}', root.type, words), hint: 'The session is over. Call get_debug_output for its last words, then start_debugging.', session_id: root.id, ...tail }
      : { status: 'error', code: 'launch_failed', message: l10n.t('“{0}” could not be started: {1}', root.name, words), hint: 'Fix the cause, or change the configuration, then call start_debugging again.', session_id: root.id, ...tail };
  }
  const hint = root.endAsked ? undefined : aboutUnseenOutput(services.model, root, members, exitCode);
  return { status: 'completed', message: endOf(root, exitCode), ...(hint !== undefined ? { hint } : {}), session_id: root.id, ...(exitCode !== undefined ? { exit_code: exitCode } : {}), ...tail };
}

/** The answer about a tree that is over, with what the program went past where it ended by itself. */
export async function endOfRun(services: ToolServices, rootKey: string): Promise<RunOutcome> {
  const ended = completed(services, rootKey);
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined || root.endAsked || ended.status !== 'completed') return ended;
  return await withWhatWasMissed(services, ended, treeOf(services.model.state, root));
}

/** js-debug tells the exit code unless it is 0. Where another debugger tells none, nobody knows whether all went well. */
function endOf(root: SessionState, exitCode: number | undefined): string {
  // The root alone tells: a child that was let go does not end the program that started it.
  if (root.endAsked) {
    return root.configuration['request'] === 'attach'
      ? l10n.t('Somebody ended the debug session (the person, or stop_debugging): the program that it was attached to may go on.')
      : l10n.t('Somebody ended the debug session (the person, or stop_debugging): the program did not end by itself.');
  }
  if (exitCode !== undefined && exitCode !== 0) return l10n.t('The program ended with exit code {0}.', exitCode);
  if (exitCode === 0 || root.type.endsWith('node') || root.configuration['request'] === 'attach') return l10n.t('The debug session ended normally.');
  return l10n.t('The debug session has ended; the debugger has not told the program\'s exit code.');
}

/** Still running, with what was printed meanwhile: a server says in its output that it is up. */
export function timedOut({ model, stops }: ToolServices, sessionKey: string): RunOutcome {
  const session = model.state.sessions.get(sessionKey);
  const tree = session === undefined ? [] : treeOf(model.state, rootOf(model.state, session));
  // Before its adapter has answered the launch or attach, nobody knows whether there is a program.
  const isStarting = tree.length > 0 && tree.every((each) => each.lifecycle === 'starting' && each.threads.size === 0);
  const isEvaluating = tree.some((each) => model.answers.isEvaluating(each.key));
  return {
    status: 'timeout',
    message: isEvaluating
      ? l10n.t('The wait timed out: an expression that was evaluated has not been answered and may still run, and the debugger may do nothing until it ends. Call wait_for_stop to go on waiting, or stop_debugging to give up.')
      : isStarting
      ? l10n.t('The wait timed out; the debugger is still starting the program or connecting to it. Call wait_for_stop to go on waiting, or stop_debugging to give up.')
      : l10n.t('Waiting for the debugger to stop or end timed out; the program is still running. Call wait_for_stop to go on waiting, or pause_debugging to stop it.'),
    ...(session !== undefined ? { session_id: session.id, ...tailOf(stops.output.untold(tree)) } : {}),
  };
}

/** Output as an answer tells it. */
export function tailOf({ lines, omitted }: Printed): Pick<RunOutcome, 'output' | 'omitted'> {
  return { ...(lines.length > 0 ? { output: lines } : {}), ...(omitted > 0 ? { omitted: { output_lines: omitted, fetch_output_lines: 'get_debug_output' } } : {}) };
}

export function interrupted(): RunOutcome {
  return { status: 'interrupted', message: l10n.t('The wait was cancelled; the program goes on.') };
}
