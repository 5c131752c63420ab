import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { fields, numberOf } from '../../src/debugger/protocol';
import { restOfStackRequested } from '../../src/control/wholeStack';
import { call, cleanUp, insideExtension, inWorkspace, marked } from '../host/support/client';
import { stopOf, type StopData } from '../host/support/stopData';
import { answerText, progress, wanted } from './calling';
import { median, timed } from './measuring';
import { withRawClient } from './rawClient';
import type { Report } from './report';

/** The maximum ratio of a trace's time to that of a raw client that steps the same lines and reads stack and locals. */
const MAX_OF_RAW = { conditions: 1 / 20, debugger: 1 } as const;
/** The maximum ratio of the tokens of a trace to those of single steps with the extension's own tools. */
const MAX_TOKENS = 1 / 10;
/** The numbers of lines that the first two calls of `spin` execute. */
const LINES = [60, 2000];
/** The number of lines that the raw client steps. Its time for a longer call is calculated from these. */
const STEPPED = 60;
const STEPS_READ = 50;
const ROUNDS = 5;

interface Traced {
  readonly name: string;
  /** The type in the names of the fixture's configurations. */
  readonly type: string;
  readonly file: string;
  /** The recording method: conditions that run in the program, or the debugger's own breakpoints. */
  readonly way: keyof typeof MAX_OF_RAW;
}

const TRACED: readonly Traced[] = wanted([
  { name: 'Node', type: 'node', file: 'spin.js', way: 'conditions' },
  { name: 'Python', type: 'debugpy', file: 'spin.py', way: 'conditions' },
  { name: 'C++', type: 'lldb-dap', file: 'spin.cpp', way: 'debugger' },
  { name: 'Go', type: 'go', file: 'go/spin.go', way: 'debugger' },
]);

/** Compares `trace_function` with a client that steps: the time for each number of lines, and tokens. */
export async function traces(report: Report): Promise<void> {
  report.part('traces');
  if (TRACED.some(({ type }) => type === 'lldb-dap')) buildNative();
  report.text(
    `A call that is traced from a stop before it, whose stack VS Code has read, beside a raw client that steps its first ${STEPPED} lines and reads stack and locals at each; its time for more lines is told by these. The client writes into VS Code’s own connection. Milliseconds, medians of ${ROUNDS}.`,
  );
  const rows: (readonly (string | number)[])[] = [];
  const tokens: (readonly (string | number)[])[] = [];
  for (const traced of TRACED) {
    const { perLine, traces: measured, text } = await inTurns(traced);
    for (const [index, lines] of LINES.entries())
      rows.push(row(report, traced, lines, median(measured[index] ?? []), median(perLine) * lines));
    tokens.push(await inTokens(report, traced, text));
  }
  report.table(['call', 'trace_function', 'raw client', 'ratio', 'aim'], rows);
  report.text(`Tokens (o200k) of a trace of 60 lines, beside ${STEPS_READ} single steps.`);
  report.table(['call', 'trace_function', 'single steps', 'ratio', 'aim'], tokens);
}

interface Measured {
  /** The raw client's time for each line, in milliseconds. */
  readonly perLine: readonly number[];
  /** The times of the traces, in milliseconds, for each number of lines. */
  readonly traces: readonly (readonly number[])[];
  /** The answer about the shortest call. */
  readonly text: string;
}

/** Measures the raw client and the traces in turns, because the speed of a shared machine changes. */
async function inTurns(traced: Traced): Promise<Measured> {
  const perLine: number[] = [];
  const times = LINES.map((): number[] => []);
  let text = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    perLine.push(await stepping(traced));
    for (const [index, lines] of LINES.entries()) {
      const answer = await tracing(traced, index + 1, lines);
      times[index]?.push(answer.milliseconds);
      if (index === 0) ({ text } = answer);
    }
  }
  return { perLine, traces: times, text };
}

function row(
  report: Report,
  { name, way }: Traced,
  lines: number,
  milliseconds: number,
  raw: number,
): readonly (string | number)[] {
  const title = `${name}, ${lines} lines`;
  const ratio = milliseconds / raw;
  const most = MAX_OF_RAW[way];
  const aim = report.aim(`trace_function, ${title}: ratio`, ratio, { most });
  return [title, milliseconds, raw, ratio, aim];
}

/** Builds the program for the native debugger; Delve builds its program itself. */
function buildNative(): void {
  mkdirSync(inWorkspace('out'), { recursive: true });
  const args = ['-g', '-O0', '-o', inWorkspace('out/spin'), inWorkspace('spin.cpp')];
  const built = spawnSync('g++', args);
  if (built.status !== 0) throw new Error(String(built.stderr));
}

/** Traces a call from a stop before it. */
async function tracing(
  traced: Traced,
  nth: number,
  lines: number,
): Promise<{ readonly text: string; readonly milliseconds: number }> {
  progress(`${traced.name}: a call of ${lines} lines`);
  await stackRead(await stopAt(traced, 'begin'));
  let text = '';
  const milliseconds = await timed(async () => {
    const input = {
      function_name: 'spin',
      file_path: traced.file,
      call: nth,
      max_steps: 3000,
      max_seconds: 120,
    };
    text = await answerText('trace_function', input);
  });
  await cleanUp();
  const { stepped_lines: stepped, executed_lines: executed } = fields(JSON.parse(text));
  if (stepped !== undefined || (numberOf(executed) ?? 0) < lines - 10)
    throw new Error(text.slice(0, 1000));
  return { text, milliseconds };
}

async function stopAt({ type, file }: Traced, marker: string): Promise<StopData> {
  await call('set_breakpoint', {
    file_path: inWorkspace(file),
    line_number: marked(file, marker),
  });
  const stop = stopOf(await call('start_debugging', { configuration_name: `Spin ${type}` }));
  await call('remove_breakpoint', { clear_all: true });
  return stop;
}

/** Waits until VS Code has read the stack of the stop, 420 ms after it. A model takes longer for its next call. */
async function stackRead({ session_id, thread_id }: StopData): Promise<void> {
  const { model } = await insideExtension();
  const session = [...model.state.sessions.values()].find(({ id }) => id === session_id);
  if (session === undefined) throw new Error(`there is no session ${session_id}`);
  await restOfStackRequested(model, session, thread_id, AbortSignal.timeout(2000));
}

/** The time of a raw client for each line, in milliseconds. */
async function stepping(traced: Traced): Promise<number> {
  progress(`${traced.name}: a raw client`);
  const { started, raw } = await withRawClient(
    () => stopAt(traced, 'spin'),
    (each) => each.thread_id,
  );
  await raw.look(started.thread_id);
  const all = await timed(async () => {
    for (let step = 0; step < STEPPED; step += 1) await raw.stepAndLook(started.thread_id);
  });
  await cleanUp();
  return all / STEPPED;
}

async function inTokens(
  report: Report,
  traced: Traced,
  trace: string,
): Promise<readonly (string | number)[]> {
  const { thread_id: thread } = await stopAt(traced, 'spin');
  let single = 0;
  for (let step = 0; step < STEPS_READ; step += 1)
    single += countTokens(
      await answerText('step_execution', { thread_id: thread, step_type: 'over' }),
    );
  await cleanUp();
  const own = countTokens(trace);
  const ratio = own / single;
  const aim = report.aim(`${traced.name}, tokens of a trace: ratio`, ratio, {
    most: MAX_TOKENS,
  });
  return [traced.name, own, single, ratio, aim];
}
