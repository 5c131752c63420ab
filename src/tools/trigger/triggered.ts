import * as l10n from '@vscode/l10n';
import type { RunLimits } from '../../control/outcome';
import type { Trigger, TriggerPlan } from '../../control/triggers/triggers';
import { Superseded } from '../../debugger/inspection/stopRequests';
import { hasExited } from '../../debugger/state/sessionEnd';
import { rootOf, treeOf, type SessionState } from '../../debugger/state/state';
import { reportStop, timeoutResult } from '../reports/runReport';
import type { RunResult } from '../schemas';
import type { Call, ToolServices } from '../services';
import { isSetUp } from './ready';
import { triggerReport, type TriggerResult } from './triggerReport';
import type { ReadTrigger } from './triggerInput';
import { triggerPending } from './triggerPending';

/**
 * The time for which a call still waits for a stop after its trigger has ended, in milliseconds. Code that runs right
 * after the answer may reach a breakpoint.
 */
export const AFTER_ANSWER_MS = 500;

/** The part of a result that this file reads and adds. */
interface Triggered {
  readonly status: string;
  readonly trigger?: TriggerResult | undefined;
}

export interface TriggeredCall<R extends Triggered> {
  readonly call: Call;
  readonly limits: RunLimits;
  /** The trigger of this call, or the one of an earlier call that may end in this one. */
  readonly trigger: Trigger | undefined;
  /** Whether the call waits for something else than a stop, which may come long after the answer. */
  readonly waitsOn?: boolean;
  /** The session that the call acts on, once it exists. */
  readonly session: () => SessionState | undefined;
  readonly run: (limits: RunLimits) => Promise<R>;
}

/**
 * Runs the part of a call that waits for the program, and adds what became of its trigger. The wait for a stop also ends
 * when the trigger has ended and the program has not stopped.
 */
export async function withTrigger<R extends Triggered>(
  services: ToolServices,
  { call, limits, trigger, waitsOn = false, session, run }: TriggeredCall<R>,
): Promise<R> {
  if (trigger === undefined) return await run(limits);
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  if (trigger.end === undefined && !waitsOn)
    void trigger.settled.then(() => {
      if (!endsWait(trigger)) return;
      timer = setTimeout(() => {
        // Its exit is known, and the end of its session follows. Then nothing says that it still runs.
        if (!isEnding(services, session())) ended.abort();
      }, AFTER_ANSWER_MS);
    });
  try {
    const signal = AbortSignal.any([limits.signal, ended.signal]);
    const result = await run({ ...limits, signal });
    trigger.disarm();
    // After the end of the program, a request ends soon, or is aborted.
    if (result.status === 'completed' && trigger.state === 'pending') await trigger.settled;
    const isAnswered = ended.signal.aborted && !call.signal.aborted;
    const shown =
      result.status === 'interrupted' && isAnswered
        ? { ...result, ...(await reportAnswered(services, call, session())) }
        : result;
    return { ...shown, trigger: reportOnce(services, trigger) };
  } catch (error) {
    // A trigger that is pending, or was not reported, stays for the next call.
    trigger.disarm();
    if (trigger.state === 'notSent') services.triggers.forget(trigger);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what became of a trigger. Its end is reported once. */
export function reportOnce(services: ToolServices, trigger: Trigger): TriggerResult {
  const report = triggerReport(trigger);
  if (report.state !== 'pending') services.triggers.forget(trigger);
  return report;
}

/** When a trigger for a session may be sent: after the call has resumed the program, or while the program runs. */
export type SentWhen = 'resumed' | 'running';

/**
 * Arms the trigger of a call for a session, or returns the one of an earlier call that may end in this one.
 * @throws Failure `trigger_pending`
 */
export function triggerFor(
  services: ToolServices,
  session: SessionState,
  read: ReadTrigger | undefined,
  when: SentWhen = 'resumed',
): Trigger | undefined {
  const { triggers, model } = services;
  if (read === undefined) return triggers.of(session);
  checkNonePending(services, session);
  const sessions = (): readonly SessionState[] => {
    const now = model.state.sessions.get(session.key);
    return now === undefined ? [] : treeOf(model.state, rootOf(model.state, now));
  };
  return arm(services, session, {
    ...read,
    sessions,
    isReady: (state) => {
      const now = state.sessions.get(session.key);
      if (now?.lifecycle !== 'running') return false;
      return when === 'running' ? isSetUp(sessions()) : now.epochOf.resume > session.epochOf.resume;
    },
  });
}

/** @throws Failure `trigger_pending` if the trigger of an earlier call has not ended */
export function checkNonePending({ triggers }: ToolServices, session: SessionState): void {
  if (triggers.of(session)?.state === 'pending') throw triggerPending(session);
}

/** Arms a trigger in place of one whose end no call has reported. @param session undefined if a program is started */
export function arm(
  { triggers }: ToolServices,
  session: SessionState | undefined,
  plan: TriggerPlan,
): Trigger {
  const earlier = session === undefined ? undefined : triggers.of(session);
  if (earlier !== undefined) triggers.forget(earlier);
  return triggers.arm(plan);
}

/** A command may only have begun something, such as a message in a queue, unless it failed. */
export function endsWait({ end, plan }: Trigger): boolean {
  if (end === undefined) return false;
  return plan.request.kind === 'http' || end.kind !== 'exited' || end.code !== 0;
}

/** Whether a program has ended, or is about to, although its session has not ended yet. */
export function isEnding({ model }: ToolServices, session: SessionState | undefined): boolean {
  if (session === undefined) return false;
  const root = rootOf(model.state, session);
  return root.lifecycle === 'terminated' || root.lifecycle === 'terminating' || hasExited(root);
}

async function reportAnswered(
  services: ToolServices,
  call: Call,
  session: SessionState | undefined,
): Promise<RunResult> {
  const { model } = services;
  const root = session === undefined ? undefined : rootOf(model.state, session);
  const tree = root === undefined ? [] : treeOf(model.state, root);
  const stopped = tree.find((member) => member.lifecycle === 'stopped');
  try {
    // It may have stopped while the wait ended.
    if (stopped !== undefined) return await reportStop(services, call, stopped.key);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
  return {
    ...timeoutResult(services, root?.key ?? ''),
    message: l10n.t(
      'The trigger has ended and the program has not stopped. It is still running. Call wait_for_stop if it may stop later.',
    ),
  };
}
