import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { SessionFolder } from '../../../src/editor/investigation/sessionFolder';
import { isInside, placeOf, typeOf } from '../../../src/investigation/paths';
import { failsWith } from '../support/services';
import { kept, newFolder, removeFolders, textFrom } from './support';

describe('an investigation', () => {
  afterEach(removeFolders);

  it('is kept in a folder that only its owner can open, and survives a reload', async () => {
    const one = kept();
    const { sid } = await one.investigations.start('The stones are in the wrong place');
    assert.match(sid, /^260301-[a-z0-9]{4}$/);
    if (process.platform !== 'win32')
      assert.equal(statSync(path.join(one.root, sid)).mode & 0o077, 0);
    const again = kept(one.root);
    const found = await again.investigations.find(sid);
    assert.equal(found.title, 'The stones are in the wrong place');
    assert.equal(found.expiresAt, '2026-03-08T10:00:00.000Z');
  });

  it('keeps no credential in its record', async () => {
    const { root, investigations } = kept();
    const { sid } = await investigations.start(`uses ghp_${'a1B2'.repeat(9)}`);
    assert.ok(!readFileSync(path.join(root, sid, 'meta.json'), 'utf8').includes('a1B2a1B2'));
  });

  it('is not found after it has expired; a purge removes it and nothing else', async () => {
    const on = kept();
    const { root, investigations } = on;
    const { sid } = await investigations.start('old');
    on.at('2026-03-05T10:00:00Z');
    const { sid: young } = await investigations.start('young');
    mkdirSync(path.join(root, 'others'));
    on.at('2026-03-08T10:00:00Z');
    await assert.rejects(investigations.find(sid), failsWith('investigation_not_found'));
    assert.equal(await investigations.purge(), 1);
    assert.deepEqual(readdirSync(root).sort(), [young, 'others'].sort());
  });

  it('whose record cannot be read is removed at the same age', async () => {
    const on = kept();
    const { root, investigations } = on;
    mkdirSync(path.join(root, '260301-empt'));
    mkdirSync(path.join(root, '260301-used'));
    writeFileSync(path.join(root, '260301-used/meta.json'), '{ "version": 1, ');
    on.at('2026-03-08T23:59:00Z');
    assert.equal(await investigations.purge(), 0);
    on.at('2026-03-09T00:01:00Z');
    assert.equal(await investigations.purge(), 1);
    // The file of the other folder has just been written.
    assert.deepEqual(readdirSync(root), ['260301-used']);
    utimesSync(path.join(root, '260301-used/meta.json'), 1e9, 1e9);
    assert.equal(await investigations.purge(), 1);
  });

  for (const sid of ['', '..', '../x', '260301-abcd', 'x'.repeat(300)])
    it(`is not found by the id ${sid.slice(0, 20)}`, async () =>
      await assert.rejects(kept().investigations.find(sid), failsWith('investigation_not_found')));

  it('is not found in another workspace', async () => {
    const { sid } = await kept().investigations.start('x');
    const { investigations } = kept();
    const own = await investigations.start('own');
    await assert.rejects(investigations.find(sid), failsWith('investigation_not_found'));
    await assert.rejects(
      investigations.read({ sid, path: 'meta.json' }),
      failsWith('investigation_not_found'),
    );
    assert.deepEqual(
      (await investigations.list()).map((each) => each.sid),
      [own.sid],
    );
  });

  it('is not found if its record has another id', async () => {
    const { root, investigations } = kept();
    const { sid } = await investigations.start('x');
    mkdirSync(path.join(root, '260301-zzzz'));
    writeFileSync(
      path.join(root, '260301-zzzz/meta.json'),
      readFileSync(path.join(root, sid, 'meta.json')),
    );
    await assert.rejects(investigations.find('260301-zzzz'), failsWith('investigation_not_found'));
  });

  it('keeps its own entries when two are changed at once, and loses no change', async () => {
    const { investigations } = kept();
    const [one, two] = [await investigations.start('one'), await investigations.start('two')];
    await Promise.all(
      [one, two, one, two, one].map(({ sid, title }, index) =>
        investigations.recordError(sid, { tool: title, code: 'x', message: `m${index}`, hint: '' }),
      ),
    );
    const errors = await Promise.all(
      [one, two].map(async ({ sid }) => (await investigations.find(sid)).errors),
    );
    assert.deepEqual(
      errors.map((each) => each.map(({ message }) => message)),
      [
        ['m0', 'm2', 'm4'],
        ['m1', 'm3'],
      ],
    );
    assert.ok(errors.flat().length === 5);
  });

  it('reports changes', async () => {
    const { investigations } = kept();
    let reported = 0;
    const subscription = investigations.onDidChange(() => (reported += 1));
    await investigations.start('x');
    subscription.dispose();
    await investigations.start('y');
    assert.equal(reported, 1);
  });

  it('writes and reads only in its folder', async () => {
    const { investigations } = kept();
    const { sid } = await investigations.start('x');
    for (const file of [
      '../meta.json',
      '/etc/passwd',
      'a/../../b',
      '.hidden',
      'a//b',
      'a/b/c/d/e',
      '',
    ]) {
      assert.equal(isInside(file), false, file);
      await assert.rejects(investigations.writeText(sid, file, 'x'), failsWith('invalid_input'));
      await assert.rejects(investigations.read({ sid, path: file }), failsWith('invalid_input'));
    }
  });

  it('does not follow a link out of its folder', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
    const { root, investigations, files } = kept();
    const outside = newFolder();
    writeFileSync(path.join(outside, 'secret.md'), 'secret');
    const { sid } = await investigations.start('x');
    symlinkSync(path.join(outside, 'secret.md'), path.join(root, sid, 'secret.md'));
    symlinkSync(outside, path.join(root, sid, 'analysis'));
    await assert.rejects(
      investigations.read({ sid, path: 'secret.md' }),
      failsWith('file_not_found'),
    );
    await assert.rejects(
      investigations.read({ sid, path: 'analysis/secret.md' }),
      failsWith('file_not_found'),
    );
    await assert.rejects(investigations.writeText(sid, 'analysis/new.md', 'x'));
    await assert.rejects(files.grow(sid, 'analysis/new.md'));
    assert.deepEqual(readdirSync(outside), ['secret.md']);
  });

  it('is not found if its record names files outside its folder', async () => {
    const { root, investigations, files } = kept();
    const { sid } = await investigations.start('x');
    const file = path.join(root, sid, 'meta.json');
    const found = JSON.parse(readFileSync(file, 'utf8')) as object;
    const capture = {
      id: 'c1',
      kind: 'capture',
      mode: 'cli',
      what: 'x',
      source: 'command',
      startedAt: '',
      endedAt: '',
    };
    for (const more of [
      { captures: [{ ...capture, file: '../../secret.ndjson' }] },
      { captures: [{ ...capture, file: 'logs/a.ndjson', files: ['/etc/passwd'] }] },
      { analysis: { at: '', capture: 'c1', file: '../x.md', chunks: [] } },
      { evidence: [{ id: 'x1', at: '', tool: 't', title: '', file: '..' }] },
    ]) {
      writeFileSync(file, JSON.stringify({ ...found, ...more }));
      await assert.rejects(investigations.find(sid), failsWith('investigation_not_found'));
    }
    const outside = newFolder();
    writeFileSync(path.join(outside, 'secret.md'), 'secret');
    const away = path.relative(path.join(root, sid), path.join(outside, 'secret.md'));
    assert.equal(await files.read(sid, away, 100), undefined);
    for await (const piece of files.pieces(sid, away)) assert.fail(textFrom(piece));
    await assert.rejects(files.write(sid, away, 'x'));
    await assert.rejects(files.grow(sid, `${away}.new`));
  });

  it('is not created or read in a linked folder of the workspace', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
    const [workspace, outside] = [newFolder(), newFolder()];
    const root = path.join(workspace, '.agent-debugger', 'sessions');
    const files = new SessionFolder(
      () => root,
      () => workspace,
    );
    symlinkSync(outside, path.join(workspace, '.agent-debugger'));
    await assert.rejects(files.write('260301-abcd', 'meta.json', '{}'));
    assert.deepEqual(readdirSync(outside), []);
    mkdirSync(path.join(outside, 'sessions/260301-abcd'), { recursive: true });
    writeFileSync(path.join(outside, 'sessions/260301-abcd/meta.json'), 'theirs');
    assert.deepEqual(await files.sessions(), []);
    assert.deepEqual(await files.entries('260301-abcd'), []);
    assert.equal(await files.read('260301-abcd', 'meta.json', 100), undefined);
    await files.remove('260301-abcd');
    assert.equal(
      readFileSync(path.join(outside, 'sessions/260301-abcd/meta.json'), 'utf8'),
      'theirs',
    );
  });

  it('is not read through a link with its name', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
    const [{ root, files }, outside] = [kept(), newFolder()];
    mkdirSync(path.join(outside, '260301-abcd'));
    writeFileSync(path.join(outside, '260301-abcd/meta.json'), 'theirs');
    symlinkSync(path.join(outside, '260301-abcd'), path.join(root, '260301-abcd'));
    assert.equal(await files.read('260301-abcd', 'meta.json', 100), undefined);
    assert.deepEqual(await files.entries('260301-abcd'), []);
    await assert.rejects(files.write('260301-abcd', 'new.md', 'x'));
  });

  it('can be reached through a link to the workspace itself', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
    const [real, elsewhere] = [newFolder(), newFolder()];
    const link = path.join(elsewhere, 'project');
    symlinkSync(real, link);
    const files = new SessionFolder(
      () => path.join(link, '.agent-debugger', 'sessions'),
      () => link,
    );
    await files.write('260301-abcd', 'meta.json', 'own');
    assert.equal(textFrom(await files.read('260301-abcd', 'meta.json', 100)), 'own');
    assert.deepEqual(await files.sessions(), ['260301-abcd']);
  });

  it('returns the lines that a reference names', async () => {
    const { investigations } = kept();
    const { sid } = await investigations.start('x');
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join('\n');
    await investigations.writeText(sid, 'logs/capture.ndjson', text);
    const place = placeOf(`vdt://sessions/${sid}/logs/capture.ndjson#L3-L5`);
    assert.ok(place !== undefined);
    assert.equal(textFrom((await investigations.read(place)).data), 'line 3\nline 4\nline 5');
    const last = placeOf(`vdt://sessions/${sid}/logs/capture.ndjson#L5000-L9000`);
    assert.ok(last !== undefined);
    assert.equal(textFrom((await investigations.read(last)).data), 'line 5000');
  });

  it('lists its files and their types', async () => {
    const { investigations } = kept();
    const { sid } = await investigations.start('x');
    await investigations.writeText(sid, 'analysis/buglens.md', 'x');
    assert.deepEqual(
      (await investigations.entries(sid)).map((each) => each.path),
      ['analysis/buglens.md', 'meta.json'],
    );
    assert.deepEqual(['meta.json', 'logs/a.ndjson', 'b.md', 'c.png', 'd'].map(typeOf), [
      'application/json',
      'application/x-ndjson',
      'text/markdown',
      'image/png',
      'text/plain',
    ]);
  });

  for (const uri of [
    'vdt://sessions/260301-abcd',
    'vdt://sessions/260301-abcd/../x',
    'vdt://sessions/x/meta.json',
    'debug://stop',
    'vdt://sessions/260301-abcd/meta.json#x',
  ])
    it(`finds no place in the URI ${uri}`, () => assert.equal(placeOf(uri), undefined));
});
