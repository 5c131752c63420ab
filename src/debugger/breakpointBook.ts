import * as l10n from '@vscode/l10n';
import type { DebugModel } from './debugModel';
import type { DebugHost, HostBreakpoint } from './host';
import { samePath } from './sourcePath';
import type { Frame } from './stackAndVariables';
import { isLive, type AdapterBreakpoint, type SessionState, type StopState } from './state';

/** A breakpoint as callers see it. */
export interface BreakpointView {
  readonly id: number;
  readonly verified: boolean;
  readonly source?: { readonly path: string };
  readonly line?: number;
  readonly column?: number;
  readonly function_name?: string;
  readonly condition?: string;
  readonly hit_condition?: string;
  readonly log_message?: string;
  readonly enabled: boolean;
  readonly owner: 'agent' | 'user';
  /** What each running session's adapter says of it. */
  readonly bound?: readonly { readonly session_id: string; readonly verified: boolean; readonly line?: number; readonly message?: string }[];
  readonly message?: string;
}

/**
 * Small numbers for VS Code's breakpoints, who set them, and what the adapters made of them. VS Code's own list is the
 * truth about which there are; nothing here is a second list.
 */
export class BreakpointBook {
  private readonly numbers = new Map<string, number>();
  private readonly agents = new Set<string>();
  private last = 0;

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
  ) {}

  all(): readonly HostBreakpoint[] {
    return this.host.breakpoints();
  }

  find(id: number): HostBreakpoint | undefined {
    return this.all().find((each) => this.idOf(each) === id);
  }

  at(path: string, line: number): readonly HostBreakpoint[] {
    return this.all().filter((each) => each.kind === 'source' && samePath(each.path, path) && each.line === line);
  }

  idOf(breakpoint: HostBreakpoint): number {
    const known = this.numbers.get(breakpoint.hostId);
    if (known !== undefined) return known;
    this.last += 1;
    this.numbers.set(breakpoint.hostId, this.last);
    return this.last;
  }

  ownerOf(breakpoint: HostBreakpoint): 'agent' | 'user' {
    return this.agents.has(breakpoint.hostId) ? 'agent' : 'user';
  }

  /** Notes that an agent set it; one that stands for another keeps its number. */
  claim(breakpoint: HostBreakpoint, number?: number): void {
    this.agents.add(breakpoint.hostId);
    if (number !== undefined) this.numbers.set(breakpoint.hostId, number);
  }

  /** VS Code removed it. */
  forget(hostId: string): void {
    this.agents.delete(hostId);
    this.numbers.delete(hostId);
  }

  view(breakpoint: HostBreakpoint): BreakpointView {
    const bound = this.boundIn(breakpoint);
    const verified = bound.some((each) => each.adapter.verified);
    const unverified = bound.find((each) => !each.adapter.verified && each.adapter.message !== undefined);
    const message = verified ? undefined : bound.length === 0 ? noSessionWords(this.liveCount()) : unverified?.adapter.message;
    return {
      id: this.idOf(breakpoint),
      verified,
      ...(breakpoint.kind === 'source' ? { source: { path: breakpoint.path }, line: breakpoint.line } : { function_name: breakpoint.functionName }),
      ...(breakpoint.kind === 'source' && breakpoint.column !== undefined ? { column: breakpoint.column } : {}),
      ...(breakpoint.condition ? { condition: breakpoint.condition } : {}),
      ...(breakpoint.hitCondition ? { hit_condition: breakpoint.hitCondition } : {}),
      ...(breakpoint.logMessage ? { log_message: breakpoint.logMessage } : {}),
      enabled: breakpoint.enabled,
      owner: this.ownerOf(breakpoint),
      ...(bound.length > 0
        ? {
            bound: bound.map(({ session, adapter }) => ({
              session_id: session.id,
              verified: adapter.verified,
              ...(adapter.line !== undefined ? { line: adapter.line } : {}),
              ...(adapter.message !== undefined ? { message: adapter.message } : {}),
            })),
          }
        : {}),
      ...(message !== undefined ? { message } : {}),
    };
  }

  /** The numbers of the breakpoints that a stop hit; null when it was none that VS Code knows. */
  hit(session: SessionState, stop: StopState, top: Frame | undefined): number[] | null {
    if (stop.hitBreakpointIds !== undefined && stop.hitBreakpointIds.length > 0) {
      const ids = new Set(stop.hitBreakpointIds);
      const named = this.all().filter((each) => this.matches(session, each).some((adapter) => adapter.id !== undefined && ids.has(adapter.id)));
      if (named.length > 0) return named.map((each) => this.idOf(each));
    }
    if (!stop.reason.includes('breakpoint') || top?.path === undefined) return null;
    const path = top.path;
    const there = this.all().filter((each) => {
      if (!each.enabled || each.logMessage || each.kind !== 'source' || !samePath(each.path, path)) return false;
      return each.line === top.line || this.matches(session, each).some((adapter) => adapter.line === top.line);
    });
    return there.length > 0 ? there.map((each) => this.idOf(each)) : null;
  }

  /** What each live session's adapter answered about a breakpoint; sessions that it was not sent to are left out. */
  boundIn(breakpoint: HostBreakpoint): readonly { session: SessionState; adapter: AdapterBreakpoint }[] {
    return [...this.model.state.sessions.values()].filter(isLive).flatMap((session) => {
      const adapter = this.matches(session, breakpoint)[0];
      return adapter === undefined ? [] : [{ session, adapter }];
    });
  }

  private matches(session: SessionState, breakpoint: HostBreakpoint): readonly AdapterBreakpoint[] {
    if (breakpoint.kind === 'function') {
      return session.functionBreakpoints?.breakpoints.filter((each) => each.requestedName === breakpoint.functionName && hasConditions(each, breakpoint)) ?? [];
    }
    const found: AdapterBreakpoint[] = [];
    for (const [path, answers] of session.sourceBreakpoints) {
      if (!samePath(path, breakpoint.path)) continue;
      const alike = answers.breakpoints.filter((each) => hasConditions(each, breakpoint));
      const onLine = alike.filter((each) => each.requestedLine === breakpoint.line);
      // Once an adapter has bound it elsewhere, VS Code itself shows it there.
      found.push(...(onLine.length > 0 ? onLine : alike.filter((each) => each.line === breakpoint.line)));
    }
    const column = breakpoint.column;
    return column === undefined ? found : found.filter((each) => each.requestedColumn === undefined || each.requestedColumn === column || each.column === column);
  }

  private liveCount(): number {
    return [...this.model.state.sessions.values()].filter(isLive).length;
  }
}

/** Whether an adapter's breakpoint was asked for with the same conditions: of one that was replaced, nothing counts. */
function hasConditions(adapter: AdapterBreakpoint, breakpoint: HostBreakpoint): boolean {
  const same = (asked: string | undefined, held: string | undefined): boolean => (asked || undefined) === (held || undefined);
  return same(adapter.requestedCondition, breakpoint.condition) && same(adapter.requestedHitCondition, breakpoint.hitCondition) && same(adapter.requestedLogMessage, breakpoint.logMessage);
}

function noSessionWords(live: number): string {
  return live === 0 ? l10n.t('No debug session is running: it is checked when one starts.') : l10n.t('No running debug session has answered for it yet.');
}
