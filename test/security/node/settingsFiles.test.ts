import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS } from '../../../src/mcp/clients/catalog';
import type { ClientMachine } from '../../../src/mcp/clients/client';
import { Installed } from '../../../src/mcp/clients/installed';
import {
  placesOf,
  planRemoval,
  planSetUp,
  entryStateOf,
  type SettingsLocation,
} from '../../../src/mcp/clients/setUp';
import { UnusableSettings } from '../../../src/mcp/clients/entryFormat';
import { OfflineAnswers } from '../../../src/mcp/stdio/offlineAnswers';
import { offlinePath } from '../../../src/mcp/windows/bridgeOffline';
import { KeyFile } from '../../../src/mcp/windows/keyFile';
import { WindowRegistry } from '../../../src/mcp/windows/registry';

const PROGRAM = { kind: 'stdio', command: 'node', args: ['/h/stdio.js'], env: {} } as const;
const isPosix = process.platform !== 'win32';
/** The allowed growth of memory, in bytes. More growth means that a refused file was read as a whole. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

/** A project's settings files are read while clients are listed, and may be any file or a link to any place. */
describe('endless files at the paths that are read', () => {
  let root: string;
  before(function () {
    if (!isPosix) skip(this, 'Windows has no devices and FIFOs in folders');
  });
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'endless-')));
    mkdirSync(path.join(root, 'project', '.cursor'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const installed = new Installed({ read: async () => undefined, write: async () => undefined });
  const fifo = (file: string): void => void execFileSync('mkfifo', [file]);
  const device = (file: string): void => symlinkSync('/dev/zero', file);
  const large = (file: string): void => {
    writeFileSync(file, '{}');
    // The file is sparse: it takes no space on the disk.
    truncateSync(file, 300 * 1024 ** 2);
  };

  function place(level: SettingsLocation['level']): SettingsLocation {
    const machine: ClientMachine = {
      platform: 'linux',
      home: path.join(root, 'home'),
      env: {},
      extensionsStorage: root,
      names: () => [],
    };
    const cursor = CLIENTS.filter(({ id }) => id === 'cursor').flatMap((client) =>
      placesOf(client, machine, [path.join(root, 'project')]),
    );
    return cursor.find((each) => each.level === level) ?? assert.fail(level);
  }

  /** Runs a read, and asserts that memory grows less than the bound. */
  async function bounded<T>(read: () => Promise<T>): Promise<T> {
    const before = process.memoryUsage().rss;
    const result = await read();
    assert.ok(process.memoryUsage().rss - before < MAX_GROWTH_BYTES, 'it was read as a whole');
    return result;
  }

  for (const [name, make] of Object.entries({ fifo, device, large })) {
    for (const level of ['user', 'workspace'] as const) {
      it(`refuses a client’s ${level} file: ${name}`, async () => {
        const at = place(level);
        const file = at.files[0] ?? '';
        mkdirSync(path.dirname(file), { recursive: true });
        make(file);
        await bounded(async () => {
          assert.equal(await entryStateOf(at, PROGRAM), 'unusable');
          await assert.rejects(planSetUp(at, PROGRAM), UnusableSettings);
          await assert.rejects(planRemoval(at, installed), UnusableSettings);
        });
      });
    }

    it(`ignores the key, a window’s entry and the bridge’s offline file: ${name}`, async () => {
      const home = path.join(root, 'home');
      const registry = new WindowRegistry(home);
      await registry.prepare();
      make(path.join(registry.folder, '0000000a.json'));
      make(offlinePath(home));
      make(path.join(home, 'key'));
      await bounded(async () => {
        assert.deepEqual(await registry.list(), []);
        const { result } = await new OfflineAnswers(home).answer(
          { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          undefined,
        );
        assert.deepEqual(result, { tools: [] });
        const keys = new KeyFile(home, {
          get: async () => undefined,
          store: async () => undefined,
        });
        assert.equal(keys.readNow(), undefined);
        assert.match(await keys.read(), /^[\w-]{43}$/);
      });
    });
  }

  it('checks a project’s link before it reads the target', async () => {
    const outside = path.join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'mcp.json'), '\uFFFF{');
    const at = place('workspace');
    symlinkSync(path.join(outside, 'mcp.json'), at.files[0] ?? '');
    await assert.rejects(planSetUp(at, PROGRAM), /a link to a file outside of it/);
  });

  it('refuses a project’s link through a folder outside to a file that does not exist yet', async () => {
    const outside = path.join(root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(root, 'project', 'within'));
    const at = place('workspace');
    symlinkSync(path.join('..', 'within', 'new.json'), at.files[0] ?? '');
    await assert.rejects(planSetUp(at, PROGRAM), /a link to a file outside of it/);
  });
});
