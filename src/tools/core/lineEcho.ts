import type { BreakpointView } from '../../results/views/breakpointView';
import { unknownNames } from '../../debugger/breakpoints/conditionNames';
import type { RequestedHostBreakpoint } from '../../debugger/host';
import { lineKind, nextCode } from '../../debugger/breakpoints/lineKind';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';

/** What an answer says of the line that a breakpoint was set on. */
export interface LineEcho {
  /** The line's text, blanks around it aside. */
  readonly line_text?: string;
  readonly hint?: string;
}

const MOST_OF_A_LINE = 120;
const MOST_NAMES = 5;

/**
 * The text of the line that was asked for, and what a debugger may make of it. Nothing is said of a file that may not be
 * read.
 * @param isByText whether the caller named the line by its text, and so knows it
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
  ].filter((each) => each !== undefined);
  return defined({
    line_text: isByText ? undefined : shown(lines, requested.line),
    hint: hints.length > 0 ? hints.join(' ') : undefined,
  });
}

function shown(lines: readonly string[], line: number): string {
  return cutText(lines[line - 1]?.trim() ?? '', MOST_OF_A_LINE);
}

/** Where a running session's adapter has put it, if that is another line. */
function boundElsewhere({ bound }: BreakpointView, asked: number): number | undefined {
  return bound?.find((each) => each.verified && each.line !== undefined && each.line !== asked)
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

/** A header of one line: whether one of several ends is for a grammar to tell. */
const DEFINITION = /^(?:async\s+)?(def|class)\s.*:\s*(?:#.*)?$/;

/** debugpy stops at a definition when the program makes it, where no parameter has a value yet. */
function aboutDefinition(lines: readonly string[], line: number, file: string): string | undefined {
  if (!/\.pyw?$/i.test(file)) return undefined;
  const defined = DEFINITION.exec(lines[line - 1]?.trim() ?? '')?.[1];
  if (defined === undefined) return undefined;
  const body = nextCode(lines, line, file);
  const better =
    body === undefined ? '' : ` Its body seems to begin at line ${body}: ${shown(lines, body)}`;
  return `Line ${line} defines a ${defined === 'def' ? 'function' : 'class'}: Python runs it once, when it makes the definition, not at each call.${better}`;
}

/** debugpy takes a condition that fails for false: it says nothing of a name that does not exist. */
function aboutNames(
  { condition, ...requested }: Extract<RequestedHostBreakpoint, { readonly kind: 'source' }>,
  text: string,
): string | undefined {
  if (condition === undefined || !/\.pyw?$/i.test(requested.path)) return undefined;
  const names = unknownNames(condition, text).slice(0, MOST_NAMES);
  if (names.length === 0) return undefined;
  return `Nothing in the file is named ${names.join(', ')}: where a name in a condition does not exist, debugpy never stops and does not say so.`;
}
