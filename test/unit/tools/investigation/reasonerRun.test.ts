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

  /** The card for a call. */
  async function cardOf(on: Begun, context: object = {}): Promise<string> {
    const { prepared } = await prepareCall(
      toolNamed('reasoner_run'),
      { sid: on.sid, task: 'propose_patch', context },
      on.services,
      () => false,
    );
    assert.ok(prepared.kind === 'asked', JSON.stringify(prepared));
    return prepared.question.message.replaceAll('\u200b', '');
  }

  it('names on its card what is sent where: parts, files and notes, whole', async () => {
    const on = await ready(async () => '');
    const [first] = (await meta(on)).analysis?.chunks ?? [];
    const notes = `please  look\n${'here '.repeat(300)}last`;
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [first?.id], notes: 'mine' } });
    const card = await cardOf(on, { notes });
    assert.match(card, /^Send the following to `codex`/);
    for (const part of [`\`${first?.id}\``, 'last`', 'The board stays empty', ': `mine`'])
      assert.ok(card.includes(part), `${part}\n${card}`);
    const [place = ''] = first?.metadata['files'] as readonly string[];
    assert.match(place, /:3$/);
    assert.ok(card.includes(`Source lines around \`${place}\``), card);
  });

  it('quotes no file that is no source code, and none outside, whatever the program printed', async () => {
    let prompt = '';
    const on = await ready(async (text) => {
      prompt = text;
      return JSON.stringify(ANSWER);
    });
    const { workspace } = on.services;
    const read: string[] = [];
    workspace.readText = async (file) => {
      read.push(file);
      return 'the content';
    };
    await on.services.investigation.investigations.update(on.sid, ({ analysis }) => ({
      analysis: analysis && {
        ...analysis,
        chunks: analysis.chunks.map((chunk) => ({
          ...chunk,
          metadata: {
            ...chunk.metadata,
            files: [
              '.env:2',
              'config/private.yaml:2',
              'id_rsa:1',
              '.secrets/keys.js:1',
              '../outside.js:1',
              '/etc/passwd.js:1',
              'data.json:1',
              'src/main.js:1',
            ],
          },
        })),
      },
    }));
    const card = await cardOf(on);
    await ask(on, 'reasoner_run', { sid: on.sid, task: 'propose_patch' });
    assert.deepEqual([...new Set(read.map((file) => file.split('/').at(-1)))], ['main.js']);
    assert.equal(card.match(/Source lines around/g)?.length, 1, card);
    assert.equal(prompt.match(/^Source at /gm)?.length, 1, prompt);
  });

  it('sends nothing if the card was about something else', async () => {
    const sent: string[] = [];
    const on = await ready(async (text) => {
      sent.push(text);
      return JSON.stringify(ANSWER);
    });
    const input = { sid: on.sid, task: 'propose_patch' };
    const { prepared } = await prepareCall(
      toolNamed('reasoner_run'),
      input,
      on.services,
      () => false,
    );
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [], notes: 'and this' } });
    const answer = await runTool(toolNamed('reasoner_run'), input, on.services, {
      ...on.call,
      prepared,
    });
    assert.deepEqual([answer['code'], sent], ['moved_meanwhile', []]);
  });
});
