import { defined } from '../../util/defined';
import { boundAmong, boundIn, matches, type Bound } from './breakpointMatching';
import type { DebugModel } from '../state/debugModel';
import type { DebugHost, HostBreakpoint, RequestedHostBreakpoint } from '../host';
import { countOf, fields, listOf, readMessage, textOf } from '../protocol';
import { mayBeLogged } from './logMessage';
import { HitCounts } from './hitCounts';
import { MeantPrograms, type Meant } from './meantPrograms';
import { ReachedBreakpoints } from './reachedBreakpoints';
import { personPath, samePath } from '../sourcePath';
import type { Frame } from '../inspection/stackAndVariables';
import {
  liveSessions,
  rootOf,
  type DebugEvent,
  type SessionState,
  type StopState,
} from '../state/state';

/** Where a window's marks outlive it (VS Code `Memento` of the workspace). */
export interface MarkStore {
  read(): unknown;
  write(value: unknown): void;
}

/** What is known of one of VS Code's breakpoints beside what VS Code itself knows. */
interface Mark {
  /** The small number that callers see. */
  readonly id: number;
  readonly isAgents: boolean;
  /** The text of the line, where it was set by it. */
  readonly content: string | undefined;
  /** A call set it for itself and removes it. */
  readonly isTemporary?: boolean;
}

/** The numbers of breakpoints that a stop hit. */
type HitBy = (session: SessionState, stop: StopState, top: Frame | undefined) => readonly number[];

/** A breakpoint that a program stopped at on another line than it was asked for. */
export interface MovedBreakpoint {
  readonly id: number;
  readonly askedLine: number;
}

/** A breakpoint that no stop was at, and what its session's adapter had made of it. */
export interface Missed {
  readonly id: number;
  readonly breakpoint: HostBreakpoint;
  readonly bound: Bound;
}

/** What stays of a breakpoint when another takes its place. */
export interface ReplacedMarks {
  readonly id: number;
  readonly hits: number;
  readonly meant: Meant;
}

/**
 * Small numbers for VS Code's breakpoints, who set them, and how often they were hit. VS Code's own list is the truth
 * about which there are; nothing here is a second list. VS Code keeps a breakpoint's id over edits of its file and over
 * reloads of the window, and so do these marks.
 */
