import { strict as assert } from 'node:assert';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { privateFolder } from '../../../src/editor/privateFolder';
import { TemporaryRecordingFolders } from '../../../src/editor/recordingFolders';

const NOBODY = 65534;

describe('the private folder for temporary files', () => {
  let root: string;
  let base: string;
  let home: string;
  let expected: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'private-')));
    [base, home] = [path.join(root, 'tmp'), path.join(root, 'home')];
    for (const folder of [base, home]) mkdirSync(folder);
    chmodSync(base, 0o1777);
    expected = path.join(base, `agent-debugger-${process.getuid?.() ?? 'user'}`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const isPrivate = (folder: string): boolean => {
    const { uid, mode } = lstatSync(folder);
    return uid === process.getuid?.() && (mode & 0o077) === 0;
  };

  it('is made once, and nobody else may enter it', () => {
    assert.equal(privateFolder(base, home), expected);
    assert.equal(privateFolder(base, home), expected);
    assert.ok(isPrivate(expected));
  });

  it('is another one if others may enter the folder with its name, or it is a link', () => {
    mkdirSync(expected);
    chmodSync(expected, 0o777);
    const other = privateFolder(base, home);
    assert.equal(other, path.join(home, '.agent-debugger', 'tmp'));
    assert.ok(isPrivate(other));
    rmSync(expected, { recursive: true });
    symlinkSync(home, expected);
    assert.equal(privateFolder(base, home), other);
  });

  it('is another one if another user owns the folder with its name', function () {
    // Only root can make such a folder.
    if (process.getuid?.() !== 0) return;
    mkdirSync(expected, { mode: 0o700 });
    chownSync(expected, NOBODY, NOBODY);
    assert.equal(privateFolder(base, home), path.join(home, '.agent-debugger', 'tmp'));
  });

  it('is not in a folder in which others can move it', () => {
    chmodSync(base, 0o777);
    assert.equal(privateFolder(base, home), path.join(home, '.agent-debugger', 'tmp'));
  });

  it('is a new one for this window if there is no other place', () => {
    writeFileSync(expected, '');
    writeFileSync(path.join(home, '.agent-debugger'), '');
    const folder = privateFolder(base, home);
    assert.match(path.relative(base, folder), /^agent-debugger-\w{6}$/);
    assert.ok(isPrivate(folder));
  });

  it('is the only place from which folders of ended windows are removed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    // A folder of another user, who may replace its subfolders by links while it is removed.
    const theirs = path.join(base, `agent-debugger-${pid}-abcDEF`);
    mkdirSync(path.join(theirs, 'folder'), { recursive: true });
    const ours = path.join(privateFolder(base, home), `${pid}-abcDEF`);
    mkdirSync(ours);
    const files = path.join(home, 'files');
    mkdirSync(files);
    symlinkSync(files, path.join(ours, 'link'));
    writeFileSync(path.join(files, 'kept.txt'), '');
    await new TemporaryRecordingFolders(() => privateFolder(base, home)).removeLeft();
    assert.deepEqual([theirs, ours].map(existsSync), [true, false]);
    assert.ok(existsSync(path.join(files, 'kept.txt')));
  });
});
