import { strict as assert } from 'node:assert';
import { Superseded } from '../../../src/debugger/inspection/inspector';
import { asFailure } from '../../../src/results/debuggerFailures';
import type { Consent, Tool } from '../../../src/tools/defineTool';
import { errorResult, prepareCall, type Preparation } from '../../../src/tools/run';
import { toolNamed } from '../support/asking';
import { bench, FILE, paused, type Bench } from '../support/services';

const LOOK = toolNamed('get_call_stack');
const SET = toolNamed('set_breakpoint');
const INPUT = { file_path: FILE, line_number: 3 };

const never = (): boolean => false;

/** What comes of a call before it runs: its kind, and the code of a refusal. */
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

describe('before a call runs', () => {
  it('a mere look asks nothing, wherever and whoever has the debugger', async () => {
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

  it('what moves or changes asks, unless the person has allowed all such calls', async () => {
    const on = paused(bench());
    const asked = await prepareCall(SET, INPUT, on.services, never);
    assert.deepEqual([outcome(asked)[0], asked.consent], ['asked', 'control']);
    assert.match(asked.doing, /breakpoint/i);
    const allowed = await prepareCall(SET, INPUT, on.services, (consent) => consent === 'control');
    assert.deepEqual([outcome(allowed)[0], allowed.consent], ['allowed', 'control']);
  });

  it('a call that would fail asks nothing, and says what was being done', async () => {
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

  it('a file outside the workspace is asked about, though the person allows such calls, if it is to be read', async () => {
    const on = paused(bench());
    on.workspace.files.set('/etc/secret.env', 'one');
    const input = { file_path: '/etc/secret.env', line_number: 1 };
    const reading = await prepareCall(SET, input, on.services, () => true);
    assert.equal(outcome(reading)[0], 'asked');
    const unread = await prepareCall(SET, input, on.services, () => true, false);
    assert.equal(outcome(unread)[0], 'allowed');
  });

  it('a question that fails for any reason is a refusal with its words', async () => {
    const thrown = new TypeError('broken');
    const { prepared } = await prepareCall(
      asking(SET, () => Promise.reject(thrown)),
      INPUT,
      paused(bench()).services,
      never,
    );
    assert.deepEqual(prepared, { kind: 'refused', failure: thrown });
  });

  it('a look at a stop that is gone is an error, and says where to look', () => {
    const { status, hint } = errorResult(new Superseded());
    assert.equal(status, 'error');
    assert.match(String(hint), /get_debug_state/);
  });
});
