import path from 'node:path';
import { adapterOf } from '../debugger/adapters/registry';
import { asOwnList, isOwnList } from '../debugger/breakpoints/injectedMark';
import type { DebugHost } from '../debugger/host';
import { observeResponse } from '../debugger/observedResponse';
import {
  countOf,
  fields,
  listOf,
  readMessage,
  textOf,
  type Fields,
  type ProtocolMessage,
} from '../debugger/protocol';
import { fileKey, samePath } from '../debugger/sourcePath';
import type { DebugModel } from '../debugger/state/debugModel';
import {
  liveSessions,
  type AdapterBreakpoint,
  type DebugEvent,
  type SessionState,
} from '../debugger/state/state';
import { InjectedOutput } from '../debugger/breakpoints/injectedOutput';
import { defined } from '../util/defined';
import { unlessAborted } from '../util/unlessAborted';
import { breakpointAt, mergedCondition, mergedList, type InjectedPoint } from './injectedLists';

/**
 * Returns the points of a session; none if the session is not targeted. It always returns the same points for the same
 * session.
 */
export type PointsOf = (session: SessionState) => readonly InjectedPoint[];

/** The state of a point in a session. */
export type PointAnswer =
  /**
   * One of the person's breakpoints is at this location and the point cannot be merged with it. The person's breakpoint
   * stays unchanged.
   */
  | { readonly kind: 'displaced' }
  /** The adapter has not answered yet. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'answered'; readonly adapter: AdapterBreakpoint };

export interface Injection {
  /** Settles when each session that was running has answered, has refused, or takes too long. */
  readonly placed: Promise<void>;
  /** The states of a session's points, in the order of the points. */
  answeredIn(session: SessionState): readonly PointAnswer[];
  /** Removes some of the points, and keeps the others. The numbers of the others do not change. */
  withdraw(points: ReadonlySet<InjectedPoint>): Promise<void>;
  /**
   * Sends VS Code's own lists again to all live sessions. Waits only for a limited time.
   * @param limitMs a shorter limit, for a program that may answer nothing
   */
  dispose(limitMs?: number): Promise<void>;
}

/**
 * The time that an adapter may take to answer a list. An adapter whose program hangs in an expression may never answer.
 */
const ANSWER_LIMIT_MS = 5000;

interface Injected {
  readonly pointsOf: PointsOf;
  /** Points that were removed early. */
  withdrawn: ReadonlySet<InjectedPoint>;
  /** The number of a session's first point. The other points have the following numbers. */
  readonly first: (session: SessionState) => number;
}

/**
 * Breakpoints of a call that are not in VS Code's list, because they would flash in the person's editor, and because
 * adapters use only one of two breakpoints on a line. They are added to VS Code's list for each file: each of VS Code's
 * lists is followed by one of ours, and a starting session receives them before its program runs.
 */
