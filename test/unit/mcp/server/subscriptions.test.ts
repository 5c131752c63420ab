import { strict as assert } from 'node:assert';
import { Subscriptions, type Schedule } from '../../../../src/mcp/server/subscriptions';

/** A clock that the test advances. */
class Clock {
  private actions: (() => void)[] = [];

  readonly later: Schedule = (action) => {
    this.actions.push(action);
    return () => (this.actions = this.actions.filter((each) => each !== action));
  };

  get pending(): number {
    return this.actions.length;
  }

  pass(): void {
    for (const each of this.actions.splice(0)) each();
  }
}

function watched(clock: Clock): {
  versions: Map<string, string>;
  told: string[];
  subscriptions: Subscriptions;
} {
  const versions = new Map<string, string>();
  const told: string[] = [];
  const tell = async (name: string): Promise<void> => {
    told.push(name);
  };
  return {
    versions,
    told,
    subscriptions: new Subscriptions((name) => versions.get(name) ?? '', tell, clock.later),
  };
}

describe('subscriptions', () => {
  it('report the first change at once and the following changes together, and do not lose the last one', () => {
    const clock = new Clock();
    const { versions, told, subscriptions } = watched(clock);
    subscriptions.add('a');
    for (const version of ['1', '2', '3']) {
      versions.set('a', version);
      subscriptions.check();
    }
    assert.deepEqual(told, ['a']);
    clock.pass();
    assert.deepEqual(told, ['a', 'a']);
    clock.pass();
    assert.equal(clock.pending, 0, 'nothing changed since: nothing is waited for');
    assert.deepEqual(told, ['a', 'a']);
  });

  it('report nothing that did not change or is no longer subscribed to', () => {
    const { versions, told, subscriptions } = watched(new Clock());
    subscriptions.add('a');
    subscriptions.add('b');
    subscriptions.check();
    assert.deepEqual(told, []);
    subscriptions.remove('a');
    versions.set('a', '1').set('b', '1');
    subscriptions.check();
    assert.deepEqual(told, ['b']);
  });

  it('do not report a value that changed and changed back', () => {
    const clock = new Clock();
    const { versions, told, subscriptions } = watched(clock);
    subscriptions.add('a');
    versions.set('a', '1');
    subscriptions.check();
    versions.set('a', '2');
    subscriptions.check();
    versions.set('a', '1');
    clock.pass();
    assert.deepEqual(told, ['a']);
  });

  it('have a limit, and end with their client', () => {
    const clock = new Clock();
    const { versions, told, subscriptions } = watched(clock);
    for (let at = 0; at < 100; at += 1) assert.equal(subscriptions.add(String(at)), true);
    assert.equal(subscriptions.add('100'), false);
    assert.equal(subscriptions.add('5'), true, 'one that there is');
    versions.set('5', '1');
    subscriptions.check();
    subscriptions.dispose();
    assert.equal(clock.pending, 0);
    versions.set('5', '2');
    subscriptions.check();
    assert.deepEqual(told, ['5']);
  });

  it('handle the rejection of a failed notification', async () => {
    const clock = new Clock();
    let version = 0;
    const attempts: string[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const fail = (name: string): Promise<void> => {
        attempts.push(name);
        return Promise.reject(new Error('gone'));
      };
      const subscriptions = new Subscriptions(() => String(version), fail, clock.later);
      subscriptions.add('a');
      version = 1;
      subscriptions.check();
      version = 2;
      clock.pass();
      // Node reports an unhandled rejection before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([attempts, unhandled], [['a', 'a'], []]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
