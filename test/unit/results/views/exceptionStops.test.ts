import { strict as assert } from 'node:assert';
import type { StopDetail } from '../../../../src/results/views/stopReport';
import type { StopEventData } from '../../../../src/results/views/stopEventData';
import { eventOf } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

const LIBRARY = '/home/ada/app/node_modules/chai/chai.js';

interface At {
  readonly name: string;
  readonly line: number;
  readonly path?: string;
}

/** A running program whose adapter reports exceptions in this stack. */
function throwing(stack: () => readonly At[], said: () => object): Bench {
  const on = running(bench());
  on.model.dispatch(
    eventOf('capabilities', { capabilities: { supportsExceptionInfoRequest: true } }),
  );
  on.host.on('stackTrace', () => ({
    stackFrames: stack().map(({ name, line, path = FILE }, index) => ({
      id: index + 1,
      name,
      line,
      column: 1,
      source: { path },
    })),
    totalFrames: stack().length,
  }));
  on.host.on('exceptionInfo', () => ({ breakMode: 'always', ...said() }));
  on.host.on('scopes', ({ frameId }) => ({
    scopes: [{ name: 'Locals', presentationHint: 'locals', variablesReference: frameId }],
  }));
  return on;
}

async function stopAt(on: Bench, how?: StopDetail, more: object = {}): Promise<StopEventData> {
  on.host.emit('stopped', { reason: 'exception', threadId: 1, ...more });
  return await on.services.stops.report(on.session(), 1, on.call.signal, how);
}

const ASSERTION = { exceptionId: 'AssertionError', description: 'expected 6 to equal 7' };

describe('a stop at an exception in a library', () => {
  const stack = [
    { name: 'Assertion.assert', line: 3, path: LIBRARY },
    { name: 'test', line: 4 },
  ];
  const library = Array.from({ length: 12 }, (_, index) => ({
    name: `flag${index}`,
    value: `{object: 6, message: undefined, ssfi: assertEqual, number: ${index}}`,
    type: 'Object',
    variablesReference: 100 + index,
  }));
  const at = (frames: readonly At[]): Bench => {
    const on = throwing(
      () => frames,
      () => ASSERTION,
    );
    on.host.on('variables', ({ variablesReference: from }) => ({
      variables:
        from === 1
          ? library
          : [{ name: 'total', value: '6', type: 'number', variablesReference: 0 }],
    }));
    return on;
  };

  it('shows the person’s frame, and counts the library’s variables', async () => {
    const stop = await stopAt(at(stack));
    assert.deepEqual(
      stop.exception?.own_frame?.variables.map((variable) => variable.name),
      ['total'],
    );
    assert.equal(stop.top_frame_variables, null);
    assert.deepEqual(stop.omitted, {
      top_frame_variables: 12,
      fetch_top_frame_variables: 'get_scopes, then get_variables',
    });
    const whole = await stopAt(at(stack.slice(0, 1)));
    assert.equal(whole.top_frame_variables?.variables.length, 12, 'there is nothing else to show');
    const [now, then] = [stop, whole].map((data) => JSON.stringify(data).length);
    assert.ok((now ?? 0) * 2 < (then ?? 0), `${now} of ${then} characters`);
  });

  it('shows the library’s variables if the person’s frame cannot be read', async () => {
    const on = at(stack);
    on.host.on('scopes', ({ frameId }) => {
      if (frameId === 2) throw new Error('no scopes');
      return {
        scopes: [{ name: 'Locals', presentationHint: 'locals', variablesReference: frameId }],
      };
    });
    assert.equal((await stopAt(on)).top_frame_variables?.variables.length, 12);
  });
});

describe('a stop at an exception in a Python test', () => {
  it('leaves out pytest’s own variables and debugpy’s note', async () => {
    const on = throwing(
      () => [{ name: 'test_sum', line: 3 }],
      () => ({
        exceptionId: 'AssertionError',
        description: 'assert 2 == 3',
        details: { typeName: 'AssertionError', message: 'assert 2 == 3' },
      }),
    );
    on.host.on('variables', () => ({
      variables: ['@py_assert2', 'total', '@py_format4', '@py_assert1'].map((name) => ({
        name,
        value: '1',
        variablesReference: 0,
      })),
    }));
    const stop = await stopAt(on, 'whole', {
      text: 'AssertionError       (note: full exception trace is shown but execution is paused at: test_sum)',
    });
    assert.deepEqual(
      stop.top_frame_variables?.variables.map((variable) => variable.name),
      ['total'],
    );
    assert.deepEqual([stop.text, stop.omitted], [null, undefined]);
  });
});