export class InjectedBreakpoints {
  /** The names of the events that `observe` needs. */
  readonly observes = [
    'setBreakpoints',
    'initialized',
    'launch',
    'attach',
    'sessionCreated',
    'sessionEnded',
    'output',
  ] as const;
  /** The lines that injected logpoints print. */
  readonly output = new InjectedOutput();
  private readonly injections = new Set<Injected>();
  /** The lists that VS Code itself sent, by session and file. */
  private readonly theirs = new Map<string, Map<string, Fields>>();
  /** Sessions that already accept breakpoints. */
  private readonly ready = new Set<string>();
  /** The first of the two messages that make a session ready, by session. */
  private readonly begun = new Map<string, 'initialized' | 'asked'>();
  /** Files whose lists from VS Code a starting session has not answered yet, by session and request. */
  private readonly unanswered = new Map<string, Map<number, string>>();
  /** Files for which this class has sent a list to a session. */
  private readonly changed = new Map<string, Map<string, string>>();
  private lastId = 0;

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    private readonly answerLimitMs: number = ANSWER_LIMIT_MS,
  ) {}

  /** Observes VS Code's lists before they are sent. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionCreated' || event.type === 'sessionEnded') this.forget(event);
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    if (message?.type === 'event' && message.event === 'output') this.output.observe(event);
    if (message !== undefined) this.noteStart(session, message);
    if (message?.type === 'response') this.followAnswer(session, message.requestSeq);
    if (
      message?.type !== 'request' ||
      message.command !== 'setBreakpoints' ||
      event.type !== 'toAdapter' ||
      isOwnList(message.arguments)
    )
      return;
    const file = pathOf(message.arguments);
    if (file === undefined) return;
    let lists = this.theirs.get(session.key);
    if (lists === undefined) this.theirs.set(session.key, (lists = new Map<string, Fields>()));
    lists.set(fileKey(file), message.arguments);
    if (this.pointsIn(session, file).length === 0) return;
    if (!mixesListsUp(session)) return void this.send(session, file);
    const unanswered = this.unanswered.get(session.key) ?? new Map<number, string>();
    this.unanswered.set(session.key, unanswered.set(message.seq, file));
  }

  /** Sends our list for a file once VS Code's own list has been answered, see `mixesListsUp`. */
  private followAnswer(session: SessionState, requestSeq: number): void {
    const unanswered = this.unanswered.get(session.key);
    const file = unanswered?.get(requestSeq);
    if (file === undefined) return;
    unanswered?.delete(requestSeq);
    void this.send(session, file);
  }

  /** A session accepts breakpoints after `initialized` and after `launch` or `attach`, in either order. */
  private noteStart(session: SessionState, message: ProtocolMessage): void {
    const name = message.type === 'event' ? message.event : message.command;
    if (name !== 'initialized' && name !== 'launch' && name !== 'attach') return;
    if (message.type === 'response' || this.ready.has(session.key)) return;
    const seen = this.begun.get(session.key);
    const step = name === 'initialized' ? name : 'asked';
    if (seen === undefined) this.begun.set(session.key, step);
    if (seen === undefined || seen === step) return;
    this.ready.add(session.key);
    void this.sendAll(session, (file) => !this.isComing(session, file));
  }

  /**
   * Whether VS Code is about to send its own list for a file to a starting session. Our list then follows it. An
   * adapter that sets breakpoints late may mix up lists for one file that arrive together.
   */
  private isComing({ key, type }: SessionState, file: string): boolean {
    return (
      adapterOf(type).setsBreakpointsLate === true &&
      this.theirs.get(key)?.has(fileKey(file)) !== true &&
      this.host
        .breakpoints()
        .some((breakpoint) => breakpoint.kind === 'source' && samePath(breakpoint.path, file))
    );
  }

  /** Adds points to the running sessions and to sessions that start before the injection is disposed. */
  inject(pointsOf: PointsOf): Injection {
    const ids = new Map<string, number>();
    const injected: Injected = {
      pointsOf,
      withdrawn: new Set(),
      first: (session) => {
        const existing = ids.get(session.key);
        if (existing !== undefined) return existing;
        const first = this.lastId + 1;
        const count = pointsOf(session).length;
        // A session that is not targeted yet may be targeted later.
        if (count === 0) return first;
        this.lastId += count;
        ids.set(session.key, first);
        return first;
      },
    };
    this.injections.add(injected);
    const running = liveSessions(this.model.state).filter((session) => this.isReady(session));
    return {
      placed: Promise.all(running.map((session) => this.sendAll(session))).then(() => undefined),
      answeredIn: (session) => this.answers(session, injected),
      withdraw: async (points) => {
        injected.withdrawn = points;
        if (points.size > 0 && this.injections.has(injected)) await this.restoreAll();
      },
      dispose: async (limitMs) => {
        if (this.injections.delete(injected)) await this.restoreAll(limitMs);
      },
    };
  }

  /** Removes the points of all calls, because the extension is deactivated. */
  async dispose(): Promise<void> {
    this.injections.clear();
    await this.restoreAll();
  }

  private async restoreAll(limitMs?: number): Promise<void> {
    const live = liveSessions(this.model.state);
    await Promise.all(live.map((session) => this.restore(session, limitMs)));
  }

  private isReady({ key, lifecycle }: SessionState): boolean {
    return this.ready.has(key) || lifecycle !== 'starting';
  }

  private forget({ type, key }: DebugEvent): void {
    const session = this.model.state.sessions.get(key);
    // A session that was found running is announced a second time.
    if (type === 'sessionCreated' && session?.lifecycle !== 'starting') return;
    this.theirs.delete(key);
    this.ready.delete(key);
    this.begun.delete(key);
    this.changed.delete(key);
    this.unanswered.delete(key);
  }

  private pointsIn(
    session: SessionState,
    file: string,
  ): { readonly id: number; readonly point: InjectedPoint }[] {
    return [...this.injections].flatMap(({ pointsOf, withdrawn, first }) =>
      pointsOf(session).flatMap((point, index) =>
        samePath(point.path, file) && !withdrawn.has(point)
          ? [{ id: first(session) + index, point }]
          : [],
      ),
    );
  }

  private async sendAll(
    session: SessionState,
    isIncluded: (file: string) => boolean = () => true,
  ): Promise<void> {
    const files = new Map<string, string>();
    for (const { pointsOf } of this.injections)
      for (const point of pointsOf(session)) files.set(fileKey(point.path), point.path);
    await Promise.all(
      [...files.values()].filter(isIncluded).map((file) => this.send(session, file)),
    );
  }

  /** Sends the lists of all changed files again. They still contain the points of other calls. */
  private async restore(session: SessionState, limitMs?: number): Promise<void> {
    const changed = this.changed.get(session.key) ?? new Map<string, string>();
    await Promise.all(
      [...changed].map(async ([key, file]) => {
        const sent = this.send(session, file, limitMs);
        if (this.pointsIn(session, file).length === 0) changed.delete(key);
        await sent;
      }),
    );
  }

  /** Sends VS Code's list of a file together with the points. If the adapter refuses, it has none of the points. */
  private async send(
    session: SessionState,
    file: string,
    limitMs: number = this.answerLimitMs,
  ): Promise<void> {
    let changed = this.changed.get(session.key);
    if (changed === undefined) this.changed.set(session.key, (changed = new Map<string, string>()));
    changed.set(fileKey(file), file);
    const theirs = this.listOf(session, file);
    const breakpoints = mergedList(session, theirs, this.pointsIn(session, file));
    const args = asOwnList({
      ...theirs,
      breakpoints,
      lines: breakpoints.flatMap((breakpoint) => countOf(breakpoint['line']) ?? []),
    });
    const observed = observeResponse(this.model, session.key, 'setBreakpoints', args);
    const answered = this.host.request(session.key, 'setBreakpoints', args);
    await unlessAborted(
      Promise.race([observed.body, answered]).catch(() => undefined),
      AbortSignal.timeout(limitMs),
      () => undefined,
    );
    observed.dispose();
  }

  /** The list that VS Code sent for a file, or would have sent to a session whose messages were not observed. */
  private listOf(session: SessionState, file: string): Fields {
    const sent = this.theirs.get(session.key)?.get(fileKey(file));
    if (sent !== undefined) return sent;
    const source = { name: path.basename(file), path: file };
    if (session.knowledge === 'full' && this.ready.has(session.key))
      return { source, breakpoints: [] };
    const breakpoints = this.host
      .breakpoints()
      .flatMap((breakpoint) =>
        breakpoint.enabled && breakpoint.kind === 'source' && samePath(breakpoint.path, file)
          ? [breakpoint]
          : [],
      );
    return {
      source,
      breakpoints: breakpoints.map(({ line, column, condition, hitCondition, logMessage }) =>
        defined({ line, column, condition, hitCondition, logMessage }),
      ),
    };
  }

  private answers(session: SessionState, injected: Injected): readonly PointAnswer[] {
    const now = this.model.state.sessions.get(session.key) ?? session;
    const answered = new Map(
      [...now.sourceBreakpoints.values()]
        .flatMap((source) => source.breakpoints)
        .flatMap((breakpoint) =>
          breakpoint.injected === undefined ? [] : [[breakpoint.injected.id, breakpoint] as const],
        ),
    );
    const first = injected.first(session);
    return injected.pointsOf(session).map((point, index) => {
      const adapter = answered.get(first + index);
      if (adapter !== undefined) return { kind: 'answered', adapter };
      const other = breakpointAt(listOf(this.listOf(session, point.path)['breakpoints']), point);
      return other !== undefined && mergedCondition(session, point, other) === undefined
        ? { kind: 'displaced' }
        : { kind: 'unanswered' };
    });
  }
}

function pathOf(args: Fields): string | undefined {
  return textOf(fields(args['source'])['path']);
}

/**
 * Whether a session may lose the breakpoints of a list if another list for the same file arrives before it has answered.
 * js-debug does while it starts: it looks for source maps first, and then binds neither list in a bundle that runs.
 */
function mixesListsUp({ type, lifecycle }: SessionState): boolean {
  return adapterOf(type).setsBreakpointsLate === true && lifecycle === 'starting';
}
