import { shortPattern } from '../../../util/shortPattern';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { CallEnd, TracedFunction } from './callModel';
import {
  hasBegunAgain,
  isAtEntry,
  isSameCall,
  isSameFunction,
  type ThreadStack,
} from './threadStack';
import type { EndedBy } from './traceEnd';

export type StepCommand = 'next' | 'stepIn' | 'stepOut';

/** The outcome of a step: a new stop of the thread, or the end of the trace. */
export type Arrival =
  | { readonly kind: 'at'; readonly stack: ThreadStack }
  | {
      readonly kind: 'over';
      readonly endedBy: EndedBy;
      readonly exception?: string | undefined;
      /** Whether that exception certainly leaves the traced call. */
      readonly leaves?: boolean;
    };

/**
 * Returns the step for a line.
 * @param isInto whether callees are traced
 * @param isPart whether only the part of a generator up to its next `yield` is traced
 */
export function commandAt(
  called: TracedFunction,
  now: ThreadStack,
  { isInto, isPart }: { readonly isInto: boolean; readonly isPart: boolean },
): StepCommand {
  const usual = isInto && !leavesWithoutCall(called, now) ? 'stepIn' : 'next';
  if (called.suspends !== 'generator' || !yieldsAt(called, now)) return usual;
  // The consumer of a generator that is traced as a whole is not part of the trace.
  if (!isPart) return 'next';
  const { leavesGenerators } = adapterOf(now.session.type);
  // A step out also leaves the rest of a line whose `yield` is not reached.
  return leavesGenerators === 'stepOut' && !beginsWithYield(called, now)
    ? usual
    : (leavesGenerators ?? 'next');
}

/**
 * Whether the current line of an asynchronous function is a whole statement that calls nothing. Where such a function is
 * suspended or ends, js-debug takes seconds for a step in, because it steps through code of Node.
 */
function leavesWithoutCall(called: TracedFunction, now: ThreadStack): boolean {
  if (called.suspends !== 'async' || adapterOf(now.session.type).recorder !== 'javascript')
    return false;
  // A template may contain calls.
  if (called.source[now.top.line - 1]?.includes('`') === true) return false;
  const code = codeAt(called, now).replace(RESOLVED, '');
  return IS_BLOCK.test(code.trim()) || (CALLS_NOTHING.test(code) && !/\bnew\b/.test(code));
}

/** Whether the current line is a `return` whose value is known without calls, accessors or awaited promises. */
export function returnsPlainly(called: TracedFunction, now: ThreadStack): boolean {
  const code = codeAt(called, now);
  return (
    isReturn(called, now.top.line) &&
    CALLS_NOTHING.test(code) &&
    !/\b(?:new|await|yield)\b/.test(code)
  );
}

