import { strict as assert } from 'node:assert';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { cardText } from '../../support/cards';
import { created } from '../../support/events';
import { call } from '../../support/runCalls';
import { bench, FILE, type Bench } from '../../support/services';

interface Starting {
  readonly on: Bench;
  /** Makes VS Code start the session. */
  readonly answer: () => void;
  readonly outcome: Promise<ToolResult>;
}

/** A bench whose VS Code has been asked to start a program. */
async function starting(): Promise<Starting> {
  const on = bench();
  let outcome: Promise<ToolResult> | undefined;
  const answer = await new Promise<() => void>((resolve) => {
    on.host.onStart = (configuration) =>
      new Promise((started) =>
        resolve(() => {
          on.model.dispatch(created('it', { name: 'it', configuration }));
          started(true);
        }),
      );
    outcome = call(on, 'start_debugging', { program: FILE, type: 'test' });
  });
  assert.ok(outcome !== undefined);
  return { on, answer, outcome };
}

describe('stop_debugging while a start has no session yet', () => {
  it('calls the start off, and ends its session when there is one', async () => {
    const { on, answer, outcome } = await starting();
    assert.equal(await cardText(on, 'stop_debugging', {}), 'Call off the start of **main\\.js**');
    const { status, ended, message } = await call(on, 'stop_debugging', {});
    assert.deepEqual([status, ended], ['success', false]);
    assert.match(String(message), /The start of main\.js was called off/);
    assert.equal((await call(on, 'stop_debugging', {}))['code'], 'no_session');
    answer();
    assert.equal((await outcome).status, 'completed');
    assert.deepEqual(on.host.stops, [{ sessionKey: 'it', detach: false }]);
  });

  it('ends the session of a start that has one', async () => {
    const { on, answer, outcome } = await starting();
    answer();
    const { status, ended, session_id } = await call(on, 'stop_debugging', {});
    assert.deepEqual([status, ended, session_id], ['success', true, 's1']);
    assert.equal((await outcome).status, 'completed');
  });

  it('is named by other tools that need a session', async () => {
    const { on, answer, outcome } = await starting();
    const { code, message, hint } = await call(on, 'wait_for_stop', {});
    assert.equal(code, 'no_session');
    assert.match(String(message), /The start of main\.js has no debug session yet/);
    assert.match(String(hint), /stop_debugging to call it off/);
    answer();
    await call(on, 'stop_debugging', {});
    await outcome;
  });
});
