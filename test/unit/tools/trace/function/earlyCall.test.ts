import { strict as assert } from 'node:assert';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../../../src/debugger/protocol';
import { ask, type Answer } from '../../../support/asking';
import { answered, asked, ended, eventOf, launched } from '../../../support/events';
import { bench, type Bench } from '../../../support/services';

const FILE = '/home/ada/app/main.cpp';
const SOURCE = `int f(int a) {
  int b = a + 1;
  int c = b + 1;
  return c;
}

int main() {
  f(1);
  return 0;
}
`;
/** The line of the breakpoint. The debugger stops at the first line of the body. */
const ENTRY = 1;
const NEVER = '2147483647';

/** One outcome of a move: the rows that the script has written by then, and the place of the stop. */
interface Outcome {
  readonly rows?: readonly (readonly unknown[])[];
  /** Undefined: the program ends. */
  readonly at?: { readonly name: string; readonly line: number; readonly reason?: string };
  readonly threadId?: number;
}

const line = (seq: number, at: number, values: object): readonly unknown[] => [
  ...[seq, at, '', null, null, null, false, values],
];
const LINES = [
  line(1, 2, { a: '1' }),
  line(2, 3, { b: '2' }),
  line(3, 4, { c: '3' }),
  line(4, 5, {}),
];
const MAIN = { name: 'main', line: 9 };

interface Native {
  readonly on: Bench;
  /** The functions of the script that were called. */
  readonly called: readonly string[];
}

/**
 * A program in LLDB that is stopped in `main`.
 * @param loads when the debugger has loaded the script: at once, with the first move, or never
 */
