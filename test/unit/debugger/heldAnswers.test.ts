import { strict as assert } from 'node:assert';
import { HeldAnswers } from '../../../src/debugger/heldAnswers';
import { DebugModel } from '../../../src/debugger/state/debugModel';
import { answered, asked, created, eventOf } from '../support/events';

const FILE = '/home/ada/app/main.js';

/** A session of a type, whose adapter sends an answer only after some further requests. */
function program(type = 'pwa-node') {
  const model = new DebugModel();
  const sent: object[] = [];
  let onSent = (): void => undefined;
  const held = new HeldAnswers(model, (key, command, args) => {
    sent.push({ key, command, ...args });
    onSent();
    return Promise.reject(new Error('nobody reads this'));
  });
  model.dispatch(created('a', { sessionType: type }));
  let seq = 0;
  const exchange = (command: string, body: object = {}): void => {
    seq += 1;
    model.dispatch(asked(seq, command));
    model.dispatch(answered(seq, command, body));
  };
  const stops = (): void => {
    model.dispatch(eventOf('stopped', { reason: 'step', threadId: 1 }));
    const internal = { id: 1, name: 'run', line: 3, source: { path: '<node_internals>/run' } };
    const frame = { id: 2, name: 'work', line: 4, source: { path: FILE } };
    exchange('stackTrace', { stackFrames: [internal, frame] });
  };
  /** Sends a request whose answer arrives after a number of further requests. */
  const answerAfter = async (count: number): Promise<string> =>
    await held.during(
      'a',
      () =>
        new Promise((resolve) => {
          onSent = (): void => {
            if (sent.length === count) resolve('answer');
          };
        }),
    );
  return { model, held, sent, exchange, stops, answerAfter };
}

/** The number of timers that have not ended. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

const RELEASE = {
  key: 'a',
  command: 'breakpointLocations',
  source: { path: FILE },
  line: 4,
};

describe('answers that a program holds back', () => {
  it('are released by small requests for a line that has run', async () => {
    const { sent, stops, answerAfter } = program();
    stops();
    assert.equal(await answerAfter(2), 'answer');
    assert.deepEqual(sent, [RELEASE, RELEASE]);
  });

  it('need no request if they arrive at once', async () => {
    const { held, sent, stops } = program();
    stops();
    // mocha sets the timer of a test when its function has returned.
    await Promise.resolve();
    const before = timers();
    assert.equal(await held.during('a', () => Promise.resolve(7)), 7);
    await assert.rejects(
      held.during('a', () => Promise.reject(new Error('refused'))),
      /refused/,
    );
    assert.deepEqual([sent.length, timers()], [0, before]);
  });

  it('are not expected from another debugger', async () => {
    const { held, stops } = program('debugpy');
    stops();
    // mocha sets the timer of a test when its function has returned.
    await Promise.resolve();
    const before = timers();
    assert.equal(await held.during('a', () => Promise.resolve(timers())), before);
  });

  it('are released while a move goes through skipped files, up to its stop', () => {
    const { model, held, sent, exchange, stops } = program();
    stops();
    held.move('a');
    exchange('next');
    for (let part = 0; part < 3; part += 1) model.dispatch(eventOf('continued', { threadId: 1 }));
    assert.deepEqual(sent, [RELEASE, RELEASE, RELEASE, RELEASE]);
    stops();
    model.dispatch(eventOf('continued', { threadId: 1 }));
    assert.equal(sent.length, 4, 'the move of the person is left alone');
  });

  it('are released a limited number of times for one move', () => {
    const { model, held, sent, stops } = program();
    stops();
    held.move('a');
    for (let part = 0; part < 100; part += 1) model.dispatch(eventOf('continued', { threadId: 1 }));
    assert.equal(sent.length, 12);
  });

  it('are left alone before a line is known, and after the end of the session', () => {
    const { model, held, sent, exchange, stops } = program();
    held.move('a');
    exchange('continue');
    assert.deepEqual(sent, []);
    stops();
    held.move('a');
    model.dispatch({ type: 'sessionEnded', key: 'a', at: 1 });
    model.dispatch(eventOf('continued', { threadId: 1 }));
    assert.deepEqual(sent, []);
  });
});
