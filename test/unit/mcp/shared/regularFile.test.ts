import { strict as assert } from 'node:assert';
import { skip } from '../../../support/skip';
import fs, {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { readRegularFile, readRegularFileNow } from '../../../../src/mcp/shared/regularFile';

describe('reading a file that another program may have created', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-regular-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('reads a whole regular file', async () => {
    const content = 'x'.repeat(10_000);
    writeFileSync(file, content);
    assert.equal(String(await readRegularFile(file)), content);
    assert.equal(String(readRegularFileNow(file)), content);
  });

  it('refuses a link, a folder and a file that is too large', async () => {
    const refuses = async (reason: string): Promise<void> => {
      await assert.rejects(readRegularFile(file, 10), { reason });
      assert.throws(() => readRegularFileNow(file, 10), { reason });
    };
    writeFileSync(file, 'x'.repeat(11));
    await refuses('too_large');
    rmSync(file);
    mkdirSync(file);
    await refuses('not_regular');
    rmSync(file, { recursive: true });
    writeFileSync(path.join(folder, 'target'), 'secret');
    symlinkSync(path.join(folder, 'target'), file);
    await refuses('not_regular');
  });

  describe('a link that replaces the file between the check and the opening', () => {
    before(function () {
      if (process.platform === 'win32') skip(this, 'Windows has no O_NOFOLLOW');
    });
    beforeEach(() => {
      writeFileSync(file, 'ours');
      writeFileSync(path.join(folder, 'target'), 'secret');
    });
    const putLink = (): void => {
      unlinkSync(file);
      symlinkSync(path.join(folder, 'target'), file);
    };

    it('is not followed', async () => {
      const found = fs.lstatSync(file);
      const checking = mock.method(fs.promises, 'lstat', async () => {
        putLink();
        return found;
      });
      try {
        await assert.rejects(readRegularFile(file), { code: 'ELOOP' });
      } finally {
        checking.mock.restore();
      }
      assert.equal(checking.mock.callCount(), 1);
    });

    it('is not followed by the synchronous read', () => {
      const found = fs.lstatSync(file);
      const checking = mock.method(fs, 'lstatSync', () => {
        putLink();
        return found;
      });
      try {
        assert.throws(() => readRegularFileNow(file), { code: 'ELOOP' });
      } finally {
        checking.mock.restore();
      }
      assert.equal(checking.mock.callCount(), 1);
    });
  });
});
