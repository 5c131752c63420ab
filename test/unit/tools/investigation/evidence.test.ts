import { strict as assert } from 'node:assert';
import { addEvidence } from '../../../../src/tools/investigation/evidence';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { definitionsOf } from '../../../../src/mcp/server/toolDefinitions';
import { ALL_TOOLS, TOOLS } from '../../../../src/tools/catalog';
import type { Tool } from '../../../../src/tools/defineTool';
import { inputSchemaOf } from '../../../../src/tools/jsonSchema';
import { prepareCall } from '../../../../src/tools/run';
import { ask, toolNamed } from '../../support/asking';
import { printing } from '../../support/investigation';
import { bench, failsWith, FILE, paused, type Bench } from '../../support/services';

describe('evidence from the debugger', () => {
  it('is kept without credentials, and cited in the summary', async () => {
    const on = bench();
    const { sid } = await ask(on, 'start_session', { title: 'x' });
    const link = await addEvidence(on.services, String(sid), {
      tool: 'trace_function',
      title: 'total returned NaN',
      result: { status: 'success', password: `ghp_${'a1B2'.repeat(9)}`, value: 'NaN' },
    });
    assert.equal(link, `vdt://sessions/${String(sid)}/evidence/x1-trace_function.json`);
    const text = on.investigation.memory.text(String(sid), 'evidence/x1-trace_function.json');
    assert.ok(text.includes('NaN') && !text.includes('a1B2a1B2'), text);
    const { summary } = await ask(on, 'end_session', { sid });
    assert.ok(String(summary).includes('total returned NaN'), String(summary));
    await assert.rejects(
      addEvidence(on.services, '260301-zzzz', {
        tool: 't',
        title: '',
        result: { status: 'success' },
      }),
      failsWith('investigation_not_found'),
    );
  });
});

interface Begun extends Bench {
  readonly sid: string;
}

async function begun(): Promise<Begun> {
  const on = paused(bench());
  const { sid } = await ask(on, 'start_session', { title: 'x' });
  return { ...on, sid: String(sid) };
}

const CALLS: Readonly<Record<string, object>> = {
  get_debug_state: {},
  wait_for_stop: {},
  trace_function: { function_name: 'total' },
  collect_values: { probes: [{ file_path: FILE, line: 3, expressions: ['x'] }] },
  debug_test: { file_path: FILE },
};

describe('a debugging tool with the id of an investigation', () => {
  it('keeps its answer, which the summary cites', async () => {
    const on = await begun();
    const answer = await ask(on, 'wait_for_stop', { sid: on.sid });
    const link = `vdt://sessions/${on.sid}/evidence/x1-wait_for_stop.json`;
    assert.deepEqual([answer.status, answer['evidence']], ['stopped', link]);
    const text = on.investigation.memory.text(on.sid, 'evidence/x1-wait_for_stop.json');
    const { result } = JSON.parse(text) as { result: Record<string, unknown> };
    assert.deepEqual(result['stop_event_data'], answer['stop_event_data']);
    const state = await ask(on, 'get_debug_state', { sid: on.sid });
    assert.match(String(state['evidence']), /x2-get_debug_state/);
    const { summary } = await ask(on, 'end_session', { sid: on.sid });
    assert.match(String(summary), /wait\\_for\\_stop: .*breakpoint at main\.js:3/);
    assert.ok(String(summary).includes(link), String(summary));
  });

  it('keeps its answer as it was returned: without credentials', async () => {
    const on = await begun();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    on.host.on('variables', () => ({
      variables: [{ name: 'token', value: key, variablesReference: 0 }],
    }));
    await ask(on, 'wait_for_stop', { sid: on.sid });
    const text = on.investigation.memory.text(on.sid, 'evidence/x1-wait_for_stop.json');
    assert.ok(text.includes('[redacted') && !text.includes(key), text);
  });

  it('answers unchanged and keeps nothing without an id', async () => {
    const on = await begun();
    assert.equal('evidence' in (await ask(on, 'wait_for_stop')), false);
    assert.deepEqual((await on.services.investigation.investigations.find(on.sid)).evidence, []);
  });

  for (const [name, input] of Object.entries(CALLS))
    it(`is refused for a missing investigation, before anything is done: ${name}`, async () => {
      const on = await begun();
      const before = [on.host.requests.length, on.host.moves.length];
      const expected = { ...input, sid: '260301-zzzz' };
      const answer = await ask(on, name, expected);
      assert.deepEqual(
        [answer.status, answer['code'], answer['investigations']],
        ['error', 'investigation_not_found', [on.sid]],
        JSON.stringify(answer),
      );
      assert.match(String(answer['message']), /There is no investigation 260301-zzzz/);
      assert.deepEqual([on.host.requests.length, on.host.moves.length], before);
      assert.deepEqual(on.host.started, []);
      const tool = toolNamed(name);
      // A call that only reads is not asked about.
      if (tool.effect === 'read' || tool.asksWith !== undefined) return;
      const { prepared } = await prepareCall(tool, expected, on.services, () => false);
      assert.equal(prepared.kind, 'refused');
    });

  it('is refused for an investigation that has ended or expired', async () => {
    const on = await begun();
    await ask(on, 'end_session', { sid: on.sid });
    assert.equal((await ask(on, 'wait_for_stop', { sid: on.sid }))['code'], 'session_ended');
    await on.services.investigation.investigations.update(on.sid, () => ({
      expiresAt: '2020-01-01T00:00:00.000Z',
    }));
    const { code, message } = await ask(on, 'wait_for_stop', { sid: on.sid });
    assert.equal(code, 'investigation_not_found');
    assert.match(String(message), /has expired/);
  });

  it('answers even if the copy cannot be written', async () => {
    const on = await begun();
    const { memory } = on.investigation;
    const write = memory.write.bind(memory);
    memory.write = async (sid, path, data) => {
      if (path.startsWith('evidence/')) throw new Error('ENOSPC');
      await write(sid, path, data);
    };
    const answer = await ask(on, 'wait_for_stop', { sid: on.sid });
    assert.deepEqual([answer.status, answer['evidence_error']], ['stopped', 'ENOSPC']);
    assert.deepEqual((await on.services.investigation.investigations.find(on.sid)).evidence, []);
  });

  it('keeps no failed answer', async () => {
    const on = await begun();
    await ask(on, 'wait_for_stop', { sid: on.sid, session_id: 's99' });
    assert.deepEqual((await on.services.investigation.investigations.find(on.sid)).evidence, []);
  });
});

