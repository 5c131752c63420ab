import { strict as assert } from 'node:assert';
import type { Fields } from '../../../../src/debugger/protocol';
import { LAUNCH_MARK } from '../../../../src/debugger/state/launchMark';
import { decode, type CaptureEvent } from '../../../../src/investigation/events';
import { ask } from '../../support/asking';
import { ended, launched } from '../../support/events';
import { bench, type Bench } from '../../support/services';

interface Begun extends Bench {
  readonly sid: string;
}

/** An investigation in a workspace with the configurations `app` and `other`, and their compound. */
async function begun(): Promise<Begun> {
  const on = bench();
  on.workspace.sources = [
    {
      kind: 'folder',
      folder: { name: 'app', path: '/home/ada/app' },
      content: {
        value: {
          configurations: ['app', 'other'].map((name) => ({
            type: 'test',
            request: 'launch',
            name,
          })),
          compounds: [{ name: 'both', configurations: ['app', 'other'] }],
        },
      },
    },
  ];
  const { sid } = await ask(on, 'start_session', { title: 'x' });
  return { ...on, sid: String(sid) };
}

/** Makes VS Code start a session whose key is the configuration's name, and then call `then`. */
function programs(on: Bench, then: (key: string) => void = () => undefined): void {
  on.host.onStart = (configuration) => {
    const key = String(configuration['name']);
    for (const event of launched(key, { name: key, configuration })) on.model.dispatch(event);
    then(key);
    return Promise.resolve(true);
  };
}

function events(on: Begun, file = 'logs/capture.ndjson'): readonly CaptureEvent[] {
  return on.investigation.memory.text(on.sid, file).split('\n').slice(0, -1).map(decode);
}

const capture = async (on: Begun, name = 'app', timeoutSec = 1) =>
  await ask(on, 'capture_run', { sid: on.sid, configurationName: name, timeoutSec });

const print = (on: Bench, key: string, output: string): void =>
  on.host.emit('output', { category: 'stdout', output }, key);

describe('a captured debug configuration', () => {
  it('is recorded with its output and its stops, and continues after each stop', async () => {
    const on = await begun();
    programs(on, (key) => {
      print(on, key, 'before\n');
      on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }, key);
    });
    on.host.on('continue', (_args, key) => {
      print(on, key, 'after\n');
      on.host.emit('exited', { exitCode: 3 }, key);
      on.model.dispatch(ended(key));
      return {};
    });
    const answer = await capture(on);
    assert.deepEqual([answer['endedBy'], answer['exitCode']], ['exit', 3]);
    assert.deepEqual(
      events(on).map(({ msg }) => msg),
      ['before', 'stopped: breakpoint', 'after'],
    );
  });

  it('is ended at its time limit if it is still running', async () => {
    const on = await begun();
    programs(on, (key) => print(on, key, 'up\n'));
    const answer = await capture(on);
    assert.deepEqual([answer.status, answer['endedBy']], ['completed', 'timeout']);
    assert.deepEqual(
      on.host.stops.map(({ sessionKey }) => sessionKey),
      ['app'],
    );
    assert.equal(events(on)[0]?.msg, 'up');
  });

  it('is ended when it starts if it starts only after its time limit', async () => {
    const on = await begun();
    let start: () => void = () => undefined;
    on.host.onStart = (configuration) => {
      start = () => {
        for (const event of launched('app', { name: 'app', configuration }))
          on.model.dispatch(event);
      };
      return new Promise(() => undefined);
    };
    const answer = await capture(on);
    assert.equal(answer['endedBy'], 'timeout');
    const isEnded = new Promise<string>((resolve) => {
      on.host.onStop = (key) => {
        on.model.dispatch(ended(key));
        resolve(key);
        return Promise.resolve();
      };
    });
    start();
    assert.equal(await isEnded, 'app');
  });

  it('is ended if the recording fails', async () => {
    const on = await begun();
    programs(on, (key) => on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }, key));
    on.host.onMove = () => Promise.reject(new Error('the adapter is confused'));
    on.host.on('continue', () => {
      throw new Error('the adapter is confused');
    });
    const answer = await capture(on, 'app', 20);
    assert.deepEqual([answer['endedBy'], on.host.stops.length], ['failed', 1]);
    assert.match(String(answer['note']), /confused/);
  });

  it('reports why it did not start', async () => {
    const on = await begun();
    on.host.onStart = () => Promise.reject(new Error('no such program'));
    const answer = await capture(on);
    assert.equal(answer['endedBy'], 'failed');
    assert.match(String(answer['note']), /no such program/);
  });

  it('is reported as stopped if the person ends it', async () => {
    const on = await begun();
    programs(on, (key) => {
      queueMicrotask(() => {
        void on.host.request(key, 'disconnect', {}).catch(() => undefined);
        on.model.dispatch(ended(key));
      });
    });
    assert.equal((await capture(on, 'app', 20))['endedBy'], 'stopped');
  });

  it('records nothing from a session that another call started in the meantime', async () => {
    const on = await begun();
    programs(on, (key) => {
      const other: Fields = { type: 'test', [LAUNCH_MARK]: 'another' };
      for (const event of launched('elsewhere', { name: 'elsewhere', configuration: other }))
        on.model.dispatch(event);
      print(on, 'elsewhere', 'of another call\n');
      print(on, key, 'own\n');
      on.model.dispatch(ended(key));
    });
    await capture(on);
    assert.deepEqual(
      events(on).map(({ msg }) => msg),
      ['own'],
    );
  });

  it('is recorded with all of its programs', async () => {
    const on = await begun();
    programs(on, (key) => {
      print(on, key, `${key}\n`);
      on.host.emit('stopped', { reason: 'exception', text: key, threadId: 1 }, key);
    });
    on.host.on('continue', (_args, key) => {
      on.model.dispatch(ended(key));
      return {};
    });
    assert.equal((await capture(on, 'both', 20))['endedBy'], 'exit');
    const all = events(on);
    for (const name of ['app', 'other']) assert.ok(all.some(({ msg }) => msg === name));
    assert.equal(all.filter(({ level }) => level === 'error').length, 2);
  });
});
