import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../../../src/debugger/protocol';
import type { Answer } from '../../../support/asking';
import { ended, eventOf, launched } from '../../../support/events';
import { bench, FILE, running, type Bench } from '../../../support/services';

export const PROBE = { file_path: FILE, line: 3, expressions: ['x'], expect: 'x > 0' };

/** A running program whose debugger cannot record. It stops at the given lines, one after the other. */
export function stoppingAt(
  lines: readonly number[],
  evaluate: (expression: string) => unknown,
  program = running(bench()),
): Bench {
  const on = scripted(program, evaluate);
  on.host.on('stackTrace', () => frameAt(lines[passed - 1] ?? 1));
  let passed = 0;
  const goOn = (): void => {
    const line = lines[passed];
    passed += 1;
    if (line !== undefined) on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    else on.model.dispatch(ended());
  };
  on.host.on('continue', () => {
    setImmediate(goOn);
    return {};
  });
  whenAwaited(on, goOn);
  return on;
}

/** Calls `happen` once the call waits for the next outcome of the running program. */
export function whenAwaited(on: Bench, happen: () => void): void {
  const { control } = on.services;
  const next = control.next.bind(control);
  control.next = (...given) => {
    const wait = next(...given);
    setImmediate(happen);
    return wait;
  };
}

export function scripted(on: Bench, evaluate: (expression: string) => unknown): Bench {
  on.host.on('setBreakpoints', answerBreakpoints);
  on.host.on('evaluate', ({ expression }) => evaluate(textOf(expression) ?? ''));
  return on;
}

const answerBreakpoints = ({ breakpoints }: Record<string, unknown>): object => ({
  breakpoints: listOf(breakpoints).map((each, index) => ({
    id: index + 1,
    verified: true,
    line: fields(each)['line'],
  })),
});

export const frameAt = (line: number): object => ({
  stackFrames: [{ id: 10, name: 'main', line, column: 1, source: { path: FILE } }],
  totalFrames: 1,
});

export const value = (result: string): object => ({ result, variablesReference: 0 });

export const probeOf = (answer: Answer): Record<string, unknown> =>
  fields(listOf(answer['probes'])[0]);

/** LLDB that stops at these lines. `begun` is its response to the script, which writes `rows` at the first hit. */
export function lldbAt(
  lines: readonly number[],
  begun: object | undefined,
  rows: unknown[][] = [],
): Bench {
  const native = bench();
  for (const event of launched('a', { sessionType: 'lldb-dap' })) native.model.dispatch(event);
  native.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
  let script = '';
  const evaluate = (expression: string): unknown => {
    const imported = /^`command script import "(.*)"$/.exec(expression)?.[1];
    if (imported !== undefined) script = imported;
    if (!expression.startsWith('`')) return value(expression === 'x' ? '7' : 'true');
    if (!expression.includes('begin_probes') || begun === undefined) return value('');
    const file = path.join(path.dirname(script), 'lldb.jsonl');
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return value(`${path.basename(script, '.py')}${JSON.stringify(begun)}\n`);
  };
  return stoppingAt(lines, evaluate, native);
}
