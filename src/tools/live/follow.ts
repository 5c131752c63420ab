import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { BoundedRun, RunStep } from '../../control/boundedRun';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { timeLimit } from '../../util/timeLimit';
import { interrupted, reportStop, timeoutResult } from '../reports/runReport';
import { reportEnd } from '../reports/endReport';
import { sameTriggerInput, type TriggerInput } from '../trigger/triggerInput';
import type { RunResult } from '../schemas';
import type { Call, ToolServices } from '../services';
import { resolveSession } from '../targetSession';
import { isUp } from '../trigger/ready';
import { RunTrigger } from '../trigger/runTrigger';
import { triggerLines } from '../trigger/triggerCard';
import {
  checkStarted,
  reachInput,
  reachLines,
  sessionOf,
  withRun,
  type Reach,
  type ReachInput,
} from '../trace/reach';

/** The time for which a program runs before it is read, if the call does not say it, in seconds. */
const WAIT_SECONDS = 5;

/** The time that a call keeps for what it reads and for the end of the program, in seconds. */
const OWN_SECONDS = 15;

/** The parameters of a call that may start the program that it is about, or send a trigger to it. */
export const followInput = {
  ...reachInput,
  trigger: sameTriggerInput,
  wait_seconds: z.number().min(0.1).max(120).optional(),
};

export interface FollowInput extends ReachInput {
  readonly trigger?: TriggerInput | undefined;
  readonly wait_seconds?: number | undefined;
}

/** A program that is followed, at the moment for which the call waits. */
export interface Followed {
  readonly run: BoundedRun;
  readonly session: SessionState;
  /** Sends the trigger once more and waits for its end. Returns the result of the call if the program does not run on. */
  readonly repeat: () => Promise<RunResult | undefined>;
}

export interface FollowPlan {
  /** The name of the tool. */
  readonly holder: string;
  readonly input: FollowInput;
  readonly reach: Reach;
  /** Whether the end of the trigger is awaited. Otherwise the program is read some seconds after it was sent. */
  readonly untilAnswered: boolean;
  readonly keepsPaused: boolean;
}

/** Whether a call starts a program or lets it run for a while, instead of reading it at once. */
export function follows(input: FollowInput, reach: Reach): boolean {
  return reach.kind === 'launch' || input.trigger !== undefined || input.wait_seconds !== undefined;
}

/** Returns the seconds for which a call waits. */
export function waitSeconds({ wait_seconds: seconds = WAIT_SECONDS }: FollowInput): number {
  return seconds;
}

/** Returns the lines of the question about a start and a trigger, in Markdown. */
export async function followLines(
  services: ToolServices,
  input: FollowInput,
  reach: Reach,
): Promise<readonly string[]> {
  if (!follows(input, reach)) return [];
  return [...(await reachLines(services, reach)), ...(await triggerLines(services, input.trigger))];
}

/**
 * Starts a program or takes a running one, lets it run, and uses it. If it stops or ends meanwhile, that is the result.
 * A program that the call has started is ended afterwards, or stays paused. Another one goes on.
 * @throws Failure if the program cannot be started, and the errors of `use`
 */
export async function follow<R extends { readonly status: string }>(
  services: ToolServices,
  call: Call,
  plan: FollowPlan,
  use: (followed: Followed) => Promise<R>,
): Promise<(R | RunResult) & Record<string, unknown>> {
  const { input, reach, holder } = plan;
  const trigger = await RunTrigger.prepare(services, input.trigger, sessionOf(reach));
  const seconds = Math.max(1, call.maxWaitSeconds - OWN_SECONDS);
  const limits = { deadline: performance.now() + seconds * 1000, signal: call.signal, holder };
  try {
    return await withRun(services, call, reach, limits, async (run) => {
      const following = new Following(services, call, plan, run);
      const result = await following.result(trigger, use);
      const program = await left(run, plan.keepsPaused);
      const report = following.repeated ?? (await trigger.report(run));
      // The id of an ended session would lead nowhere.
      const ended = program === 'ended' ? { session_id: undefined } : {};
      return { ...result, ...defined({ program }), ...ended, ...report };
    });
  } finally {
    trigger.dispose();
  }
}

