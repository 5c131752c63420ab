import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../debugger/failure';
import { LAUNCH_MARK, STOP_ALL_MARK } from '../../debugger/state/launchMark';
import { isOver, treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import { readPattern, type AgentPattern } from '../agentPattern';
import { consentOf } from './breakpoints';
import { defineTool } from '../defineTool';
import {
  checkInputs,
  checkTypes,
  checkVariables,
  planFor,
  programNotFound,
  runTasks,
  startInput,
  type Plan,
  type StartInput,
} from '../launch/launchPlan';
import { isAskedAbout, launchQuestion } from '../launch/launchQuestion';
import { armedForOutput, endOfWait, printedOutcome } from '../running/outputWait';
import { movedMeanwhile } from '../preparedCalls';
import { absolute, outsideOf } from '../files/files';
import { oneLine } from '../question';
import { endAll, sessionsOf } from '../launch/replacing';
import { sessionsOfStart, type StartedSessions } from '../launch/startedSessions';
import { runnerHint } from '../launch/runnerHint';
import type { Call, ToolServices } from '../services';
import {
  breakpointsFor,
  setAll,
  startedBreakpoints,
  startOutcome,
  type StartOutcome,
} from './startBreakpoints';
import { stopWhereTestsFail } from '../launch/testRun';
import {
  ending,
  interrupted,
  outcomeOf,
  stopCounts,
  timeOut,
  waitMilliseconds,
  type Happening,
  type RunOutcome,
  type StopCounts,
} from '../running/waiting';

export const startDebugging = defineTool({
  name: 'start_debugging',
  set: 'core',
  effect: 'control',
  title: 'Start Debugging',
  userDescription: 'Starts a program under the debugger',
  modelDescription:
    'Start a debug configuration by name (or program or module, without launch.json) and wait until it first stops or ends. Returns where it stopped with stack, local variables and output, or the exit code. A server or an attached program runs on: pass output_pattern or a short timeout_seconds.',
  icon: 'debug-start',
  input: startInput,
  output: startOutcome,
  needs: 'nothing',
  doing: ({ configuration_name: name, program, module }) =>
    l10n.t('Starting {0}', oneLine(name ?? program ?? module ?? '')),
  consent: ({ input: { breakpoints = [] }, services }) =>
    breakpoints.some((breakpoint) => consentOf(services, breakpoint) === 'change')
      ? 'change'
      : 'control',
  files: ({ breakpoints = [] }) => breakpoints.map((breakpoint) => breakpoint.file_path),
  question: ({ input, services }) => launchQuestion(services, input),
  run: async ({ input, services, call }) => {
    const pattern =
      input.output_pattern === undefined ? undefined : await readPattern(input.output_pattern);
    const plan = await planFor(services, input);
    checkTypes(services, plan);
    const wanted = await breakpointsFor(services, input.breakpoints ?? []);
    const replaced = input.replace === true ? sessionsOf(services, plan) : [];
    await checkAsked(services, input, plan, call);
    await checkProgram(services, input, call);
    await checkInputs(services, input);
    if (!call.personPresent) await checkVariables(services, plan);
    const deadline = performance.now() + waitMilliseconds(input.timeout_seconds, call);
    await endAll(services, replaced, call.signal);
    const ready = await runTasks(services, plan, call, deadline);
    const set = setAll(services, wanted);
    const started = sessionsOfStart(services, ready);
    const outcome = await launch(services, call, {
      plan: ready,
      started,
      noDebug: input.no_debug,
      pattern,
      deadline,
    }).catch((error: unknown) => {
      throw error instanceof Failure && set.length > 0
        ? withData(error, {
            breakpoints_set: set.map((breakpoint) => services.breakpoints.idOf(breakpoint)),
          })
        : error;
    });
    const hint = (await runnerHint(services, input.program, outcome)) ?? outcome.hint;
    return {
      ...outcome,
      ...(hint === undefined ? {} : { hint }),
      ...(set.length === 0
        ? {}
        : {
            breakpoints: await startedBreakpoints(services, wanted, set, started.members(), call),
          }),
    };
  },
});

/** The very plan that is started is the one that the person was asked about: launch.json may change at any moment. */
async function checkAsked(
  services: ToolServices,
  wanted: StartInput,
  plan: Plan,
  { prepared }: Call,
): Promise<void> {
  if (
    prepared?.kind === 'asked' &&
    !(await isAskedAbout(services, wanted, plan, prepared.question))
  )
    throw movedMeanwhile();
}

/** Outside the workspace it is looked for only after a yes to the question that named it; else its debugger says. */
async function checkProgram(
  services: ToolServices,
  { program }: StartInput,
  { prepared }: Call,
): Promise<void> {
  if (program === undefined || !path.isAbsolute(program) || prepared?.kind !== 'asked') return;
  const approved = services.workspace.approving(await outsideOf(services, [program]));
  const file = await absolute(services, program);
  if ((await approved.exists(file)) === false) throw programNotFound(file);
}

function withData(
  { code, message, hint, data }: Failure,
  more: Readonly<Record<string, unknown>>,
): Failure {
  return new Failure(code, message, hint, { ...data, ...more });
}

interface Launching {
  readonly plan: Plan;
  readonly started: StartedSessions;
  readonly noDebug: boolean;
  /** Of a line that ends the wait. */
  readonly pattern: AgentPattern | undefined;
  /** By `performance.now`. */
  readonly deadline: number;
}

async function launch(
  services: ToolServices,
  call: Call,
  { plan, started, noDebug, pattern, deadline }: Launching,
): Promise<StartOutcome> {
  const { model } = services;
  const { mark, roots: mine, members } = started;
  const since = stopCounts(model.state);
  const wait = armedForOutput(
    services,
    (state) => firstHappening(state, mine(state), plan.launches.length, since),
    members,
    pattern,
    { timeoutMs: Math.max(0, deadline - performance.now()), signal: call.signal },
  );
  const stops = noDebug ? {} : stopWhereTestsFail(services, plan, mark);
  const extra = (): Partial<RunOutcome> => ({
    ...stops,
    ...(plan.shown === undefined ? {} : { configuration: plan.shown }),
    ...(plan.isCompound ? { members: membersNow(model.state, mine(model.state)) } : {}),
  });
  const settled = await Promise.race([wait.settled, refusal(services, plan, mark, noDebug)]);
  if (typeof settled === 'string') {
    wait.abandon();
    throw startFailure(services, plan, mine(model.state), settled);
  }
  const first = endOfWait(settled);
  // The program still runs: that is what `timeout` says of every start.
  if (first.kind === 'printed')
    return {
      ...printedOutcome(mine(model.state)[0]?.id ?? '', first),
      status: 'timeout',
      ...extra(),
    };
  if (first.kind === 'timeout')
    return {
      ...(mine(model.state).length === 0
        ? notStartedYet()
        : await timeOut(services, mine(model.state)[0]?.key ?? '')),
      ...extra(),
    };
  if (first.kind === 'cancelled') return { ...interrupted(), ...extra() };
  if (first.value.kind === 'failed')
    throw startFailure(services, plan, mine(model.state), first.value.message);
  if (first.value.kind === 'ended')
    return { ...(await ending(services, call, first.value.rootKey)), ...extra() };
  const key = first.value.sessionKey;
  return {
    ...(await outcomeOf(
      services,
      call,
      key,
      { settled: Promise.resolve({ kind: 'found', value: first.value }), abandon: () => undefined },
      deadline,
    )),
    ...extra(),
  };
}

/** Hands everything to VS Code; settles only when something was not started, with VS Code's words or `refused`. */
async function refusal(
  { host }: ToolServices,
  plan: Plan,
  mark: string,
  noDebug: boolean,
): Promise<string> {
  return await new Promise((resolve) => {
    for (const { folderPath, configuration } of plan.launches) {
      const marked = {
        ...configuration,
        [LAUNCH_MARK]: mark,
        ...(plan.stopAll ? { [STOP_ALL_MARK]: true } : {}),
      };
      host.start(folderPath, marked, { noDebug }).then(
        (started) => {
          if (!started) resolve('refused');
        },
        (error: unknown) => resolve(error instanceof Error ? error.message : String(error)),
      );
    }
  });
}

function membersNow(
  state: DebugState,
  roots: readonly SessionState[],
): { session_id: string; name: string; state: string }[] {
  return roots.map((each) => ({
    session_id: each.id,
    name: each.name,
    state: treeLifecycle(state, each),
  }));
}

/** What a member of a compound does, its children included: a parent of js-debug runs while its child is stopped. */
function treeLifecycle(state: DebugState, root: SessionState): string {
  return treeOf(state, root).some((each) => each.lifecycle === 'stopped')
    ? 'stopped'
    : root.lifecycle;
}

function notStartedYet(): RunOutcome {
  return {
    status: 'timeout',
    message: l10n.t(
      'It has not started yet; VS Code may be asking the person something, or waiting for a task. Call get_debug_state to see whether it has.',
    ),
  };
}

type StartHappening = Happening | { readonly kind: 'failed'; readonly message: string };

/** The first stop in any of the trees, a launch that failed, or the end of all of them. */
function firstHappening(
  state: DebugState,
  roots: readonly SessionState[],
  expected: number,
  since: StopCounts,
): StartHappening | undefined {
  for (const root of roots) {
    for (const member of treeOf(state, root)) {
      if (member.end?.reason === 'launch_failed')
        return { kind: 'failed', message: member.end.message ?? '' };
      const stop = member.lastStop;
      if (
        stop !== undefined &&
        stop.id > (since.get(member.key) ?? 0) &&
        member.lifecycle === 'stopped'
      )
        return { kind: 'stopped', sessionKey: member.key, stop };
    }
  }
  const last = roots[roots.length - 1];
  return last !== undefined &&
    roots.length >= expected &&
    roots.every((root) => isOver(state, root))
    ? { kind: 'ended', rootKey: last.key }
    : undefined;
}

/** What VS Code, the adapter or the program said. Of a compound, the members that did start go on, and are named. */
function startFailure(
  { stops, model }: ToolServices,
  plan: Plan,
  roots: readonly SessionState[],
  words: string,
): Failure {
  const told = roots
    .map((root) => root.end?.message)
    .find((message) => message !== undefined && message !== '');
  const output = stops.output.untold(roots).lines;
  const reason = told ?? (words === 'refused' ? undefined : words);
  const data = {
    ...(output.length > 0 ? { output } : {}),
    ...(plan.isCompound && roots.length > 0 ? { members: membersNow(model.state, roots) } : {}),
  };
  if (reason === undefined || reason === '') {
    return new Failure(
      'start_cancelled',
      l10n.t(
        'VS Code did not start “{0}” and gave no reason; a person may have cancelled it.',
        plan.name,
      ),
      /\$\{command:/.test(JSON.stringify(plan.launches))
        ? 'Ask the person. A command of the configuration (${command:…}) may have failed or not exist: inputs can give its value.'
        : 'Ask the person, or check the configuration and call start_debugging again.',
      data,
    );
  }
  const hint =
    plan.isCompound && roots.length > 1
      ? 'The other members may run: see members, and call stop_debugging for those. Fix the cause, then start again.'
      : 'Fix the cause, or change the configuration, then call start_debugging again.';
  return new Failure(
    'launch_failed',
    l10n.t('“{0}” could not be started: {1}', plan.name, reason),
    hint,
    data,
  );
}
