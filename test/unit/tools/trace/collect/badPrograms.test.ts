import { strict as assert } from 'node:assert';
import { fields, listOf, textOf } from '../../../../../src/debugger/protocol';
import { ask, type Answer } from '../../../support/asking';
import { answered, asked, created, ended, told } from '../../../support/events';
import { never } from '../../../support/fakeHost';
import { bench, FILE, running, type Bench } from '../../../support/services';

const PROBE = { file_path: FILE, line: 3, expressions: ['x'], expect: 'x > 0' };

/** A running program whose debugger cannot record, and stops at the lines given, one after the other. */
function stoppingAt(lines: readonly number[], evaluate: (expression: string) => unknown): Bench {
  const on = scripted(running(bench()), evaluate);
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

/** Does something once the call waits for what the running program does. */
function whenAwaited(on: Bench, happen: () => void): void {
  const { control } = on.services;
  const next = control.next.bind(control);
  control.next = (...given) => {
    const wait = next(...given);
    setImmediate(happen);
    return wait;
  };
}

function scripted(on: Bench, evaluate: (expression: string) => unknown): Bench {
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

const frameAt = (line: number): object => ({
  stackFrames: [{ id: 10, name: 'main', line, column: 1, source: { path: FILE } }],
  totalFrames: 1,
});

const value = (result: string): object => ({ result, variablesReference: 0 });

/** The last list that the adapter was sent has nothing of ours. */
function assertNothingLeft(on: Bench): void {
  assert.deepEqual(listOf(on.host.sent('setBreakpoints').at(-1)?.['breakpoints']), []);
  assert.equal(on.services.control.leases.of(on.session()), undefined);
  assert.equal(on.model.listenerCount, 0);
}

const probeOf = (answer: Answer): Record<string, unknown> => fields(listOf(answer['probes'])[0]);

describe('collecting by stops', () => {
  it('tells the hits of a program that ends', async () => {
    const on = stoppingAt([3, 3], (expression) => value(expression === 'x' ? '7' : 'true'));
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer['ended_by'], answer['hits'], answer['program']],
      ['program_end', 2, 'ended'],
      JSON.stringify(answer),
    );
    assert.equal(probeOf(answer)['expect'], 'confirmed');
  });

  it('ends at its time where an expression hangs, and counts no hit that was not read', async () => {
    let asked = 0;
    const on = stoppingAt([3, 3], () => ((asked += 1) <= 2 ? value('true') : never()));
    const answer = await ask(on, 'collect_values', { probes: [PROBE], max_seconds: 1 });
    assert.deepEqual(
      [answer['ended_by'], answer['hits'], probeOf(answer)['expect']],
      ['max_seconds', 1, 'confirmed'],
      JSON.stringify(answer),
    );
    assertNothingLeft(on);
  });

  it('does not tell that a line was not reached where its expression hangs', async () => {
    const on = stoppingAt([3], never);
    const answer = await ask(on, 'collect_values', { probes: [PROBE], max_seconds: 1 });
    assert.deepEqual(
      [answer['hits'], probeOf(answer)['expect'], probeOf(answer)['never_reached']],
      [0, 'never_reached', 'not_evaluated'],
      JSON.stringify(answer),
    );
  });

  it('tells to which line the debugger has moved a probe', async () => {
    const on = stoppingAt([4], () => value('true'));
    on.host.on('setBreakpoints', ({ breakpoints }) => ({
      breakpoints: listOf(breakpoints).map(() => ({ id: 1, verified: true, line: 4 })),
    }));
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], probeOf(answer)['moved_to_line']], [1, 4]);
  });

  it('tells what was there when it is cancelled in the midst of an expression', async () => {
    let asked = 0;
    const on = stoppingAt([3, 3], () => {
      asked += 1;
      if (asked <= 2) return value('true');
      on.cancel();
      return never();
    });
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['hits'], probeOf(answer)['expect']],
      ['interrupted', 'cancelled', 1, 'confirmed'],
      JSON.stringify(answer),
    );
    assertNothingLeft(on);
  });

  it('leaves the program to the person who takes over, and takes its breakpoint out', async () => {
    const on = stoppingAt([3, 3], () => {
      on.services.control.leases.loseAll('takenOver');
      return value('true');
    });
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['hits'], answer['program']],
      ['stopped', 'person', 1, 'stopped'],
      JSON.stringify(answer),
    );
    assertNothingLeft(on);
  });

  it('tells an expression that fails, and goes on', async () => {
    const on = stoppingAt([3, 3], () => {
      throw new Error('x is not defined');
    });
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], probeOf(answer)['expect']], [2, 'refuted']);
    assert.match(JSON.stringify(answer['rows']), /!.*x is not defined/);
  });

  it('ends the program that it has started where its debugger refuses to go on', async () => {
    const on = scripted(bench(), () => value('true'));
    on.host.on('stackTrace', () => frameAt(3));
    on.host.onStart = (configuration) => {
      const name = String(configuration['name']);
      on.model.dispatch(created('a', { name, configuration }));
      for (const command of ['initialize', 'launch']) on.model.dispatch(asked(1, command));
      on.model.dispatch(told('initialized'));
      on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
      return Promise.resolve(true);
    };
    const answer = await ask(on, 'collect_values', { probes: [PROBE], program: FILE });
    assert.equal(answer['code'], 'adapter_error', JSON.stringify(answer));
    assert.deepEqual(
      on.host.stops.map((each) => each.sessionKey),
      ['a'],
    );
    assert.equal(on.services.control.leases.of(on.session()), undefined);
  });

  it('cuts a value of ten million characters', async () => {
    const on = stoppingAt([3], (expression) =>
      value(expression === 'x' ? 'y'.repeat(10_000_000) : 'true'),
    );
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.equal(answer['hits'], 1);
    assert.match(JSON.stringify(answer['rows']), /y{50,300}…/);
  });
});

