import { strict as assert } from 'node:assert';
import type { Launching, LaunchPlan } from '../../../src/control/launching';
import type { RunLimits } from '../../../src/control/outcome';
import { LAUNCH_MARK, STOP_ALL_MARK } from '../../../src/debugger/state/launchMark';
import type { Fields } from '../../../src/debugger/protocol';
import { asked, created, ended, refused } from '../support/events';
import { bench, type Bench } from '../support/services';

const within = (on: Bench, milliseconds = 1000): RunLimits => ({
  deadline: performance.now() + milliseconds,
  signal: on.call.signal,
});

function plan(names: readonly string[], more: Partial<LaunchPlan> = {}): LaunchPlan {
  return {
    launches: names.map((name) => ({ name, folderPath: `/${name}`, configuration: { name } })),
    stopAll: false,
    noDebug: false,
    ...more,
  };
}

const launching = (on: Bench, names: readonly string[]): Launching =>
  on.services.control.launching(plan(names));

const keys = (sessions: readonly { readonly key: string }[]): readonly string[] =>
  sessions.map((session) => session.key);

/** VS Code starts the requested configurations as sessions with their names. */
function starts(on: Bench, then: (key: string) => void = () => undefined): Bench {
  on.host.onStart = (configuration) => {
    const key = String(configuration['name']);
    on.model.dispatch(created(key, { name: key, configuration }));
    then(key);
    return Promise.resolve(true);
  };
  return on;
}

/** The functions that answer VS Code's start requests; the test calls them. */
function answering(on: Bench): ((isStarted: boolean) => void)[] {
  const answers: ((isStarted: boolean) => void)[] = [];
  on.host.onStart = () => new Promise((resolve) => answers.push(resolve));
  return answers;
}

/** The configuration with which a session of this type is started. */
async function startedAs(type: string, env: unknown): Promise<unknown> {
  const on = starts(bench());
  const configuration = { name: 'app', type, env };
  const launch = { name: 'app', folderPath: undefined, configuration };
  const mine = on.services.control.launching(plan([], { launches: [launch] }));
  on.model.dispatch(created('other'));
  await mine.run(within(on, 1));
  return on.host.started[0]?.['env'];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the configuration of a launch', () => {
  it('has environment variables in the form that its adapter reads', async () => {
    const env = { A: '1', B: null, C: 2 };
    assert.deepEqual(await startedAs('lldb-dap', env), ['A=1', 'C=2']);
    assert.deepEqual(await startedAs('lldb-dap', ['A=1']), ['A=1']);
    assert.deepEqual(await startedAs('debugpy', env), env);
    assert.equal(await startedAs('lldb-dap', undefined), undefined);
  });
});

describe('the sessions of a launch', () => {
  it('are the marked sessions with all their descendants; the outermost of them are the roots', () => {
    const on = bench();
    const mine = launching(on, ['app']);
    const configuration: Fields = { [LAUNCH_MARK]: mine.mark };
    on.model.dispatch(created('root', { name: 'app', configuration }));
    on.model.dispatch(created('child', { name: 'app', configuration, parentKey: 'root' }));
    on.model.dispatch(created('worker', { name: 'worker', parentKey: 'child' }));
    assert.deepEqual(keys(mine.roots()), ['root']);
    assert.deepEqual(keys(mine.members()), ['root', 'child', 'worker']);
  });

  it('are new sessions with the right name if a debugger’s extension dropped the mark', () => {
    const on = bench();
    on.model.dispatch(created('before', { name: 'app' }));
    const mine = launching(on, ['app']);
    on.model.dispatch(created('new', { name: 'app' }));
    on.model.dispatch(created('other', { name: 'tests' }));
    const another = { [LAUNCH_MARK]: 'of another call' };
    on.model.dispatch(created('theirs', { name: 'app', configuration: another }));
    assert.deepEqual(keys(mine.roots()), ['new']);
  });

  it('exclude other sessions with the same name once all marked sessions exist', () => {
    const on = bench();
    const mine = launching(on, ['app']);
    on.model.dispatch(created('by hand', { name: 'app' }));
    on.model.dispatch(
      created('mine', { name: 'app', configuration: { [LAUNCH_MARK]: mine.mark } }),
    );
    assert.deepEqual(keys(mine.roots()), ['mine']);
  });

  it('of a compound are the marked sessions, and those with its names that lost the mark', () => {
    const on = bench();
    const mine = launching(on, ['server', 'client']);
    // A session's name may differ from its configuration's name.
    const configuration = { [LAUNCH_MARK]: mine.mark };
    on.model.dispatch(created('one', { name: 'server: 8080', configuration }));
    on.model.dispatch(created('two', { name: 'client' }));
    on.model.dispatch(created('three', { name: 'tests' }));
    assert.deepEqual(keys(mine.roots()), ['one', 'two']);
  });

  it('have a mark that differs from that of any other launch', () => {
    const on = bench();
    assert.notEqual(launching(on, ['app']).mark, launching(on, ['app']).mark);
  });
});

