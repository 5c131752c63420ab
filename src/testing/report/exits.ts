import { pathOf } from '../../results/stackText';
import type { ReportedError, ReportedFrame } from '../runReport';

/** pytest may have printed the name of the file before it, in the same line. */
const CRASH = /(?:^|\s)(?:Fatal Python error|Windows fatal exception): ([^]*)$/;
const CRASH_FRAME = /^ {2}File "(.+)", line (\d+) in ([^]+)$/;

/** Returns the crash that Python's `faulthandler` printed, with the frames of the thread that crashed. */
export function crashIn(lines: readonly string[]): ReportedError | undefined {
  const at = lines.findIndex((line) => CRASH.test(line));
  if (at < 0) return undefined;
  const stack = lines.slice(at).findIndex((line) => /^Current thread /.test(line));
  const frames: ReportedFrame[] = [];
  for (const line of stack < 0 ? [] : lines.slice(at + stack + 1)) {
    const [, file = '', number, name = ''] = CRASH_FRAME.exec(line) ?? [];
    if (number === undefined) break;
    frames.push({ name, path: pathOf(file), line: Number(number) });
  }
  const message = CRASH.exec(lines[at] ?? '')?.[1] ?? '';
  return { type: undefined, message, isExit: true, isPrinted: true, frames, causes: [] };
}

/** The names of signals that end programs. */
const SIGNALS: Readonly<Record<number, string>> = {
  ...{ 1: 'SIGHUP', 2: 'SIGINT', 3: 'SIGQUIT', 4: 'SIGILL', 5: 'SIGTRAP', 6: 'SIGABRT' },
  ...{ 8: 'SIGFPE', 9: 'SIGKILL', 11: 'SIGSEGV', 13: 'SIGPIPE' },
  ...(process.platform === 'darwin'
    ? { 10: 'SIGBUS' }
    : { 7: 'SIGBUS', 10: 'SIGUSR1', 12: 'SIGUSR2' }),
  ...{ 14: 'SIGALRM', 15: 'SIGTERM', 24: 'SIGXCPU', 25: 'SIGXFSZ', 31: 'SIGSYS' },
};

/** Returns the signal that an exit code stands for: a negative number, or 128 and the number. */
function signalOf(code: number): string | undefined {
  return SIGNALS[code < 0 ? -code : code - 128];
}

/**
 * Returns the error of a process that ended before its runner. A test may end the process itself.
 * @param code the exit code, or the negative number of a signal. Undefined if it is unknown.
 */
export function exited(code: number | undefined): ReportedError {
  const signal = code === undefined ? undefined : signalOf(code);
  const withCode = code === undefined ? '' : ` with code ${code}`;
  const message =
    signal === undefined
      ? `The process exited${withCode} before the test ended.`
      : `The process was ended by ${signal} before the test ended.`;
  return { type: undefined, message, isExit: true, frames: [], causes: [] };
}
