import { strict as assert } from 'node:assert';
import { CallRecords } from '../../../src/diagnostics/calls';
import { factsOf } from '../../../src/diagnostics/callFacts';
import { call, sources, stopResult } from './support';

describe('call records', () => {
  const asked = { tool: 'step_execution', title: 'Step', caller: 'VS Code', input: { a: 1 } };

  it('show a call that needs an approval as waiting, and update the same entry to approved when it runs', () => {
    const { calls, clock } = sources();
    calls.asked(asked);
    assert.deepEqual(
      calls.records.map((each) => [each.approval, each.status]),
      [['waiting', undefined]],
    );
    clock.at += 5000;
    calls.ended(call({ input: { a: 1 }, wasAsked: true }));
    const [record, second] = calls.records;
    assert.equal(second, undefined);
    assert.deepEqual(
      [record?.approval, record?.status, record?.at, record?.id],
      ['approved', 'stopped', clock.at - 5000, 1],
    );
  });

  it('keep one entry for a question that is asked twice', () => {
    const { calls } = sources();
    calls.asked(asked);
    calls.asked(asked);
    assert.equal(calls.records.length, 1);
  });

  it('show a call that never ran as skipped once a later call of the same caller has run', () => {
    const { calls, clock } = sources();
    const approval = (): string | undefined => calls.records.at(0)?.approval;
    calls.asked(asked);
    clock.at += 100;
    calls.ended(call({ caller: 'another client', milliseconds: 10 }));
    assert.equal(approval(), 'waiting', 'another caller says nothing of it');
    calls.ended(call({ milliseconds: 500 }));
    assert.equal(approval(), 'waiting', 'this one had begun before');
    calls.ended(call({ milliseconds: 10 }));
    assert.equal(approval(), 'skipped');
    calls.ended(call({ input: { a: 1 }, wasAsked: true }));
    assert.equal(approval(), 'approved', 'it comes after all');
    assert.equal(calls.records.length, 4);
  });

  it('show calls that the person declined or has not answered as declined or waiting', () => {
    const { calls } = sources();
    for (const code of ['declined_by_person', 'not_confirmed_yet', 'no_session'])
      calls.ended(call({ status: 'error', result: { status: 'error', code } }));
    assert.deepEqual(
      calls.records.map((each) => each.approval),
      ['declined', 'waiting', 'none'],
    );
  });

  it('are bounded, and are empty after they are cleared', () => {
    const calls = new CallRecords({ events: 10, characters: 3000, eventCharacters: 500 });
    for (let index = 0; index < 50; index += 1)
      calls.ended(
        call({
          input: { text: 'x'.repeat(10_000) },
          result: {
            status: 'stopped',
            output: Array.from({ length: 100 }, () => 'y'.repeat(5000)),
          },
        }),
      );
    assert.ok(calls.records.length <= 10);
    for (const each of calls.records) {
      assert.ok(each.text.length <= 500);
      assert.ok(each.input.length <= 4001);
      assert.ok(each.facts.output.length === 20 && (each.facts.output[0]?.length ?? 0) <= 501);
    }
    assert.equal(calls.records.length + calls.dropped, 50);
    calls.asked(asked);
    calls.clear();
    assert.deepEqual([calls.records.length, calls.dropped], [0, 0]);
  });
});

describe('the facts of a call', () => {
  it('are read from a stop', () => {
    assert.deepEqual(factsOf({}, stopResult()), {
      place: { file: '/home/ada/app/main.js', line: 3 },
      functionName: 'add',
      session: 's1',
      reason: 'step',
      changes: [
        { name: 'total', before: '0', now: '1' },
        { name: 'fresh', before: undefined, now: '2' },
      ],
      output: ['hello'],
      outcome: undefined,
      value: undefined,
      exitCode: undefined,
      code: undefined,
      message: undefined,
    });
  });

  it('are read from several steps, an exception, a breakpoint, a value and an error', () => {
    const steps = factsOf(
      {},
      { ...stopResult(), path: [{ line: 1, changed: { n: '1' } }, { line: 2 }] },
    );
    assert.deepEqual(steps.changes[0], { name: 'n', before: undefined, now: '1' });
    const thrown = factsOf({}, stopResult({ exception: { type: 'TypeError', message: 'no' } }));
    assert.equal(thrown.reason, 'TypeError: no');
    const breakpoint = { source: { path: '/b.js' }, line: 9 };
    assert.deepEqual(factsOf({}, { status: 'success', breakpoint }).place, {
      file: '/b.js',
      line: 9,
    });
    assert.equal(factsOf({}, { status: 'success', result: '42' }).value, '42');
    const failed = factsOf(
      { file_path: '/c.js', line_number: 2 },
      { status: 'error', code: 'no_session', message: 'There is none.' },
    );
    assert.deepEqual(
      [failed.place, failed.code, failed.message],
      [{ file: '/c.js', line: 2 }, 'no_session', 'There is none.'],
    );
    assert.equal(factsOf({}, { status: 'completed', exit_code: 0 }).exitCode, 0);
  });

  it('are read from a test, a traced call and collected values', () => {
    const test = factsOf(
      { file_path: '/t.js', line: 1 },
      {
        status: 'completed',
        outcome: 'failed',
        message: '1 is not 2',
        exception: { type: 'AssertionError' },
        at: { file_path: '/own.js', line_number: 7 },
      },
    );
    assert.deepEqual(
      [test.outcome, test.message, test.place],
      ['failed', '1 is not 2', { file: '/own.js', line: 7 }],
    );
    const traced = { status: 'stopped', returned: '42', threw: 'RangeError' };
    const { value, reason } = factsOf({}, traced);
    assert.deepEqual([value, reason], ['42', 'RangeError']);
    const probes = [{ expect: 'confirmed' }, { expect: 'refuted' }, {}];
    assert.equal(factsOf({}, { status: 'completed', probes }).outcome, 'refuted');
  });

  it('are empty for a result that no tool returns', () => {
    for (const result of [
      {},
      { stop_event_data: 7, path: 'x', output: { a: 1 }, breakpoint: [] },
    ]) {
      const { place, changes, output } = factsOf(undefined, result);
      assert.deepEqual([place, changes, output], [undefined, [], []]);
    }
  });
});
