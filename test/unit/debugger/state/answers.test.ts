import { strict as assert } from 'node:assert';
import { asSpeculative } from '../../../../src/debugger/speculativeReads';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { isEvaluating, type DebugEvent } from '../../../../src/debugger/state/state';
import { answered, asked, created, ended, refused, sessionOf, eventOf } from '../../support/events';

const BODY = { variables: [{ name: 'x' }] };
const ARGS = { variablesReference: 7 };

/** A stop whose top frame is 1 and whose local variables have the reference 7. */
const STOP = [
  eventOf('stopped'),
  asked(-2, 'stackTrace', { threadId: 1 }),
  answered(-2, 'stackTrace', { stackFrames: [{ id: 1 }, { id: 2 }] }),
  asked(-1, 'scopes', { frameId: 1 }),
  answered(-1, 'scopes', { scopes: [{ variablesReference: 7 }, { variablesReference: 8 }] }),
];

/** A model that has received a stop, the variables that were read at it, and the events. */
function after(...events: readonly DebugEvent[]): DebugModel {
  const model = new DebugModel();
  for (const event of [
    created(),
    ...STOP,
    asked(1, 'variables', ARGS),
    answered(1, 'variables', BODY),
    ...events,
  ])
    model.dispatch(event);
  return model;
}

