import { strict as assert } from 'node:assert';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFacts } from '../../../../scripts/publishing/facts';
import { pluginFiles } from '../../../../scripts/publishing/plugin';
import { writeFiles } from '../../../../scripts/publishing/writeFiles';
import { doublingPlugins, type PluginSources } from '../../../../src/mcp/clients/doubledPlugins';
import { ROOT } from '../../support/trace';

describe('agent plugins that give VS Code’s agents the tools a second time', () => {
  let root: string;
  let home: string;
  let project: string;
  let installs: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-plugins-')));
    home = path.join(root, 'home');
    project = path.join(root, 'project');
    installs = path.join(home, '.vscode', 'agent-plugins');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(file: string, content: unknown): string {
    const whole = path.resolve(root, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
    return whole;
  }
  /** Writes the plugin as it is published. @returns its folder */
  function plugin(folder: string): string {
    const whole = path.resolve(root, folder);
    writeFiles(whole, pluginFiles(ROOT, readFacts(ROOT), '// the bridge\n'));
    return whole;
  }
  const names = (folder: string): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const found = async (sources: Partial<PluginSources> = {}): Promise<readonly string[]> => {
    const plugins = await doublingPlugins({
      machine: { platform: 'linux', home, env: {}, extensionsStorage: '', names },
      areEnabled: true,
      locations: undefined,
      installFolders: [installs, path.join(root, 'User', 'agent-plugins')],
      folders: [project],
      ...sources,
    });
    return plugins.map(
      ({ folder, location }) => `${path.relative(root, folder)} by ${location ?? 'install'}`,
    );
  };

  it('are found by absolute, home-relative and project-relative paths in the setting', async () => {
    const whole = plugin('opt/ours');
    plugin('home/ours');
    plugin('project/tools/ours');
    const locations = { [whole]: true, '~/ours': true, 'tools/ours': true, ' ': true, gone: true };
    assert.deepEqual(await found({ locations }), [
      `opt/ours by ${whole}`,
      'home/ours by ~/ours',
      'project/tools/ours by tools/ours',
    ]);
    assert.deepEqual(await found({ locations: { [whole]: false, '~/ours': false } }), []);
    assert.deepEqual(await found({ locations, areEnabled: false }), []);
    assert.deepEqual(await found({ locations: 'nonsense' }), []);
  });

  it('are found in the folders where VS Code and Copilot CLI install them', async () => {
    const cloned = plugin('home/.vscode/agent-plugins/example.com/ours');
    plugin('home/.copilot/installed-plugins/market/agent-debugger');
    write('home/.copilot/installed-plugins/notes.txt', 'no folder');
    const remote = plugin('srv/a b');
    const list = (uri: string): object => ({ installed: [{ pluginUri: uri, marketplace: 'm' }] });
    write('home/.vscode/agent-plugins/installed.json', list(pathToFileURL(cloned).href));
    write(
      'User/agent-plugins/installed.json',
      list(`vscode-remote://host${pathToFileURL(remote).pathname}`),
    );
    assert.deepEqual(await found(), [
      'home/.vscode/agent-plugins/example.com/ours by install',
      'srv/a b by install',
      'home/.copilot/installed-plugins/market/agent-debugger by install',
    ]);
    rmSync(path.join(installs, 'installed.json'));
    assert.equal((await found()).length, 2, 'a clone that is not installed is none');
  });

  it('are reported once if one is found in two ways, with the location that can be switched off', async () => {
    const target = plugin('home/.copilot/installed-plugins/market/agent-debugger');
    const link = path.join(root, 'link');
    symlinkSync(target, link);
    assert.deepEqual(await found({ locations: { [link]: true } }), [`link by ${link}`]);
  });

  it('do not include plugins with another server or plugins that cannot be read', async () => {
    const locations = { '~/other': true, '~/broken': true, '~/skills': true, '~/file': true };
    write('home/other/mcp.json', { mcpServers: { other: { command: 'node' } } });
    write('home/broken/mcp.json', '{ "mcpServers": ');
    write('home/skills/plugin.json', { name: 'agent-debugger' });
    write('home/file', 'no folder');
    write('home/.vscode/agent-plugins/installed.json', { installed: [7, { pluginUri: '%' }, {}] });
    assert.deepEqual(await found({ locations }), []);
  });

  it('are recognized by each file from which VS Code reads servers', async () => {
    const servers = { mcpServers: { 'agent-debugger': { command: 'node' } } };
    for (const file of ['.mcp.json', 'plugin.json', '.claude-plugin/plugin.json']) {
      const whole = write(`home/ours/${file}`, servers);
      assert.deepEqual(await found({ locations: { '~/ours': true } }), ['home/ours by ~/ours']);
      rmSync(whole);
    }
    write('home/ours/.mcp.json', `\uFEFF// mine\n${JSON.stringify(servers).slice(0, -1)}, }`);
    assert.equal((await found({ locations: { '~/ours': true } })).length, 1);
  });
});