describe('the same exception, in a frame further out', () => {
  const deep = [
    { name: 'inner', line: 3 },
    { name: 'middle', line: 5 },
    { name: 'main', line: 9 },
  ];
  const further = [
    { name: 'middle', line: 7 },
    { name: 'main', line: 9 },
  ];

  /** The report of the second stop. */
  async function second(
    first: readonly At[],
    then: readonly At[],
    said: object = ASSERTION,
    between: (on: Bench) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<StopEventData> {
    let [stack, info] = [first, ASSERTION as object];
    const on = throwing(
      () => stack,
      () => info,
    );
    assert.equal((await stopAt(on)).exception?.again, undefined);
    await between(on);
    [stack, info] = [then, said];
    return await stopAt(on);
  }

  it('is reported in short form', async () => {
    const stop = await second(deep, further);
    assert.deepEqual(stop.exception, {
      type: 'AssertionError',
      message: 'expected 6 to equal 7',
      again: 'same type and message as at stop 1, in a frame further out',
    });
    assert.deepEqual(
      [stop.stop_id, stop.line, stop.top_frame_variables, stop.call_stack.length, stop.omitted],
      [
        2,
        7,
        null,
        1,
        {
          frames: 1,
          fetch_frames: 'get_call_stack start_frame=1',
          top_frame_variables: 1,
          fetch_top_frame_variables: 'get_scopes, then get_variables',
        },
      ],
    );
  });

  it('is recognized if debugpy shows the whole trace and marks the frame', async () => {
    const marked = deep.map((frame, index) =>
      index === 1 ? { ...frame, name: `${frame.name} (Current frame)` } : frame,
    );
    assert.match((await second(deep, marked)).exception?.again ?? '', /stop 1/);
    assert.equal((await second(deep, deep)).exception?.again, undefined, 'thrown once more');
    assert.equal((await second(marked, deep)).exception?.again, undefined, 'further in');
  });

  it('is a different one with another message, other callers, or after another stop', async () => {
    const other = { ...ASSERTION, description: 'expected 1 to equal 7' };
    assert.equal((await second(deep, further, other)).exception?.again, undefined);
    const elsewhere = [
      { name: 'middle', line: 7 },
      { name: 'main', line: 10 },
    ];
    assert.equal((await second(deep, elsewhere)).exception?.again, undefined);
    const step = async (on: Bench): Promise<void> => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 });
      await on.services.stops.report(on.session(), 1, on.call.signal);
    };
    assert.equal((await second(deep, further, ASSERTION, step)).exception?.again, undefined);
  });

  it('is reported in the same way if the stop is reported again', async () => {
    let stack: readonly At[] = deep;
    const on = throwing(
      () => stack,
      () => ASSERTION,
    );
    await stopAt(on);
    stack = further;
    await stopAt(on, 'readOnly');
    for (let index = 0; index < 2; index += 1) {
      const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
      assert.match(stop.exception?.again ?? '', /stop 1/);
    }
  });
});

describe('a stop at a breakpoint whose condition cannot be evaluated', () => {
  it('is none at an exception, although Delve reports it so', async () => {
    const on = throwing(
      () => [{ name: 'main.total', line: 4 }],
      () => {
        throw new Error('no exception');
      },
    );
    Object.assign(on.session(), { type: 'go' });
    const text = 'error evaluating expression: could not find symbol value for nope';
    const stop = await stopAt(on, undefined, { description: 'runtime error', text });
    assert.deepEqual(
      [stop.reason, stop.exception, stop.text, stop.condition_error],
      ['breakpoint', undefined, null, 'could not find symbol value for nope'],
    );
    assert.deepEqual(on.host.sent('exceptionInfo'), []);
    const panic = await stopAt(on, undefined, { description: 'panic', text: 'index out of range' });
    assert.deepEqual([panic.reason, panic.condition_error], ['exception', undefined]);
  });
});