/** Matches a statement without calls, and without members and patterns, which may call accessors. */
const CALLS_NOTHING = /^[\w$\s=+\-*%/<>!&|?:,'"]*;\s*$/;
/** Matches a line that only begins or ends a block. */
const IS_BLOCK = /^\}?\s*(?:(?:try|finally|else|do)\s*\{\s*)?;?$/;
const RESOLVED = /\bPromise\.(?:resolve|reject)\([\w$\s,:'"{}+*-]*\)/g;

/** Whether a generator may suspend at its current line. */
export function yieldsAt(called: TracedFunction, now: ThreadStack): boolean {
  return /\byield\b/.test(codeAt(called, now)) && !/^\s*return\b/.test(codeAt(called, now));
}

/** Whether the current line may schedule a callback. A step into a line leads js-debug to the callback. */
export function schedulesAt(called: TracedFunction, now: ThreadStack): boolean {
  return SCHEDULES.test(codeAt(called, now));
}

const SCHEDULES =
  /\b(?:then|catch|finally|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\s*\(/;

/** Whether a call returns from a line, if it is there. */
export function isReturn({ source }: TracedFunction, line: number): boolean {
  return /^\s*return\b/.test(codeIn(source[line - 1]));
}

/** Whether the current line contains a `return`. */
export function returnsAt(called: TracedFunction, now: ThreadStack): boolean {
  return /\breturn\b/.test(codeAt(called, now));
}

/** Whether the statement at the current line may suspend the call. Its last line ends with a sign. */
export function awaitsFrom(called: TracedFunction, now: ThreadStack): boolean {
  return statementAt(called, now).some((text) => /\bawait\b/.test(text));
}

/** Returns the lines from the current one to the end of its statement, as far as the signs at the ends tell it. */
function statementAt({ source }: TracedFunction, { top }: ThreadStack): readonly string[] {
  const rest = source.slice(top.line - 1, top.line - 1 + MAX_OF_A_STATEMENT);
  let open = 0;
  const end = rest.findIndex((text) => {
    if (BEGINS_BLOCK.test(text)) return open <= 0;
    open += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
    return open <= 0 && /[;{}]\s*(?:\/\/[^]*)?$/.test(text);
  });
  return end < 0 ? rest : rest.slice(0, end + 1);
}

/** Matches the header of a block. Other braces at the end of a line begin an object. */
const BEGINS_BLOCK = /(?:\)|=>|\b(?:try|finally|else|do))\s*\{\s*(?:\/\/[^]*)?$/;

const MAX_OF_A_STATEMENT = 40;

/** Whether a call may have been suspended between two of its lines. A statement may have several lines. */
export function suspendsBetween(
  { suspends, source }: TracedFunction,
  line: number | undefined,
  next: number,
): boolean {
  if (suspends === undefined || line === undefined) return false;
  const last = Math.max(line, next - 1);
  return source.slice(line - 1, last).some((text) => /\b(?:await|yield)\b/.test(text));
}

/** Whether the statement at a place is a `yield`, or assigns its value. A `yield*` runs another generator first. */
function beginsWithYield(called: TracedFunction, now: ThreadStack): boolean {
  return YIELDS.test(codeAt(called, now).slice(now.top.column - 1));
}

const YIELDS =
  /^\s*(?:(?:const|let|var)\s[^=]+=\s*|[\w$.[\]]+\s*(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?)?=\s*)?(?:\(\s*)?yield\b(?!\s*\*)/;

/** Returns the current line without its comment and texts. */
function codeAt({ source }: TracedFunction, { top }: ThreadStack): string {
  return codeIn(source[top.line - 1]);
}

function codeIn(text = ''): string {
  return QUOTED.replace(text, (quoted) => `"${' '.repeat(quoted.length - 2)}"`).replace(
    /(?:(?:^|\s)#|\/\/)[^]*/,
    '',
  );
}

const QUOTED = shortPattern(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g);

/** Returns the end of a part of a generator. V8 may show a value there that is not the one of its `yield`. */
export function suspended(end: CallEnd, yielded: string | undefined): CallEnd {
  if (end.kind === 'threw') return end;
  return { kind: 'returned', value: yielded, isSuspended: true };
}

/**
 * Whether the thread is still in a call. A suspended call may resume with other callers.
 * @param entry the first stop in the call
 * @param isPart whether only the part of a generator up to its next `yield` is meant
 */
export function isStillIn(
  called: TracedFunction,
  entry: ThreadStack,
  now: ThreadStack,
  isPart: boolean,
): boolean {
  const { suspends, isAsyncGenerator } = called;
  if (suspends === undefined) return isSameCall(entry, now) && !hasBegunAgain(called, entry, now);
  // Generators that delegate to each other may be of the same function.
  if (isPart && isAsyncGenerator !== true) return isSameCall(entry, now);
  return isSameFunction(entry, now) && (isPart || !isAtEntry(called, entry, now));
}

/**
 * Whether a call of an asynchronous generator has ended at a `return` between two stops in its function. The second one
 * is in another call then, because V8 goes on with any call of the function. In a `finally`, the call goes on.
 */
export function endsBetween(
  called: TracedFunction,
  before: ThreadStack,
  now: ThreadStack,
): boolean {
  const { isAsyncGenerator, source, range } = called;
  if (isAsyncGenerator !== true || range === undefined) return false;
  if (!isReturn(called, before.top.line) || before.top.line === now.top.line) return false;
  return !source.slice(range.start - 1, range.end).some((line) => /\bfinally\b/.test(line));
}

export function isDeeper({ total }: ThreadStack, before: ThreadStack): boolean {
  return total !== undefined && before.total !== undefined && total > before.total;
}

/** Whether the line that has made a call has not ended yet. At the end of a `return`, V8 shows the value. */
export function isUnfinished(calling: ThreadStack, { top, returned }: ThreadStack): boolean {
  return top.line === calling.top.line && !returned.some(({ by }) => by === '');
}
