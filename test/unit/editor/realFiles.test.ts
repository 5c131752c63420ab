import { strict as assert } from 'node:assert';
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
import { KnownLinks, kindOf, readRegular, realPathOf } from '../../../src/editor/realFiles';

describe('files on the disk', () => {
  let root = '';
  const at = (...names: string[]): string => path.join(root, ...names);
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-disk-')));
    mkdirSync(at('app/src'), { recursive: true });
    mkdirSync(at('outside'));
    writeFileSync(at('app/src/main.js'), 'main');
    writeFileSync(at('outside/secret'), 'secret');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('a path is resolved through its links, whether or not the target exists', async () => {
    symlinkSync(at('outside'), at('app/folder'));
    symlinkSync(at('outside/secret'), at('app/file'));
    symlinkSync(at('outside/none'), at('app/dangling'));
    symlinkSync('../../outside/none/deeper', at('app/src/relative'));
    symlinkSync(at('app/dangling'), at('app/twice'));
    symlinkSync(at('app'), at('link-to-app'));
    for (const [file, real] of [
      ['app/src/main.js', 'app/src/main.js'],
      ['app/src/none.js', 'app/src/none.js'],
      ['app/none/none.js', 'app/none/none.js'],
      ['app/folder/secret', 'outside/secret'],
      ['app/folder/none', 'outside/none'],
      ['app/folder/none/none', 'outside/none/none'],
      ['app/file', 'outside/secret'],
      ['app/dangling', 'outside/none'],
      ['app/dangling/deeper', 'outside/none/deeper'],
      ['app/src/relative', 'outside/none/deeper'],
      ['app/twice', 'outside/none'],
      ['link-to-app/src/main.js', 'app/src/main.js'],
      ['link-to-app/none.js', 'app/none.js'],
    ] as const)
      assert.equal(await realPathOf(at(file)), at(real), file);
  });

  it('links are known for comparisons until they are forgotten, and decide what is in a folder', () => {
    const links = new KnownLinks();
    symlinkSync(at('app'), at('link'));
    assert.equal(links.resolve(at('link/src/main.js')), at('app/src/main.js'));
    assert.equal(links.within(at('link/src/main.js'), at('app')), path.join('src', 'main.js'));
    assert.equal(links.within(at('app/src/main.js'), at('link')), path.join('src', 'main.js'));
    assert.equal(links.within(at('outside/secret'), at('link')), undefined);
    for (const file of ['relative.js', '<node_internals>/fs', at('none.js'), '/a\0b'])
      assert.equal(links.resolve(file), file);
    rmSync(at('link'));
    symlinkSync(at('outside'), at('link'));
    writeFileSync(at('outside/main.js'), '');
    links.forget();
    assert.equal(links.resolve(at('link/main.js')), at('outside/main.js'));
  });

  it('circular links and invalid names do not resolve to a path inside a folder', async () => {
    symlinkSync(at('app/two'), at('app/one'));
    symlinkSync(at('app/one'), at('app/two'));
    assert.equal(await realPathOf(at('app/one')), path.parse(root).root);
    assert.equal(await realPathOf(`${at('app')}/\0`), `${at('app')}/\0`);
    assert.deepEqual(await readRegular(`${at('app')}/\0`), { kind: 'absent' });
  });

  it('only regular text files of bounded size are read', async () => {
    assert.deepEqual(
      { ...(await readRegular(at('app/src/main.js'))), changedAt: 0 },
      { kind: 'text', text: 'main', changedAt: 0 },
    );
    writeFileSync(at('app/binary'), Buffer.from([1, 0, 2]));
    writeFileSync(at('app/large'), '');
    truncateSync(at('app/large'), 60 * 1024 * 1024);
    const kinds = async (...files: string[]): Promise<string[]> =>
      await Promise.all(files.map(async (file) => (await readRegular(at(file))).kind));
    assert.deepEqual(
      await kinds('app/src', 'app/none', 'app/src/main.js/none', 'app/binary', 'app/large'),
      ['folder', 'absent', 'absent', 'binary', 'too_large'],
    );
    assert.deepEqual(
      [await kindOf(at('app')), await kindOf(at('app/src/main.js')), await kindOf(at('app/none'))],
      ['folder', 'file', undefined],
    );
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [at('app/pipe')]);
    assert.deepEqual(
      await kinds('app/pipe'),
      ['binary'],
      'nobody writes into it, and nobody is waited for',
    );
  });

  it('a link that has replaced a checked file or folder is not followed', async () => {
    const judged = await realPathOf(at('app/src/main.js'));
    rmSync(judged);
    symlinkSync(at('outside/secret'), judged);
    assert.deepEqual(await readRegular(judged), { kind: 'absent' });
    rmSync(at('app/src'), { recursive: true });
    writeFileSync(at('outside/main.js'), 'secret');
    symlinkSync(at('outside'), at('app/src'));
    assert.deepEqual(await readRegular(judged), { kind: 'absent' });
  });
});
