import * as l10n from '@vscode/l10n';
import type { HostBreakpoint } from '../../debugger/host';
import { listed } from '../listing';
import { countOf, fields, listOf, textOf } from '../../debugger/protocol';
import type { AdapterRequests } from '../../debugger/requests';
import { personPath, samePath } from '../../debugger/sourcePath';
import type { SessionState } from '../../debugger/state/state';

type SourceBreakpoint = Extract<HostBreakpoint, { readonly kind: 'source' }>;

/** The reason why an adapter has not bound a breakpoint. */
export interface UnboundReason {
  readonly reason: 'no_code' | 'column' | 'source_map' | 'not_loaded' | 'unknown';
  readonly message: string;
  readonly nearest_lines?: readonly number[];
  readonly nearest_columns?: readonly number[];
}

/** The number of lines around a line for which locations with code are requested from the adapter. */
const LINES_AROUND = 30;
const NEAREST_SHOWN = 3;

/** Source files that are compiled to scripts with source maps. */
const COMPILED_TO_SCRIPT = /\.(?:ts|tsx|mts|cts|jsx|vue|svelte|coffee)$/i;

/** The facts that an adapter reports about a file. */
interface FileFacts {
  /** Locations with code near the breakpoint's line. DAP `breakpointLocations`. */
  readonly locations: readonly { readonly line: number; readonly column: number | undefined }[];
  /** Whether the file is loaded; undefined if the adapter does not report it. DAP `loadedSources`. */
  readonly isLoaded: boolean | undefined;
  /** Whether lines of the file may be reported. */
  readonly isReportable: boolean;
}

/** Asks adapters for the reason why they have not bound a breakpoint. */
export class UnboundReasons {
  constructor(
    private readonly requests: AdapterRequests,
    private readonly mayQuote: (file: string) => Promise<boolean>,
  ) {}

  async explain(
    session: SessionState,
    breakpoint: SourceBreakpoint,
    signal: AbortSignal,
  ): Promise<UnboundReason> {
    const facts = await this.facts(session, breakpoint, signal);
    return (
      otherLine(facts, breakpoint) ??
      otherColumn(facts, breakpoint) ??
      refusedCondition(facts, breakpoint) ??
      absentFile(facts, breakpoint)
    );
  }

  private async facts(
    session: SessionState,
    breakpoint: SourceBreakpoint,
    signal: AbortSignal,
  ): Promise<FileFacts> {
    const { path } = breakpoint;
    const askSources = async (): Promise<readonly unknown[] | undefined> =>
      session.capabilities.supportsLoadedSourcesRequest === true
        ? await this.ask(session, 'loadedSources', {}, signal)
        : undefined;
    // A file that the debugger has loaded may be reported, regardless of its folder. The `loadedSources` response names
    // such files.
    const isInWorkspace = await this.mayQuote(path);
    const requested = isInWorkspace ? undefined : await askSources();
    const isReportable = isInWorkspace || (requested !== undefined && (await this.mayQuote(path)));
    const locations = isReportable ? await this.locationsNear(session, breakpoint, signal) : [];
    // A file with locations is loaded.
    const sources = locations.length > 0 ? requested : (requested ?? (await askSources()));
    const isLoaded = sources?.some((source) =>
      samePath(personPath(textOf(fields(source)['path']) ?? ''), path),
    );
    return { locations, isLoaded, isReportable };
  }

  private async locationsNear(
    session: SessionState,
    { path, line }: SourceBreakpoint,
    signal: AbortSignal,
  ): Promise<FileFacts['locations']> {
    if (session.capabilities.supportsBreakpointLocationsRequest !== true) return [];
    const around = {
      source: { path },
      line: Math.max(1, line - LINES_AROUND),
      endLine: line + LINES_AROUND,
    };
    const found = await this.ask(session, 'breakpointLocations', around, signal);
    return (found ?? []).flatMap((location) => {
      const { line: at, column } = fields(location);
      const number = countOf(at);
      return number === undefined ? [] : [{ line: number, column: countOf(column) }];
    });
  }

