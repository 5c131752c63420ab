import { strict as assert } from 'node:assert';
import { fields, listOf } from '../../../../../src/debugger/protocol';
import { ask, type Answer } from '../../../support/asking';
import { answered, asked, ended, launched } from '../../../support/events';
import { never } from '../../../support/fakeHost';
import { bench, FILE, type Bench } from '../../../support/services';

const SOURCE = `function main() {
  f(1);
}
function f(a) {
  const b = a + 1;
  const c = b + 1;
  return c;
}
main();
`;
const ENTRY = 5;
const OTHER_FILE = '/app/other.py';

interface Place {
  readonly line: number;
  /** Default: `f`, called by `main`. */
  readonly name?: string;
  readonly reason?: string;
}

/** A running program that stops at these places, one after the other, whichever request moves it. */
function stoppingAt(places: readonly Place[]): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType: 'debugpy' })) on.model.dispatch(event);
  on.workspace.files.set(FILE, SOURCE);
  let passed = 0;
  const goOn = (): void => {
    const place = places[passed];
    passed += 1;
    if (place === undefined) on.model.dispatch(ended());
    else on.host.emit('stopped', { reason: place.reason ?? 'breakpoint', threadId: 1 });
  };
  on.host
    .on('setBreakpoints', ({ breakpoints }) => ({
      breakpoints: listOf(breakpoints).map((each, index) => ({
        id: index + 1,
        verified: true,
        line: fields(each)['line'],
      })),
    }))
    .on('stackTrace', () => {
      const { line = 1, name = 'f' } = places[passed - 1] ?? {};
      const source = { path: FILE };
      const frames = [
        { id: 10, name, line, column: 1, source },
        ...(name === 'f' ? [{ id: 11, name: 'main', line: 2, column: 1, source }] : []),
      ];
      return { stackFrames: frames, totalFrames: frames.length };
    });
  for (const command of ['continue', 'next', 'stepIn', 'stepOut'])
    on.host.on(command, () => {
      setImmediate(goOn);
      return {};
    });
  const { control } = on.services;
  const next = control.next.bind(control);
  control.next = (...given) => {
    const wait = next(...given);
    setImmediate(goOn);
    return wait;
  };
  return on;
}

const STEP = 'step';
/** A whole call by single steps. */
const CALL: readonly Place[] = [
  { line: ENTRY },
  { line: 6, reason: STEP },
  { line: 7, reason: STEP },
  { line: 3, name: 'main', reason: STEP },
];

async function trace(on: Bench, input: object = {}): Promise<Answer> {
  const answer = await ask(on, 'trace_function', { function_name: 'f', ...input });
  assert.equal(on.services.control.leases.of(on.session()), undefined);
  assert.equal(on.model.listenerCount, 0);
  return answer;
}

describe('trace_function: the traced call', () => {
  it('is the first one, and no breakpoint of ours is left behind', async () => {
    const on = stoppingAt(CALL);
    const answer = await trace(on);
    assert.deepEqual(
      [answer.status, answer['executed_lines'], answer['ended_by'], answer['call']],
      ['stopped', 3, undefined, 1],
      JSON.stringify(answer),
    );
    assert.deepEqual(on.host.breakpoints(), []);
  });

  it('is counted by stops if the person has a breakpoint at the entry', async () => {
    const on = stoppingAt([{ line: ENTRY }, { line: ENTRY }, ...CALL]);
    on.host.addBreakpoint({ kind: 'source', path: FILE, line: ENTRY });
    const answer = await trace(on, { call: 3 });
    assert.equal(on.host.sent('continue').length, 2, JSON.stringify(answer));
    assert.deepEqual([answer['executed_lines'], answer['call']], [3, 3]);
    assert.equal(on.host.breakpoints().length, 1);
  });

  it('is not missed: a program stopped at its entry waits for the responses to all lists of breakpoints', async () => {
    const on = stoppingAt([{ line: 9, name: 'main', reason: 'entry' }, ...CALL]);
    const list = { source: { path: OTHER_FILE }, breakpoints: [] };
    on.model.dispatch(asked(900, 'setBreakpoints', list));
    let atEntry: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (atEntry = resolve));
    on.host.on('stackTrace', () => {
      atEntry();
      const source = { path: FILE };
      return { stackFrames: [{ id: 9, name: 'main', line: 9, column: 1, source }], totalFrames: 1 };
    });
    on.host.on('continue', () => {
      on.model.dispatch(ended());
      return {};
    });
    const traced = trace(on);
    // The source is read in another thread, so the entry comes after a time.
    await arrived;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    assert.deepEqual(on.host.sent('continue'), []);
    on.model.dispatch(answered(900, 'setBreakpoints', { breakpoints: [] }));
    await traced;
    assert.equal(on.host.sent('continue').length, 1);
  });

  it('is not reached if the program stops for another reason', async () => {
    for (const [reason, endedBy] of [
      ['breakpoint', 'breakpoint'],
      ['exception', 'exception'],
    ] as const) {
      const on = stoppingAt([{ line: 6, reason }]);
      on.host.addBreakpoint({ kind: 'source', path: FILE, line: 6 });
      const answer = await trace(on, { call: 3 });
      assert.deepEqual(
        [answer['reached'], answer['ended_by'], answer['program']],
        [false, endedBy, 'stopped'],
        JSON.stringify(answer),
      );
      assert.equal(on.host.breakpoints().length, 1);
    }
  });

  it('has no number of calls seen if it never happens and the debugger counts the calls', async () => {
    for (const call of [1, 3]) {
      const answer = await trace(stoppingAt([]), { call });
      assert.deepEqual(
        [answer.status, answer['reached'], answer['calls_seen']],
        ['completed', false, call === 1 ? 0 : undefined],
        JSON.stringify(answer),
      );
    }
  });
});

describe('a trace that is cut short', () => {
  it('reports the lines so far if it is cancelled while variables are read', async () => {
    const on = stoppingAt(CALL);
    let reads = 0;
    on.host.on('variables', () => {
      reads += 1;
      if (reads < 3) return { variables: [{ name: 'a', value: '1', variablesReference: 0 }] };
      on.cancel();
      return never();
    });
    const answer = await trace(on);
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['program']],
      ['interrupted', 'cancelled', 'stopped'],
      JSON.stringify(answer),
    );
    assert.ok(Number(answer['executed_lines']) >= 1, JSON.stringify(answer));
    assert.deepEqual(on.host.breakpoints(), []);
  });

  it('reports the lines so far if the person steps in the meantime', async () => {
    const on = stoppingAt(CALL);
    on.host.on('next', () => {
      on.services.control.leases.loseAll('moved');
      return {};
    });
    const answer = await trace(on);
    assert.deepEqual(
      [answer['ended_by'], answer['executed_lines']],
      ['person', 1],
      JSON.stringify(answer),
    );
    assert.deepEqual(on.host.breakpoints(), []);
  });

  it('leaves the call at once at its limit of lines', async () => {
    const on = stoppingAt(
      [CALL[0], { line: 3, name: 'main', reason: STEP }].flatMap((each) => each ?? []),
    );
    const answer = await trace(on, { max_steps: 1 });
    assert.deepEqual(
      [answer['ended_by'], answer['executed_lines'], on.host.sent('stepOut').length],
      ['max_steps', 1, 1],
      JSON.stringify(answer),
    );
  });
});
