import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DebugModel } from '../../src/debugger/state/debugModel';
import { bridgeProgram } from '../../src/mcp/clients/bridgeProgram';
import type { Access } from '../../src/mcp/clients/client';
import type { McpControl } from '../../src/mcp/ui/mcpControl';
import { TOOLS } from '../../src/tools/catalog';
import {
  call,
  cleanUp,
  inWorkspace,
  marked,
  stopOf,
  type Answer,
  type StopData,
} from '../host/support/client';
import { REAL_CLIENTS, startClient, type RealClient, type Running } from './support/realClients';
import {
  startScriptedModel,
  type Script,
  type ScriptedModel,
  type ToolCall,
} from './support/scriptedModel';
import { freePort } from '../support/network';

const FILE = 'src/loop.js';

type Way = Access['kind'];
const WAYS: readonly Way[] = ['stdio', 'http'];

/** Runs agent clients from npm, each with a scripted model instead of its own, with the real server in real VS Code. */
describe('real agent clients', () => {
  let mcp: McpControl;
  let model: DebugModel;
  let home = '';
  let running: Running | undefined;
  let scripted: ScriptedModel | undefined;

  before(async () => {
    const extension = vscode.extensions.getExtension<{ mcp: McpControl; model: DebugModel }>(
      'agent-debugger.agent-debugger',
    );
    assert.ok(extension);
    ({ mcp, model } = await extension.activate());
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('port', await freePort(), vscode.ConfigurationTarget.Global);
  });
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'agent-debugger-client-'));
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
  });
  afterEach(async () => {
    running?.end();
    // If it could not be started, the test has reported it.
    await running?.ended.catch(() => undefined);
    running = undefined;
    await scripted?.close();
    scripted = undefined;
    await cleanUp();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    rmSync(home, { recursive: true, force: true });
  });

  /** The access to the server that the person copies for the client. */
  async function accessBy(way: Way): Promise<Access> {
    if (way === 'http') return { kind: 'http', ...(await mcp.address()) };
    const machine = {
      platform: process.platform,
      home: homedir(),
      env: process.env,
      extensionsStorage: '',
      names: () => [],
    };
    return bridgeProgram(machine, {
      execPath: process.execPath,
      isElectron: process.versions['electron'] !== undefined,
    });
  }

  /** Runs the client until it exits. */
  async function drive(client: RealClient, way: Way, script: Script): Promise<void> {
    scripted = await startScriptedModel(script);
    running = await startClient(client, home, inWorkspace('.'), {
      mcp: await accessBy(way),
      model: scripted.url,
    });
    const { code, printed } = await running.ended;
    // If the script has not ended, the client gave up before its end.
    const answerText = await Promise.race([
      scripted.ended,
      Promise.reject(
        new Error(`${client.name} ended with ${String(code)} before the model had:\n${printed}`),
      ),
    ]);
    assert.equal(code, 0, printed);
    assert.ok(printed.includes(answerText), `${client.name} says what its model said:\n${printed}`);
    for (const { name } of TOOLS.filter((each) => each.set === 'core'))
      assert.ok(
        [...scripted.shown].some((each) => each.endsWith(name)),
        `${client.name} shows ${name}: ${[...scripted.shown].join(', ')}`,
      );
  }

  /** Asserts that VS Code's own agents see the same stop as the client's agent. */
  async function assertStopped(stop: StopData, marker: string): Promise<void> {
    assert.equal(stop.line, marked(FILE, marker));
    const session = [...model.state.sessions.values()].find((each) => each.id === stop.session_id);
    assert.equal(session?.lifecycle, 'stopped');
    assert.equal(session.stopCount, stop.stop_id);
    const stack = (await call('get_call_stack', { thread_id: stop.thread_id }))[
      'call_stack'
    ] as StopData['call_stack'];
    assert.equal(stack[0]?.line_number, marked(FILE, marker));
    assert.equal(stack[0].file_path, inWorkspace(FILE));
  }

  for (const [client, way] of REAL_CLIENTS.flatMap((each) =>
    WAYS.map((way) => [each, way] as const),
  )) {
    const use = async function* (
      tool: string,
      input: ToolCall['input'] = {},
    ): AsyncGenerator<ToolCall, Answer, string> {
      return wholeAnswer(client, tool, yield { tool, input });
    };

    it(`${client.name} over ${way}: completes a whole debug session, with a restart of the server in between`, async () => {
      await drive(
        client,
        way,
        (async function* (): Script {
          const configurations = yield* use('get_debugger_configurations');
          assert.ok(
            (configurations['configurations'] as { name: string }[]).some(
              (each) => each.name === 'Loop',
            ),
          );
          const set = yield* use('set_breakpoint', {
            file_path: FILE,
            line_number: marked(FILE, 'add'),
          });
          const breakpoint = set['breakpoint'] as { id: number };
          const stop = stopOf(yield* use('start_debugging', { configuration_name: 'Loop' }));
          await assertStopped(stop, 'add');
          assert.deepEqual(stop.hit_breakpoint_ids, [breakpoint.id]);
          const scopes = (yield* use('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }))[
            'scopes'
          ] as { variables_reference: number; name: string }[];
          const variables = (yield* use('get_variables', {
            variables_reference: scopes[0]?.variables_reference,
          }))['variables'] as { name: string; value: string }[];
          assert.equal(variables.find((each) => each.name === 'squared')?.value, '1');
          const large = yield* use('get_variables', {
            variables_reference: scopes.find((each) => each.name === 'Global')?.variables_reference,
          });
          assert.ok(JSON.stringify(large).length > 7000, 'nearly as much as an answer may hold');
          const stepped = stopOf(
            yield* use('step_execution', { thread_id: stop.thread_id, step_type: 'over' }),
          );
          assert.equal(stepped.stop_id, stop.stop_id + 1);
          assert.equal((yield* use('continue_debugging', { thread_id: 999 })).status, 'error');
          await vscode.commands.executeCommand('agentDebugger.mcp.restart');
          const again = stopOf(yield* use('continue_debugging', { thread_id: stop.thread_id }));
          await assertStopped(again, 'add');
          assert.equal(
            (yield* use('remove_breakpoint', { breakpoint_id: breakpoint.id })).status,
            'success',
          );
          assert.equal(
            (yield* use('stop_debugging', { session_id: stop.session_id })).status,
            'success',
          );
          assert.ok(
            [...model.state.sessions.values()].every((each) => each.lifecycle === 'terminated'),
          );
          return 'It adds one square too few.';
        })(),
      );
    }).timeout(120_000);
  }
});

/** Asserts that the answer reached the model whole: JSON that matches the tool's schema. @returns the answer */
function wholeAnswer(client: RealClient, tool: string, received: string): Answer {
  let answer: Answer;
  try {
    answer = JSON.parse(client.resultIn(received)) as Answer;
  } catch {
    return assert.fail(
      `${client.name} gave its model no whole answer of ${tool}, but ${received.length} characters: ${received}`,
    );
  }
  const checked = TOOLS.find((each) => each.name === tool)?.output.safeParse(answer);
  assert.ok(checked?.success, `${tool}: ${checked?.error?.message ?? ''}\n${received}`);
  return answer;
}
