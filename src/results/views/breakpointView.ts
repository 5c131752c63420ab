import { requestedCondition } from '../../debugger/adapters/pythonCondition';
import * as l10n from '@vscode/l10n';
import type { BreakpointBook } from '../../debugger/breakpoints/breakpointBook';
import { isWithheld, type Bound } from '../../debugger/breakpoints/breakpointMatching';
import type { DebugModel } from '../../debugger/state/debugModel';
import type { HostBreakpoint } from '../../debugger/host';
import type { AdapterRequests } from '../../debugger/requests';
import { isLive, liveSessions, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { mayBeRefused, UnboundReasons, type UnboundReason } from './unboundReason';

export interface BoundView {
  readonly session_id: string;
  readonly verified: boolean;
  readonly line?: number;
  readonly reason?: UnboundReason['reason'] | 'other_language';
  readonly message?: string;
  /** Lines with code according to the adapter, nearest first. */
  readonly nearest_lines?: readonly number[];
  /** Columns with code on the line, for a breakpoint with a column. */
  readonly nearest_columns?: readonly number[];
}

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
  readonly line_content?: string;
  readonly enabled: boolean;
  readonly owner: 'agent' | 'user';
  readonly hits?: number;
  /** The breakpoint's state in the adapter of each running session. */
  readonly bound?: readonly BoundView[];
  readonly message?: string;
}

/** Whether a debug type supports the language of a file. */
export type LanguageCheck = (file: string, debugType: string) => Promise<boolean>;

/**
 * Creates the views of breakpoints: their state in VS Code and in the adapters, and the reason why a breakpoint is not
 * bound.
 */
export class BreakpointViews {
  private readonly unbound: UnboundReasons;

  constructor(
    private readonly book: BreakpointBook,
    private readonly model: DebugModel,
    requests: AdapterRequests,
    /** Whether a debug type supports the file's language; true if that is unknown. */
    private readonly isForLanguage: LanguageCheck,
    /** Whether the lines of a file may be reported, such as those with code. */
    mayQuote: (file: string) => Promise<boolean>,
  ) {
    this.unbound = new UnboundReasons(requests, mayQuote);
  }

  /**
   * Finds the reason why a session's adapter has not bound a breakpoint on a line. The breakpoint does not have to be
   * one of VS Code's.
   */
  async whyUnbound(
    session: SessionState,
    { path, line }: { readonly path: string; readonly line: number },
    signal: AbortSignal,
  ): Promise<UnboundReason> {
    const breakpoint = { kind: 'source', hostId: '', enabled: true, path, line } as const;
    return await this.unbound.explain(session, breakpoint, signal);
  }

  /**
   * The view of a breakpoint.
   * @param explain whether to ask adapters why the breakpoint is not bound
   * @param run the sessions of one run, including ended ones. If set, the view shows the state in this run, not in live
   * sessions
   */
  async view(
    breakpoint: HostBreakpoint,
    signal: AbortSignal,
    explain = true,
    run?: readonly SessionState[],
  ): Promise<BreakpointView> {
    const answers = this.book.boundIn(breakpoint, run);
    const bound = await Promise.all(
      answers.map((answer) => this.boundView(breakpoint, answer, explain, signal)),
    );
    const verified = bound.some((entry) => entry.verified);
    const content = this.book.contentOf(breakpoint);
    const hits = this.book.hitsOf(breakpoint, run);
    const message = verified
      ? undefined
      : (this.whyNowhere(breakpoint, run) ??
        bound.find((entry) => entry.message !== undefined)?.message);
    return defined({
      id: this.book.idOf(breakpoint),
      verified,
      ...(breakpoint.kind === 'source'
        ? { source: { path: breakpoint.path }, line: breakpoint.line }
        : { function_name: breakpoint.functionName }),
      column:
        breakpoint.kind === 'source' && breakpoint.column !== undefined
          ? breakpoint.column
          : undefined,
      condition: requestedCondition(breakpoint.condition ?? '') || undefined,
      hit_condition: breakpoint.hitCondition || undefined,
      log_message: breakpoint.logMessage || undefined,
      line_content: content,
      enabled: breakpoint.enabled,
      owner: this.book.ownerOf(breakpoint),
      hits: hits > 0 ? hits : undefined,
      bound: bound.length > 0 ? bound : undefined,
      message,
    });
  }

  /** A message that explains why no session has the breakpoint. */
  private whyNowhere(
    breakpoint: HostBreakpoint,
    run: readonly SessionState[] = [],
  ): string | undefined {
    const live = liveSessions(this.model.state);
    if (run.length > 0 && !run.some(isLive))
      return this.book.boundIn(breakpoint, run).length > 0
        ? undefined
        : l10n.t('The debugger of this run has not confirmed it.');
    if (!breakpoint.enabled)
      return l10n.t('It is disabled in VS Code, so programs do not stop there.');
    if (isWithheld(this.model.state, breakpoint))
      return l10n.t('Breakpoints are deactivated in VS Code, so programs stop at none.');
    if (live.length === 0)
      return l10n.t('No debug session is running. It is checked when one starts.');
    if (this.book.boundIn(breakpoint).length > 0) return undefined;
    const cannot =
      breakpoint.kind === 'function' &&
      live.every((session) => session.capabilities.supportsFunctionBreakpoints !== true);
    return cannot
      ? l10n.t('No running debugger supports function breakpoints.')
      : l10n.t('No running debug session has confirmed it yet.');
  }

  private async boundView(
    breakpoint: HostBreakpoint,
    { session, adapter }: Bound,
    explain: boolean,
    signal: AbortSignal,
  ): Promise<BoundView> {
    const place = defined({
      session_id: session.id,
      verified: adapter.verified,
      line: adapter.line,
    });
    const reported = defined({ message: adapter.message || undefined });
    if (breakpoint.kind !== 'source') return { ...place, ...reported };
    // Some adapters (debugpy) verify any breakpoint, even in a file of another language.
    if (!(await this.isForLanguage(breakpoint.path, session.type))) {
      return {
        ...place,
        verified: false,
        reason: 'other_language',
        message: l10n.t('The debugger “{0}” is not for the language of this file.', session.type),
      };
    }
    if (adapter.verified || !explain || !isLive(session)) return { ...place, ...reported };
    const why = await this.unbound.explain(session, breakpoint, signal);
    if (!adapter.message) return { ...place, ...why };
    // If the reason is unknown, only the adapter's message is shown, unless it may have refused a condition.
    const isVague = why.reason === 'unknown' && !mayBeRefused(breakpoint);
    return {
      ...place,
      ...why,
      message: isVague ? adapter.message : `${why.message} (${adapter.message})`,
    };
  }
}
