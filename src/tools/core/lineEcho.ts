import type { BreakpointView } from '../../results/views/breakpointView';
import { unknownNames } from '../../debugger/breakpoints/conditionNames';
import type { RequestedHostBreakpoint } from '../../debugger/host';
import { lineKind, nextCode } from '../../debugger/breakpoints/lineKind';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';

/** The part of a result that describes the line on which a breakpoint was set. */
export interface LineEcho {
  /** The text of the line, trimmed. */
  readonly line_text?: string;
  readonly hint?: string;
}

const MAX_OF_A_LINE = 120;
const MAX_NAMES = 5;

/**
 * Returns the text of the requested line, and a hint about the possible behaviour of a debugger there. The result is
 * empty for a file that may not be read.
 * @param isByText whether the caller named the line by its text. The text is not repeated then.
 */
export async function echoOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  requested: RequestedHostBreakpoint,
  view: BreakpointView,
  isByText: boolean,
): Promise<LineEcho> {
  if (requested.kind !== 'source') return {};
  const text = await workspace.readText(requested.path).catch(() => undefined);
  if (text === undefined) return {};
  const lines = text.split(/\r\n|\r|\n/);
  const hints = [
    aboutPlace(lines, requested.line, requested.path, boundElsewhere(view, requested.line)),
    aboutNames(requested, text),
  ].filter((hint) => hint !== undefined);
  return defined({
    line_text: isByText ? undefined : shown(lines, requested.line),
    hint: hints.length > 0 ? hints.join(' ') : undefined,
  });
}

function shown(lines: readonly string[], line: number): string {
  return cutText(lines[line - 1]?.trim() ?? '', MAX_OF_A_LINE);
}

/** Returns the line to which the adapter of a running session has moved the breakpoint, if any. */
function boundElsewhere({ bound }: BreakpointView, requested: number): number | undefined {
  return bound?.find(({ verified, line }) => verified && line !== undefined && line !== requested)
    ?.line;
}

function aboutPlace(
  lines: readonly string[],
  line: number,
  file: string,
  elsewhere: number | undefined,
): string | undefined {
  if (elsewhere !== undefined)
    return `The debugger moved it to line ${elsewhere}: ${shown(lines, elsewhere)}`;
  const kind = lineKind(lines, line, file);
  if (kind === 'code') return aboutDefinition(lines, line, file);
  const next = nextCode(lines, line, file);
  const better =
    next === undefined ? '' : ` The next line with code seems to be ${next}: ${shown(lines, next)}`;
  return `Line ${line} ${kind === 'blank' ? 'is blank' : 'looks like a comment'}: the debugger will stop at another line, perhaps one before it, or not at all.${better}`;
}

/** Matches a definition whose header is one line. A grammar would be needed to find the end of a longer header. */
const DEFINITION = /^(?:async\s+)?(def|class)\s.*:\s*(?:#[^]*)?$/;

/**
 * Returns a hint about a line with a definition. debugpy stops there when the program executes the definition, before
 * any parameter has a value.
 */
function aboutDefinition(lines: readonly string[], line: number, file: string): string | undefined {
  if (!/\.pyw?$/i.test(file)) return undefined;
  const defined = DEFINITION.exec(lines[line - 1]?.trim() ?? '')?.[1];
  if (defined === undefined) return undefined;
  const body = nextCode(lines, line, file);
  const better =
    body === undefined ? '' : ` Its body seems to begin at line ${body}: ${shown(lines, body)}`;
  return `Line ${line} defines a ${defined === 'def' ? 'function' : 'class'}: Python runs it once, when it creates the definition, not at each call.${better}`;
}

/**
 * Returns a hint about unknown names in a condition. debugpy treats a condition that throws as false, and does not
 * report a name that does not exist.
 */
function aboutNames(
  { condition, ...requested }: Extract<RequestedHostBreakpoint, { readonly kind: 'source' }>,
  text: string,
): string | undefined {
  if (condition === undefined || !/\.pyw?$/i.test(requested.path)) return undefined;
  const names = unknownNames(condition, text).slice(0, MAX_NAMES);
  if (names.length === 0) return undefined;
  return `Nothing in the file is named ${names.join(', ')}. If a name in a condition does not exist, debugpy never stops there and reports no error.`;
}
