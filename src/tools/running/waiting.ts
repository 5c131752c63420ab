import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { Superseded } from '../../debugger/inspection/inspector';
import type { Settled, Wait, WaitOptions } from '../../debugger/state/debugModel';
import { hasExited } from '../../debugger/state/sessionEnd';
import {
  isFailure,
  isOver,
  rootOf,
  treeOf,
  type DebugState,
  type SessionState,
  type StopState,
} from '../../debugger/state/state';
import type { Report } from '../../results/views/stopReport';
import type { Printed } from '../../results/views/toldOutput';
import { withWhatWasMissed } from './missed';
import type { runOutcome } from '../schemas';
import type { Call, ToolServices } from '../services';
import { aboutInputWait, aboutMissingInput, inputWaitOf } from './standardInput';
import { threadOfStop } from '../target';
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
export function happening(
  state: DebugState,
  sessionKey: string,
  since: StopCounts,
  movedThread?: number,
): Happening | undefined {
  const session = state.sessions.get(sessionKey);
  if (session === undefined) return { kind: 'ended', rootKey: sessionKey };
  const root = rootOf(state, session);
  for (const member of treeOf(state, root)) {
    const stop = member.lastStop;
    if (
      stop !== undefined &&
      stop.id > (since.get(member.key) ?? 0) &&
      member.lifecycle === 'stopped'
    )
      return { kind: 'stopped', sessionKey: member.key, stop };
  }
  if (hasLeft(session, movedThread)) {
    const held = treeOf(state, root).find(
      (member) => member.lifecycle === 'stopped' && member.lastStop !== undefined,
    );
    if (held?.lastStop !== undefined)
      return { kind: 'stopped', sessionKey: held.key, stop: held.lastStop };
  }
  return isOver(state, root) ? { kind: 'ended', rootKey: root.key } : undefined;
}

function hasLeft(session: SessionState, movedThread: number | undefined): boolean {
  return (
    session.lifecycle === 'terminated' ||
    (movedThread !== undefined &&
      session.lifecycle === 'stopped' &&
      !session.threads.has(movedThread))
  );
}

