import { strict as assert } from 'node:assert';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isPreRelease, missingFacts, readFacts } from '../../../scripts/publishing/facts';
import { pluginFiles, SKILL, type Files } from '../../../scripts/publishing/plugin';
import { pluginManifest, pluginServers } from '../../../scripts/publishing/schemas';
import { writeFiles } from '../../../scripts/publishing/writeFiles';
import { fields, textOf } from '../../../src/debugger/protocol';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { ROOT } from '../support/trace';

const facts = readFacts(ROOT);
const files = pluginFiles(ROOT, facts, '// bridge\n');

function text(name: string, of: Files = files): string {
  return of.get(name) ?? assert.fail(`${name} is missing`);
}

const json = (name: string, of: Files = files): unknown => JSON.parse(text(name, of)) as unknown;

/** The header lines of a file, by name. */
function header(name: string): Readonly<Record<string, string>> {
  const lines = (/^---\n([\s\S]*?)\n---\n/.exec(text(name))?.[1] ?? assert.fail(name)).split('\n');
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [, key = '', value = ''] = /^([a-z-]+): (.+)$/.exec(line) ?? assert.fail(line);
      return [key, value];
    }),
  );
}

describe('the plugin', () => {
  it('has manifests in the format of Agent Plugins 1.0, without unknown properties', () => {
    pluginManifest.parse(json('plugin.json'));
    pluginServers.parse(json('mcp.json'));
    assert.equal(pluginManifest.safeParse({ ...fields(json('plugin.json')), x: 1 }).success, false);
    for (const name of ['Agent', 'a--b', '-a', 'a..b', ''])
      assert.equal(
        pluginManifest.safeParse({ ...fields(json('plugin.json')), name }).success,
        false,
        name,
      );
  });

  it('has the same facts in each manifest, with the version of the extension', () => {
    const { $schema, ...portable } = fields(json('plugin.json'));
    assert.ok($schema);
    for (const name of ['.claude-plugin/plugin.json', '.cursor-plugin/plugin.json']) {
      const { mcpServers, ...others } = fields(json(name));
      assert.deepEqual(others, portable, name);
      assert.deepEqual(Object.keys(fields(mcpServers)), ['agent-debugger']);
    }
    assert.equal(portable['version'], facts.version);
  });

  it('starts its own bridge, with each client’s variable for the plugin folder', () => {
    const args = (name: string): unknown =>
      fields(fields(fields(json(name))['mcpServers'])['agent-debugger'])['args'];
    assert.deepEqual(
      [
        'mcp.json',
        '.claude-plugin/plugin.json',
        '.cursor-plugin/plugin.json',
        'gemini-extension.json',
      ].map(args),
      [
        ['${PLUGIN_ROOT}/bridge/stdio.js'],
        ['${CLAUDE_PLUGIN_ROOT}/bridge/stdio.js'],
        ['${CURSOR_PLUGIN_ROOT}/bridge/stdio.js'],
        ['${extensionPath}/bridge/stdio.js'],
      ],
    );
    assert.equal(text('bridge/stdio.js'), '// bridge\n');
  });

  it('has the unchanged skill, and the agent and the command with a header for each client', () => {
    assert.equal(text(SKILL), readFileSync(path.join(ROOT, SKILL), 'utf8'));
    const copilot = header('com.github.copilot/agents/debugger.agent.md');
    const claude = header('agents/debugger.md');
    assert.equal(copilot['tools'], '["agent-debugger/*"]');
    assert.equal(claude['name'], 'debugger');
    assert.equal(claude['description'], copilot['description']);
    assert.equal(text('commands/debugger.md'), text('com.github.copilot/commands/debugger.md'));
    assert.deepEqual(Object.keys(header('commands/debugger.md')), ['description']);
  });

  it('gives Claude Code’s agent our tools and no others', () => {
    const prefix = 'mcp__plugin_agent-debugger_agent-debugger__';
    const tools = (header('agents/debugger.md')['tools'] ?? '').split(', ');
    assert.ok(tools.every((tool) => tool.startsWith(prefix)));
    assert.deepEqual(
      new Set(tools.map((tool) => tool.slice(prefix.length))),
      new Set([...ALL_TOOLS.map(({ name }) => name), 'select_window']),
    );
  });

  it('leaves out facts that a maintainer has not filled in, and includes them once they are', () => {
    const unknown = { ...facts, owner: '', author: '', email: '', homepage: '', repository: '' };
    const bare = fields(json('plugin.json', pluginFiles(ROOT, unknown, '')));
    for (const name of ['author', 'homepage', 'repository']) assert.equal(bare[name], undefined);
    const full = { ...unknown, author: 'Ada', repository: 'https://example.com/ada/debugger' };
    const filled = fields(json('plugin.json', pluginFiles(ROOT, full, '')));
    assert.deepEqual(filled['author'], { name: 'Ada' });
    assert.equal(textOf(filled['repository']), full.repository);
  });
});

describe('the facts for publishing', () => {
  it('list the facts that a maintainer still has to fill in', () => {
    const filled = {
      ...facts,
      ...{ publisher: 'ada', owner: 'Ada', repository: 'https://example.com/r', author: 'Ada' },
      ...{ bugs: 'https://example.com/b', images: 'https://example.com/i', mcpName: 'io.x/y' },
    };
    assert.deepEqual(missingFacts(filled), []);
    assert.deepEqual(missingFacts({ ...filled, publisher: '', mcpName: '' }), [
      'publisher',
      'mcpName',
    ]);
  });

  it('mark a version with an odd minor number as a prerelease', () => {
    assert.deepEqual(['0.1.0', '0.2.0', '1.0.9', '1.11.0'].map(isPreRelease), [
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('writing a package’s folder', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'packages-'));
    folder = path.join(root, 'dist-plugin');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const two = new Map([
    ['a.txt', 'a'],
    ['b/c.txt', 'c'],
  ]);

  it('replaces its own folder and leaves nothing of an older version', () => {
    writeFiles(folder, two);
    writeFiles(folder, new Map([['b/c.txt', 'new']]));
    assert.equal(existsSync(path.join(folder, 'a.txt')), false);
    assert.equal(readFileSync(path.join(folder, 'b/c.txt'), 'utf8'), 'new');
    assert.deepEqual(readdirSync(root), ['dist-plugin']);
  });

  it('does not replace a folder that it did not write, a file or a link', () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'mine.txt'), 'mine');
    assert.throws(() => writeFiles(folder, two), /was not written by this script/);
    symlinkSync(folder, path.join(root, 'link'));
    assert.throws(() => writeFiles(path.join(root, 'link'), two), /is a link/);
    writeFileSync(path.join(root, 'file'), '');
    assert.throws(() => writeFiles(path.join(root, 'file'), two), /was not written by this script/);
    assert.deepEqual(readdirSync(folder), ['mine.txt']);
  });

  it('leaves the folder unchanged if a file cannot be written', () => {
    writeFiles(folder, two);
    const impossible = new Map([
      ['a.txt', 'new'],
      ['a.txt/b', 'below a file'],
    ]);
    assert.throws(() => writeFiles(folder, impossible));
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'a');
    assert.deepEqual(readdirSync(root), ['dist-plugin'], 'nothing half-written is left');
  });
});
