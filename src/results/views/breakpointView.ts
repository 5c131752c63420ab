import * as l10n from '@vscode/l10n';
import type { BreakpointBook } from '../../debugger/breakpoints/breakpointBook';
import { isWithheld, type Bound } from '../../debugger/breakpoints/breakpointMatching';
import type { DebugModel } from '../../debugger/state/debugModel';
import type { HostBreakpoint } from '../../debugger/host';
import { countOf, fields, listOf, textOf } from '../../debugger/protocol';
import type { AdapterRequests } from '../../debugger/requests';
import { personPath, samePath } from '../../debugger/sourcePath';
import { isLive, liveSessions, type SessionState } from '../../debugger/state/state';

/** Why an adapter has not bound a breakpoint. */
export type UnboundReason =
  'not_loaded' | 'no_code' | 'column' | 'other_language' | 'source_map' | 'unknown';

export interface BoundView {
  readonly session_id: string;
  readonly verified: boolean;
  readonly line?: number;
  readonly reason?: UnboundReason;
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

/** How far around a line code is looked for. */
const LINES_AROUND = 30;
const NEAREST_SHOWN = 3;

type SourceBreakpoint = Extract<HostBreakpoint, { readonly kind: 'source' }>;

/** How VS Code takes a file: by a language's extension, or as the debug types that its debuggers have. */
export type LanguageCheck = (file: string, debugType: string) => Promise<boolean>;

/** Tells what VS Code and the adapters hold, and in words why one is not bound. */
export class BreakpointViews {
  constructor(
    private readonly book: BreakpointBook,
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    /** Whether a debug type is one for the file's language; true where nothing says otherwise. */
    private readonly isForLanguage: LanguageCheck,
    /** Whether what is in a file may be told of: where in it there is code, is. */
    private readonly mayTellOf: (file: string) => Promise<boolean>,
  ) {}

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
      answers.map((each) => this.boundView(breakpoint, each, explain, signal)),
    );
    const verified = bound.some((each) => each.verified);
    const content = this.book.contentOf(breakpoint);
    const hits = this.book.hitsOf(breakpoint, run);
    const message = verified
      ? undefined
      : (this.wordsFor(breakpoint, run) ??
        bound.find((each) => each.message !== undefined)?.message);
    return {
      id: this.book.idOf(breakpoint),
      verified,
      ...(breakpoint.kind === 'source'
        ? { source: { path: breakpoint.path }, line: breakpoint.line }
        : { function_name: breakpoint.functionName }),
      ...(breakpoint.kind === 'source' && breakpoint.column !== undefined
        ? { column: breakpoint.column }
        : {}),
      ...(breakpoint.condition ? { condition: breakpoint.condition } : {}),
      ...(breakpoint.hitCondition ? { hit_condition: breakpoint.hitCondition } : {}),
      ...(breakpoint.logMessage ? { log_message: breakpoint.logMessage } : {}),
      ...(content !== undefined ? { line_content: content } : {}),
      enabled: breakpoint.enabled,
      owner: this.book.ownerOf(breakpoint),
      ...(hits > 0 ? { hits } : {}),
      ...(bound.length > 0 ? { bound } : {}),
      ...(message !== undefined ? { message } : {}),
    };
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
      live.every((each) => each.capabilities.supportsFunctionBreakpoints !== true);
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
    const place = {
      session_id: session.id,
      verified: adapter.verified,
      ...(adapter.line !== undefined ? { line: adapter.line } : {}),
    };
    const told = adapter.message ? { message: adapter.message } : {};
    if (breakpoint.kind !== 'source') return { ...place, ...told };
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
    if (adapter.verified || !explain || !isLive(session)) return { ...place, ...told };
    const why = await this.reason({ session, adapter }, breakpoint, signal);
    if (!adapter.message) return { ...place, ...why };
    // Where nothing is known, the adapter's own words are all there is to say, but of a condition that it may not take.
    const isVague =
      why.message === undefined || (why.reason === 'unknown' && !mayBeRefused(breakpoint));
    return {
      ...place,
      ...why,
      message: isVague ? adapter.message : `${why.message} (${adapter.message})`,
    };
  }

  private async reason(
    { session }: Bound,
    breakpoint: SourceBreakpoint,
    signal: AbortSignal,
  ): Promise<Pick<BoundView, 'reason' | 'message' | 'nearest_lines' | 'nearest_columns'>> {
    const { path, line, column } = breakpoint;
    const { capabilities } = session;
    const ask = async (command: string, args: object): Promise<readonly unknown[] | undefined> =>
      await this.requests.send(session, command, args, signal).then(
        (body) => listOf(body['breakpoints'] ?? body['sources']),
        () => undefined,
      );
    const askSources = async (): Promise<readonly unknown[] | undefined> =>
      capabilities.supportsLoadedSourcesRequest === true
        ? await ask('loadedSources', {})
        : undefined;
    const isLoaded = async (): Promise<boolean | undefined> =>
      (await askSources())?.some((each) =>
        samePath(personPath(textOf(fields(each)['path']) ?? ''), path),
      );
    // A file that the debugger has loaded may be told of, wherever it lies; the answer to this question says whether it has.
    const mayTell =
      (await this.mayTellOf(path)) ||
      ((await askSources()) !== undefined && (await this.mayTellOf(path)));
    const locations =
      mayTell && capabilities.supportsBreakpointLocationsRequest === true
        ? await ask('breakpointLocations', {
            source: { path },
            line: Math.max(1, line - LINES_AROUND),
            endLine: line + LINES_AROUND,
          })
        : undefined;
    const lines = [
      ...new Set((locations ?? []).flatMap((each) => countOf(fields(each)['line']) ?? [])),
    ];
    if (lines.length > 0 && !lines.includes(line)) {
      const nearest = lines
        .sort((one, other) => Math.abs(one - line) - Math.abs(other - line))
        .slice(0, NEAREST_SHOWN);
      return {
        reason: 'no_code',
        message: l10n.t(
          'There is no code on line {0}; the nearest lines that have some: {1}.',
          line,
          nearest.join(', '),
        ),
        nearest_lines: nearest,
      };
    }
    // Of a file that is not loaded, no adapter knows the columns.
    if (column !== undefined && (lines.length > 0 || (await isLoaded()) !== false)) {
      const columns = [
        ...new Set(
          (locations ?? []).flatMap((each) =>
            countOf(fields(each)['line']) === line ? (countOf(fields(each)['column']) ?? []) : [],
          ),
        ),
      ];
      if (columns.length === 0)
        return {
          reason: 'column',
          message: l10n.t(
            'The debugger has not bound it in column {0}: it may have nothing to stop at there. Without a column it is for the whole line.',
            column,
          ),
        };
      const nearest = columns
        .sort((one, other) => Math.abs(one - column) - Math.abs(other - column))
        .slice(0, NEAREST_SHOWN);
      if (!columns.includes(column))
        return {
          reason: 'column',
          message: l10n.t(
            'There is nothing to stop at in column {0}; the nearest columns that have something: {1}.',
            column,
            nearest.join(', '),
          ),
          nearest_columns: nearest,
        };
    }
    if (lines.length > 0)
      return {
        reason: 'unknown',
        message: mayBeRefused(breakpoint)
          ? l10n.t(
              'The debugger has not bound it: its condition or log message may not be valid in the program’s language; what the debugger says of it is in its output.',
            )
          : l10n.t('The debugger has not bound it yet.'),
      };
    const loaded = await isLoaded();
    if (loaded === true && mayTell && mayBeRefused(breakpoint))
      return {
        reason: 'unknown',
        message: l10n.t(
          'The debugger has not bound it: there may be no code on line {0}, or its condition or log message may not be valid in the program’s language; what the debugger says of it is in its output.',
          line,
        ),
      };
    if (loaded === true && mayTell)
      return {
        reason: 'no_code',
        message: l10n.t('There is no code on line {0} or near it.', line),
      };
    if (loaded === false && COMPILED_TO_SCRIPT.test(path)) {
      return {
        reason: 'source_map',
        message: l10n.t(
          'No script that the program has loaded so far has a source map that leads to this file. It may be loaded later; else check that source maps are made, and “outFiles” in the configuration.',
        ),
      };
    }
    if (loaded === false)
      return {
        reason: 'not_loaded',
        message: l10n.t(
          'The program has not loaded this file: it may do so later, or the file is no part of it.',
        ),
      };
    return {
      reason: 'unknown',
      message: l10n.t(
        'The debugger has not bound it: the file may not be loaded yet, or be no part of the program, or there may be no code on the line.',
      ),
    };
  }
}

/** An adapter may bind nothing whose condition it cannot read (js-debug), and say so in its output alone. */
function mayBeRefused({ condition, logMessage }: SourceBreakpoint): boolean {
  return condition !== undefined || logMessage !== undefined;
}

/** Sources that a source map leads to. */
const COMPILED_TO_SCRIPT = /\.(?:ts|tsx|mts|cts|jsx|vue|svelte|coffee)$/i;