  /** The list in the adapter's response. Undefined if the adapter does not give it. */
  private async ask(
    session: SessionState,
    command: string,
    args: object,
    signal: AbortSignal,
  ): Promise<readonly unknown[] | undefined> {
    return await this.requests.send(session, command, args, signal).then(
      (body) => listOf(body['breakpoints'] ?? body['sources']),
      () => undefined,
    );
  }
}

/** The reason if there is code near the line, but not on it. */
function otherLine(
  { locations }: FileFacts,
  { line }: SourceBreakpoint,
): UnboundReason | undefined {
  const lines = [...new Set(locations.map((location) => location.line))];
  if (lines.length === 0 || lines.includes(line)) return undefined;
  const nearest = nearestTo(line, lines);
  return {
    reason: 'no_code',
    message: l10n.t(
      'There is no code on line {0}. The nearest lines with code: {1}.',
      line,
      listed(nearest),
    ),
    nearest_lines: nearest,
  };
}

/** The reason if the debugger cannot stop at the column. No adapter knows the columns of a file that is not loaded. */
function otherColumn(
  { locations, isLoaded }: FileFacts,
  { line, column }: SourceBreakpoint,
): UnboundReason | undefined {
  if (column === undefined || (locations.length === 0 && isLoaded === false)) return undefined;
  const columns = [
    ...new Set(
      locations.flatMap((location) => (location.line === line ? (location.column ?? []) : [])),
    ),
  ];
  if (columns.length === 0)
    return {
      reason: 'column',
      message: l10n.t(
        'The debugger has not bound it in column {0}: there may be no code to stop at. A breakpoint without a column is for the whole line.',
        column,
      ),
    };
  if (columns.includes(column)) return undefined;
  const nearest = nearestTo(column, columns);
  return {
    reason: 'column',
    message: l10n.t(
      'The debugger cannot stop in column {0}. The nearest columns where it can: {1}.',
      column,
      listed(nearest),
    ),
    nearest_columns: nearest,
  };
}

/** The reason if there is code on the line, so that the breakpoint's condition may be wrong. */
function refusedCondition(
  { locations, isLoaded, isReportable }: FileFacts,
  breakpoint: SourceBreakpoint,
): UnboundReason | undefined {
  if (locations.length > 0)
    return {
      reason: 'unknown',
      message: mayBeRefused(breakpoint)
        ? l10n.t(
            'The debugger has not bound it. Its condition or log message may not be valid in the program’s language; the output of the session shows the debugger’s message.',
          )
        : l10n.t('The debugger has not bound it yet.'),
    };
  if (isLoaded !== true || !isReportable) return undefined;
  if (mayBeRefused(breakpoint))
    return {
      reason: 'unknown',
      message: l10n.t(
        'The debugger has not bound it. There may be no code on line {0}, or its condition or log message may not be valid in the program’s language; the output of the session shows the debugger’s message.',
        breakpoint.line,
      ),
    };
  return {
    reason: 'no_code',
    message: l10n.t('There is no code on line {0} or near it.', breakpoint.line),
  };
}

/** The reason if the program does not seem to have loaded the file. */
function absentFile({ isLoaded }: FileFacts, { path }: SourceBreakpoint): UnboundReason {
  if (isLoaded === false && COMPILED_TO_SCRIPT.test(path))
    return {
      reason: 'source_map',
      message: l10n.t(
        'None of the scripts loaded so far has a source map that leads to this file. It may be loaded later; otherwise check that source maps are generated, and “outFiles” in the configuration.',
      ),
    };
  if (isLoaded === false)
    return {
      reason: 'not_loaded',
      message: l10n.t(
        'The program has not loaded this file. It may do so later, or the file is not part of it.',
      ),
    };
  return {
    reason: 'unknown',
    message: l10n.t(
      'The debugger has not bound it. The file may not be loaded yet, may not be part of the program, or may have no code on the line.',
    ),
  };
}

function nearestTo(requested: number, places: readonly number[]): readonly number[] {
  return [...places]
    .sort((one, other) => Math.abs(one - requested) - Math.abs(other - requested))
    .slice(0, NEAREST_SHOWN);
}

/**
 * Whether an adapter may refuse a breakpoint because it cannot parse the condition or the log message, and report that
 * only in its output (js-debug).
 */
export function mayBeRefused({ condition, logMessage }: SourceBreakpoint): boolean {
  return condition !== undefined || logMessage !== undefined;
}
