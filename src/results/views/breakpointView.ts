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
  /** Where the adapter says that there is code, nearest first. */
  readonly nearest_lines?: readonly number[];
  /** The same within the line, for a breakpoint in a column. */
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
  /** What each running session's adapter says of it. */
  readonly bound?: readonly BoundView[];
  readonly message?: string;
}

/** How VS Code takes a file: by a language's extension, or as the debug types that its debuggers have. */
export type LanguageCheck = (file: string, debugType: string) => Promise<boolean>;

/** Tells what VS Code and the adapters hold, and in words why one is not bound. */
export class BreakpointViews {
  private readonly unbound: UnboundReasons;

  constructor(
    private readonly book: BreakpointBook,
    private readonly model: DebugModel,
    requests: AdapterRequests,
    /** Whether a debug type is one for the file's language; true where nothing says otherwise. */
    private readonly isForLanguage: LanguageCheck,
    /** Whether what is in a file may be told of: where in it there is code, is. */
    mayTellOf: (file: string) => Promise<boolean>,
  ) {
    this.unbound = new UnboundReasons(requests, mayTellOf);
  }

  /** Why a session's adapter has not bound a breakpoint on a line, which need not be one of VS Code's. */
  async whyUnbound(
    session: SessionState,
    { path, line }: { readonly path: string; readonly line: number },
    signal: AbortSignal,
  ): Promise<UnboundReason> {
    const breakpoint = { kind: 'source', hostId: '', enabled: true, path, line } as const;
    return await this.unbound.explain(session, breakpoint, signal);
  }

  /**
   * Without `explain` no adapter is asked for reasons.
   * @param run the sessions of one run, ended ones too: what was true in it is told, instead of in all that live
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
    const verified = bound.some((each) => each.verified);
    const content = this.book.contentOf(breakpoint);
    const hits = this.book.hitsOf(breakpoint, run);
    const message = verified
      ? undefined
      : (this.wordsFor(breakpoint, run) ??
        bound.find((each) => each.message !== undefined)?.message);
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
      condition: breakpoint.condition || undefined,
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

  /** Why no session has it at all. */
  private wordsFor(
    breakpoint: HostBreakpoint,
    run: readonly SessionState[] = [],
  ): string | undefined {
    const live = liveSessions(this.model.state);
    if (run.length > 0 && !run.some(isLive))
      return this.book.boundIn(breakpoint, run).length > 0
        ? undefined
        : l10n.t('The debugger of this run has not answered for it.');
    if (!breakpoint.enabled)
      return l10n.t('It is disabled in VS Code, so programs do not stop there.');
    if (isWithheld(this.model.state, breakpoint))
      return l10n.t('Breakpoints are deactivated in VS Code, so programs stop at none.');
    if (live.length === 0)
      return l10n.t('No debug session is running: it is checked when one starts.');
    if (this.book.boundIn(breakpoint).length > 0) return undefined;
    const cannot =
      breakpoint.kind === 'function' &&
      live.every((session) => session.capabilities.supportsFunctionBreakpoints !== true);
    return cannot
      ? l10n.t('No running debugger has function breakpoints.')
      : l10n.t('No running debug session has answered for it yet.');
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
    const worded = adapter.message ? { message: adapter.message } : {};
    if (breakpoint.kind !== 'source') return { ...place, ...worded };
    // Some adapters verify whatever they are sent (debugpy): it is no truth about a file of another language.
    if (!(await this.isForLanguage(breakpoint.path, session.type))) {
      return {
        ...place,
        verified: false,
        reason: 'other_language',
        message: l10n.t(
          'The debugger “{0}” is not one for the language of this file.',
          session.type,
        ),
      };
    }
    if (adapter.verified || !explain || !isLive(session)) return { ...place, ...worded };
    const why = await this.unbound.explain(session, breakpoint, signal);
    if (!adapter.message) return { ...place, ...why };
    // Where nothing is known, the adapter's own words are all there is to say, but of a condition that it may not take.
    const isVague = why.reason === 'unknown' && !mayBeRefused(breakpoint);
    return {
      ...place,
      ...why,
      message: isVague ? adapter.message : `${why.message} (${adapter.message})`,
    };
  }
}
