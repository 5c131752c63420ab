import path from 'node:path';
import { adapterOf } from '../adapters/registry';
import { countOf, fields, listOf, textOf, type Fields } from '../protocol';
import type { SessionState } from '../state/state';

/** Languages that no JavaScript debugger runs. C, C++ and Rust are none of them: it debugs WebAssembly, too. */
const FOREIGN: ReadonlySet<string> = new Set(
  ['py', 'pyw', 'pyi', 'go', 'java', 'rb', 'php', 'swift', 'pl', 'r', 'jl', 'ex', 'exs', 'ps1'].map(
    (each) => `.${each}`,
  ),
);

/** What VS Code sent of one breakpoint. */
interface Sent {
  readonly line: number | undefined;
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;
}

/**
 * Whether an output event of js-debug is what it says of a breakpoint in a file of another language. VS Code sends every
 * breakpoint to every session, and js-debug reads conditions and log messages when it is sent them, whatever the file
 * is: it prints `Syntax error setting breakpoint with condition …` for a Python condition, which is no fault of the
 * program or of the breakpoint. The text names no file and is in the display language, so it is known by what it
 * quotes. js-debug ends it with no newline: what else is printed would be shown in the same line.
 */
export function isAboutForeignBreakpoint(session: SessionState, body: Fields): boolean {
  const text = textOf(body['output']);
  if (
    adapterOf(session.type).complainsOfForeignFiles !== true ||
    body['category'] !== 'stderr' ||
    body['source'] !== undefined ||
    text === undefined ||
    text.endsWith('\n')
  )
    return false;
  return sentForeign(session).some((each) => isQuoted(text, each));
}

function isQuoted(text: string, { line, condition, hitCondition, logMessage }: Sent): boolean {
  if (hitCondition !== undefined && text.includes(`"${hitCondition}"`)) return true;
  if (condition === undefined && logMessage === undefined) return false;
  // Of a log message it quotes the condition, which there is none of.
  const quoted = condition === undefined ? ' undefined ' : JSON.stringify(condition);
  const [before, ...after] = text.split(quoted);
  if (after.length === 0) return false;
  const numbers = [before, ...after].flatMap((part) => part?.split(/\D+/) ?? []);
  return line === undefined || numbers.includes(String(line));
}

/** Those in files of other languages: js-debug prints before it answers, or, for a program that starts later, after that. */
function sentForeign(session: SessionState): readonly Sent[] {
  const asked = [...session.pending.values()]
    .filter((each) => each.command === 'setBreakpoints')
    .filter((each) => isForeign(textOf(fields(each.arguments['source'])['path'])))
    .flatMap((each) => listOf(each.arguments['breakpoints']))
    .map((each) => sentIn(fields(each)));
  const answered = [...session.sourceBreakpoints]
    .filter(([file]) => isForeign(file))
    .flatMap(([, { breakpoints }]) => breakpoints)
    .map((breakpoint) => ({
      line: breakpoint.requestedLine,
      condition: breakpoint.requestedCondition,
      hitCondition: breakpoint.requestedHitCondition,
      logMessage: breakpoint.requestedLogMessage,
    }));
  return [...asked, ...answered];
}

function sentIn(asked: Fields): Sent {
  return {
    line: countOf(asked['line']),
    condition: textOf(asked['condition']),
    hitCondition: textOf(asked['hitCondition']),
    logMessage: textOf(asked['logMessage']),
  };
}

function isForeign(file: string | undefined): boolean {
  return file !== undefined && FOREIGN.has(path.extname(file).toLowerCase());
}
