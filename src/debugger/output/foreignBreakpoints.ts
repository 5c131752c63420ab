import path from 'node:path';
import { adapterOf } from '../adapters/registry';
import { countOf, fields, listOf, textOf, type Fields } from '../protocol';
import type { SessionState } from '../state/state';

/**
 * The file extensions of languages that the JavaScript debugger does not debug. C, C++ and Rust are not included,
 * because it also debugs WebAssembly.
 */
const FOREIGN: ReadonlySet<string> = new Set(
  ['py', 'pyw', 'pyi', 'go', 'java', 'rb', 'php', 'swift', 'pl', 'r', 'jl', 'ex', 'exs', 'ps1'].map(
    (extension) => `.${extension}`,
  ),
);

/** One breakpoint as VS Code sent it. */
interface Sent {
  readonly line: number | undefined;
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;
}

/**
 * Whether an output event is js-debug's error message about a breakpoint in a file of another language. VS Code sends
 * every breakpoint to every session, and js-debug parses conditions and log messages when it receives them, regardless
 * of the file. For a Python condition it prints `Syntax error setting breakpoint with condition …`, which is not an
 * error of the program or of the breakpoint. The text names no file and is in the display language, so it is recognized
 * by the condition that it quotes. js-debug does not end it with a newline, so the next output would appear on the same
 * line.
 */
export function isAboutForeignBreakpoint(session: SessionState, body: Fields): boolean {
  const text = textOf(body['output']);
  if (
    adapterOf(session.type).reportsForeignFiles !== true ||
    body['category'] !== 'stderr' ||
    body['source'] !== undefined ||
    text === undefined ||
    text.endsWith('\n')
  )
    return false;
  return sentForeign(session).some((breakpoint) => isQuoted(text, breakpoint));
}

function isQuoted(text: string, { line, condition, hitCondition, logMessage }: Sent): boolean {
  if (hitCondition !== undefined && text.includes(`"${hitCondition}"`)) return true;
  if (condition === undefined && logMessage === undefined) return false;
  // For a log message, js-debug quotes the condition, which is undefined.
  const quoted = condition === undefined ? ' undefined ' : JSON.stringify(condition);
  const [before, ...after] = text.split(quoted);
  if (after.length === 0) return false;
  const numbers = [before, ...after].flatMap((part) => part?.split(/\D+/) ?? []);
  return line === undefined || numbers.includes(String(line));
}

/**
 * The breakpoints in files of other languages. They include pending ones, because js-debug prints before it answers,
 * and answered ones, because js-debug prints again for programs that start later.
 */
function sentForeign(session: SessionState): readonly Sent[] {
  const pending = [...session.pending.values()]
    .filter(({ command }) => command === 'setBreakpoints')
    .filter((request) => isForeign(textOf(fields(request.arguments['source'])['path'])))
    .flatMap((request) => listOf(request.arguments['breakpoints']))
    .map((breakpoint) => sentIn(fields(breakpoint)));
  const answered = [...session.sourceBreakpoints]
    .filter(([file]) => isForeign(file))
    .flatMap(([, { breakpoints }]) => breakpoints)
    .map((breakpoint) => ({
      line: breakpoint.requestedLine,
      condition: breakpoint.requestedCondition,
      hitCondition: breakpoint.requestedHitCondition,
      logMessage: breakpoint.requestedLogMessage,
    }));
  return [...pending, ...answered];
}

function sentIn(breakpoint: Fields): Sent {
  return {
    line: countOf(breakpoint['line']),
    condition: textOf(breakpoint['condition']),
    hitCondition: textOf(breakpoint['hitCondition']),
    logMessage: textOf(breakpoint['logMessage']),
  };
}

function isForeign(file: string | undefined): boolean {
  return file !== undefined && FOREIGN.has(path.extname(file).toLowerCase());
}