describe('the parameter for evidence', () => {
  const takers = (list: readonly Tool[]): readonly string[] =>
    definitionsOf(list)
      .filter(({ inputSchema }) => 'sid' in (inputSchema.properties ?? {}))
      .map(({ name }) => name);

  it('is offered to MCP clients only while the set is on', () => {
    const own = ALL_TOOLS.filter((each) => each.set === 'investigation').map(({ name }) => name);
    assert.deepEqual(takers(TOOLS), []);
    assert.deepEqual(
      takers(ALL_TOOLS)
        .filter((name) => !own.includes(name))
        .sort(),
      Object.keys(CALLS).sort(),
    );
  });

  it('is accepted by VS Code, whose manifest is the same for all sets', () => {
    for (const tool of ALL_TOOLS) {
      const schema = inputSchemaOf(tool, 'accepted');
      assert.equal(schema['additionalProperties'], tool.evidence, tool.name);
      assert.deepEqual(schema['properties'], inputSchemaOf(tool)['properties']);
    }
  });

  it('keeps the default tools within their token budgets', () => {
    const given = TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.modelDescription,
      parameters: inputSchemaOf(tool, 'accepted'),
    }));
    assert.ok(countTokens(JSON.stringify(given)) <= 4500);
    assert.ok(countTokens(JSON.stringify({ tools: definitionsOf(TOOLS) })) <= 7000);
  });

  it('is not a parameter of other tools', async () => {
    const on = await begun();
    const { code } = await ask(on, 'get_scopes', { frame_id: 1, sid: on.sid });
    assert.equal(code, 'invalid_input');
  });

  it('is described in the answer of start_session', async () => {
    const { spec } = await ask(bench(), 'start_session', { title: 'x' });
    for (const name of Object.keys(CALLS)) assert.ok(JSON.stringify(spec).includes(name), name);
  });
});

describe('a verification that lasts longer than its call', () => {
  it('is compared once the analysis has waited for it', async () => {
    const on = bench();
    on.investigation.commands = printing(() => 'Error: bad\n', 1);
    const { sid } = await ask(on, 'start_session', { title: 'x' });
    await ask(on, 'capture_run', { sid, command: 'x' });
    const gate = new AbortController();
    on.investigation.commands = {
      run: async (_command, sink) => {
        await new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
        await sink('stdout', 'fine\n');
        return { via: 'child_process', endedBy: 'exit', exitCode: 0 };
      },
    };
    const short = { ...on, call: { ...on.call, maxWaitSeconds: 0.05 } };
    const early = await ask(short, 'verify_run', { sid });
    assert.deepEqual([early.status, early['captureId']], ['timeout', 'v1']);
    const late = ask(on, 'analyze_capture', { sid, captureId: 'v1' });
    gate.abort();
    const { verdict, gone } = await late;
    assert.deepEqual([verdict, gone], ['fixed', ['Error: bad']]);
  });
});
