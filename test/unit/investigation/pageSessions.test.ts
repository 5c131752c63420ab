import { strict as assert } from 'node:assert';
import { PageSessions, type SessionHost } from '../../../src/investigation/pageSessions';
import { Listeners } from '../../../src/util/listeners';

interface FakeSession {
  readonly id: string;
  readonly parent?: string;
}

class FakeDebug implements SessionHost<FakeSession> {
  readonly didStart = new Listeners<FakeSession>();
  readonly didEnd = new Listeners<FakeSession>();
  readonly stopped: string[] = [];
  answer: (isStarted: boolean) => void = () => undefined;

  start(): Promise<boolean> {
    return new Promise((resolve) => (this.answer = resolve));
  }

  onDidStart(listener: (session: FakeSession) => void) {
    return this.didStart.add(listener);
  }

  onDidEnd(listener: (session: FakeSession) => void) {
    return this.didEnd.add(listener);
  }

  isRoot({ id }: FakeSession): boolean {
    return id === 'browser';
  }

  isChild({ parent }: FakeSession, { id }: FakeSession): boolean {
    return parent === id;
  }

  isSame(one: FakeSession, other: FakeSession): boolean {
    return one.id === other.id;
  }

  async stop({ id }: FakeSession): Promise<void> {
    this.stopped.push(id);
    this.didEnd.notify({ id });
  }
}

const BROWSER: FakeSession = { id: 'browser' };
const PAGE: FakeSession = { id: 'page', parent: 'browser' };

function begun() {
  const [debug, stop] = [new FakeDebug(), new AbortController()];
  return { debug, stop, sessions: new PageSessions(debug, stop.signal) };
}

describe('the debug sessions of a captured page', () => {
  it('are the browser and its page, until the person closes it', async () => {
    const { debug, sessions } = begun();
    const page = sessions.start();
    debug.didStart.notify({ id: 'other' });
    debug.didStart.notify(BROWSER);
    debug.didStart.notify(PAGE);
    assert.deepEqual(await page, PAGE);
    debug.didEnd.notify({ id: 'other' });
    debug.didEnd.notify(BROWSER);
    assert.deepEqual(await sessions.ended(), { via: 'browser', endedBy: 'exit' });
    await sessions.dispose();
    assert.deepEqual([debug.didStart.size, debug.didEnd.size], [0, 0]);
  });

  it('are ended when the capture is stopped', async () => {
    const { debug, stop, sessions } = begun();
    const page = sessions.start();
    debug.didStart.notify(BROWSER);
    stop.abort();
    assert.equal(await page, undefined);
    assert.equal((await sessions.ended()).endedBy, 'stopped');
    await sessions.dispose();
    assert.deepEqual(debug.stopped, ['browser']);
  });

  it('that start only after the stop are ended when they start', async () => {
    const { debug, stop, sessions } = begun();
    const page = sessions.start();
    stop.abort();
    assert.equal(await page, undefined);
    await sessions.dispose();
    debug.didStart.notify({ id: 'other' });
    assert.deepEqual(debug.stopped, []);
    debug.didStart.notify(BROWSER);
    assert.deepEqual([debug.stopped, debug.didStart.size], [['browser'], 0]);
  });

  it('that are refused are not waited for', async () => {
    const { debug, sessions } = begun();
    const page = sessions.start();
    debug.answer(false);
    assert.equal(await page, undefined);
    assert.equal(sessions.end?.endedBy, 'failed');
    await sessions.dispose();
    assert.equal(debug.didStart.size, 0);
  });

  it('are not started if the capture was stopped before', async () => {
    const debug = new FakeDebug();
    const sessions = new PageSessions(debug, AbortSignal.abort());
    assert.equal(await sessions.start(), undefined);
    await sessions.dispose();
    assert.equal(debug.didStart.size, 0);
  });
});
