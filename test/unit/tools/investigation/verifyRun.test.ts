import { strict as assert } from 'node:assert';
import { ask } from '../../support/asking';
import { cardText } from '../../support/cards';
import { begun, isError, meta } from '../../support/begunInvestigation';
import { printing } from '../../support/investigation';

describe('verify_run', () => {
  it('runs only the captured command: its variables must be passed again', async () => {
    const on = await begun();
    const environments: unknown[] = [];
    on.investigation.environment = (added) => {
      environments.push(added);
      return added;
    };
    const env = { MODE: 'strict', SECRET: 's3cret-value' };
    await ask(on, 'capture_run', { sid: on.sid, command: 'x', env, timeoutSec: 90 });
    assert.deepEqual((await meta(on)).captures[0]?.envNames, ['MODE', 'SECRET']);
    assert.ok(!on.investigation.memory.text(on.sid, 'meta.json').includes('s3cret-value'));
    const refused = await ask(on, 'verify_run', { sid: on.sid, env: { MODE: 'strict' } });
    isError(refused, 'invalid_input');
    assert.match(String(refused['message']), /SECRET/);
    assert.equal(environments.length, 1);
    await ask(on, 'verify_run', { sid: on.sid, env });
    assert.deepEqual(environments[1], env);
    assert.equal((await meta(on)).captures[1]?.timeoutSec, 90);
  });

  it('opens the page of the capture with the same sources', async () => {
    const on = await begun();
    const roots: unknown[] = [];
    on.investigation.browser = {
      capture: async ({ webRoot }) => {
        roots.push(webRoot);
        return { via: 'browser', endedBy: 'exit' };
      },
    };
    const url = 'http://127.0.0.1/';
    await ask(on, 'capture_run', { sid: on.sid, mode: 'web', url, webRoot: '/home/ada/app' });
    await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual(roots, ['/home/ada/app', '/home/ada/app']);
  });

  it('does not use a redaction marker as a folder', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await on.services.investigation.investigations.update(on.sid, ({ captures }) => ({
      captures: captures.map((each) => ({ ...each, cwd: '/home/[redacted: email]' })),
    }));
    const answer = await ask(on, 'verify_run', { sid: on.sid });
    isError(answer, 'invalid_input');
    assert.match(String(answer['hint']), /cwd/);
    const again = await ask(on, 'verify_run', { sid: on.sid, cwd: '/home/ada/app' });
    assert.equal(again['verdict'], 'still_failing');
  });

  it('reports new errors, an inconclusive run, and a run that still fails', async () => {
    const on = await begun();
    isError(await ask(on, 'verify_run', { sid: on.sid }), 'invalid_input');
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    on.investigation.commands = printing(() => 'RangeError: other\n');
    const changed = await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual([changed['verdict'], changed['appeared']], ['changed', ['RangeError: other']]);
    on.investigation.commands = printing(() => '');
    assert.equal((await ask(on, 'verify_run', { sid: on.sid }))['verdict'], 'inconclusive');
    on.investigation.commands = printing(() => 'fine\n', 2);
    assert.equal((await ask(on, 'verify_run', { sid: on.sid }))['verdict'], 'still_failing');
    await ask(on, 'capture_run', { sid: on.sid, command: 'fine' });
    on.investigation.commands = printing(() => 'fine\n');
    assert.deepEqual(
      (await meta(on)).verifications.map(({ capture }) => capture),
      ['v1', 'v2', 'v3'],
    );
    assert.ok(
      on.investigation.memory.text(on.sid, 'snapshots/verify-1.json').includes('RangeError'),
    );
  });

  it('concludes nothing from a command that is not the captured one', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'node fail.js' });
    on.investigation.commands = printing(() => 'hello\n');
    const other = await ask(on, 'verify_run', { sid: on.sid, command: 'echo hello' });
    assert.equal(other['verdict'], 'inconclusive');
    assert.match(String(other['reason']), /not the captured run/);
    const { summary } = await ask(on, 'end_session', { sid: on.sid });
    assert.doesNotMatch(String(summary), /regression test|echo hello\n```/);
  });

  it('takes another command for the captured one if the person has named it', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'node fail.js' });
    on.investigation.commands = printing(() => 'hello\n');
    const named = { sid: on.sid, command: 'node --test', standsForCapture: true };
    assert.equal((await ask(on, 'verify_run', named))['verdict'], 'fixed');
    const same = await ask(on, 'verify_run', { sid: on.sid, command: 'node fail.js' });
    assert.equal(same['verdict'], 'fixed');
  });

  it('shows on the card that another command stands for the captured one', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'node fail.js' });
    const input = { sid: on.sid, command: 'node --test', standsForCapture: true };
    const message = await cardText(on, 'verify_run', input);
    assert.match(message, /node fail\.js/);
    assert.match(message, /stands for/);
  });
});
