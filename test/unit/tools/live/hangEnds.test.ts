import { strict as assert } from 'node:assert';
import { ask, type Answer } from '../../support/asking';
import { launched } from '../../support/events';
import { bench, FILE, type Bench } from '../../support/services';

/** A program that runs in two threads, and whose debugger can pause it. */
function program(sessionType: string): Bench {
  const on = bench();
  const configuration = { type: sessionType, name: 'app', request: 'launch' };
  for (const event of launched('a', { sessionType, configuration })) on.model.dispatch(event);
  for (const threadId of [1, 2]) on.host.emit('thread', { reason: 'started', threadId });
  on.host
    .on('threads', () => ({
      threads: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    }))
    .on('pause', () => {
      on.host.emit('stopped', { reason: 'pause', threadId: 1, allThreadsStopped: true });
      return {};
    })
    .on('continue', () => {
      on.host.emit('continued', { threadId: 1, allThreadsContinued: true });
      return { allThreadsContinued: true };
    });
  return on;
}

/** The program ends by itself. */
function end(on: Bench): void {
  on.host.emit('output', { category: 'stdout', output: 'done\n' });
  on.host.emit('exited', { exitCode: 3 });
  on.host.emit('terminated');
  on.model.dispatch({ type: 'sessionEnded', key: 'a', at: Date.now() });
}

/** The person lets the program go on. */
const goOn = (on: Bench): void =>
  on.host.emit('continued', { threadId: 1, allThreadsContinued: true });

const stack = { stackFrames: [{ id: 10, name: 'f', line: 3, source: { path: FILE } }] };

describe('a hang that ends while it is explained', () => {
  const assertEnded = (answer: Answer): void =>
    assert.deepEqual(
      [answer.status, answer['exit_code'], answer['output'], answer['groups']],
      ['completed', 3, ['done'], undefined],
      JSON.stringify(answer),
    );

  it('because the program ends before its stacks are read', async () => {
    for (const at of ['threads', 'stackTrace']) {
      const on = program('test');
      let calls = 0;
      const answer = on.host.sent('pause');
      on.host.on(at, () => {
        calls += 1;
        if (on.host.sent('pause').length > 0) {
          end(on);
          throw new Error('the session is gone');
        }
        return { threads: [{ id: 1, name: 'one' }] };
      });
      assertEnded(await ask(on, 'explain_hang'));
      assert.ok(calls > 0 && answer.length === 0);
    }
  });

  it('because a Python program ends before it has written its answer', async () => {
    const on = program('debugpy');
    on.host.on('evaluate', () => {
      end(on);
      return { result: 'None', variablesReference: 0 };
    });
    assertEnded(await ask(on, 'explain_hang'));
  });

  it('because a Java program ends before its JDK answers', async () => {
    const on = program('java');
    on.host.on('processId', () => ({ processId: 42 }));
    const threadDumps = {
      ofJava: () => {
        end(on);
        return Promise.resolve(undefined);
      },
    };
    assertEnded(await ask({ ...on, services: { ...on.services, threadDumps } }, 'explain_hang'));
  });

  it('because the program goes on before its stacks are read, or between two of them', async () => {
    for (const [command, nth] of [
      ['threads', 2],
      ['stackTrace', 1],
      ['stackTrace', 2],
    ] as const) {
      const on = program('test');
      on.host.on('stackTrace', () => stack);
      const body =
        command === 'threads' ? { threads: [1, 2].map((id) => ({ id, name: `${id}` })) } : stack;
      on.host.on(command, () => {
        if (on.host.sent(command).length === nth) goOn(on);
        return body;
      });
      const answer = await ask(on, 'explain_hang');
      const text = `${command} ${nth}: ${JSON.stringify(answer)}`;
      assert.deepEqual([answer.status, answer['code']], ['error', 'stale_reference'], text);
      assert.match(String(answer['hint']), /explain_hang again/, text);
      assert.deepEqual(on.host.moves, [], text);
    }
  });

  it('is explained as it was if it ends afterwards', async () => {
    const on = program('test');
    on.host.on('stackTrace', () => stack);
    on.host.on('continue', () => {
      end(on);
      return {};
    });
    const answer = await ask(on, 'explain_hang');
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.status, answer['program']], ['success', undefined], text);
    assert.match(String(answer['message']), /has ended/, text);
    assert.ok(Array.isArray(answer['groups']), text);
  });
});