/** A session of a debugger that can record, which runs. */
function recording(evaluate: (expression: string) => unknown, sessionType = 'debugpy'): Bench {
  const on = scripted(bench(), evaluate);
  on.model.dispatch(created('a', { sessionType }));
  for (const [seq, command] of [
    [1, 'initialize'],
    [2, 'launch'],
  ] as const) {
    on.model.dispatch(asked(seq, command));
    on.model.dispatch(answered(seq, command));
  }
  on.model.dispatch(told('initialized'));
  on.model.dispatch(told('thread', { reason: 'started', threadId: 1 }));
  return on;
}

describe('collecting by recording', () => {
  it('ends at a breakpoint of the person’s near a probe that was not reached', async () => {
    const on = recording(() => value('None'));
    on.host.addBreakpoint({ kind: 'source', path: FILE, line: 5 });
    on.host.on('stackTrace', () => frameAt(5));
    whenAwaited(on, () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }));
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer.status, answer['ended_by'], answer['hits']],
      ['stopped', 'breakpoint', 0],
      JSON.stringify(answer),
    );
    assert.equal(on.host.sent('continue').length, 0);
  });

  it('goes on by stops where the program cannot write, and asks the language what is true', async () => {
    for (const [type, truth] of [
      ['debugpy', /^bool\(\(x > 0\n\)\)$/],
      ['pwa-node', /^!!\(x > 0\n\)$/],
    ] as const) {
      const on = recording((expression) => value(truth.test(expression) ? 'False' : '7'), type);
      on.host.on('stackTrace', () => frameAt(3));
      let continued = 0;
      on.host.on('continue', () => {
        continued += 1;
        setImmediate(() => {
          if (continued <= 2) on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
          else on.model.dispatch(ended());
        });
        return {};
      });
      whenAwaited(on, () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }));
      const answer = await ask(on, 'collect_values', { probes: [PROBE] });
      assert.deepEqual(
        [answer['stopped_at_each_hit'], answer['hits'], probeOf(answer)['expect']],
        [true, 3, 'refuted'],
        JSON.stringify(answer),
      );
    }
  });
});
