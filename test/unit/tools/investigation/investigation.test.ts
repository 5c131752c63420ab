import { strict as assert } from 'node:assert';
import { decode } from '../../../../src/investigation/events';
import { prepareCall, runTool } from '../../../../src/tools/run';
import type { Reasoner } from '../../../../src/investigation/reasoning';
import { fields, listOf } from '../../../../src/debugger/protocol';
import { ask, toolNamed, type Answer } from '../../support/asking';
import { printing } from '../../support/investigation';
import { bench, FILE, type Bench } from '../../support/services';

const CRASH = [
  'drawn 12 cells',
  'TypeError: board.cells is undefined',
  `    at draw (${FILE}:3:5)`,
  'bye',
].join('\n');

interface Begun extends Bench {
  readonly sid: string;
}

async function begun(output = CRASH, exitCode = 1): Promise<Begun> {
  const on = bench();
  on.investigation.commands = printing(() => `${output}\n`, exitCode);
  const { sid } = await ask(on, 'start_session', { title: 'The board stays empty' });
  assert.ok(typeof sid === 'string');
  return { ...on, sid };
}

async function meta(
  on: Begun,
): Promise<Awaited<ReturnType<Bench['services']['investigation']['investigations']['find']>>> {
  return await on.services.investigation.investigations.find(on.sid);
}

const chunksOf = (
  answer: Answer,
): readonly {
  readonly id: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}[] =>
  listOf(answer['candidateChunks']).map((each) => ({
    id: String(fields(each)['id']),
    title: String(fields(each)['title']),
    metadata: fields(fields(each)['metadata']),
  }));

const isError = (answer: Answer, code: string): void =>
  assert.deepEqual(
    [answer.status, answer['isError'], answer['code']],
    ['error', true, code],
    JSON.stringify(answer),
  );

describe('an investigation', () => {
  it('goes from a capture to a proof', async () => {
    const on = await begun();
    const captured = await ask(on, 'capture_run', { sid: on.sid, command: 'npm start' });
    assert.deepEqual(
      [captured.status, captured['captureId'], captured['exitCode'], captured['errors']],
      ['completed', 'c1', 1, 1],
    );
    assert.equal(
      decode(on.investigation.memory.text(on.sid, 'logs/capture.ndjson').split('\n')[1] ?? '')
        .level,
      'error',
    );

    const analysed = await ask(on, 'analyze_capture', { sid: on.sid });
    const [first] = chunksOf(analysed);
    assert.equal(analysed['needClarify'], false);
    assert.equal(first?.title, 'TypeError: board.cells is undefined');
    assert.deepEqual(first.metadata['files'], ['main.js:3']);
    assert.match(on.investigation.memory.text(on.sid, 'analysis/buglens.md'), /TypeError/);

    const clarified = await ask(on, 'clarify', {
      sid: on.sid,
      chunks: [{ id: first.id }],
      answer: { selectedIds: [first.id], notes: 'only on the second move' },
    });
    assert.deepEqual(clarified['selectedIds'], [first.id]);
    assert.match(
      on.investigation.memory.text(on.sid, 'analysis/clarify.md'),
      /only on the second move/,
    );
    const again = await ask(on, 'analyze_capture', { sid: on.sid });
    assert.equal(chunksOf(again)[0]?.metadata['selected'], true);

    const same = await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual(
      [same['verdict'], same['remaining']],
      ['still_failing', ['TypeError: board.cells is undefined']],
    );
    on.investigation.commands = printing(() => 'drawn 225 cells\n');
    const fixed = await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual(
      [fixed['verdict'], fixed['gone'], fixed['against']],
      ['fixed', ['TypeError: board.cells is undefined'], 'c1'],
    );

    const ended = await ask(on, 'end_session', {
      sid: on.sid,
      hook: 'The second move broke drawing',
      conclusion: 'cells was never filled',
    });
    for (const part of [
      'The second move broke drawing',
      'cells was never filled',
      'vdt://sessions/',
      'npm start',
      'fixed',
    ])
      assert.ok(String(ended['summary']).includes(part), `${part}\n${String(ended['summary'])}`);
    isError(await ask(on, 'capture_run', { sid: on.sid, command: 'x' }), 'session_ended');
  });

  it('has a proof command that also runs in a folder of any name', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'npm start' });
    await ask(on, 'verify_run', { sid: on.sid });
    await on.services.investigation.investigations.update(on.sid, ({ captures }) => ({
      captures: captures.map((each) => ({ ...each, cwd: "/home/ada/my app's" })),
    }));
    const { summary } = await ask(on, 'end_session', { sid: on.sid });
    assert.ok(String(summary).includes("cd '/home/ada/my app'\\''s'\nnpm start"), String(summary));
  });

  it('keeps errors in its record, in the form that the founding document requires', async () => {
    const on = await begun();
    isError(await ask(on, 'analyze_capture', { sid: on.sid }), 'invalid_input');
    isError(await ask(on, 'capture_run', { sid: on.sid }), 'invalid_input');
    isError(await ask(on, 'capture_run', { sid: on.sid, nonsense: 1 }), 'invalid_input');
    const { errors } = await meta(on);
    assert.deepEqual(
      errors.map(({ tool, isError: is, code }) => [tool, is, code]),
      [
        ['analyze_capture', true, 'invalid_input'],
        ['capture_run', true, 'invalid_input'],
        ['capture_run', true, 'invalid_input'],
      ],
    );
    assert.ok(errors.every(({ message, hint }) => message !== '' && hint !== ''));
  });

  it('is an error for each of its tools after it has expired', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await on.services.investigation.investigations.update(on.sid, () => ({
      expiresAt: '2020-01-01T00:00:00.000Z',
    }));
    for (const [name, input] of [
      ['capture_run', { command: 'x' }],
      ['analyze_capture', {}],
      ['clarify', {}],
      ['reasoner_run', { task: 'propose_patch' }],
      ['verify_run', {}],
      ['end_session', {}],
      ['mcp_end', {}],
    ] as const) {
      const answer = await ask(on, name, { sid: on.sid, ...input });
      isError(answer, 'investigation_not_found');
      assert.match(String(answer['message']), /has expired/);
      assert.ok(String(answer['hint']).includes('start_session'));
    }
  });

  it('is an error that lists the existing investigations if it is unknown', async () => {
    const on = await begun();
    const answer = await ask(on, 'analyze_capture', { sid: '260301-zzzz' });
    isError(answer, 'investigation_not_found');
    assert.deepEqual(answer['investigations'], [on.sid]);
  });

  it('does not mix with another one at the same time', async () => {
    const on = await begun();
    const { sid: other } = await ask(on, 'start_session', { title: 'other' });
    await ask(on, 'capture_run', { sid: on.sid, command: 'a' });
    isError(await ask(on, 'analyze_capture', { sid: String(other) }), 'invalid_input');
  });
});

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

