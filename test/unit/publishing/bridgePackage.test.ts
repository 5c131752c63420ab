import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { BIN, bridgeFiles } from '../../../scripts/publishing/bridgePackage';
import { readFacts } from '../../../scripts/publishing/facts';
import { registryServer } from '../../../scripts/publishing/schemas';
import { writeFiles } from '../../../scripts/publishing/writeFiles';
import { fields } from '../../../src/debugger/protocol';
import { ROOT } from '../support/trace';

const facts = {
  ...readFacts(ROOT),
  mcpName: 'io.github.ada/agent-debugger',
  repository: 'https://github.com/ada/agent-debugger',
  homepage: 'https://github.com/ada/agent-debugger#readme',
};
const files = bridgeFiles(ROOT, facts, '// bridge\n');
const json = (name: string): Readonly<Record<string, unknown>> =>
  fields(JSON.parse(files.get(name) ?? assert.fail(name)));

describe('the bridge as an npm package', () => {
  it('has a server.json that the MCP registry accepts, and that names this package', () => {
    const server = registryServer.parse(json('server.json'));
    const manifest = json('package.json');
    assert.equal(manifest['mcpName'], server.name);
    assert.equal(server.packages[0]?.identifier, manifest['name']);
    assert.deepEqual(
      [server.version, server.packages[0]?.version, manifest['version']],
      [facts.version, facts.version, facts.version],
    );
    assert.equal(server.repository?.source, 'github');
  });

  it('does not accept a server.json with a wrong name, a long description or a version range', () => {
    for (const wrong of [
      { name: 'agent-debugger' },
      { name: 'a/b/c' },
      { description: 'x'.repeat(101) },
      { description: '' },
      { version: '^1.0.0' },
      { version: 'latest' },
      { unknown: true },
    ])
      assert.equal(
        registryServer.safeParse({ ...json('server.json'), ...wrong }).success,
        false,
        JSON.stringify(wrong),
      );
  });

  it('has no server.json until its name in the registry is known', () => {
    const unnamed = bridgeFiles(ROOT, { ...facts, mcpName: '' }, '');
    assert.equal(unnamed.has('server.json'), false);
    assert.equal(unnamed.get('package.json')?.includes('mcpName'), false);
  });

  describe('started', () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(path.join(tmpdir(), 'bridge-'));
      mkdirSync(path.join(root, 'home'));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    /** Runs the package with a bridge that only reports that it was started. */
    async function run(
      args: readonly string[],
      {
        env = { HOME: path.join(root, 'home'), USERPROFILE: path.join(root, 'home') },
        node = '',
      }: { readonly env?: Readonly<Record<string, string>>; readonly node?: string } = {},
    ): Promise<readonly [code: number | null, out: string, err: string]> {
      const folder = path.join(root, 'package');
      writeFiles(folder, bridgeFiles(ROOT, facts, "process.stdout.write('started');"), [BIN]);
      const fake = path.join(root, 'fake.js');
      const version = JSON.stringify({ ...process.versions, node });
      writeFileSync(
        fake,
        node === '' ? '' : `Object.defineProperty(process, 'versions', { value: ${version} });`,
      );
      const child = spawn(process.execPath, ['--require', fake, path.join(folder, BIN), ...args], {
        env,
      });
      const [[code], out, err] = await Promise.all([
        once(child, 'close') as Promise<[number | null]>,
        textOfStream(child.stdout),
        textOfStream(child.stderr),
      ]);
      return [code, out, err];
    }

    it('runs the bridge', async () => {
      assert.deepEqual(await run([]), [0, 'started', '']);
      assert.deepEqual(await run(['--workspace', '/x']), [0, 'started', '']);
    });

    it('prints its help and its version', async () => {
      assert.deepEqual(await run(['--version']), [0, `${facts.version}\n`, '']);
      const [code, out] = await run(['--help']);
      assert.equal(code, 0);
      assert.match(out, /--workspace <folder>[\s\S]*extension Agent Debugger/);
    });

    it('prints one line and starts nothing on an old Node or without a home folder', async () => {
      const [code, out, err] = await run([], { node: '16.20.2' });
      assert.deepEqual([code, out], [1, '']);
      assert.match(
        err,
        /^agent-debugger-mcp: Node 18 or newer is needed\. This is Node 16\.20\.2\.\n$/,
      );
      const homeless = await run([], { env: { HOME: '', USERPROFILE: '' } });
      assert.deepEqual(homeless.slice(0, 2), [1, '']);
      assert.match(homeless[2], /^agent-debugger-mcp: There is no home folder/);
    });

    it('can be started with npx offline, because it needs no other package', async () => {
      await run([]);
      const home = path.join(root, 'home');
      const child = spawn(
        process.platform === 'win32' ? 'npm.cmd' : 'npm',
        ['exec', '--offline', '--yes', `--package=${path.join(root, 'package')}`]
          // Nothing listens on this port.
          .concat('--registry=http://127.0.0.1:9', '--', facts.npmPackage, '--version'),
        {
          cwd: home,
          env: { PATH: process.env['PATH'], HOME: home, USERPROFILE: home },
          shell: process.platform === 'win32',
        },
      );
      const [[code], out, err] = await Promise.all([
        once(child, 'close') as Promise<[number | null]>,
        textOfStream(child.stdout),
        textOfStream(child.stderr),
      ]);
      assert.deepEqual([code, out.trim()], [0, facts.version], err);
    }).timeout(60_000);

    it('is an executable script with syntax that an old Node can parse', async () => {
      await run([]);
      const text = readFileSync(path.join(root, 'package', BIN), 'utf8');
      assert.ok(text.startsWith('#!/usr/bin/env node\n'));
      assert.equal(/=>|\b(const|let)\b|`/.test(text), false, 'syntax that an old Node reads');
    });
  });
});