function stoppedIn(
  outcomes: readonly Outcome[],
  loads: 'at once' | 'late' | 'never' = 'at once',
): Native {
  const on = bench();
  for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
  for (const threadId of [1, 2])
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId }));
  on.workspace.files.set(FILE, SOURCE);
  const called: string[] = [];
  let script = '';
  let passed = 0;
  let at: Outcome['at'] = { name: 'main', line: 8 };
  const write = (...rows: (readonly unknown[])[]): void =>
    appendFileSync(
      path.join(path.dirname(script), 'lldb.jsonl'),
      rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
  on.host.on('evaluate', ({ expression }) => {
    const command = textOf(expression) ?? '';
    const imported = /^`command script import "(.*)"$/.exec(command)?.[1];
    if (imported !== undefined && loads !== 'never') {
      script = imported;
      if (loads === 'at once') write(['b', 1]);
    }
    const name = /\.(\w+)\(lldb/.exec(command)?.[1];
    if (name === undefined || loads === 'never') return { result: '', variablesReference: 0 };
    called.push(name);
    const answers: Readonly<Record<string, object>> = {
      end: { ended: true },
      returned: { returned: '3' },
    };
    const answer = JSON.stringify(answers[name] ?? {});
    return { result: `${path.basename(script, '.py')}${answer}\n`, variablesReference: 0 };
  });
  on.host.on('setBreakpoints', ({ breakpoints }) => ({
    breakpoints: listOf(breakpoints).map((each, index) => ({
      ...{ id: index + 1, verified: true, line: fields(each)['line'] },
    })),
  }));
  on.host.on('stackTrace', () => {
    const { name, line: here } = at ?? MAIN;
    const source = { path: FILE };
    const frames = [
      { id: 10, name, line: here, column: 1, source },
      ...(name === 'main' ? [] : [{ id: 11, name: 'main', line: 8, column: 1, source }]),
      { id: 12, name: '_start', line: 0, column: 0 },
    ];
    return { stackFrames: frames, totalFrames: frames.length };
  });
  const goOn = (): void => {
    const outcome = outcomes[passed];
    if (passed === 0 && loads === 'late') write(['b', 1]);
    passed += 1;
    if (outcome?.rows !== undefined) write(...outcome.rows);
    at = outcome?.at;
    if (at === undefined) on.model.dispatch(ended());
    else
      on.host.emit('stopped', {
        ...{ reason: at.reason ?? 'breakpoint', threadId: outcome?.threadId ?? 1 },
      });
  };
  for (const command of ['continue', 'stepOut', 'next', 'stepIn'])
    on.host.on(command, () => {
      setImmediate(goOn);
      return {};
    });
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
  return { on, called };
}

async function trace({ on }: Native, input: object = {}): Promise<Answer> {
  const answer = await ask(on, 'trace_function', {
    ...{ function_name: 'f', file_path: FILE },
    ...input,
  });
  assert.equal(on.services.control.leases.of(on.session()), undefined);
  assert.deepEqual(on.host.breakpoints(), []);
  if (answer['program'] !== 'ended')
    assert.deepEqual(listOf(on.host.sent('setBreakpoints').at(-1)?.['breakpoints']), []);
  return answer;
}

/** The conditions of the breakpoint at the beginning, in the first list that was sent. */
const sentFirst = ({ on }: Native) =>
  fields(listOf(on.host.sent('setBreakpoints')[0]?.['breakpoints'])[0]);

describe('a call that a script in LLDB awaits', () => {
  it('is begun at once if VS Code has requested the whole stack before the script is loaded', async () => {
    const native = stoppedIn([{ rows: LINES, at: MAIN }]);
    const { on } = native;
    const capabilities = { supportsDelayedStackTraceLoading: true };
    on.model.dispatch(eventOf('capabilities', { capabilities }));
    const rest = { threadId: 1, startFrame: 1, levels: 19 };
    on.model.dispatch(asked(70, 'stackTrace', rest));
    on.model.dispatch(answered(70, 'stackTrace', { stackFrames: [], totalFrames: 1 }));
    const { answers } = on.model;
    const awaited: object[] = [];
    const listen = answers.listen.bind(answers);
    answers.listen = (key, command, args, listener) => {
      awaited.push(args);
      return listen(key, command, args, listener);
    };
    await trace(native);
    const isRest = (args: object): boolean => JSON.stringify(args) === JSON.stringify(rest);
    assert.deepEqual(awaited.filter(isRest), []);
  });

  it('is recorded without a stop at its beginning, and has returned where the program stops', async () => {
    const end = [
      [5, 'r', true, true, '3'],
      [6, 'd', 'caller', 1],
    ];
    const native = stoppedIn([{ rows: [...LINES, ...end], at: MAIN }]);
    const answer = await trace(native);
    assert.deepEqual(
      [answer['returned'], answer['executed_lines'], answer['ended_by'], answer['arguments']],
      ['3', 4, undefined, { a: '1' }],
      JSON.stringify(answer),
    );
    assert.match(String(answer['at']), /main\.cpp:9 main$/);
    const { on, called } = native;
    assert.deepEqual([on.host.sent('continue').length, on.host.sent('stepOut').length], [1, 0]);
    assert.deepEqual(
      [sentFirst(native)['line'], sentFirst(native)['hitCondition']],
      [ENTRY, NEVER],
    );
    // The script has removed its breakpoints when it reported the place.
    assert.deepEqual(called, []);
  });

  it('has returned an unknown value if it ends without a return instruction', async () => {
    const rows = [...LINES.slice(0, 3), [4, 'd', 'caller', 1]];
    const answer = await trace(stoppedIn([{ rows, at: MAIN }]));
    assert.deepEqual(
      [answer['returned_value'], answer['threw'], answer['executed_lines']],
      ['not_shown', undefined, 3],
      JSON.stringify(answer),
    );
  });

  it('is left by a step out if only that step reads the return value', async () => {
    const native = stoppedIn([
      { rows: [...LINES, [5, 'd', 'return', 1]], at: { name: 'f', line: 5 } },
      { at: { ...MAIN, reason: 'step' } },
    ]);
    const answer = await trace(native);
    assert.deepEqual(
      [answer['returned'], answer['executed_lines'], native.called],
      ['3', 4, ['returned']],
      JSON.stringify(answer),
    );
    assert.equal(native.on.host.sent('stepOut').length, 1);
  });

  it('has thrown if the runtime handles its exception', async () => {
    const thrown = [
      [4, 'r', true, false, 'std::runtime_error', 4],
      [5, 'd', 'handler', 1],
    ];
    const native = stoppedIn([
      { rows: [...LINES.slice(0, 3), ...thrown], at: { name: '__cxa_begin_catch', line: 1 } },
      { at: { ...MAIN, reason: 'step' } },
    ]);
    const answer = await trace(native);
    assert.deepEqual(
      [answer['threw'], answer['executed_lines']],
      ['std::runtime_error', 3],
      JSON.stringify(answer),
    );
    assert.match(String(answer['at']), /main\.cpp:9 main$/);
  });

  it('ends at the limit of lines, and the rest of it runs without a record', async () => {
    const native = stoppedIn([
      { rows: [...LINES.slice(0, 2), [3, 'd', 'limit', 1]], at: { name: 'f', line: 3 } },
      { at: { ...MAIN, reason: 'step' } },
    ]);
    const answer = await trace(native, { max_steps: 2 });
    assert.deepEqual(
      [answer['ended_by'], answer['executed_lines']],
      ['max_steps', 2],
      JSON.stringify(answer),
    );
  });

  it('ends at another stop, with the lines that were recorded', async () => {
    for (const [place, threadId] of [
      [{ name: 'other', line: 9 }, 1],
      [{ name: 'f', line: 3 }, 2],
    ] as const) {
      const native = stoppedIn([{ rows: LINES.slice(0, 2), at: place, threadId }]);
      const answer = await trace(native);
      assert.deepEqual(
        [answer['ended_by'], answer['executed_lines'], answer['program'], native.called],
        ['breakpoint', 2, 'stopped', ['end']],
        JSON.stringify(answer),
      );
    }
  });

  it('ends with its program, with the lines that were recorded', async () => {
    const answer = await trace(stoppedIn([{ rows: LINES.slice(0, 2) }]));
    assert.deepEqual(
      [answer['ended_by'], answer['executed_lines'], answer['returned']],
      ['program_end', 2, undefined],
      JSON.stringify(answer),
    );
  });

  it('is not reached if no line was recorded', async () => {
    const never = await trace(stoppedIn([{}]));
    assert.deepEqual(
      [never['reached'], never['ended_by'], never['calls_seen'], never['breakpoint_bound']],
      [false, 'program_end', 0, true],
      JSON.stringify(never),
    );
    const elsewhere = await trace(stoppedIn([{ at: { name: 'other', line: 9 } }]), { call: 2 });
    assert.deepEqual(
      [elsewhere['reached'], elsewhere['ended_by'], elsewhere['calls_seen']],
      [false, 'breakpoint', undefined],
      JSON.stringify(elsewhere),
    );
  });

  it('continues from a stop at its beginning if the script already records it', async () => {
    const end = [
      [5, 'r', true, true, '3'],
      [6, 'd', 'caller', 1],
    ];
    const native = stoppedIn(
      [
        { rows: LINES.slice(0, 1), at: { name: 'f', line: 2 } },
        { rows: [...LINES.slice(1), ...end], at: MAIN },
      ],
      'late',
    );
    const answer = await trace(native);
    assert.equal(sentFirst(native)['hitCondition'], undefined);
    assert.deepEqual(
      [answer['returned'], answer['executed_lines'], answer['ended_by']],
      ['3', 4, undefined],
      JSON.stringify(answer),
    );
    assert.equal(native.on.host.sent('continue').length, 2);
  });

  it('begins at a stop if the debugger loads no scripts', async () => {
    const native = stoppedIn(
      [
        { at: { name: 'f', line: 2 } },
        ...[3, 4, 5].map((here) => ({ at: { name: 'f', line: here, reason: 'step' } })),
        { at: { ...MAIN, reason: 'step' } },
      ],
      'never',
    );
    const answer = await trace(native, { call: 3 });
    assert.equal(sentFirst(native)['hitCondition'], '3');
    assert.deepEqual(
      [answer['executed_lines'], answer['stepped_lines'], answer['call']],
      [4, 4, 3],
      JSON.stringify(answer),
    );
  });
});