describe('clarify', () => {
  it('asks the person if no answer is passed', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    on.investigation.choose = async (chunks) => ({
      selectedIds: chunks.slice(0, 1).map(({ id }) => id),
    });
    const answer = await ask(on, 'clarify', { sid: on.sid });
    assert.deepEqual(answer['selectedIds'], [first?.id]);
    assert.equal((await meta(on)).clarifications[0]?.by, 'person');
  });

  it('prefers the client’s own question', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await ask(on, 'analyze_capture', { sid: on.sid });
    const answer = await runTool(toolNamed('clarify'), { sid: on.sid }, on.services, {
      ...on.call,
      client: {
        name: 'c',
        choose: async (chunks) => ({ selectedIds: [chunks[0]?.id ?? ''], notes: 'n' }),
      },
    });
    assert.equal(answer['notes'], 'n');
  });

  it('applies to the capture that it was about, whatever has been analyzed since', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [first?.id] } });
    await ask(on, 'capture_run', { sid: on.sid, command: 'y' });
    assert.equal((await ask(on, 'analyze_capture', { sid: on.sid })).status, 'success');
    const again = await ask(on, 'analyze_capture', { sid: on.sid, captureId: 'c1' });
    assert.equal(again.status, 'success', JSON.stringify(again));
    assert.equal(chunksOf(again)[0]?.metadata['selected'], true);
  });

  it('refuses unknown chunks, and names the existing ones', async () => {
    const on = await begun();
    isError(
      await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: ['c1-e1-2'] } }),
      'invalid_input',
    );
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    const answer = await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: ['c1-e1-2'] } });
    isError(answer, 'invalid_input');
    assert.ok(String(answer['hint']).includes(first?.id ?? '?'));
    const selectedIds = [first?.id, 'c1-e9-9'];
    for (const [name, input] of [
      ['analyze_capture', { selectedIds }],
      ['reasoner_run', { task: 'propose_patch', context: { selectedIds } }],
    ] as const) {
      const refused = await ask(on, name, { sid: on.sid, ...input });
      isError(refused, 'invalid_input');
      assert.match(String(refused['message']), /c1-e9-9/);
    }
    isError(await ask(on, 'clarify', { sid: on.sid }), 'declined_by_person');
  });
});

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
});
