import { strict as assert } from 'node:assert';
import type { Reasoner } from '../../../../src/investigation/reasoning';
import { prepareCall, runTool } from '../../../../src/tools/run';
import { ask, toolNamed } from '../../support/asking';
import { begun, CRASH, isError, meta, type Begun } from '../../support/begunInvestigation';

describe('reasoner_run', () => {
  const ANSWER = {
    analysis: 'cells is filled too late',
    solutions: [{ rationale: 'r', approach: 'a', confidence: 0.9 }],
  };

  async function ready(ask_: Reasoner['ask']): Promise<Begun> {
    const on = await begun(`${CRASH}\ntoken ghp_${'a1B2'.repeat(9)}`);
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await ask(on, 'analyze_capture', { sid: on.sid });
    on.investigation.reasoner = {
      kind: 'command',
      label: 'codex',
      find: async () => ({ name: 'codex', ask: ask_ }),
    };
    return on;
  }

  it('is off by default', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await ask(on, 'analyze_capture', { sid: on.sid });
    isError(await ask(on, 'reasoner_run', { sid: on.sid, task: 'propose_patch' }), 'not_supported');
  });

  it('sends the evidence without credentials, keeps the answer, and records what was sent where', async () => {
    let prompt = '';
    const on = await ready(async (text) => {
      prompt = text;
      return `Here it is:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``;
    });
    const answer = await ask(on, 'reasoner_run', {
      sid: on.sid,
      task: 'propose_patch',
      context: { notes: 'be brief' },
    });
    assert.deepEqual(
      [answer['analysis'], answer['solutions']],
      [ANSWER.analysis, ANSWER.solutions],
    );
    for (const part of ['TypeError: board.cells', 'The board stays empty', 'be brief', '3: three'])
      assert.ok(prompt.includes(part), `${part}\n${prompt}`);
    assert.ok(!prompt.includes('a1B2a1B2'));
    const { audit } = await meta(on);
    assert.deepEqual(
      audit.map(({ to, task, outcome }) => [to, task, outcome]),
      [
        ['codex', 'propose_patch', 'sent'],
        ['codex', 'propose_patch', 'answered'],
      ],
    );
    assert.equal(audit[0]?.characters, prompt.length);
    assert.match(on.investigation.memory.text(on.sid, 'analysis/reasoning.md'), /confidence 90 %/);
  });

  it('sends no credential, whatever the person has set for results, and says whose notes are included', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    let prompt = '';
    const on = await ready(async (text) => {
      prompt = text;
      return JSON.stringify(ANSWER);
    });
    const { investigations } = on.services.investigation;
    // As if `redactSecrets` were off: the stored text contains the credential.
    investigations.scrub.text = async (text) => text;
    investigations.scrub.value = async (value) => value;
    const [first] = (await meta(on)).analysis?.chunks ?? [];
    await ask(on, 'clarify', {
      sid: on.sid,
      answer: { selectedIds: [first?.id], notes: `the key is ${key}` },
    });
    await ask(on, 'reasoner_run', { sid: on.sid, task: 'propose_patch' });
    assert.ok(prompt.includes('The agent says: the key is'), prompt);
    assert.ok(!prompt.includes(key));
    assert.equal((await meta(on)).audit[0]?.redacted, true);
  });

  for (const [what, text] of [
    ['no JSON', 'I think it is the board.'],
    ['another form', '{"analysis": 3}'],
    ['nothing', ''],
  ] as const)
    it(`reports reasoner_failed if the answer is ${what}`, async () => {
      const on = await ready(async () => text);
      isError(
        await ask(on, 'reasoner_run', { sid: on.sid, task: 'analyze_root_cause' }),
        'reasoner_failed',
      );
      const { audit, analysis, captures, errors } = await meta(on);
      assert.equal(audit.at(-1)?.outcome, 'failed');
      assert.deepEqual(
        [analysis?.chunks.length, captures[0]?.endedBy, errors.at(-1)?.code],
        [1, 'exit', 'reasoner_failed'],
        'what was caught is kept',
      );
      assert.match(on.investigation.memory.text(on.sid, 'logs/capture.ndjson'), /TypeError/);
    });

  it('reports the model’s error if the model fails', async () => {
    const on = await ready(() => Promise.reject(new Error('no quota')));
    const answer = await ask(on, 'reasoner_run', { sid: on.sid, task: 'propose_patch' });
    isError(answer, 'reasoner_failed');
    assert.match(String(answer['message']), /no quota/);
  });

  it('asks the client’s model if the person has chosen that', async () => {
    const on = await ready(async () => '');
    on.investigation.reasoner = { kind: 'mcp', label: 'client', find: async () => undefined };
    isError(await ask(on, 'reasoner_run', { sid: on.sid, task: 'propose_patch' }), 'not_supported');
    const answer = await runTool(
      toolNamed('reasoner_run'),
      { sid: on.sid, task: 'propose_patch' },
      on.services,
      {
        ...on.call,
        client: { name: 'c', sample: async () => JSON.stringify(ANSWER) },
      },
    );
    assert.equal(answer['analysis'], ANSWER.analysis);
  });

  it('names on its card what is sent where', async () => {
    const on = await ready(async () => '');
    const { prepared } = await prepareCall(
      toolNamed('reasoner_run'),
      { sid: on.sid, task: 'propose_patch' },
      on.services,
      () => false,
    );
    assert.ok(prepared.kind === 'asked');
    assert.match(prepared.question.message, /1 parts of the capture .* to codex/);
  });
});