describe('a launch', () => {
  it('starts each configuration in its folder, marked, with or without debugging', async () => {
    for (const noDebug of [false, true]) {
      const on = starts(bench(), (key) => on.model.dispatch(ended(key)));
      const mine = on.services.control.launching(plan(['server', 'client'], { noDebug }));
      await mine.run(within(on));
      const marked = { [LAUNCH_MARK]: mine.mark };
      assert.deepEqual(on.host.started, [
        { name: 'server', ...marked },
        { name: 'client', ...marked },
      ]);
      assert.deepEqual(on.host.startedWith, [
        { folderPath: '/server', noDebug },
        { folderPath: '/client', noDebug },
      ]);
    }
  });

  it('of a compound with stopAll marks each of its sessions accordingly', async () => {
    const on = starts(bench(), (key) => on.model.dispatch(ended(key)));
    const mine = on.services.control.launching(plan(['server', 'client'], { stopAll: true }));
    await mine.run(within(on));
    assert.deepEqual(
      on.host.started.map((each) => each[STOP_ALL_MARK]),
      [true, true],
    );
  });

  it('that the adapter refuses is reported as not started, with the adapter’s message', async () => {
    const on = starts(bench(), (key) => {
      on.model.dispatch(asked(1, 'launch', {}, key));
      on.model.dispatch(refused(1, 'launch', 'no such program', key));
    });
    assert.deepEqual(await launching(on, ['app']).run(within(on)), {
      kind: 'notStarted',
      message: 'no such program',
    });
  });

  it('of a compound ends when all of its sessions have ended', async () => {
    const on = starts(bench(), (key) => {
      if (key === 'server') on.model.dispatch(ended(key));
    });
    const outcome = launching(on, ['server', 'client']).run(within(on));
    await turn();
    assert.equal(on.model.listenerCount, 1, 'it still waits for the client');
    on.model.dispatch(ended('client'));
    assert.deepEqual(await outcome, { kind: 'ended', rootKey: 'client' });
  });

  it('of a compound does not end before all of its sessions exist', async () => {
    const on = starts(bench(), (key) => on.model.dispatch(ended(key)));
    const start = on.host.onStart;
    let isHeld = true;
    on.host.onStart = (configuration) =>
      configuration['name'] === 'client' && isHeld
        ? new Promise(() => undefined)
        : start(configuration);
    const outcome = launching(on, ['server', 'client']).run(within(on));
    await turn();
    assert.equal(on.model.listenerCount, 1, 'the client may still come');
    isHeld = false;
    await on.host.onStart(on.host.started[1] ?? {});
    assert.deepEqual(await outcome, { kind: 'ended', rootKey: 'client' });
  });

  it('that has stopped is reported as stopped, even if VS Code then reports that it did not start', async () => {
    const on = bench();
    on.host.onStart = (configuration) => {
      on.model.dispatch(created('app', { name: 'app', configuration }));
      on.host.emit('stopped', { reason: 'entry', threadId: 1 }, 'app');
      return Promise.resolve(false);
    };
    assert.equal((await launching(on, ['app']).run(within(on))).kind, 'stopped');
  });
});

describe('a launch that no call waits for any more', () => {
  it('is coming from its start until its session exists or VS Code has refused it', async () => {
    const on = bench();
    const answers = answering(on);
    const [first, second] = [launching(on, ['app']), launching(on, ['other'])];
    assert.equal(first.isComing, false, 'nothing was started');
    const runs = [first.run(within(on)), second.run(within(on))];
    assert.deepEqual([first.isComing, second.isComing], [true, true]);
    on.model.dispatch(created('app', { name: 'app' }));
    answers[1]?.(false);
    await turn();
    assert.deepEqual([first.isComing, second.isComing], [false, false]);
    on.cancel();
    await Promise.all(runs);
  });

  it('counts as called off, and is ended if VS Code starts it after all', async () => {
    const on = bench();
    answering(on);
    const mine = launching(on, ['app']);
    const run = mine.run(within(on));
    on.cancel();
    await run;
    const late: string[] = [];
    mine.endLate((root) => Promise.resolve(late.push(root.key)));
    assert.equal(mine.isComing, false);
    on.model.dispatch(created('app', { name: 'app' }));
    await turn();
    assert.deepEqual([late, on.model.listenerCount], [['app'], 0]);
  });

  it('is watched for until VS Code has answered for all configurations of a compound', async () => {
    const on = bench();
    const answers = answering(on);
    const mine = launching(on, ['server', 'client']);
    const run = mine.run(within(on));
    on.cancel();
    await run;
    mine.endLate(() => Promise.resolve());
    answers[0]?.(true);
    await turn();
    assert.equal(on.model.listenerCount, 1);
    answers[1]?.(true);
    await turn();
    assert.equal(on.model.listenerCount, 0);
  });

  it('is left alone if its session already exists', async () => {
    const on = bench();
    answering(on);
    const mine = launching(on, ['app']);
    const run = mine.run(within(on));
    on.model.dispatch(created('app', { name: 'app' }));
    const late: string[] = [];
    mine.endLate((root) => Promise.resolve(late.push(root.key)));
    await turn();
    assert.deepEqual(late, []);
    on.cancel();
    await run;
  });
});
