import { strict as assert } from 'node:assert';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFacts } from '../../scripts/publishing/facts';
import { pluginFiles, SKILL } from '../../scripts/publishing/plugin';
import { writeFiles } from '../../scripts/publishing/writeFiles';
import { SKILL_NAME, skillText } from '../../src/mcp/clients/skills';
import { TOOLS } from '../../src/tools/catalog';
import { TestWindows } from '../unit/support/mcpWindows';
import { ROOT } from '../unit/support/trace';
import { AgentClient, startElsewhere, type Elsewhere } from './support/agentClient';

const BRIDGE = path.join(ROOT, 'dist', 'stdio.js');
const CODEX = `codex/vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`;

/**
 * Tests that agent clients from npm, each with a separate home folder and without an account, find the parts that the
 * extension sets up: the server, the skill and the plugin. The bridge connects to a simulated window.
 */
describe('agent clients from npm', function () {
  this.timeout(300_000);
  let windows: TestWindows;
  let elsewhere: Elsewhere;
  let scratch: string;
  /** A marketplace with our plugin. */
  let market: string;
  let plugin: string;
  let home: string;

  before(async () => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-clients-')));
    market = path.join(scratch, 'market');
    plugin = path.join(market, 'agent-debugger');
    writeFiles(plugin, pluginFiles(ROOT, readFacts(ROOT), readFileSync(BRIDGE, 'utf8')));
    mkdirSync(path.join(market, '.claude-plugin'));
    writeFileSync(
      path.join(market, '.claude-plugin/marketplace.json'),
      JSON.stringify({
        name: 'local',
        owner: { name: 'test' },
        plugins: [{ name: 'agent-debugger', source: './agent-debugger', description: 'ours' }],
      }),
    );
    elsewhere = await startElsewhere();
    windows = new TestWindows();
    await windows.prepare();
    await windows.make('shop', { bridge: BRIDGE }).window.start({ fromOthers: false });
  });
  after(async () => {
    await windows.end();
    await elsewhere.close();
    rmSync(scratch, { recursive: true, force: true });
  });
  beforeEach(() => {
    home = mkdtempSync(path.join(scratch, 'home-'));
  });

  function client(program: string, env: Readonly<Record<string, string>> = {}): AgentClient {
    const { url } = elsewhere;
    const proxies = { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url };
    const direct = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' };
    return new AgentClient(program, home, windows.home, { ...proxies, ...direct, ...env });
  }

  const skill = (): string =>
    skillText(readFileSync(path.join(ROOT, SKILL), 'utf8'), readFacts(ROOT).version);

  describe('Claude Code', () => {
    const claude = (): AgentClient =>
      client('claude/claude', {
        ANTHROPIC_BASE_URL: elsewhere.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      });

    /** Sends a prompt. @returns the requests to the model */
    async function sentToModel(found: AgentClient): Promise<string> {
      const before = elsewhere.bodies.length;
      await found.run('-p', 'Debug it.');
      return elsewhere.bodies.slice(before).join('\n');
    }

    it('connects to the server, and sends its model the skill and every tool', async () => {
      const found = claude();
      await found.setUp('claude-code');
      await found.putSkill('~/.claude/skills', skill());
      assert.match(
        await found.prints('mcp', 'list'),
        /^agent-debugger: \/bin\/sh .*stdio\.sh - .*Connected$/m,
      );
      const sent = await sentToModel(found);
      assert.ok(sent.includes(SKILL_NAME), 'the skill');
      for (const { name } of TOOLS) assert.ok(sent.includes(`mcp__agent-debugger__${name}`), name);
    });

    it('installs the plugin, and sends its model the plugin’s skill and tools', async () => {
      const found = claude();
      assert.match(await found.prints('plugin', 'validate', plugin), /Validation passed/);
      await found.prints('plugin', 'marketplace', 'add', market);
      await found.prints('plugin', 'install', 'agent-debugger@local');
      assert.match(await found.prints('plugin', 'list'), /agent-debugger@local[\s\S]*enabled/);
      const details = await found.prints('plugin', 'details', 'agent-debugger@local');
      assert.match(details, new RegExp(`Skills \\(2\\) +${SKILL_NAME}, debugger`));
      assert.match(details, /Agents \(1\) +debugger/);
      assert.match(
        await found.prints('mcp', 'list'),
        /^plugin:agent-debugger:agent-debugger: node .*stdio\.js - .*Connected$/m,
      );
      const sent = await sentToModel(found);
      assert.ok(sent.includes(`agent-debugger:${SKILL_NAME}`), 'the skill');
      for (const { name } of TOOLS)
        assert.ok(sent.includes(`mcp__plugin_agent-debugger_agent-debugger__${name}`), name);
    });
  });

  describe('a plugin that is already installed', () => {
    it('is updated from an old version, and exists once if it is installed twice', async () => {
      const found = client('claude/claude');
      const old = path.join(home, 'market');
      cpSync(market, old, { recursive: true });
      const manifest = path.join(old, 'agent-debugger/.claude-plugin/plugin.json');
      const current = readFileSync(manifest, 'utf8');
      writeFileSync(manifest, JSON.stringify({ ...JSON.parse(current), version: '0.0.1' }));
      await found.prints('plugin', 'marketplace', 'add', old);
      await found.prints('plugin', 'install', 'agent-debugger@local');
      assert.match(await found.prints('plugin', 'list'), /Version: 0\.0\.1/);
      writeFileSync(manifest, current);
      await found.prints('plugin', 'marketplace', 'update', 'local');
      await found.prints('plugin', 'update', 'agent-debugger@local');
      await found.prints('plugin', 'install', 'agent-debugger@local');
      const list = await found.prints('plugin', 'list');
      const { version } = readFacts(ROOT);
      assert.deepEqual(list.match(/Version: .+/g), [`Version: ${version}`]);
      assert.equal((await found.prints('mcp', 'list')).match(/Connected/g)?.length, 1);
    });
  });

  // Without an account it starts no server, so the tests cannot check that the tools reach its model.
  describe('Copilot CLI', () => {
    const copilot = (): AgentClient => client('copilot/copilot');

    it('finds the server and the skill', async () => {
      const found = copilot();
      await found.setUp('copilot-cli');
      await found.putSkill('~/.copilot/skills', skill());
      assert.match(await found.prints('mcp', 'list'), /^ *agent-debugger \(local\)/m);
      assert.match(await found.prints('mcp', 'get', 'agent-debugger'), /stdio\.sh/);
      assert.match(await found.prints('skill', 'list'), new RegExp(`^ *${SKILL_NAME} - `, 'm'));
    });

    it('installs the plugin', async () => {
      const found = copilot();
      await found.prints('plugin', 'marketplace', 'add', market);
      await found.prints('plugin', 'install', 'agent-debugger@local');
      const { version } = readFacts(ROOT);
      assert.ok(
        (await found.prints('plugin', 'list')).includes(`agent-debugger@local (v${version})`),
      );
      assert.match(await found.prints('mcp', 'list'), /Plugin servers:\s+agent-debugger \(local\)/);
      const skills = await found.prints('skill', 'list');
      assert.match(skills, new RegExp(`Plugin skills:[\\s\\S]*${SKILL_NAME} - `));
    });
  });

  describe('Gemini CLI', () => {
    function gemini(): AgentClient {
      const found = client('gemini/bundle/gemini.js');
      found.write('.gemini/trustedFolders.json', {
        [found.project]: 'TRUST_FOLDER',
        [plugin]: 'TRUST_FOLDER',
      });
      return found;
    }

    it('connects to the server and finds the skill', async () => {
      const found = gemini();
      await found.setUp('gemini-cli');
      await found.putSkill('~/.agents/skills', skill());
      assert.match(await found.prints('mcp', 'list'), /agent-debugger: .*stdio\.sh.* - Connected/);
      assert.match(
        await found.prints('skills', 'list'),
        new RegExp(`^${SKILL_NAME} \\[Enabled\\]`, 'm'),
      );
    });

    it('installs the plugin as an extension', async () => {
      const found = gemini();
      assert.match(await found.prints('extensions', 'validate', plugin), /successfully validated/);
      await found.prints('extensions', 'install', plugin, '--consent');
      assert.match(await found.prints('extensions', 'list'), /agent-debugger/);
      assert.match(
        await found.prints('mcp', 'list'),
        /agent-debugger \(from agent-debugger\): .*stdio\.js.* - Connected/,
      );
      assert.match(
        await found.prints('skills', 'list'),
        new RegExp(`^${SKILL_NAME} \\[Enabled\\]`, 'm'),
      );
    });
  });

  describe('Codex', () => {
    it('finds the server and the skill', async () => {
      const found = client(CODEX);
      await found.setUp('codex');
      await found.putSkill('~/.agents/skills', skill());
      assert.match(
        await found.prints('mcp', 'list'),
        /^agent-debugger +\/bin\/sh .*stdio\.sh.* enabled/m,
      );
      assert.ok((await found.prints('debug', 'prompt-input', 'hi')).includes(`${SKILL_NAME}: `));
    });

    it('installs the plugin', async () => {
      const found = client(CODEX);
      await found.prints('plugin', 'marketplace', 'add', market);
      await found.prints('plugin', 'add', 'agent-debugger@local');
      assert.match(
        await found.prints('plugin', 'list'),
        /^agent-debugger@local +installed, enabled/m,
      );
      assert.match(
        await found.prints('mcp', 'list'),
        /^agent-debugger +node .*stdio\.js.* enabled/m,
      );
      assert.ok(
        (await found.prints('debug', 'prompt-input', 'hi')).includes(
          `agent-debugger:${SKILL_NAME}`,
        ),
      );
    });
  });

  // opencode does not support plugins of this kind.
  it('opencode connects to the server and finds the skill', async () => {
    const found = client('opencode/bin/opencode', {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    });
    await found.setUp('opencode');
    await found.putSkill('~/.agents/skills', skill());
    assert.match(await found.prints('mcp', 'list'), /agent-debugger [^\n]*connected\n/);
    const skills = JSON.parse(await found.prints('debug', 'skill')) as { name: string }[];
    assert.ok(skills.some(({ name }) => name === SKILL_NAME));
  });
});
