import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, type Answer } from '../support/client';
import { assertNothingLeft, compileNative, needs, returnedIn, trace } from './tracing';

describe('stops that are no fault: a collection passes them and counts them', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('C++: signals that the program handles, but not one that ends it', async function () {
    needs(this, 'C++');
    const [file, program] = ['native/signals.cpp', compileNative('signals')];
    const probes = [
      {
        file_path: file,
        line: marked(file, 'square'),
        expressions: ['square'],
        expect: 'square >= 0',
      },
    ];
    const answer = await call('collect_values', { probes, program });
    assert.deepEqual(
      [answer['hits'], answer['ended_by'], answer['passed_stops']],
      [20, 'program_end', { 'signal SIGUSR1': 20 }],
      JSON.stringify(answer),
    );
    const aborted = await call('collect_values', { probes, program, args: ['abort'] });
    assert.deepEqual(
      [aborted['hits'], aborted['ended_by'], aborted['program']],
      [20, 'exception', 'stopped'],
      JSON.stringify(aborted),
    );
  });

  it('Node: promise rejections, whether they are handled later or end the program', async function () {
    needs(this, 'Node');
    const file = 'node/later.js';
    const probes = [{ file_path: file, line: marked(file, 'loaded'), expressions: ['id'] }];
    for (const args of [[], ['crash']]) {
      const answer = await call('collect_values', { probes, program: file, args });
      assert.deepEqual(
        [answer['hits'], answer['ended_by'], answer['program']],
        [3, 'program_end', 'ended'],
        JSON.stringify(answer),
      );
      const passed = answer['passed_stops'] as Readonly<Record<string, number>>;
      assert.ok((passed['promise rejection'] ?? 0) > 0, JSON.stringify(answer));
    }
  });
});

/** What an answer says about the end of a call, and what was passed before it. */
const endIn = (answer: Answer): Readonly<Record<string, unknown>> => ({
  returned: returnedIn(answer),
  threw: answer['threw'],
  ended_by: answer['ended_by'],
});

describe('stops that are no fault: a trace passes them and counts them', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const file = 'node/rejections.js';
  const ONCE = [0, 1];
  for (const { name, depths = ONCE, call: nth = 1, returned, threw, ended_by } of [
    { name: 'total', depths: [0, 1, 2], returned: '6' },
    { name: 'own', returned: '5' },
    { name: 'nothing', depths: [0], returned: 'undefined' },
    { name: 'many', threw: 'RangeError: too many' },
    { name: 'pages', depths: [1], returned: '2' },
    { name: 'waiting', returned: "'no such id, none'" },
    { name: 'checked', depths: [0], returned: '1' },
    { name: 'checked', depths: [1], call: 2, returned: '2' },
    // V8 stops there, at an exception that no function catches.
    { name: 'refused', threw: 'RangeError: refused', ended_by: 'exception' },
  ])
    for (const depth of depths)
      it(`Node: rejections that are handled a moment later, call ${nth} of ${name}, depth ${depth}`, async function () {
        needs(this, 'Node');
        const called = { file_path: file, function_name: name, call: nth, depth };
        const answer = await trace({ program: file, ...called });
        const text = JSON.stringify(answer, undefined, 1);
        assert.deepEqual(endIn(answer), { returned, threw, ended_by }, text);
        const passed = answer['passed_stops'] as Readonly<Record<string, number>>;
        assert.ok((passed['promise rejection'] ?? 0) > 0, text);
        await assertNothingLeft();
      });

  it('Node: a step into a line does not follow the callbacks that run later', async function () {
    needs(this, 'Node');
    const called = { file_path: file, function_name: 'later', depth: 1 };
    const answer = await trace({ program: file, ...called });
    const text = JSON.stringify(answer, undefined, 1);
    assert.deepEqual(endIn(answer), { returned: '1', threw: undefined, ended_by: undefined }, text);
    assert.deepEqual(
      answer.trace.map((row) => row.split('  | ')[0]),
      [
        '60 Promise.resolve(n).then((value) => value + 1);',
        '61 setTimeout(() => undefined, 1);',
        '62 return n;',
      ],
      text,
    );
  });

  for (const depth of [0, 1])
    it(`C++: a signal that the program handles, depth ${depth}`, async function () {
      needs(this, 'C++');
      const program = compileNative('signals');
      const work = { program, file_path: 'native/signals.cpp', function_name: 'work', depth };
      const answer = await trace({ ...work, call: 3 });
      const text = JSON.stringify(answer, undefined, 1);
      assert.deepEqual(
        endIn(answer),
        { returned: '4', threw: undefined, ended_by: undefined },
        text,
      );
      assert.deepEqual(answer.arguments, { n: '2' }, text);
      assert.deepEqual(answer['passed_stops'], { 'signal SIGUSR1': 3 }, text);
      await assertNothingLeft();
    });
});
