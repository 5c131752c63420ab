import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, marked, until } from '../support/client';
import { startMcp, type ForTests } from './support/mcp';
import { runNode, type Ended } from './support/runNode';
import { startSuiteProxy, type Fixtures } from './support/suiteProxy';

const ROOT = path.resolve(__dirname, '../../../..');
const TOOLS = path.join(ROOT, '.vscode-test/mcp-tools/node_modules/@modelcontextprotocol');

/** Tests the real server in real VS Code with the protocol's own tools. */
describe('the MCP project’s own test tools', () => {
  let mcp: ForTests['mcp'];
  let folder = '';

  before(async () => ({ mcp } = await startMcp()));
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-mcp-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(async () => {
    await cleanUp();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  });

  it('the conformance suite: all scenarios pass except those that do not apply, and those fail', async () => {
    const { fixtures, notApplicable } = JSON.parse(
      readFileSync(path.join(ROOT, 'test/host/mcp/conformance.json'), 'utf8'),
    ) as { fixtures: Fixtures; notApplicable: Record<string, string> };
    for (const [scenario, reason] of Object.entries(notApplicable))
      assert.ok(reason.length > 20, `${scenario} says why`);
    const suite = path.join(TOOLS, 'conformance/dist/index.js');
    const listed = await runNode([suite, 'list', '--server']);
    const scenarios = [...listed.stdout.matchAll(/^\s+- (\S+) /gm)].map((match) => match[1] ?? '');
    assert.ok(scenarios.length >= 30, listed.stdout);
    assert.deepEqual(
      Object.keys(notApplicable).filter((each) => !scenarios.includes(each)),
      [],
      'what does not apply exists',
    );
    // The suite itself fails if a listed scenario passes, and if a scenario that is not listed fails.
    const expected = path.join(folder, 'expected.yml');
    writeFileSync(
      expected,
      `server:\n${Object.keys(notApplicable)
        .map((each) => `  - ${each}\n`)
        .join('')}`,
    );
    const { url, key } = await mcp.address();
    const proxy = await startSuiteProxy(new URL(url), key, fixtures);
    try {
      const ended = await runNode([
        suite,
        'server',
        '--url',
        proxy.url,
        '--suite',
        'all',
        '--expected-failures',
        expected,
        '--output-dir',
        path.join(folder, 'results'),
      ]);
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      for (const each of scenarios)
        assert.ok(ended.stdout.includes(each), `${each} was run:\n${ended.stdout}`);
    } finally {
      await proxy.close();
    }
  });

  describe('the Inspector', () => {
    /** Calls one method from the command line. The key is in a file, as in any client's configuration. */
    async function inspect(
      transport: 'http' | 'sse',
      args: readonly string[],
    ): Promise<Ended & { result: Record<string, unknown> }> {
      const { url, key } = await mcp.address();
      const config = path.join(folder, 'config.json');
      const address = transport === 'http' ? url : new URL('/sse', url).href;
      writeFileSync(
        config,
        JSON.stringify({
          mcpServers: {
            dut: {
              type: transport === 'http' ? 'streamable-http' : 'sse',
              url: address,
              headers: { Authorization: `Bearer ${key}` },
            },
          },
        }),
        { mode: 0o600 },
      );
      const ended = await runNode(
        [
          path.join(TOOLS, 'inspector/clients/launcher/build/index.js'),
          '--cli',
          '--config',
          config,
          '--server',
          'dut',
          '--format',
          'json',
          '--quiet',
          ...args,
        ],
        { HOME: folder, USERPROFILE: folder, MCP_INSPECTOR_SECRET_STORE: 'memory' },
      );
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      return {
        ...ended,
        result: (JSON.parse(ended.stdout) as { result: Record<string, unknown> }).result,
      };
    }

    const names = (list: unknown): string[] =>
      (list as { name: string }[]).map((each) => each.name);

    for (const transport of ['http', 'sse'] as const) {
      it(`lists tools, prompts and resources, reads the stop and calls a tool over ${transport}`, async () => {
        const tools = await inspect(transport, ['--method', 'tools/list', '--strict']);
        assert.ok(names(tools.result['tools']).includes('start_debugging'));
        assert.deepEqual(
          names((await inspect(transport, ['--method', 'prompts/list'])).result['prompts']),
          ['debug', 'explain-exception', 'investigate'],
        );
        await call('set_breakpoint', {
          file_path: 'src/loop.js',
          line_number: marked('src/loop.js', 'add'),
        });
        assert.equal(
          (await call('start_debugging', { configuration_name: 'Loop' })).status,
          'stopped',
        );
        const state = await inspect(transport, [
          '--method',
          'tools/call',
          '--tool-name',
          'get_debug_state',
        ]);
        assert.equal((state.result['structuredContent'] as { status: string }).status, 'success');
        const resources = await inspect(transport, ['--method', 'resources/list']);
        assert.ok(names(resources.result['resources']).includes('sessions'));
        const read = await inspect(transport, [
          '--method',
          'resources/read',
          '--uri',
          'debug://stop',
        ]);
        const [content] = read.result['contents'] as { text: string }[];
        assert.match(content?.text ?? '', /"reason":"breakpoint"/);
        await cleanUp();
        await until(
          (model) =>
            [...model.state.sessions.values()].every((each) => each.lifecycle === 'terminated'),
          'all has ended',
        );
      }).timeout(120_000);
    }

    it('finds this protocol version when it tries a newer one first', async () => {
      const { result } = await inspect('http', [
        '--protocol-era',
        'auto',
        '--method',
        'tools/list',
      ]);
      assert.ok(names(result['tools']).includes('start_debugging'));
    });
  });
});