describe('answers: responses that adapters have already sent', () => {
  it('finds the response to an equal request, however its arguments are written', () => {
    assert.deepEqual(after().answers.cached('a', 'variables', ARGS), BODY);
    assert.deepEqual(
      after().answers.cached('a', 'variables', {
        format: { hex: true },
        variablesReference: 7,
        count: undefined,
      }),
      BODY,
    );
    assert.equal(after().answers.cached('a', 'variables', { variablesReference: 8 }), undefined);
    assert.equal(after().answers.cached('a', 'scopes', ARGS), undefined);
    assert.equal(after().answers.cached('b', 'variables', ARGS), undefined);
  });

  it('keeps the response to a request that was sent in advance if its ids have been issued when the response arrives', () => {
    const early = asSpeculative({ variablesReference: 7 });
    const model = new DebugModel();
    const see = (...events: readonly DebugEvent[]): void => {
      for (const event of events) model.dispatch(event);
    };
    see(created(), eventOf('stopped'), asked(1, 'scopes', asSpeculative({ frameId: 1 })));
    see(
      asked(2, 'variables', early),
      asked(3, 'variables', asSpeculative({ variablesReference: 9 })),
    );
    see(asked(-2, 'stackTrace'), answered(-2, 'stackTrace', { stackFrames: [{ id: 1 }] }));
    see(answered(1, 'scopes', { scopes: [{ variablesReference: 7 }] }));
    see(answered(2, 'variables', BODY), answered(3, 'variables', BODY));
    assert.deepEqual(model.answers.cached('a', 'variables', ARGS), BODY);
    assert.ok(model.answers.cached('a', 'scopes', { frameId: 1 }));
    see(
      asked(4, 'scopes', { frameId: 1 }),
      answered(4, 'scopes', { scopes: [{ variablesReference: 9 }] }),
    );
    assert.equal(model.answers.cached('a', 'variables', { variablesReference: 9 }), undefined);
  });

  it('treats a first frame of 0 like none', () => {
    const model = after(
      asked(2, 'stackTrace', { threadId: 1, startFrame: 0, levels: 20 }),
      answered(2, 'stackTrace', { totalFrames: 1 }),
    );
    assert.deepEqual(model.answers.cached('a', 'stackTrace', { threadId: 1, levels: 20 }), {
      totalFrames: 1,
    });
    assert.equal(
      model.answers.cached('a', 'stackTrace', { threadId: 1, startFrame: 1, levels: 20 }),
      undefined,
    );
  });

  for (const event of ['stopped', 'continued', 'invalidated', 'terminated', 'memory']) {
    it(`forgets the responses after ${event}`, () =>
      assert.equal(after(eventOf(event)).answers.cached('a', 'variables', ARGS), undefined));
  }

  for (const command of [
    'evaluate',
    'setVariable',
    'setExpression',
    'next',
    'continue',
    'writeMemory',
    'an unknown request',
  ]) {
    it(`forgets the responses once ${command} has been requested`, () =>
      assert.equal(after(asked(2, command)).answers.cached('a', 'variables', ARGS), undefined));
  }

  for (const command of ['threads', 'setBreakpoints', 'scopes', 'breakpointLocations']) {
    it(`keeps the responses after ${command}`, () =>
      assert.deepEqual(
        after(asked(2, command), answered(2, command)).answers.cached('a', 'variables', ARGS),
        BODY,
      ));
  }

  it('does not keep the response to a request from before a change', () => {
    assert.equal(
      after(
        asked(2, 'scopes', { frameId: 2 }),
        eventOf('stopped'),
        answered(2, 'scopes', { scopes: [] }),
      ).answers.cached('a', 'scopes', { frameId: 2 }),
      undefined,
    );
  });

  it('does not keep a response that was read while an expression was being evaluated', () => {
    const model = after(
      asked(2, 'evaluate', { expression: 'x = 2' }),
      asked(3, 'variables', ARGS),
      answered(3, 'variables', BODY),
      answered(2, 'evaluate', { result: '2' }),
    );
    assert.equal(model.answers.cached('a', 'variables', ARGS), undefined);
  });

  it('does not take late requests of VS Code about the previous stop for requests about this one, even if the ids are equal', () => {
    const model = after(eventOf('continued'), eventOf('stopped'));
    const late = [asked(2, 'variables', ARGS), asked(3, 'scopes', { frameId: 1 })];
    for (const event of late) model.dispatch(event);
    assert.equal(model.answers.underWay('a', 'variables', ARGS), undefined);
    const heard: unknown[] = [];
    model.answers.listen('a', 'variables', ARGS, (body) => heard.push(body));
    for (const event of [
      answered(2, 'variables', { variables: [] }),
      answered(3, 'scopes', { scopes: [] }),
    ])
      model.dispatch(event);
    assert.equal(model.answers.cached('a', 'variables', ARGS), undefined);
    assert.equal(model.answers.cached('a', 'scopes', { frameId: 1 }), undefined);
    assert.deepEqual(heard, []);
  });

  it('treats a reference that an expression or a value has issued as one of this stop', () => {
    const model = after(
      asked(2, 'evaluate'),
      answered(2, 'evaluate', { variablesReference: 9 }),
      asked(3, 'variables', { variablesReference: 9 }),
      answered(3, 'variables', { variables: [{ variablesReference: 10 }] }),
      asked(4, 'variables', { variablesReference: 10 }),
      answered(4, 'variables', BODY),
    );
    assert.deepEqual(model.answers.cached('a', 'variables', { variablesReference: 10 }), BODY);
    for (const event of [
      asked(5, 'next'),
      asked(6, 'variables', { variablesReference: 10 }),
      answered(6, 'variables', BODY),
    ])
      model.dispatch(event);
    assert.equal(model.answers.cached('a', 'variables', { variablesReference: 10 }), undefined);
  });

  it('does not keep an error response', () => {
    assert.equal(
      after(asked(2, 'scopes', { frameId: 2 }), refused(2, 'scopes', 'no')).answers.cached(
        'a',
        'scopes',
        {
          frameId: 2,
        },
      ),
      undefined,
    );
  });

  it('keeps the responses when another session stops', () => {
    assert.deepEqual(
      after(created('b'), eventOf('stopped', {}, 'b')).answers.cached('a', 'variables', ARGS),
      BODY,
    );
  });

  it('forgets the responses with their session, at its end and at a restart', () => {
    assert.equal(after(ended()).answers.cached('a', 'variables', ARGS), undefined);
    assert.equal(after(created()).answers.cached('a', 'variables', ARGS), undefined);
  });

  it('passes the next response to the listener of its request, until the listener is removed', () => {
    const model = after(...STOP);
    const heard: unknown[] = [];
    const stop = model.answers.listen('a', 'variables', ARGS, (body) => heard.push(body));
    for (const event of [
      asked(2, 'variables', { variablesReference: 8 }),
      answered(2, 'variables', {}),
      asked(3, 'variables', ARGS),
    ])
      model.dispatch(event);
    model.dispatch(answered(3, 'variables', BODY));
    stop();
    for (const event of [...STOP, asked(4, 'variables', ARGS), answered(4, 'variables', BODY)])
      model.dispatch(event);
    assert.deepEqual(heard, [BODY]);
  });

  it('waits for a pending request: returns its response, or nothing if it fails, is outdated or its session ends', async () => {
    for (const [event, body] of [
      [answered(3, 'variables', BODY), BODY],
      [refused(3, 'variables', 'no'), undefined],
      [eventOf('stopped'), undefined],
      [ended(), undefined],
    ] as const) {
      const model = after(...STOP);
      assert.equal(
        model.answers.underWay('a', 'variables', ARGS),
        undefined,
        'nobody has asked yet',
      );
      model.dispatch(asked(3, 'variables', ARGS));
      assert.equal(model.answers.underWay('a', 'variables', { variablesReference: 8 }), undefined);
      const underWay = model.answers.underWay('a', 'variables', ARGS);
      model.dispatch(event);
      assert.deepEqual(await underWay, body);
      assert.equal(model.answers.underWay('a', 'variables', ARGS), undefined);
    }
  });

  it('keeps only the newest of many responses', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [
      asked(10 + index, 'variables', { variablesReference: 100 + index }),
      answered(10 + index, 'variables', { index }),
    ]).flat();
    const given = {
      variables: Array.from({ length: 1000 }, (_, index) => ({ variablesReference: 100 + index })),
    };
    const model = after(
      asked(2, 'variables', { variablesReference: 8 }),
      answered(2, 'variables', given),
      ...many,
    );
    const known = Array.from({ length: 1000 }, (_, index) =>
      model.answers.cached('a', 'variables', { variablesReference: 100 + index }),
    ).filter((body) => body !== undefined);
    assert.equal(known.length, 200);
    assert.deepEqual(known[199], { index: 999 });
  });

  it('keeps only the newest of large responses, and none that exceeds the limit alone', () => {
    const given = {
      variables: Array.from({ length: 41 }, (_, index) => ({ variablesReference: 100 + index })),
    };
    const large = (index: number, length: number): readonly DebugEvent[] => [
      asked(10 + index, 'variables', { variablesReference: 100 + index }),
      answered(10 + index, 'variables', {
        variables: [{ name: `${index}`, value: 'x'.repeat(length) }],
      }),
    ];
    const model = after(
      asked(2, 'variables', { variablesReference: 8 }),
      answered(2, 'variables', given),
      ...Array.from({ length: 40 }, (_, index) => large(index, 1_000_000)).flat(),
      ...large(40, 17_000_000),
    );
    const known = Array.from({ length: 41 }, (_, index) => index).filter(
      (index) =>
        model.answers.cached('a', 'variables', { variablesReference: 100 + index }) !== undefined,
    );
    assert.deepEqual(
      known,
      Array.from({ length: 15 }, (_, index) => 25 + index),
    );
  });

  it('does not take scopes that were requested at the previous stop for scopes of this one', () => {
    const scopes = { scopes: [{ variablesReference: 9 }] };
    const model = after(
      asked(2, 'scopes', { frameId: 2 }),
      eventOf('stopped'),
      answered(2, 'scopes', scopes),
      asked(3, 'variables', { variablesReference: 9 }),
      answered(3, 'variables', BODY),
    );
    assert.equal(model.answers.cached('a', 'variables', { variablesReference: 9 }), undefined);
    assert.equal(model.answers.hasFrame('a', 2), false);
  });

  it('keeps its answers when VS Code reports a known session late', () => {
    assert.deepEqual(
      after(created('a', { knowledge: 'partial' })).answers.cached('a', 'variables', ARGS),
      BODY,
    );
  });

  it('gives the same request another key after a restart, and forgets everything from before', () => {
    const model = after();
    const before = model.answers.keyOf('a', 'variables', ARGS);
    model.dispatch(created());
    assert.notEqual(model.answers.keyOf('a', 'variables', ARGS), before);
    assert.equal(model.answers.cached('a', 'variables', ARGS), undefined);
    assert.equal(model.answers.hasFrame('a', 1), false);
  });

  it('knows nothing about a session after its end', () => {
    const model = after(asked(2, 'evaluate', { expression: 'x' }), ended());
    assert.equal(model.answers.cached('a', 'variables', ARGS), undefined);
    assert.equal(isEvaluating(sessionOf(model.state)), false);
    assert.equal(model.answers.hasFrame('a', 1), false);
    assert.equal(model.answers.isOfSeveralFrames('a', 7), false);
    assert.equal(model.answers.isAwaited('a', 'variables'), false);
  });

  it('keeps the responses when an adapter prints output or sends a request', () => {
    const model = after(
      eventOf('output', { category: 'stdout', output: 'x' }),
      eventOf('module', { reason: 'new' }),
      {
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: { seq: 5, type: 'request', command: 'runInTerminal', arguments: {} },
      },
    );
    assert.deepEqual(model.answers.cached('a', 'variables', ARGS), BODY);
    assert.equal(model.answers.hasFrame('a', 1), true);
  });

  it('does not keep a response to the adapter’s own request', () => {
    const model = after();
    model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: { seq: 9, type: 'request', command: 'scopes', arguments: { frameId: 1 } },
    });
    model.dispatch(answered(9, 'scopes', { scopes: [] }));
    assert.notDeepEqual(model.answers.cached('a', 'scopes', { frameId: 1 }), { scopes: [] });
  });

  it('reports a request as awaited only while somebody listens or waits for it', async () => {
    const model = after(asked(2, 'scopes', { frameId: 1 }));
    const awaited = (): boolean[] =>
      ['scopes', 'variables'].map((command) => model.answers.isAwaited('a', command));
    assert.deepEqual(awaited(), [false, false]);
    const waiting = model.answers.underWay('a', 'scopes', { frameId: 1 });
    assert.deepEqual(awaited(), [true, false]);
    model.dispatch(answered(2, 'scopes', { scopes: [] }));
    await waiting;
    assert.deepEqual(awaited(), [false, false]);
    const end = model.answers.listen('a', 'variables', ARGS, () => undefined);
    assert.deepEqual(awaited(), [false, true]);
    end();
    assert.deepEqual(awaited(), [false, false]);
    assert.equal(model.answers.isAwaited('b', 'variables'), false);
  });

  it('keeps the other of two listeners to the same request when one is removed', () => {
    const model = after();
    const heard: string[] = [];
    const end = model.answers.listen('a', 'variables', ARGS, () => heard.push('first'));
    model.answers.listen('a', 'variables', ARGS, () => heard.push('second'));
    end();
    model.dispatch(asked(2, 'variables', ARGS));
    model.dispatch(answered(2, 'variables', BODY));
    assert.deepEqual(heard, ['second']);
  });

  it('reports only the same request as pending, not another one and not an evaluation', () => {
    const model = after(
      asked(2, 'scopes', { frameId: 1 }),
      asked(3, 'evaluate', { expression: 'f()', frameId: 1 }),
    );
    assert.equal(model.answers.underWay('a', 'stackTrace', { frameId: 1 }), undefined);
    assert.equal(
      model.answers.underWay('a', 'evaluate', { expression: 'f()', frameId: 1 }),
      undefined,
    );
    assert.equal(model.answers.underWay('b', 'scopes', { frameId: 1 }), undefined);
  });

  it('takes the frames of references only from responses to scopes requests', () => {
    const model = after(
      asked(2, 'variables', { variablesReference: 8, frameId: 2 }),
      answered(2, 'variables', { scopes: [{ variablesReference: 7 }] }),
    );
    assert.equal(model.answers.isOfSeveralFrames('a', 7), false);
    model.dispatch(asked(3, 'scopes', { frameId: 2 }));
    model.dispatch(answered(3, 'scopes', { scopes: [{ variablesReference: 7 }] }));
    assert.equal(model.answers.isOfSeveralFrames('a', 7), true);
  });
});