/** Arms a wait for a stop: what its answer will hold is asked for as soon as it comes. Before the request that it waits for. */
export function armed<T>(
  { model, prefetch }: ToolServices,
  select: (state: DebugState) => T | undefined,
  options: WaitOptions,
): Wait<T> {
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
export async function outcomeOf(
  services: ToolServices,
  call: Call,
  sessionKey: string,
  first: Wait<Happening>,
  deadline: number,
  how: Report = 'whole',
): Promise<RunOutcome> {
  const { model } = services;
  let settled: Settled<Happening> = await first.settled;
  for (;;) {
    if (settled.kind === 'timeout') return await timeOut(services, sessionKey);
    if (settled.kind === 'cancelled') return interrupted();
    if (settled.value.kind === 'ended') return await ending(services, call, settled.value.rootKey);
    const { sessionKey: held } = settled.value;
    const since = stopCounts(model.state);
    try {
      return await stoppedOutcome(services, call, held, undefined, how);
    } catch (error) {
      if (
        !(error instanceof Superseded) ||
        (isStopped(model.state, held) && performance.now() >= deadline)
      )
        throw error;
    }
    const next = (state: DebugState): Happening | undefined => {
      const session = state.sessions.get(held);
      if (session?.lifecycle === 'stopped' && session.lastStop !== undefined)
        return { kind: 'stopped', sessionKey: held, stop: session.lastStop };
      return happening(state, sessionKey, since);
    };
    settled = await armed(services, next, {
      timeoutMs: Math.max(0, deadline - performance.now()),
      signal: call.signal,
    }).settled;
  }
}

function isStopped(state: DebugState, sessionKey: string): boolean {
  return state.sessions.get(sessionKey)?.lifecycle === 'stopped';
}

/** The answer about a session that is stopped now, or about one of its threads. @throws Superseded when it is not any more */
export async function stoppedOutcome(
  services: ToolServices,
  call: Call,
  sessionKey: string,
  thread?: number,
  how: Report = 'whole',
): Promise<RunOutcome> {
  const before = services.model.state.sessions.get(sessionKey);
  if (before?.lifecycle !== 'stopped') throw new Superseded();
  const threadId = thread ?? threadOfStop(before) ?? (await firstThread(services, before, call));
  const session = services.model.state.sessions.get(sessionKey);
  if (threadId === undefined || session === undefined) throw new Superseded();
  const stop = await services.stops.report(session, threadId, call.signal, how);
  const message =
    stop.exit_code === undefined
      ? undefined
      : l10n.t(
          'The program is about to end with exit code {0}: nobody catches its SystemExit. Call continue_debugging to let it end.',
          stop.exit_code,
        );
  const hint = aboutMissingInput(stop.exception?.type, session);
  return {
    status: 'stopped',
    ...(message === undefined ? {} : { message }),
    stop_event_data: stop,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** A stop may name no thread: then the adapter's list of threads tells which are held. */
async function firstThread(
  services: ToolServices,
  session: SessionState,
  call: Call,
): Promise<number | undefined> {
  await services.inspector.threads(session, call.signal);
  const now = services.model.state.sessions.get(session.key);
  return now === undefined ? undefined : threadOfStop(now);
}

/** How long the shell of a terminal may take to report how its command ended, after the debugger has reported its end. */
const SHELL_LIMIT_MS = 2000;

/**
 * The answer about a tree that is over, with what the program went past where it ended by itself. Of a program in a
 * terminal, the shell reports the exit code, and a little later.
 */
export async function ending(
  services: ToolServices,
  call: Call,
  rootKey: string,
): Promise<RunOutcome> {
  const isReported = (state: DebugState): true | undefined => {
    const root = state.sessions.get(rootKey);
    const members = root === undefined ? [] : treeOf(state, root);
    const isAwaited =
      members.some((each) => each.terminal === 'read') &&
      !members.some((each) => hasExited(each) || each.endAsked || isFailure(each.end));
    return isAwaited ? undefined : true;
  };
  await services.model.wait(isReported, { timeoutMs: SHELL_LIMIT_MS, signal: call.signal }).settled;
  const ended = completed(services, rootKey);
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined || root.endAsked || ended.status !== 'completed') return ended;
  return await withWhatWasMissed(services, ended, treeOf(services.model.state, root));
}

export function completed(services: ToolServices, rootKey: string): RunOutcome {
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined)
    return {
      status: 'completed',
      message: l10n.t("The debug session has ended; the program's exit code is not known."),
    };
  const members = treeOf(services.model.state, root);
  const exitCode = members.map((each) => each.exitCode).find((each) => each !== undefined);
  const failed = members.find((each) => isFailure(each.end))?.end;
  const tail = tailOf(services.stops.output.untold(members));
  if (failed !== undefined) {
    const words = failed.message ?? l10n.t('no reason given');
    if (failed.reason === 'program_lost') {
      return {
        status: 'error',
        code: 'adapter_error',
        message: l10n.t(
          'The debugger “{0}” has lost the program, which may still run: {1}',
          root.type,
          words,
        ),
        hint: 'The session is over. Look whether the program still runs before you call start_debugging again.',
        session_id: root.id,
        ...tail,
      };
    }
    return failed.reason === 'adapter_gone'
      ? {
          status: 'error',
          code: 'adapter_error',
          message: l10n.t('The debug adapter “{0}” is gone: {1}', root.type, words),
          hint: 'The session is over. Call get_debug_output for its last words, then start_debugging.',
          session_id: root.id,
          ...tail,
        }
      : {
          status: 'error',
          code: 'launch_failed',
          message: l10n.t('“{0}” could not be started: {1}', root.name, words),
          hint: 'Fix the cause, or change the configuration, then call start_debugging again.',
          session_id: root.id,
          ...tail,
        };
  }
  const signal = members.map((each) => each.exitSignal).find((each) => each !== undefined);
  const hint = root.endAsked ? undefined : aboutEnd(services, root, members, tail.output ?? []);
  return {
    status: 'completed',
    message: endOf(root, exitCode, signal),
    ...(hint !== undefined ? { hint } : {}),
    session_id: root.id,
    ...(exitCode !== undefined ? { exit_code: exitCode } : {}),
    ...tail,
  };
}

/** What to do or to look at, where a program did not end well, or where nobody knows. */
function aboutEnd(
  { model }: ToolServices,
  root: SessionState,
  members: readonly SessionState[],
  output: readonly string[],
): string | undefined {
  if (!members.some(hasExited)) return aboutUnknownExit(root, members);
  const exitCode = members.map((each) => each.exitCode).find((each) => each !== undefined);
  if (exitCode === 0) return undefined;
  return (
    aboutMissingInput(
      output.findLast((line) => aboutMissingInput(line, root) !== undefined),
      root,
    ) ?? aboutUnseenOutput(model, root, members, exitCode)
  );
}

/** Without an exit code nobody knows whether all went well, so nothing is said of that. */
function endOf(
  root: SessionState,
  exitCode: number | undefined,
  signal: string | undefined,
): string {
  // The root alone tells: a child that was let go does not end the program that started it.
  if (root.endAsked) {
    return root.configuration['request'] === 'attach'
      ? l10n.t(
          'Somebody ended the debug session (the person, or stop_debugging): the program that it was attached to may go on.',
        )
      : l10n.t(
          'Somebody ended the debug session (the person, or stop_debugging): the program did not end by itself.',
        );
  }
  if (exitCode === 0) return l10n.t('The debug session ended normally.');
  if (exitCode !== undefined) return l10n.t('The program ended with exit code {0}.', exitCode);
  if (signal !== undefined) return l10n.t('The program was ended by the signal {0}.', signal);
  return l10n.t("The debug session has ended; the program's exit code is not known.");
}

/** Where to look for how a program ended. */
function aboutUnknownExit(
  { configuration }: SessionState,
  members: readonly SessionState[],
): string {
  if (configuration['request'] === 'attach')
    return 'A debugger reports the exit code of programs that it starts. Look where this one was started.';
  if (configuration['console'] === 'externalTerminal')
    return 'Its terminal may show how it ended. With "console": "integratedTerminal" in the configuration the exit code is reported.';
  if (members.some((each) => each.terminal !== 'none'))
    return 'Its terminal in VS Code may show how it ended; VS Code reports exit codes of shells with shell integration only.';
  return 'This debugger does not report it: look at what the program printed. With "console": "integratedTerminal" in the configuration, where the debugger has that, VS Code reports it.';
}

/** The same, with what is known of the program's standard input: one that waits for it would be waited for in vain. */
export async function timeOut(services: ToolServices, sessionKey: string): Promise<RunOutcome> {
  const outcome = timedOut(services, sessionKey);
  const session = services.model.state.sessions.get(sessionKey);
  const members =
    session === undefined
      ? []
      : treeOf(services.model.state, rootOf(services.model.state, session));
  const wait = await inputWaitOf(members);
  return wait === undefined ? outcome : { ...outcome, ...aboutInputWait(wait, members) };
}

/** Still running, with what was printed meanwhile: a server says in its output that it is up. */
export function timedOut({ model, stops }: ToolServices, sessionKey: string): RunOutcome {
  const session = model.state.sessions.get(sessionKey);
  const tree = session === undefined ? [] : treeOf(model.state, rootOf(model.state, session));
  // Before its adapter has answered the launch or attach, nobody knows whether there is a program.
  const isStarting =
    tree.length > 0 &&
    tree.every((each) => each.lifecycle === 'starting' && each.threads.size === 0);
  const isEvaluating = tree.some((each) => model.answers.isEvaluating(each.key));
  return {
    status: 'timeout',
    message: isEvaluating
      ? l10n.t(
          'The wait timed out: an expression that was evaluated has not been answered and may still run, and the debugger may do nothing until it ends. Call wait_for_stop to go on waiting, or stop_debugging to give up.',
        )
      : isStarting
        ? l10n.t(
            'The wait timed out; the debugger is still starting the program or connecting to it. Call wait_for_stop to go on waiting, or stop_debugging to give up.',
          )
        : l10n.t(
            'Waiting for the debugger to stop or end timed out; the program is still running. Call wait_for_stop to go on waiting, or pause_debugging to stop it.',
          ),
    ...(session !== undefined
      ? { session_id: session.id, ...tailOf(stops.output.untold(tree)) }
      : {}),
  };
}

/** Output as an answer tells it. */
export function tailOf({ lines, omitted }: Printed): Pick<RunOutcome, 'output' | 'omitted'> {
  return {
    ...(lines.length > 0 ? { output: lines } : {}),
    ...(omitted > 0
      ? { omitted: { output_lines: omitted, fetch_output_lines: 'get_debug_output' } }
      : {}),
  };
}

export function interrupted(): RunOutcome {
  return { status: 'interrupted', message: l10n.t('The wait was cancelled; the program goes on.') };
}
