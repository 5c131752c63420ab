import { strict as assert } from 'node:assert';
import { Superseded } from '../../../src/debugger/inspection/stopRequests';
import { asFailure } from '../../../src/results/debuggerFailures';
import type { Consent, Tool } from '../../../src/tools/defineTool';
import { errorResult, prepareCall, type Preparation } from '../../../src/tools/run';
import { toolNamed } from '../support/asking';
import { bench, FILE, paused, type Bench } from '../support/services';

const LOOK = toolNamed('get_call_stack');
const SET = toolNamed('set_breakpoint');
const INPUT = { file_path: FILE, line_number: 3 };

const never = (): boolean => false;

/** The outcome of preparing a call: its kind, and the code of a refusal. */
function outcome({ prepared }: Preparation): readonly [string, string | undefined] {
  return [
    prepared.kind,
    prepared.kind === 'refused' ? asFailure(prepared.failure)?.code : undefined,
  ];
}

/** The tool, with another question. */
function asking(tool: Tool, question: () => Promise<never>): Tool {
  return { ...tool, check: (input) => Object.assign(tool.check(input), { question }) };
}

describe('prepareCall', () => {
  it('asks nothing for a read-only call, even in an untrusted workspace and after the person took over', async () => {
    const on = paused(bench());
    on.workspace.trusted = false;
    on.services.access.setPaused(true);
    const asked: Consent[] = [];
    const prepared = await prepareCall(LOOK, {}, on.services, (consent) => {
      asked.push(consent);
      return false;
    });
    assert.deepEqual([outcome(prepared), prepared.consent], [['allowed', undefined], undefined]);
    assert.deepEqual(asked, []);
  });

  it('asks about a call that controls or changes the program, unless the person has allowed all such calls', async () => {
    const on = paused(bench());
    const asked = await prepareCall(SET, INPUT, on.services, never);
    assert.deepEqual([outcome(asked)[0], asked.consent], ['asked', 'control']);
    assert.match(asked.doing, /breakpoint/i);
    const allowed = await prepareCall(SET, INPUT, on.services, (consent) => consent === 'control');
    assert.deepEqual([outcome(allowed)[0], allowed.consent], ['allowed', 'control']);
  });

  it('asks nothing for a call that would fail, and says what it was doing', async () => {
    const refusals: readonly [string, (on: Bench) => void, object][] = [
      ['workspace_not_trusted', (on) => (on.workspace.trusted = false), INPUT],
      ['person_took_over', (on) => on.services.access.setPaused(true), INPUT],
      ['invalid_input', () => undefined, { ...INPUT, colour: 'red' }],
    ];
    for (const [code, change, input] of refusals) {
      const on = paused(bench());
      change(on);
      const refused = await prepareCall(SET, input, on.services, () => true);
      assert.deepEqual(outcome(refused), ['refused', code]);
      assert.equal(refused.doing === 'Checking the request', code === 'invalid_input');
    }
  });

  it('asks about a file outside the workspace if it would be read, even if the person allows such calls', async () => {
    const on = paused(bench());
    on.workspace.files.set('/etc/secret.env', 'one');
    const input = { file_path: '/etc/secret.env', line_number: 1 };
    const reading = await prepareCall(SET, input, on.services, () => true);
    assert.equal(outcome(reading)[0], 'asked');
    const unread = await prepareCall(SET, input, on.services, () => true, false);
    assert.equal(outcome(unread)[0], 'allowed');
  });

  it('refuses a call whose question fails for any reason, with that error', async () => {
    const thrown = new TypeError('broken');
    const { prepared } = await prepareCall(
      asking(SET, () => Promise.reject(thrown)),
      INPUT,
      paused(bench()).services,
      never,
    );
    assert.deepEqual(prepared, { kind: 'refused', failure: thrown });
  });

  it('reports a read of an ended stop as an error, with a hint at get_debug_state', () => {
    const { status, hint } = errorResult(new Superseded());
    assert.equal(status, 'error');
    assert.match(String(hint), /get_debug_state/);
  });
});
