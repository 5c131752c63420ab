import { boundAmong, boundIn, matches, type Bound } from './breakpointMatching';
import type { DebugModel } from '../state/debugModel';
import type { DebugHost, HostBreakpoint, RequestedHostBreakpoint } from '../host';
import { BreakpointHits, type HitBy, type Missed } from './breakpointHits';
import { BreakpointMarks, type MarkStore } from './breakpointMarks';
import { MeantPrograms, type Meant } from './meantPrograms';
import { samePath } from '../sourcePath';
import type { Frame } from '../inspection/stackAndVariables';
import {
  liveSessions,
  rootOf,
  type DebugEvent,
  type SessionState,
  type StopState,
} from '../state/state';

/** A breakpoint that a program stopped at on another line than it was asked for. */
export interface MovedBreakpoint {
  readonly id: number;
  readonly askedLine: number;
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
  private readonly marks: BreakpointMarks;
  private readonly hits: BreakpointHits;
  private readonly meant = new MeantPrograms();
  /** The events that it has to see. */
  readonly observes = BreakpointHits.observes;

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    memory?: MarkStore,
  ) {
    this.marks = new BreakpointMarks(memory);
    this.hits = new BreakpointHits(model, this);
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
    return this.marks.newId();
  }

  /** What else a stop may have hit: breakpoints that are none of VS Code's. */
  alsoHit(others: HitBy): void {
    this.hits.alsoHit(others);
  }

  idOf(breakpoint: HostBreakpoint): number {
    return this.marks.idOf(breakpoint.hostId);
  }

  ownerOf(breakpoint: HostBreakpoint): 'agent' | 'user' {
    return this.marks.of(breakpoint.hostId)?.isAgents === true ? 'agent' : 'user';
  }

  /** The text of the line that it was set by, and follows. */
  contentOf(breakpoint: HostBreakpoint): string | undefined {
    return this.marks.of(breakpoint.hostId)?.content;
  }

  /** Whether a call set it for itself. */
  isTemporary(breakpoint: HostBreakpoint): boolean {
    return this.marks.of(breakpoint.hostId)?.isTemporary === true;
  }

  /** In all runs; of these sessions alone where some are given. */
  hitsOf(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): number {
    return this.hits.counts.of(breakpoint.hostId, sessions);
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
    const { hostId } = breakpoint;
    if (as !== undefined) this.hits.counts.takeOver(hostId, as.hits);
    if (as !== undefined && moved) this.meant.takeOver(hostId, as.meant);
    else this.meant.set(hostId, this.liveRoots());
    this.marks.set(hostId, { id: as?.id, isAgents: true, content, isTemporary });
  }

  /** From now on they are the person's own. */
  giveToPerson(breakpoints: readonly HostBreakpoint[]): void {
    for (const { hostId } of breakpoints)
      this.marks.set(hostId, { isAgents: false, content: undefined });
  }

  /** Gives numbers to new ones as they come, so that what is kept of them has been written long before a window is closed. */
  number(hostIds: readonly string[]): void {
    for (const breakpoint of this.all())
      if (hostIds.includes(breakpoint.hostId)) this.idOf(breakpoint);
  }

  /** VS Code removed it. */
  forget(hostId: string): void {
    this.hits.counts.forget(hostId);
    this.meant.forget(hostId);
    this.marks.forget(hostId);
  }

  /** @param sessions live ones and ended ones; all that live where none are given */
  boundIn(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): readonly Bound[] {
    return sessions === undefined
      ? boundIn(this.model.state, breakpoint)
      : boundAmong(sessions, breakpoint);
  }

  /** The numbers of the breakpoints that a stop hit; null when it was none that VS Code knows. */
  hit(session: SessionState, stop: StopState, top: Frame | undefined): number[] | null {
    return this.hits.of(session, stop, top);
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
    return this.hits.missedAmong(this.agents(), sessions);
  }

  /** Sees what tells of hits, after the state has changed with it: hits count, whoever lets the program go on. */
  observe(event: DebugEvent): void {
    this.hits.observe(event);
    this.noteProgram(event);
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
}
