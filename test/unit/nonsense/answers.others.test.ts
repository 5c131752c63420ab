import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { ask } from '../support/asking';
import { answered, asked } from '../support/events';
import { bench, FILE, paused, running, type Bench } from '../support/services';
import { stopOf, NONSENSE } from '../support/nonsenseAnswers';

describe('nonsense: exceptions, evaluations, refusals, output, breakpoints', () => {
  function thrown(exceptionInfo: unknown): Bench {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host.on('exceptionInfo', () => exceptionInfo);
    on.host.emit('stopped', { reason: 'exception', threadId: 1 });
    return on;
  }

  it('accepts exceptions of every wrong type', async () => {
    for (const wrong of NONSENSE) {
      for (const info of [
        wrong,
        { exceptionId: wrong, description: wrong, details: wrong },
        {
          exceptionId: 'E',
          details: { message: wrong, fullTypeName: wrong, innerException: wrong },
        },
        {
          exceptionId: 'E',
          details: { innerException: [wrong, { message: 'm', innerException: wrong }] },
        },
      ]) {
        stopOf(await ask(thrown(info), 'wait_for_stop'));
      }
    }
  });

  it('returns the first five of endless inner exceptions, whether they are siblings or nested', async () => {
    const wide = {
      exceptionId: 'E',
      details: {
        innerException: Array.from({ length: 300_000 }, (_, each) => ({
          message: `cause ${each}`,
        })),
      },
    };
    const shared: Record<string, unknown> = { message: 'round' };
    shared['innerException'] = [shared];
    const deep = {
      exceptionId: 'E',
      details: {
        innerException: [
          {
            message: 'one',
            innerException: Array.from({ length: 300_000 }, () => ({ message: 'more' })),
          },
        ],
      },
    };
    for (const info of [wide, deep, { exceptionId: 'E', details: shared }]) {
      const exception = fields(stopOf(await ask(thrown(info), 'wait_for_stop'))['exception']);
      assert.equal((exception['inner'] as unknown[]).length, 5);
    }
  });

  it('accepts evaluation results of every wrong type, and shows numbers and booleans as text', async () => {
    for (const wrong of [...NONSENSE, 42]) {
      const on = paused(bench());
      on.host.on('evaluate', () => ({
        result: wrong,
        type: wrong,
        variablesReference: wrong,
        namedVariables: wrong,
        indexedVariables: wrong,
        memoryReference: wrong,
      }));
      const frameId = fields(
        (stopOf(await ask(on, 'wait_for_stop'))['call_stack'] as unknown[])[0],
      )['frame_id'];
      const answer = await ask(on, 'evaluate_expression', { expression: 'x', frame_id: frameId });
      assert.equal(
        answer['result'],
        ['string', 'number', 'boolean'].includes(typeof wrong) ? String(wrong) : '',
      );
    }
  });

  it('cuts the message of a failed response whose variables would expand without limit', async () => {
    const on = paused(bench());
    const big = 'x'.repeat(1_000_000);
    const started = performance.now();
    on.model.dispatch(asked(50, 'next', { threadId: 1 }));
    on.model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: {
        type: 'response',
        request_seq: 50,
        command: 'next',
        success: false,
        body: { error: { format: '{x}'.repeat(100_000), variables: { x: big } } },
      },
    });
    assert.ok(performance.now() - started < 2000);
    const { resume } = on.session();
    assert.ok(resume?.outcome === 'failed' && (resume.message ?? '').length < 200_000);
  });

  it('accepts output of every wrong type', async () => {
    for (const wrong of NONSENSE) {
      const on = running(bench());
      on.host.emit('output', {
        category: wrong,
        output: 'line\n',
        variablesReference: wrong,
        line: wrong,
        source: wrong,
      });
      on.host.emit('output', { output: wrong });
      on.host.emit('usernotification', { message: wrong });
      const answer = await ask(on, 'get_debug_output');
      assert.equal(fields((answer['lines'] as unknown[])[0])['text'], 'line');
    }
  });

  async function assertHarmless(wrong: unknown, breakpoints: unknown): Promise<void> {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', {
        supportsBreakpointLocationsRequest: true,
        supportsLoadedSourcesRequest: true,
        exceptionBreakpointFilters: breakpoints,
      }),
    ])
      on.model.dispatch(event);
    on.host
      .on('setBreakpoints', () => ({ breakpoints }))
      .on('breakpointLocations', () => ({ breakpoints }))
      .on('loadedSources', () => ({ sources: breakpoints }));
    assert.equal(
      (await ask(on, 'set_breakpoint', { file_path: FILE, line_number: 3 })).status,
      'success',
    );
    on.host.emit('breakpoint', { reason: wrong, breakpoint: wrong });
    assert.equal((await ask(on, 'get_breakpoints')).status, 'success');
    assert.equal((await ask(on, 'set_exception_breakpoints', { filters: [] })).status, 'success');
  }

  it('accepts breakpoint responses of every wrong type', async () => {
    // In parallel, because each unbound breakpoint is waited for briefly.
    await Promise.all(
      [null, 1.5, 'text', true, [], {}].flatMap((wrong) =>
        [
          wrong,
          [wrong],
          [{ id: wrong, verified: wrong, line: wrong, column: wrong, message: wrong }],
        ].map((breakpoints) => assertHarmless(wrong, breakpoints)),
      ),
    );
  });
});
