import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import type { CallRecorder } from '../../../src/recording/callRecorder';
import type { LoggedCall } from '../../../src/recording/logRecording';
import { eventOf } from './events';
import { starting } from './injecting';
import { bench, FILE, type Bench } from './services';

export const LIMITS = { maxHits: 3, shown: { text: 10, items: 3, depth: 2 } };
export const signal = new AbortController().signal;

export function delve(): Bench {
  const on = starting(bench(), 'go');
  on.model.dispatch(eventOf('initialized'));
  on.model.dispatch(eventOf('capabilities', { capabilities: { supportsLogPoints: true } }));
  on.host.on('evaluate', () => ({ result: '-456' }));
  return on;
}

export const CALL = {
  path: FILE,
  lines: [{ line: 3 }, { line: 4, returns: ['sum', 'nil'] }],
  names: ['sum', 'each'],
  entry: { line: 3, values: new Map([['sum', '0']]) },
};

export async function begin(
  on: Bench,
  call: LoggedCall = CALL,
  limits = LIMITS,
): Promise<CallRecorder | undefined> {
  const stopped = { session: on.session(), threadId: 1, frameId: 7 };
  return await on.services.recordings.beginLog(stopped, call, limits, signal);
}

/** The adapter prints the log message of a line, with `values` in place of the message's expressions. */
export function prints(on: Bench, line: number, goroutine: number, ...values: string[]): void {
  const [list] = on.host.sent('setBreakpoints').filter((each) => listOf(each['breakpoints'])[0]);
  const message = listOf(list?.['breakpoints'])
    .map(fields)
    .find((each) => each['line'] === line)?.['logMessage'];
  let next = 0;
  const output = (textOf(message) ?? '').replace(/\{[^}]*\}/g, () => values[next++] ?? '');
  on.model.dispatch(eventOf('output', { output: `> [Go ${goroutine}]: ${output}\n` }));
}

/** Delve's text for a variable that is not in scope. */
export const MISSING = '{eval err: &{could not find symbol value for each}}';
