import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { ask, megabytesInUse } from '../support/asking';
import { answered, asked, refused, stopped } from '../support/events';
import { bounded, container, HUGE, listIn, stopOf, text } from '../support/huge';
import { bench, FILE, paused, running } from '../support/services';

describe('nonsense: a text of 100 MB', function () {
  // These tests take long on a busy machine.
  this.timeout(120_000);

  it('is shown as a value with its beginning and its real length, in a stop, a read and an evaluation', async () => {
    const on = paused(bench());
    const value = text(HUGE);
    on.host
      .on('variables', () => ({
        variables: [
          { name: 'long', value, variablesReference: 0 },
          { name: 'short', value: '1', variablesReference: 0 },
        ],
      }))
      .on('evaluate', () => ({ result: value, variablesReference: 0 }));
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    const answers = [
      fields(stop['top_frame_variables']),
      await bounded(() => ask(on, 'get_variables', { variables_reference: container(on) })),
    ];
    for (const each of answers) {
      const [long, short] = listIn(each, 'variables');
      assert.match(String(long?.['value']), /^v+… \(100000000 characters\)$/);
      assert.equal(short?.['value'], '1');
    }
    const evaluated = await bounded(() =>
      ask(on, 'evaluate_expression', {
        expression: 'long',
        frame_id: listIn(stop, 'call_stack')[0]?.['frame_id'],
      }),
    );
    assert.match(String(evaluated['result']), /^v+… \(100000000 characters\)$/);
  });

  it('is released from memory after a stop was reported or a value was returned', async () => {
    const on = paused(bench());
    const before = megabytesInUse();
    for (let step = 0; step < 5; step += 1) {
      on.host.on('variables', () => ({
        variables: [{ name: 'long', value: text(HUGE, String(step)), variablesReference: 0 }],
      }));
      stopOf(await bounded(() => ask(on, 'wait_for_stop')));
      on.model.dispatch(
        stopped(1, { text: text(HUGE), description: text(HUGE), reason: text(HUGE) }),
      );
    }
    on.host.on('variables', () => ({ variables: [] }));
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('is accepted everywhere else an adapter can send one', async () => {
    const long = text(HUGE);
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host
      .on('threads', () => ({ threads: [{ id: 1, name: long }] }))
      .on('stackTrace', () => ({
        stackFrames: [
          { id: 1, name: long, line: 3, column: 1, source: { path: FILE, name: long } },
          {
            id: 2,
            name: long,
            source: { path: `/${long}`, name: long },
            instructionPointerReference: long,
          },
          { id: 3, name: 'x', source: { path: `/${long}` } },
        ],
      }))
      .on('scopes', () => ({
        scopes: [{ name: `Local ${long}`, presentationHint: 'locals', variablesReference: 7 }],
      }))
      .on('variables', () => ({
        variables: [
          {
            name: long,
            value: long,
            type: long,
            evaluateName: long,
            memoryReference: long,
            variablesReference: 8,
          },
        ],
      }))
      .on('exceptionInfo', () => ({
        exceptionId: long,
        description: long,
        details: {
          message: long,
          fullTypeName: long,
          innerException: [{ message: long, fullTypeName: long }],
        },
      }))
      .on('evaluate', () => {
        throw new Error(long);
      });
    on.host.emit('stopped', { reason: 'exception', description: long, text: long, threadId: 1 });
    await on.host.request('a', 'threads', {});
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    const [first] = listIn(stop, 'call_stack');
    assert.match(String(fields(stop['exception'])['message']), /… \(100000000 characters\)$/);
    for (const [name, input] of [
      ['get_debug_state', {}],
      ['get_call_stack', {}],
      ['get_scopes', { frame_id: first?.['frame_id'] }],
      ['get_variables', { variables_reference: container(on), depth: 5 }],
      ['evaluate_expression', { expression: 'x', frame_id: first?.['frame_id'] }],
    ] as const) {
      await bounded(() => ask(on, name, input));
    }
  });

  it('is cut as the message of a failed response', async () => {
    const on = paused(bench());
    const long = text(HUGE);
    on.host.on('scopes', () => {
      throw new Error(long);
    });
    assert.equal((await bounded(() => ask(on, 'wait_for_stop'))).status, 'stopped');
    on.model.dispatch(asked(60, 'next', { threadId: 1 }));
    on.model.dispatch(refused(60, 'next', long));
    assert.ok((on.session().resume?.message ?? '').length < 20_000);
  });

  it('is well-formed even if it consists of lone surrogates or is cut inside a pair', async () => {
    const on = paused(bench());
    const half = '\uD83D'.repeat(100_001);
    const halves = Object.fromEntries(
      ['name', 'value', 'type', 'evaluateName', 'memoryReference'].map((key) => [key, half]),
    );
    on.host
      .on('variables', () => ({
        variables: [halves, { name: '\uDE00', value: '😀\uD83D', variablesReference: 0 }],
      }))
      .on('evaluate', () => ({ result: '\uDE00\uD83D' }));
    const stop = stopOf(await ask(on, 'wait_for_stop'));
    assert.equal(
      listIn(fields(stop['top_frame_variables']), 'variables')[1]?.['value'],
      '😀\uFFFD',
    );
    assert.equal(
      (
        await ask(on, 'evaluate_expression', {
          expression: 'x',
          frame_id: listIn(stop, 'call_stack')[0]?.['frame_id'],
        })
      )['result'],
      '\uFFFD\uFFFD',
    );
  });
});
