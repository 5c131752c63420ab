import { strict as assert } from 'node:assert';
import { prepareCall, runTool } from '../../../../src/tools/run';
import { ask, toolNamed } from '../../support/asking';
import { begun, chunksOf, isError, meta } from '../../support/begunInvestigation';

describe('capture_run', () => {
  it('shows the whole command, its folder and the added environment variables', async () => {
    const on = await begun();
    const { prepared } = await prepareCall(
      toolNamed('capture_run'),
      { sid: on.sid, command: 'npm test && rm -rf build', env: { DEBUG: '*' }, timeoutSec: 90 },
      on.services,
      () => false,
    );
    assert.ok(prepared.kind === 'asked');
    for (const part of ['`npm test && rm -rf build`', '`/home/ada/app`', '`DEBUG=*`', '90'])
      assert.ok(prepared.question.message.includes(part), prepared.question.message);
  });

  it('asks nothing if it would fail', async () => {
    const on = await begun();
    for (const input of [
      { command: 'x', url: 'http://127.0.0.1/' },
      { mode: 'web', command: 'x' },
      { mode: 'web', url: 'file:///etc/passwd' },
      { command: 'x', cwd: '/etc' },
    ]) {
      const { prepared } = await prepareCall(
        toolNamed('capture_run'),
        { sid: on.sid, ...input },
        on.services,
        () => false,
      );
      assert.equal(prepared.kind, 'refused', JSON.stringify(input));
    }
    const { prepared } = await prepareCall(
      toolNamed('capture_run'),
      { sid: 'x', command: 'x' },
      on.services,
      () => false,
    );
    assert.equal(prepared.kind, 'refused');
  });

  it('continues if it takes longer than its call; the analysis waits for it', async () => {
    const on = await begun();
    const gate = new AbortController();
    on.investigation.commands = {
      run: async (_command, sink) => {
        await sink('stdout', 'Error: early\n');
        await new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
        return { via: 'terminal', endedBy: 'exit', exitCode: 0 };
      },
    };
    const call = { ...on.call, maxWaitSeconds: 0.05 };
    const answer = await runTool(
      toolNamed('capture_run'),
      { sid: on.sid, command: 'x' },
      on.services,
      call,
    );
    assert.equal(answer.status, 'timeout');
    const waiting = ask(on, 'analyze_capture', { sid: on.sid });
    gate.abort();
    assert.equal(chunksOf(await waiting)[0]?.title, 'Error: early');
    assert.equal((await meta(on)).captures[0]?.via, 'terminal');
  });

  it('ends after timeoutSec, and the captured output is analyzed', async () => {
    const on = await begun();
    on.investigation.commands = {
      run: async (_command, sink, stop) => {
        await sink('stdout', 'Error: early\nhalf a li');
        await new Promise((resolve) => stop.addEventListener('abort', resolve));
        return { via: 'child_process', endedBy: 'signal', signal: 'SIGTERM' };
      },
    };
    const answer = await ask(on, 'capture_run', { sid: on.sid, command: 'x', timeoutSec: 1 });
    assert.deepEqual(
      [answer.status, answer['endedBy'], answer['events']],
      ['completed', 'timeout', 2],
    );
    assert.equal(chunksOf(await ask(on, 'analyze_capture', { sid: on.sid })).length > 0, true);
  });

  it('keeps no credential of the command', async () => {
    const on = await begun();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    await ask(on, 'capture_run', { sid: on.sid, command: `curl -H ${key}` });
    for (const [name, data] of on.investigation.memory.kept)
      assert.ok(!new TextDecoder().decode(data).includes(key), name);
    isError(await ask(on, 'verify_run', { sid: on.sid }), 'invalid_input');
  });
});
