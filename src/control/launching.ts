import { TEST_AT_LINE, type DebugHost } from '../debugger/host';
import { endProcesses, RUN_VARIABLE } from '../debugger/processes/endProcesses';
import type { Processes } from '../debugger/processes/processes';
import { adapterOf } from '../debugger/adapters/registry';
import { isFields, textOf, type Fields } from '../debugger/protocol';
import type { DebugModel } from '../debugger/state/debugModel';
import { LAUNCH_MARK, STOP_ALL_MARK } from '../debugger/state/launchMark';
import {
  isOver,
  rootOf,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import { epochsOf, newerStop, type Epochs } from './nextOutcome';
import type { Cancelled, Ended, LinePrinted, RunLimits, Stopped, TimedOut } from './outcome';
import { orPrinted, outcomeOf, type FindLine, type Waits } from './waits';

/** The configurations to start: a single one, or the members of a compound. */
export interface LaunchPlan {
  readonly launches: readonly {
    readonly name: string;
    readonly folderPath: string | undefined;
    readonly configuration: Fields;
  }[];
  /** Whether the sessions end together, as in a compound with `stopAll`. */
  readonly stopAll: boolean;
  readonly noDebug: boolean;
  /**
   * Whether the call ends what it starts, in any case. Then the processes carry the launch's mark in their environment,
   * so that they are found.
   */
  readonly endsSurely?: boolean;
}

/** A configuration was not started. */
export interface NotStarted {
  readonly kind: 'notStarted';
  /** The message of VS Code or the adapter; undefined if VS Code gave no reason. */
  readonly message: string | undefined;
}

export type LaunchOutcome = Stopped | Ended | TimedOut | Cancelled | NotStarted;

/** The time that VS Code may take to start an abandoned launch, in milliseconds. */
const LATE_START_MS = 60_000;

interface LaunchPorts {
  readonly model: DebugModel;
  readonly host: DebugHost;
  readonly waits: Waits;
  readonly processes: Processes;
}

/** Returns a configuration whose environment has a further variable. A configuration without a program has none. */
function withVariable(configuration: Fields, name: string, value: string): Fields {
  const { type, request, env = {} } = configuration;
  const isLaunch = request === 'launch' && type !== TEST_AT_LINE;
  return isLaunch && isFields(env)
    ? { ...configuration, env: { ...env, [name]: value } }
    : configuration;
}

/** Returns a configuration whose environment variables have the form that its adapter reads. */
function withEnvironment(configuration: Fields): Fields {
  const { type, env } = configuration;
  const { environment } = adapterOf(textOf(type) ?? '');
  return environment !== undefined && isFields(env)
    ? { ...configuration, env: environment(env) }
    : configuration;
}

/** One launch. Its sessions carry a mark that distinguishes them from all others. */
export class Launching {
  readonly mark = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  private readonly before: ReadonlySet<string>;
  private readonly since: Epochs;
  /** The number of configurations for which VS Code has not responded yet. */
  private unanswered = 0;
  private readonly answered = new AbortController();
  private isCalledOff = false;

  constructor(
    private readonly ports: LaunchPorts,
    private readonly plan: LaunchPlan,
  ) {
    this.before = new Set(ports.model.state.sessions.keys());
    this.since = epochsOf(ports.model.state);
  }

  /**
   * The root sessions of this launch: those whose configuration has its mark. If a debugger's extension has removed the
   * mark, new sessions with the expected name count.
   */
  roots(state: DebugState = this.ports.model.state): readonly SessionState[] {
    const roots = [...state.sessions.values()].filter(
      (session) => !this.before.has(session.key) && rootOf(state, session) === session,
    );
    const marked = roots.filter((session) => session.configuration[LAUNCH_MARK] === this.mark);
    if (marked.length >= this.plan.launches.length) return marked;
    const names = new Set(this.plan.launches.map((launch) => launch.name));
    return roots.filter((session) => {
      const mark = session.configuration[LAUNCH_MARK];
      return mark === this.mark || (mark === undefined && names.has(session.name));
    });
  }

  members(): readonly SessionState[] {
    const { state } = this.ports.model;
    return this.roots(state).flatMap((root) => treeOf(state, root));
  }

  /** Whether VS Code is still starting the launch, the call has not abandoned it, and it has no session yet. */
  get isComing(): boolean {
    return !this.isCalledOff && this.unanswered > 0 && this.roots().length === 0;
  }

  /**
   * Ends sessions that VS Code starts after the call. An abandoned launch can be ended only when its session exists.
   * Returns immediately. Watches for a minute, or until no further session can start.
   */
  endLate(end: (root: SessionState) => Promise<unknown>): void {
    if (!this.isComing) return;
    this.isCalledOff = true;
    const late = this.ports.model.wait(() => this.roots()[0], {
      timeoutMs: LATE_START_MS,
      signal: this.answered.signal,
    });
    late.settled.then(async () => await Promise.all(this.roots().map(end))).catch(() => undefined);
  }

  /** Ends all processes of the launch at once, if the launch marks them. */
  async endProcesses(): Promise<void> {
    if (this.plan.endsSurely === true) await endProcesses(this.ports.processes, this.mark);
  }

  /** Starts all configurations and waits for the first stop, a failure, the end of all sessions, or a printed line. */
  async run(limits: RunLimits): Promise<LaunchOutcome>;
  async run<Line>(
    limits: RunLimits,
    find: FindLine<Line> | undefined,
  ): Promise<LaunchOutcome | LinePrinted<Line>>;
  async run<Line>(
    limits: RunLimits,
    find?: FindLine<Line>,
  ): Promise<LaunchOutcome | LinePrinted<Line>> {
    const wait = this.ports.waits.arm(
      orPrinted((state) => this.first(state), find),
      limits,
    );
    let notStarted: NotStarted | undefined;
    this.start((message) => {
      notStarted ??= { kind: 'notStarted', message };
      wait.abandon();
    });
    const outcome = await outcomeOf(wait);
    return notStarted !== undefined && outcome.kind === 'cancelled' ? notStarted : outcome;
  }

  /** Starts the configurations. VS Code may not respond while it shows a dialog, so only a refusal counts. */
  private start(refused: (message: string | undefined) => void): void {
    this.unanswered = this.plan.launches.length;
    for (const { folderPath, configuration } of this.plan.launches) {
      const own =
        this.plan.endsSurely === true
          ? withVariable(configuration, RUN_VARIABLE, this.mark)
          : configuration;
      const marked = {
        ...withEnvironment(own),
        [LAUNCH_MARK]: this.mark,
        ...(this.plan.stopAll ? { [STOP_ALL_MARK]: true } : {}),
      };
      this.ports.host
        .start(folderPath, marked, { noDebug: this.plan.noDebug })
        .then(
          (started) => {
            if (!started) refused(undefined);
          },
          (error: unknown) => refused(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => this.onAnswered());
    }
  }

  private onAnswered(): void {
    this.unanswered -= 1;
    if (this.unanswered === 0) this.answered.abort();
  }

  /** The first stop in any of the trees, a launch that failed, or the end of all trees. */
  private first(state: DebugState): Stopped | Ended | NotStarted | undefined {
    const roots = this.roots(state);
    for (const root of roots) {
      const members = treeOf(state, root);
      const failed = members.find((member) => member.end?.reason === 'launchFailed');
      if (failed !== undefined) return { kind: 'notStarted', message: failed.end?.message };
      const stopped = newerStop(members, this.since);
      if (stopped !== undefined) return stopped;
    }
    const last = roots.at(-1);
    const isComplete = last !== undefined && roots.length >= this.plan.launches.length;
    return isComplete && roots.every((root) => isOver(state, root))
      ? { kind: 'ended', rootKey: last.key }
      : undefined;
  }
}