/** Leaves the program as the question said. Returns its state if the call has started it. */
async function left(run: BoundedRun, keepsPaused: boolean): Promise<string | undefined> {
  if (!run.isLaunch) return undefined;
  return await run.finish(keepsPaused ? 'stayStopped' : 'stopProgram');
}

class Following {
  /** What became of the trigger that was sent once more. */
  repeated: Awaited<ReturnType<RunTrigger['report']>> | undefined;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: FollowPlan,
    private readonly run: BoundedRun,
  ) {}

  /** Lets the program run, and uses it then. */
  async result<R>(
    trigger: RunTrigger,
    use: (followed: Followed) => Promise<R>,
  ): Promise<R | RunResult> {
    const { services, plan, run } = this;
    trigger.arm(run);
    const wait = new AbortController();
    void this.waited(trigger, wait.signal).then(() => wait.abort());
    const first = await run.begin(wait.signal);
    const step = checkStarted(services, plan.reach, run, first);
    const isWaited = wait.signal.aborted;
    wait.abort();
    const other = await this.otherwise(step, isWaited);
    if (other !== undefined) return other;
    const [root] = run.sessions;
    const session = resolveSession(services.model.state, root?.id);
    return await use({ run, session, repeat: async () => await this.repeat(session) });
  }

  /** Settles when the program has run for long enough, or when nobody waits any more. */
  private async waited(trigger: RunTrigger, ended: AbortSignal): Promise<void> {
    const { services, plan, run } = this;
    const signal = AbortSignal.any([this.call.signal, ended]);
    const whole = this.call.maxWaitSeconds * 1000;
    const up = (): true | undefined => (isUp(run.sessions, false) ? true : undefined);
    await services.model.wait(up, { timeoutMs: whole, signal }).settled;
    await trigger.sent;
    if (trigger.isGiven && plan.untilAnswered) {
      await trigger.settled;
      return;
    }
    const time = timeLimit(waitSeconds(plan.input) * 1000);
    // The trigger may be answered before.
    await aborted(AbortSignal.any([time, trigger.signal, signal]));
  }

  /** The result of a program that is not at the moment for which the call waits. */
  private async otherwise(
    step: Exclude<RunStep, { kind: 'notStarted' }>,
    isWaited: boolean,
  ): Promise<RunResult | undefined> {
    const { services, call, run } = this;
    switch (step.kind) {
      case 'stopped':
        return await reportStop(services, call, step.sessionKey);
      case 'ended':
        return await reportEnd(services, call, step.rootKey);
      case 'lost':
        return { status: 'interrupted', message: l10n.t('The person has moved the program.') };
      case 'cancelled':
        return isWaited && !call.signal.aborted ? undefined : interrupted();
      case 'timeout':
        return isUp(run.sessions, false) && !this.plan.untilAnswered
          ? undefined
          : timeoutResult(services, run.sessions[0]?.key ?? '');
    }
  }

  private async repeat(session: SessionState): Promise<RunResult | undefined> {
    const { services, plan, run } = this;
    const { trigger: input } = plan.input;
    // The program is ready: what it printed then is not printed again.
    const again = input === undefined ? undefined : withoutReadiness(input);
    const now = services.model.state.sessions.get(session.key) ?? session;
    const trigger = await RunTrigger.prepare(services, again, now);
    const wait = new AbortController();
    try {
      trigger.arm(run);
      void this.waited(trigger, wait.signal).then(() => wait.abort());
      const step = await run.next(undefined, wait.signal);
      const isWaited = wait.signal.aborted;
      if (step.kind === 'notStarted') return interrupted();
      return await this.otherwise(step, isWaited);
    } finally {
      wait.abort();
      this.repeated = await trigger.report(run);
      trigger.dispose();
    }
  }
}

function withoutReadiness({ after: _, after_port: _port, ...input }: TriggerInput): TriggerInput {
  return input;
}

/** Settles when a signal is aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