export class BreakpointBook {
  private readonly marks = new Map<string, Mark>();
  private readonly hits = new HitCounts();
  private readonly meant = new MeantPrograms();
  /** The newest stop of each session whose hits are counted. */
  private readonly counted = new Map<string, number>();
  private readonly reached: ReachedBreakpoints;
  private last = 0;
  private others: HitBy = () => [];

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    private readonly memory?: MarkStore,
  ) {
    const kept = fields(memory?.read());
    for (const each of listOf(kept['marks'])) {
      const { hostId, id, agent, content, temporary } = fields(each);
      const number = countOf(id);
      if (typeof hostId === 'string' && number !== undefined && number > 0)
        this.marks.set(hostId, {
          id: number,
          isAgents: agent === true,
          content: textOf(content),
          isTemporary: temporary === true,
        });
    }
    this.reached = new ReachedBreakpoints(model);
    this.last = Math.max(
      0,
      countOf(kept['last']) ?? 0,
      ...[...this.marks.values()].map((each) => each.id),
    );
  }

  all(): readonly HostBreakpoint[] {
    return this.host.breakpoints();
  }

  find(id: number): HostBreakpoint | undefined {
    return this.all().find((breakpoint) => this.idOf(breakpoint) === id);
  }

  at(path: string, line: number): readonly HostBreakpoint[] {
    return this.all().filter(
      (breakpoint) =>
        breakpoint.kind === 'source' && samePath(breakpoint.path, path) && breakpoint.line === line,
    );
  }

  /** The breakpoint that VS Code would have in the place of a wanted one: there, or asked for there and bound elsewhere. */
  inPlaceOf(requested: RequestedHostBreakpoint): HostBreakpoint | undefined {
    return this.all().find((breakpoint) => {
      if (requested.kind === 'function' || breakpoint.kind === 'function')
        return (
          requested.kind === 'function' &&
          breakpoint.kind === 'function' &&
          breakpoint.functionName === requested.functionName
        );
      if (!samePath(breakpoint.path, requested.path) || breakpoint.column !== requested.column)
        return false;
      return (
        breakpoint.line === requested.line ||
        this.boundIn(breakpoint).some(({ adapter }) => adapter.requestedLine === requested.line)
      );
    });
  }

  /** A number for a breakpoint that is none of VS Code's. */
  newId(): number {
    this.last += 1;
    this.save();
    return this.last;
  }

  /** What else a stop may have hit: breakpoints that are none of VS Code's. */
  alsoHit(others: HitBy): void {
    this.others = others;
  }

  idOf(breakpoint: HostBreakpoint): number {
    const known = this.marks.get(breakpoint.hostId);
    if (known !== undefined) return known.id;
    this.last += 1;
    this.mark(breakpoint.hostId, { id: this.last, isAgents: false, content: undefined });
    return this.last;
  }

  ownerOf(breakpoint: HostBreakpoint): 'agent' | 'user' {
    return this.marks.get(breakpoint.hostId)?.isAgents === true ? 'agent' : 'user';
  }

  /** The text of the line that it was set by, and follows. */
  contentOf(breakpoint: HostBreakpoint): string | undefined {
    return this.marks.get(breakpoint.hostId)?.content;
  }

  /** Whether a call set it for itself. */
  isTemporary(breakpoint: HostBreakpoint): boolean {
    return this.marks.get(breakpoint.hostId)?.isTemporary === true;
  }

  /** In all runs; of these sessions alone where some are given. */
  hitsOf(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): number {
    return this.hits.of(breakpoint.hostId, sessions);
  }

  /** Whether an agent set it for the program of this session's tree. */
  isMeantFor(breakpoint: HostBreakpoint, session: SessionState): boolean {
    return this.meant.isFor(breakpoint.hostId, rootOf(this.model.state, session));
  }

  /** All that agents set. */
  agents(): readonly HostBreakpoint[] {
    return this.all().filter((breakpoint) => this.ownerOf(breakpoint) === 'agent');
  }

  /** What one that stands for this one takes over. Ask before it is removed. */
  marksOf(breakpoint: HostBreakpoint): ReplacedMarks {
    const { hostId } = breakpoint;
    return {
      id: this.idOf(breakpoint),
      hits: this.hitsOf(breakpoint),
      meant: this.meant.of(hostId),
    };
  }

  /** Notes that an agent set it. @param moved whether it is the same one, which has followed the text of its line */
  claim(
    breakpoint: HostBreakpoint,
    {
      as,
      content,
      moved = false,
      isTemporary = false,
    }: {
      readonly as?: ReplacedMarks | undefined;
      readonly content?: string | undefined;
      readonly moved?: boolean;
      readonly isTemporary?: boolean;
    } = {},
  ): void {
    const id = as?.id ?? this.marks.get(breakpoint.hostId)?.id ?? (this.last += 1);
    const { hostId } = breakpoint;
    if (as !== undefined) this.hits.takeOver(hostId, as.hits);
    if (as !== undefined && moved) this.meant.takeOver(hostId, as.meant);
    else this.meant.set(hostId, this.liveRoots());
    this.mark(hostId, { id, isAgents: true, content, isTemporary });
  }

  /** From now on they are the person's own. */
  giveToPerson(breakpoints: readonly HostBreakpoint[]): void {
    for (const breakpoint of breakpoints)
      this.mark(breakpoint.hostId, {
        id: this.idOf(breakpoint),
        isAgents: false,
        content: undefined,
      });
  }

  /** Gives numbers to new ones as they come, so that what is kept of them has been written long before a window is closed. */
  number(hostIds: readonly string[]): void {
    for (const breakpoint of this.all())
      if (hostIds.includes(breakpoint.hostId)) this.idOf(breakpoint);
  }

  /** VS Code removed it. */
  forget(hostId: string): void {
    this.hits.forget(hostId);
    this.meant.forget(hostId);
    if (this.marks.delete(hostId)) this.save();
  }

  /** @param sessions live ones and ended ones; all that live where none are given */
  boundIn(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): readonly Bound[] {
    return sessions === undefined
      ? boundIn(this.model.state, breakpoint)
      : boundAmong(sessions, breakpoint);
  }

  /** The numbers of the breakpoints that a stop hit; null when it was none that VS Code knows. */
  hit(session: SessionState, stop: StopState, top: Frame | undefined): number[] | null {
    const found = this.named(session, stop) ?? this.under(session, stop, top);
    this.count(session, stop, found);
    if (top !== undefined)
      this.reached.see(
        session,
        stop,
        (found.length > 0 ? found : this.onLine(session, top)).map((breakpoint) =>
          this.idOf(breakpoint),
        ),
      );
    const hit = [
      ...found.map((breakpoint) => this.idOf(breakpoint)),
      ...this.others(session, stop, top),
    ];
    return hit.length > 0 ? hit : null;
  }

  /** Those of the breakpoints that a stop hit which were asked for on another line. */
  moved(
    session: SessionState,
    hit: readonly number[],
    top: Frame | undefined,
  ): readonly MovedBreakpoint[] {
    if (top?.path === undefined) return [];
    const { path, line } = top;
    return hit.flatMap((id) => {
      const breakpoint = this.find(id);
      if (breakpoint?.kind !== 'source' || !samePath(breakpoint.path, path)) return [];
      const asked = matches(session, breakpoint)[0]?.requestedLine ?? breakpoint.line;
      return asked === line ? [] : [{ id, askedLine: asked }];
    });
  }

  /**
   * Breakpoints of agents that sessions were sent, and at which no stop of theirs was. None where that is not known,
   * because a stop was not looked at (the person let the program go on). Of a logpoint, nothing that was printed named
   * its place, which not all adapters do.
   */
  missedIn(sessions: readonly SessionState[]): readonly Missed[] {
    if (sessions.some((each) => this.reached.isUnsure(each))) return [];
    return this.agents().flatMap((breakpoint) => {
      if (
        !breakpoint.enabled ||
        this.hitsOf(breakpoint, sessions) > 0 ||
        this.reached.has(sessions, this.idOf(breakpoint))
      )
        return [];
      const [first, ...more] = sessions.flatMap((session) =>
        matches(session, breakpoint).map((adapter) => ({ session, adapter })),
      );
      if (first === undefined) return [];
      return [
        {
          id: this.idOf(breakpoint),
          breakpoint,
          bound: [first, ...more].find((each) => each.adapter.verified) ?? first,
        },
      ];
    });
  }

  /** The events that it has to see. */
  readonly observes = ['stopped', 'output', 'sessionCreated', 'sessionEnded'] as const;

  /** Sees what tells of hits, after the state has changed with it: hits count, whoever lets the program go on. */
  observe(event: DebugEvent): void {
    // A session that has ended may still be told about, until the model forgets it.
    if (event.type === 'sessionEnded') {
      for (const key of this.counted.keys())
        if (!this.model.state.sessions.has(key)) this.counted.delete(key);
      this.reached.prune();
      this.hits.prune(this.model.state);
    }
    this.noteProgram(event);
    if (
      event.type === 'sessionCreated' &&
      event.knowledge === 'partial' &&
      this.model.state.sessions.get(event.key)?.knowledge === 'partial'
    )
      this.reached.foundRunning(event.key);
    if (event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    const session = this.model.state.sessions.get(event.key);
    if (message?.type !== 'event' || session === undefined) return;
    if (message.event === 'stopped' && session.lastStop !== undefined) {
      const named = this.named(session, session.lastStop);
      this.reached.stopped(session, session.lastStop);
      if (named === undefined) return;
      this.count(session, session.lastStop, named);
      this.reached.see(
        session,
        session.lastStop,
        named.map((breakpoint) => this.idOf(breakpoint)),
      );
    }
    if (message.event === 'output' && message.body['line'] !== undefined)
      this.countLogged(
        session,
        textOf(fields(message.body['source'])['path']),
        countOf(message.body['line']),
        textOf(message.body['output']) ?? '',
      );
  }

  private noteProgram({ type, key }: DebugEvent): void {
    const session = this.model.state.sessions.get(key);
    if (session === undefined || session.parentKey !== undefined) return;
    if (type === 'sessionCreated') this.meant.started(session);
    if (type === 'sessionEnded') this.meant.ended(session);
  }

  private liveRoots(): readonly SessionState[] {
    const { state } = this.model;
    return [...new Set(liveSessions(state).map((session) => rootOf(state, session)))];
  }

  /** By the adapter's ids; undefined where it gives none. */
  private named(session: SessionState, stop: StopState): readonly HostBreakpoint[] | undefined {
    if (stop.hitBreakpointIds === undefined || stop.hitBreakpointIds.length === 0) return undefined;
    const ids = new Set(stop.hitBreakpointIds);
    const found = this.all().filter((breakpoint) =>
      matches(session, breakpoint).some(
        (adapter) => adapter.id !== undefined && ids.has(adapter.id),
      ),
    );
    return found.length > 0 ? found : undefined;
  }

  /** By the place of the innermost frame. */
  private under(
    session: SessionState,
    stop: StopState,
    top: Frame | undefined,
  ): readonly HostBreakpoint[] {
    const path = top?.path;
    if (!stop.reason.includes('breakpoint') || top === undefined) return [];
    const onFunction = (): readonly HostBreakpoint[] =>
      this.all().filter(
        (breakpoint) =>
          breakpoint.enabled &&
          breakpoint.kind === 'function' &&
          !breakpoint.logMessage &&
          nameOf(breakpoint.functionName) === nameOf(top.name),
      );
    if (path === undefined) return onFunction();
    const onLine = this.onLine(session, top);
    return onLine.length > 0 ? onLine : onFunction();
  }

  /** Those that stop a program on the line of a frame. */
  private onLine(session: SessionState, { path, line }: Frame): readonly HostBreakpoint[] {
    if (path === undefined) return [];
    return this.all().filter((breakpoint) => {
      if (
        !breakpoint.enabled ||
        breakpoint.logMessage ||
        breakpoint.kind !== 'source' ||
        !samePath(breakpoint.path, path)
      )
        return false;
      return (
        breakpoint.line === line ||
        matches(session, breakpoint).some((adapter) => adapter.line === line)
      );
    });
  }

  /** Once for each stop, however often it is told. */
  private count(session: SessionState, stop: StopState, found: readonly HostBreakpoint[]): void {
    if (found.length === 0 || (this.counted.get(session.key) ?? 0) >= stop.id) return;
    this.counted.set(session.key, stop.id);
    for (const breakpoint of found) this.hits.add(breakpoint.hostId, session);
  }

  /** A logpoint does not stop: what it prints names its place, where the adapter tells it. So may what the program prints there. */
  private countLogged(
    session: SessionState,
    path: string | undefined,
    line: number | undefined,
    text: string,
  ): void {
    if (path === undefined || line === undefined) return;
    for (const breakpoint of this.all()) {
      if (
        !breakpoint.enabled ||
        !breakpoint.logMessage ||
        !mayBeLogged(text, breakpoint.logMessage) ||
        breakpoint.kind !== 'source' ||
        !samePath(breakpoint.path, personPath(path))
      )
        continue;
      if (
        breakpoint.line === line ||
        matches(session, breakpoint).some((adapter) => adapter.line === line)
      )
        this.hits.add(breakpoint.hostId, session);
    }
  }

  private mark(hostId: string, mark: Mark): void {
    this.marks.set(hostId, mark);
    this.save();
  }

  private save(): void {
    this.memory?.write({
      last: this.last,
      marks: [...this.marks].map(([hostId, { id, isAgents, content, isTemporary }]) =>
        defined({
          hostId,
          id,
          agent: isAgents ? true : undefined,
          content,
          temporary: isTemporary === true ? true : undefined,
        }),
      ),
    });
  }
}

/** A function's own name in `main.square`, `Scenario#square`, `ns::square(int)`. */
function nameOf(functionName: string): string {
  return (/([^.#:\s()]+)\s*(?:\(.*)?$/s.exec(functionName.trim())?.[1] ?? functionName).trim();
}
