import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import {
  ChangedMeanwhile,
  undoWrite,
  writeSettings,
} from '../../../../src/mcp/clients/configurationFile';
import { planSetUp } from '../../../../src/mcp/clients/setUp';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';
import { isPosix, SERVER, SetUpFolder } from '../support/setUps';

describe('client set-ups: files, links and undo records', () => {
  let on: SetUpFolder;
  beforeEach(() => {
    on = new SetUpFolder();
  });
  afterEach(() => on.remove());

  it('keep the byte order mark, CRLF and the file mode', async () => {
    const place = on.placeOf('cursor');
    const before = '\uFEFF{\r\n\t"mcpServers": {}\r\n}\r\n';
    const file = on.put(place, before);
    if (isPosix) chmodSync(file, 0o640);
    const undo = await on.install(place);
    const text = readFileSync(file, 'utf8');
    assert.equal(
      text.startsWith('\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"agent-debugger"'),
      true,
      text,
    );
    assert.equal(/[^\r]\n/.test(text), false);
    assert.equal(await undoWrite(undo), true);
    assert.equal(readFileSync(file, 'utf8'), before);
    if (isPosix) assert.equal(statSync(file).mode & 0o777, 0o640);
  });

  it('leave a file that is not UTF-8 unchanged', async () => {
    const place = on.placeOf('cursor');
    writeFileSync(on.put(place, ''), Buffer.from([0xff, 0xfe, 0x7b, 0x00]));
    await assert.rejects(planSetUp(place, on.access(place)), UnusableSettings);
  });

  it('follow and keep links, even to a file that does not exist yet', async () => {
    const place = on.placeOf('claude-code');
    const real = path.join(on.root, 'dotfiles', 'claude.json');
    mkdirSync(path.dirname(real), { recursive: true });
    mkdirSync(on.machine.home, { recursive: true });
    symlinkSync(real, place.files[0] ?? '');
    const undo = await on.install(place);
    assert.equal(lstatSync(place.files[0] ?? '').isSymbolicLink(), true);
    assert.equal(readFileSync(real, 'utf8').includes('k3y'), true);
    assert.equal(await undoWrite(undo), true);
    assert.equal(existsSync(real), false);
    assert.equal(lstatSync(place.files[0] ?? '').isSymbolicLink(), true);
  });

  it('do not follow a link that leads out of the workspace', async () => {
    const place = on.placeOf('cursor', 'workspace');
    const outside = path.join(on.root, 'outside.json');
    writeFileSync(outside, '{}');
    mkdirSync(path.join(on.root, 'project', '.cursor'));
    symlinkSync(outside, place.files[0] ?? '');
    await assert.rejects(planSetUp(place, on.access(place)), UnusableSettings);
    assert.equal(readFileSync(outside, 'utf8'), '{}');
  });

  it('do not overwrite a change that was made between preview and write', async () => {
    const place = on.placeOf('cursor');
    const file = on.put(place, '{}');
    const change = await planSetUp(place, on.access(place));
    assert.ok(change !== undefined);
    writeFileSync(file, '{ "mcpServers": { "new": {} } }');
    await assert.rejects(writeSettings(change.before, change.after, change), ChangedMeanwhile);
    assert.equal(readFileSync(file, 'utf8'), '{ "mcpServers": { "new": {} } }');
    assert.deepEqual(readdirSync(path.dirname(file)), ['mcp.json']);
    rmSync(file);
    await assert.rejects(writeSettings(change.before, change.after, change), ChangedMeanwhile);
    const undo = await on.install(place);
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    assert.equal(await undoWrite(undo), false);
    assert.equal(await undoWrite({ ...undo, file: path.join(on.root, 'no.json') }), false);
  });

  it('use the file with our entry if there are several, otherwise the existing file', async () => {
    const place = on.placeOf('opencode');
    const [json = '', jsonc = ''] = place.files;
    mkdirSync(path.dirname(json), { recursive: true });
    writeFileSync(jsonc, '{}');
    assert.equal((await on.install(place)).file, jsonc);
    writeFileSync(json, '{}');
    assert.equal((await on.install(place, { ...SERVER, key: 'new' })).file, jsonc);
    rmSync(jsonc);
    assert.equal((await on.install(place)).file, json);
  });

  it('keep undo records without others’ secrets, and ignore invalid records', async () => {
    const place = on.placeOf('cursor');
    on.put(place, '{ "mcpServers": { "other": { "env": { "TOKEN": "theirs" } } } }');
    await on.install(place);
    assert.equal(on.kept?.includes('theirs'), false);
    on.kept = '[{"file":1}, null]';
    assert.equal(await on.installed.find(place.files[0] ?? ''), undefined);
    on.kept = '{';
    assert.equal(await on.installed.find(place.files[0] ?? ''), undefined);
  });

  it('restore any text after install and undo', async () => {
    const place = on.placeOf('zed');
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.constantFrom('', '\t', '  '),
        fc.boolean(),
        async (value, indent, hasMark) => {
          const before = (hasMark ? '\uFEFF' : '') + JSON.stringify(value, null, indent);
          const file = on.put(place, before);
          const change = await planSetUp(place, on.access(place)).catch((error: unknown) => {
            assert.ok(error instanceof UnusableSettings);
            return undefined;
          });
          if (change !== undefined) {
            const undo = await writeSettings(change.before, change.after, change);
            assert.equal(await undoWrite(undo), true);
          }
          assert.equal(readFileSync(file, 'utf8'), before);
        },
      ),
      { numRuns: 50 },
    );
  });
});
