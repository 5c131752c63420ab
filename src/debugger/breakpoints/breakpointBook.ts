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

/** A breakpoint that a program hit on another line than the requested one. */
export interface MovedBreakpoint {
  readonly id: number;
  readonly requestedLine: number;
}

/** The marks that a breakpoint takes over from the one that it replaces. */
export interface ReplacedMarks {
  readonly id: number;
  readonly hits: number;
  readonly meant: Meant;
}

/**
 * Stores a small number for each of VS Code's breakpoints, who set it, and how often it was hit. VS Code's list alone
 * decides which breakpoints exist; this is not a second list. VS Code keeps a breakpoint's id when its file is edited
 * or the window is reloaded, so the marks stored here persist as well.
 */
export class BreakpointBook {
  private readonly marks: BreakpointMarks;
  private readonly hits: BreakpointHits;
  private readonly meant = new MeantPrograms();
  /** The names of the events that `observe` needs. */
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

  /**
   * The existing breakpoint at a requested location: one that is set there, or that was requested there and bound
   * elsewhere.
   */
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

  /** Returns a new number for a breakpoint that is not in VS Code's list. */
  newId(): number {
    return this.marks.newId();
  }

  /** Sets the function that finds the hits of breakpoints that are not in VS Code's list. */
  alsoHit(others: HitBy): void {
    this.hits.alsoHit(others);
  }

  idOf(breakpoint: HostBreakpoint): number {
    return this.marks.idOf(breakpoint.hostId);
  }

  ownerOf(breakpoint: HostBreakpoint): 'agent' | 'user' {
    return this.marks.of(breakpoint.hostId)?.isAgents === true ? 'agent' : 'user';
  }

  /** The text of the line by which the breakpoint was set. The breakpoint follows this text. */
  contentOf(breakpoint: HostBreakpoint): string | undefined {
    return this.marks.of(breakpoint.hostId)?.content;
  }

  /** Whether a call set the breakpoint temporarily. */
  isTemporary(breakpoint: HostBreakpoint): boolean {
    return this.marks.of(breakpoint.hostId)?.isTemporary === true;
  }

  /** The number of hits in all runs, or only in the given sessions. */
  hitsOf(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): number {
    return this.hits.counts.of(breakpoint.hostId, sessions);
  }

  /** Whether an agent set the breakpoint for the program of this session's tree (`MeantPrograms`). */
  isMeantFor(breakpoint: HostBreakpoint, session: SessionState): boolean {
    return this.meant.isFor(breakpoint.hostId, rootOf(this.model.state, session));
  }

  /** All breakpoints that agents set. */
  agents(): readonly HostBreakpoint[] {
    return this.all().filter((breakpoint) => this.ownerOf(breakpoint) === 'agent');
  }

  /** The marks that a replacement takes over. Has to be called before the breakpoint is removed. */
  marksOf(breakpoint: HostBreakpoint): ReplacedMarks {
    const { hostId } = breakpoint;
    return {
      id: this.idOf(breakpoint),
      hits: this.hitsOf(breakpoint),
      meant: this.meant.of(hostId),
    };
  }

  /**
   * Marks the breakpoint as set by an agent.
   * @param moved whether it replaces itself because it has followed its line's text
   */
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

  /** Marks the breakpoints as the person's own. */
  giveToPerson(breakpoints: readonly HostBreakpoint[]): void {
    for (const { hostId } of breakpoints)
      this.marks.set(hostId, { isAgents: false, content: undefined });
  }

  /** Numbers new breakpoints immediately, so that their marks are stored well before the window is closed. */
  number(hostIds: readonly string[]): void {
    for (const breakpoint of this.all())
      if (hostIds.includes(breakpoint.hostId)) this.idOf(breakpoint);
  }

  /** Called when VS Code has removed the breakpoint. */
  forget(hostId: string): void {
    this.hits.counts.forget(hostId);
    this.meant.forget(hostId);
    this.marks.forget(hostId);
  }

  /** @param sessions live or ended sessions. Default: all live sessions */
  boundIn(breakpoint: HostBreakpoint, sessions?: readonly SessionState[]): readonly Bound[] {
    return sessions === undefined
      ? boundIn(this.model.state, breakpoint)
      : boundAmong(sessions, breakpoint);
  }

  /** The numbers of the breakpoints that a stop hit; null if no known breakpoint was hit. */
  hit(session: SessionState, stop: StopState, top: Frame | undefined): number[] | null {
    return this.hits.of(session, stop, top);
  }

  /** The hit breakpoints that were requested on another line. */
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
      const requestedLine = matches(session, breakpoint)[0]?.requestedLine ?? breakpoint.line;
      return requestedLine === line ? [] : [{ id, requestedLine }];
    });
  }

  /**
   * The agents' breakpoints that the sessions received and never hit. Empty if that is unknown because a stop was not
   * read (the person continued the program). A logpoint counts as never hit if no output named its location. Not all
   * adapters report that location.
   */
  missedIn(sessions: readonly SessionState[]): readonly Missed[] {
    return this.hits.missedAmong(this.agents(), sessions);
  }

  /** Called with events after the state has been updated. Hits are counted regardless of who resumes the program. */
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
