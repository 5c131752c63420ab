import { strict as assert } from 'node:assert';
import { Failure } from '../../../../src/results/failure';
import { absolute, fileNotFound } from '../../../../src/tools/files/files';
import { bench } from '../../support/services';

describe('a missing file', () => {
  const among = (files: readonly string[]) => ({
    filesNamed: (name: string) =>
      Promise.resolve(files.filter((file) => file.endsWith(`/${name}`))),
  });

  it('is reported with the files of the same name, the one with the most similar end of path first', async () => {
    const files = ['/app/a/index.js', '/app/lib/index.js', '/app/b/lib/index.js', '/app/other.js'];
    const failure = await fileNotFound(among(files), 'old/lib/index.js', 'no file');
    assert.deepEqual(
      [failure.code, failure.data],
      [
        'file_not_found',
        { candidates: ['/app/lib/index.js', '/app/b/lib/index.js', '/app/a/index.js'] },
      ],
    );
    assert.match(failure.hint, /candidates/);
    assert.deepEqual((await fileNotFound(among(files), 'C:\\old\\other.js', 'no file')).data, {
      candidates: ['/app/other.js'],
    });
  });

  it('is reported with at most five candidates, and without candidates if there are none', async () => {
    const files = Array.from({ length: 9 }, (_, index) => `/app/${index}/index.js`);
    assert.deepEqual((await fileNotFound(among(files), 'index.js', 'no file')).data, {
      candidates: files.slice(0, 5),
    });
    const none = await fileNotFound(among(files), 'none.js', 'no file');
    assert.deepEqual(none.data, {});
    assert.doesNotMatch(none.hint, /candidates/);
  });

  it('is searched for in the workspace folders first', async () => {
    const { services, workspace } = bench();
    const [existing] = workspace.files.keys();
    assert.ok(existing !== undefined);
    const failure = await absolute(services, `nowhere/${existing.split('/').at(-1)}`).catch(
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Failure);
    assert.deepEqual(failure.data, { candidates: [existing] });
  });
});
