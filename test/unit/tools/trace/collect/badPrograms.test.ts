import { strict as assert } from 'node:assert';
import { listOf } from '../../../../../src/debugger/protocol';
import { ask } from '../../../support/asking';
import { answered, asked, created, ended, eventOf } from '../../../support/events';
import { never } from '../../../support/fakeHost';
import { bench, FILE, type Bench } from '../../../support/services';
import {
  frameAt,
  lldbAt,
  PROBE,
  probeOf,
  scripted,
  stoppingAt,
  value,
  whenAwaited,
} from './stoppingPrograms';

/** Asserts that the adapter's last list has no breakpoint of ours, and that no lease and no listener is left. */
function assertNothingLeft(on: Bench): void {
  assert.deepEqual(listOf(on.host.sent('setBreakpoints').at(-1)?.['breakpoints']), []);
  assert.equal(on.services.control.leases.of(on.session()), undefined);
  assert.equal(on.model.listenerCount, 0);
}

const hitRow = (seq: number, x: string, claim: boolean, stops = false): unknown[] => [
  ...[seq, 1, 'main', null, null, 'main (main.js:9)', stops, [x], claim, claim ? null : ['f']],
];

describe('collecting by a script in LLDB', () => {
  it('stops only at the first hit, and removes its breakpoints there', async () => {
    const rows = [['b', 1], hitRow(1, '7', true), hitRow(2, '8', true), hitRow(3, '-1', false)];
    const on = lldbAt([3], { hits: 1, stops: false }, rows);
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer['ended_by'], answer['hits'], answer['stopped_at_each_hit']],
      ['program_end', 3, undefined],
      JSON.stringify(answer),
    );
    assert.deepEqual([probeOf(answer)['expect'], probeOf(answer)['refuted_hits']], ['refuted', 1]);
    assertNothingLeft(on);
  });

  it('stays stopped where a claim is refuted, at the first hit or later', async () => {
    const input = { probes: [PROBE], at_end: 'stay_stopped' };
    const first = [['b', 1], hitRow(1, '-1', false, true)];
    const on = lldbAt([3], { hits: 1, stops: true }, first);
    const answer = await ask(on, 'collect_values', input);
    assert.deepEqual([answer['ended_by'], answer['hits']], ['refuted', 1], JSON.stringify(answer));
    const later = lldbAt([3, 3], { hits: 1, stops: false }, [['b', 1], hitRow(1, '7', true)]);
    const ended = await ask(later, 'collect_values', { ...input, max_hits: 1 });
    assert.deepEqual([ended['ended_by'], ended['hits']], ['max_hits', 1], JSON.stringify(ended));
  });

  it('stops at each hit if LLDB runs no scripts, and leaves other stops alone', async () => {
    const on = lldbAt([3, 3], undefined);
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer['ended_by'], answer['hits'], answer['stopped_at_each_hit']],
      ['program_end', 2, true],
      JSON.stringify(answer),
    );
    const foreign = lldbAt([9], undefined);
    const other = await ask(foreign, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([other['ended_by'], other['hits']], ['breakpoint', 0], JSON.stringify(other));
  });

  it('reports that a condition failed for a line that was passed', async () => {
    const on = lldbAt([3], { hits: 0, stops: false }, [
      ...[
        ['b', 1],
        [1, 's', 1],
        [2, 'e', 1, 'no member named y'],
        [3, 'p', 1, 1],
      ],
    ]);
    const probe = { file_path: FILE, line: 3, expressions: ['x'], condition: 'x.y > 0' };
    const answer = await ask(on, 'collect_values', { probes: [probe] });
    assert.equal(probeOf(answer)['never_reached'], 'condition_failed', JSON.stringify(answer));
  });
});

describe('collecting by stops', () => {
  it('reports the hits of a program that ends', async () => {
    const on = stoppingAt([3, 3], (expression) => value(expression === 'x' ? '7' : 'true'));
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual(
      [answer['ended_by'], answer['hits'], answer['program']],
      ['program_end', 2, 'ended'],
      JSON.stringify(answer),
    );
    assert.equal(probeOf(answer)['expect'], 'confirmed');
  });

  it('ends at its time limit if an expression hangs, and counts no hit that was not read', async () => {
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

  it('does not report a line as not reached if its expression hangs', async () => {
    const on = stoppingAt([3], never);
    const answer = await ask(on, 'collect_values', { probes: [PROBE], max_seconds: 1 });
    assert.deepEqual(
      [answer['hits'], probeOf(answer)['expect'], probeOf(answer)['never_reached']],
      [0, 'never_reached', 'not_evaluated'],
      JSON.stringify(answer),
    );
  });

  it('reports the line to which the debugger has moved a probe', async () => {
    const on = stoppingAt([4], () => value('true'));
    on.host.on('setBreakpoints', ({ breakpoints }) => ({
      breakpoints: listOf(breakpoints).map(() => ({ id: 1, verified: true, line: 4 })),
    }));
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], probeOf(answer)['moved_to_line']], [1, 4]);
  });

  it('reports the hits so far if it is cancelled during an expression', async () => {
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

  it('leaves the program to the person who takes over, and removes its breakpoint', async () => {
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

  it('reports an expression that fails, and continues', async () => {
    const on = stoppingAt([3, 3], () => {
      throw new Error('x is not defined');
    });
    const answer = await ask(on, 'collect_values', { probes: [PROBE] });
    assert.deepEqual([answer['hits'], probeOf(answer)['expect']], [2, 'not_evaluated']);
    assert.match(JSON.stringify(answer['rows']), /!.*x is not defined/);
  });

  it('ends the program that it has started if the debugger refuses to continue', async () => {
    const on = scripted(bench(), () => value('true'));
    on.host.on('stackTrace', () => frameAt(3));
    on.host.onStart = (configuration) => {
      const name = String(configuration['name']);
      on.model.dispatch(created('a', { name, configuration }));
      for (const command of ['initialize', 'launch']) on.model.dispatch(asked(1, command));
      on.model.dispatch(eventOf('initialized'));
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

/** A running session of a debugger that can record. */
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
  on.model.dispatch(eventOf('initialized'));
  on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
  return on;
}

describe('collecting by recording', () => {
  it('ends at the person’s breakpoint near a probe that was not reached', async () => {
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

  it('says that hits may be missing if the debugger reports one of several simultaneous stops', async () => {
    for (const [type, missed] of [
      ['go', true],
      ['lldb-dap', false],
    ] as const) {
      const on = recording(() => value('7'), type);
      on.host.on('stackTrace', () => frameAt(3));
      let continued = 0;
      on.host.on('continue', () => {
        continued += 1;
        setImmediate(() => {
          if (continued <= 2)
            on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 + continued });
          else on.model.dispatch(ended());
        });
        return {};
      });
      whenAwaited(on, () => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }));
      const answer = await ask(on, 'collect_values', { probes: [PROBE] });
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['hits'], answer['stopped_at_each_hit']], [3, true], text);
      assert.equal(answer['possibly_missed'] !== undefined, missed, text);
    }
  });

  it('continues by stops if the program cannot write, and tests truth with an expression of the language', async () => {
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
