import { strict as assert } from 'node:assert';
import { Interrupted } from '../../../src/debugger/requests';
import { sharedBuild } from '../../../src/testing/sharedBuild';

/** A build that ends on request. */
function slowBuild() {
  let finish: (result: string) => void = () => undefined;
  const signals: AbortSignal[] = [];
  return {
    signals,
    end: (result: string) => finish(result),
    run: (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => reject(new Interrupted()));
      });
    },
  };
}

const timeIsUp = new DOMException('The time is up.', 'TimeoutError');

describe('a build that several calls need', () => {
  it('goes on if the time of the call is up, and the next call waits for it', async () => {
    const build = slowBuild();
    const limit = new AbortController();
    const first = sharedBuild('a', build.run, limit.signal);
    limit.abort(timeIsUp);
    await assert.rejects(first, Interrupted);
    assert.equal(build.signals[0]?.aborted, false);
    const second = sharedBuild('a', build.run, new AbortController().signal);
    build.end('built');
    assert.equal(await second, 'built');
    assert.equal(build.signals.length, 1);
    const third = sharedBuild('a', build.run, new AbortController().signal);
    assert.equal(build.signals.length, 2);
    build.end('again');
    assert.equal(await third, 'again');
  });

  it('ends with the last call that is cancelled', async () => {
    const build = slowBuild();
    const [one, other] = [new AbortController(), new AbortController()];
    const calls = [one, other].map(({ signal }) => sharedBuild('b', build.run, signal));
    one.abort();
    await assert.rejects(calls[0] ?? Promise.resolve(), Interrupted);
    assert.equal(build.signals[0]?.aborted, false);
    other.abort();
    await assert.rejects(calls[1] ?? Promise.resolve(), Interrupted);
    assert.deepEqual(
      build.signals.map(({ aborted }) => aborted),
      [true],
    );
    await assert.rejects(sharedBuild('b', build.run, one.signal), Interrupted);
  });
});
