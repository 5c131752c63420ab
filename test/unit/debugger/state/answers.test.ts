import { strict as assert } from 'node:assert';
import { asForeseen } from '../../../../src/debugger/foreseen';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { isEvaluating, type DebugEvent } from '../../../../src/debugger/state/state';
import { answered, asked, created, ended, refused, sessionOf, told } from '../../support/events';

const BODY = { variables: [{ name: 'x' }] };
const ARGS = { variablesReference: 7 };

/** A stop whose top frame is 1, and whose locals are 7. */
const STOP = [
  told('stopped'),
  asked(-2, 'stackTrace', { threadId: 1 }),
  answered(-2, 'stackTrace', { stackFrames: [{ id: 1 }, { id: 2 }] }),
  asked(-1, 'scopes', { frameId: 1 }),
  answered(-1, 'scopes', { scopes: [{ variablesReference: 7 }, { variablesReference: 8 }] }),
];

/** A model that has seen a stop, the variables that were read at it, and the events. */
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

describe('answers that adapters have given already', () => {
  it('an answer is known to the same question, however its arguments are written', () => {
    assert.deepEqual(after().answers.known('a', 'variables', ARGS), BODY);
    assert.deepEqual(
      after().answers.known('a', 'variables', {
        format: { hex: true },
        variablesReference: 7,
        count: undefined,
      }),
      BODY,
    );
    assert.equal(after().answers.known('a', 'variables', { variablesReference: 8 }), undefined);
    assert.equal(after().answers.known('a', 'scopes', ARGS), undefined);
    assert.equal(after().answers.known('b', 'variables', ARGS), undefined);
  });

  it('a look that was sent in advance is known if its numbers have been given out by its answer', () => {
    const early = asForeseen({ variablesReference: 7 });
    const model = new DebugModel();
    const see = (...events: readonly DebugEvent[]): void => {
      for (const event of events) model.dispatch(event);
    };
    see(created(), told('stopped'), asked(1, 'scopes', asForeseen({ frameId: 1 })));
    see(asked(2, 'variables', early), asked(3, 'variables', asForeseen({ variablesReference: 9 })));
    see(asked(-2, 'stackTrace'), answered(-2, 'stackTrace', { stackFrames: [{ id: 1 }] }));
    see(answered(1, 'scopes', { scopes: [{ variablesReference: 7 }] }));
    see(answered(2, 'variables', BODY), answered(3, 'variables', BODY));
    assert.deepEqual(model.answers.known('a', 'variables', ARGS), BODY);
    assert.ok(model.answers.known('a', 'scopes', { frameId: 1 }));
    see(
      asked(4, 'scopes', { frameId: 1 }),
      answered(4, 'scopes', { scopes: [{ variablesReference: 9 }] }),
    );
    assert.equal(model.answers.known('a', 'variables', { variablesReference: 9 }), undefined);
  });

  it('a first frame of 0 is the same as none', () => {
    const model = after(
      asked(2, 'stackTrace', { threadId: 1, startFrame: 0, levels: 20 }),
      answered(2, 'stackTrace', { totalFrames: 1 }),
    );
    assert.deepEqual(model.answers.known('a', 'stackTrace', { threadId: 1, levels: 20 }), {
      totalFrames: 1,
    });
    assert.equal(
      model.answers.known('a', 'stackTrace', { threadId: 1, startFrame: 1, levels: 20 }),
      undefined,
    );
  });

  for (const event of ['stopped', 'continued', 'invalidated', 'terminated', 'memory']) {
    it(`nothing is known any more after ${event}`, () =>
      assert.equal(after(told(event)).answers.known('a', 'variables', ARGS), undefined));
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
    it(`nothing is known any more once ${command} has been asked`, () =>
      assert.equal(after(asked(2, command)).answers.known('a', 'variables', ARGS), undefined));
  }

  for (const command of ['threads', 'setBreakpoints', 'scopes', 'breakpointLocations']) {
    it(`${command} changes nothing about it`, () =>
      assert.deepEqual(
        after(asked(2, command), answered(2, command)).answers.known('a', 'variables', ARGS),
        BODY,
      ));
  }

  it('an answer to a question of before a change is not kept', () => {
    assert.equal(
      after(
        asked(2, 'scopes', { frameId: 2 }),
        told('stopped'),
        answered(2, 'scopes', { scopes: [] }),
      ).answers.known('a', 'scopes', { frameId: 2 }),
      undefined,
    );
  });

  it('what was read while an expression was being evaluated is not kept when it has been', () => {
    const model = after(
      asked(2, 'evaluate', { expression: 'x = 2' }),
      asked(3, 'variables', ARGS),
      answered(3, 'variables', BODY),
      answered(2, 'evaluate', { result: '2' }),
    );
    assert.equal(model.answers.known('a', 'variables', ARGS), undefined);
  });

  it('what VS Code still asks about the stop before is no answer of this one, though the numbers are the same', () => {
    const model = after(told('continued'), told('stopped'));
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
    assert.equal(model.answers.known('a', 'variables', ARGS), undefined);
    assert.equal(model.answers.known('a', 'scopes', { frameId: 1 }), undefined);
    assert.deepEqual(heard, []);
  });

  it('a reference that an expression or a value gave out is one of this stop', () => {
    const model = after(
      asked(2, 'evaluate'),
      answered(2, 'evaluate', { variablesReference: 9 }),
      asked(3, 'variables', { variablesReference: 9 }),
      answered(3, 'variables', { variables: [{ variablesReference: 10 }] }),
      asked(4, 'variables', { variablesReference: 10 }),
      answered(4, 'variables', BODY),
    );
    assert.deepEqual(model.answers.known('a', 'variables', { variablesReference: 10 }), BODY);
    for (const event of [
      asked(5, 'next'),
      asked(6, 'variables', { variablesReference: 10 }),
      answered(6, 'variables', BODY),
    ])
      model.dispatch(event);
    assert.equal(model.answers.known('a', 'variables', { variablesReference: 10 }), undefined);
  });

  it('a refusal is no answer', () => {
    assert.equal(
      after(asked(2, 'scopes', { frameId: 2 }), refused(2, 'scopes', 'no')).answers.known(
        'a',
        'scopes',
        {
          frameId: 2,
        },
      ),
      undefined,
    );
  });

  it('another session’s stop leaves it', () => {
    assert.deepEqual(
      after(created('b'), told('stopped', {}, 'b')).answers.known('a', 'variables', ARGS),
      BODY,
    );
  });

  it('it goes with its session, at the end and at a restart', () => {
    assert.equal(after(ended()).answers.known('a', 'variables', ARGS), undefined);
    assert.equal(after(created()).answers.known('a', 'variables', ARGS), undefined);
  });

  it('who listens hears the next answer to that question, until they stop listening', () => {
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

  it('a question that is under way is waited for: its answer, or nothing when it fails, is outdated or its session ends', async () => {
    for (const [event, body] of [
      [answered(3, 'variables', BODY), BODY],
      [refused(3, 'variables', 'no'), undefined],
      [told('stopped'), undefined],
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

  it('of many answers the newest are kept', () => {
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
      model.answers.known('a', 'variables', { variablesReference: 100 + index }),
    ).filter((body) => body !== undefined);
    assert.equal(known.length, 200);
    assert.deepEqual(known[199], { index: 999 });
  });

  it('of large answers the newest are kept, and one that is larger than all may be is not', () => {
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
        model.answers.known('a', 'variables', { variablesReference: 100 + index }) !== undefined,
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
      told('stopped'),
      answered(2, 'scopes', scopes),
      asked(3, 'variables', { variablesReference: 9 }),
      answered(3, 'variables', BODY),
    );
    assert.equal(model.answers.known('a', 'variables', { variablesReference: 9 }), undefined);
    assert.equal(model.answers.hasFrame('a', 2), false);
  });

  it('keeps its answers when VS Code reports a known session late', () => {
    assert.deepEqual(
      after(created('a', { knowledge: 'partial' })).answers.known('a', 'variables', ARGS),
      BODY,
    );
  });

  it('a restart gives the same look another name, and nothing of before is known', () => {
    const model = after();
    const before = model.answers.keyOf('a', 'variables', ARGS);
    model.dispatch(created());
    assert.notEqual(model.answers.keyOf('a', 'variables', ARGS), before);
    assert.equal(model.answers.known('a', 'variables', ARGS), undefined);
    assert.equal(model.answers.hasFrame('a', 1), false);
  });

  it('after the end of a session nothing of it is known, nor kept', () => {
    const model = after(asked(2, 'evaluate', { expression: 'x' }), ended());
    assert.equal(model.answers.known('a', 'variables', ARGS), undefined);
    assert.equal(isEvaluating(sessionOf(model.state)), false);
    assert.equal(model.answers.hasFrame('a', 1), false);
    assert.equal(model.answers.isOfSeveralFrames('a', 7), false);
    assert.equal(model.answers.isAwaited('a', 'variables'), false);
  });

  it('what an adapter prints or asks for leaves what is known', () => {
    const model = after(
      told('output', { category: 'stdout', output: 'x' }),
      told('module', { reason: 'new' }),
      {
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: { seq: 5, type: 'request', command: 'runInTerminal', arguments: {} },
      },
    );
    assert.deepEqual(model.answers.known('a', 'variables', ARGS), BODY);
    assert.equal(model.answers.hasFrame('a', 1), true);
  });

  it('a request of the adapter is no question of ours: its answer is not known', () => {
    const model = after();
    model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: { seq: 9, type: 'request', command: 'scopes', arguments: { frameId: 1 } },
    });
    model.dispatch(answered(9, 'scopes', { scopes: [] }));
    assert.notDeepEqual(model.answers.known('a', 'scopes', { frameId: 1 }), { scopes: [] });
  });

  it('a look is awaited while somebody listens for it or waits for its answer, and no other look is', async () => {
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

  it('of two listeners to the same look one goes on when the other ends', () => {
    const model = after();
    const heard: string[] = [];
    const end = model.answers.listen('a', 'variables', ARGS, () => heard.push('first'));
    model.answers.listen('a', 'variables', ARGS, () => heard.push('second'));
    end();
    model.dispatch(asked(2, 'variables', ARGS));
    model.dispatch(answered(2, 'variables', BODY));
    assert.deepEqual(heard, ['second']);
  });

  it('only the look itself is under way: not another one, nor an evaluation', () => {
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

  it('only scopes say of which frames their references are', () => {
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
