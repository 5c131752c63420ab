import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import {
  fileKey,
  followLinksBy,
  isForeignShare,
  personPath,
  samePath,
  shareOf,
} from '../../../src/debugger/sourcePath';

describe('source paths', () => {
  it('keep ordinary paths unchanged', () => {
    for (const path of [
      '/home/ada/a b.js',
      'C:\\src\\a.js',
      'c:/src/a.js',
      '<node_internals>/fs',
      'webpack:///src/a.ts',
      '',
      'relative/a.py',
      '/odd/100%.py',
      '/a#b?c.js',
    ])
      assert.equal(personPath(path), path);
  });

  it('convert addresses of remote windows to the path there', () => {
    assert.equal(personPath('vscode-remote://ssh-remote%2Bbox/home/ada/a.js'), '/home/ada/a.js');
    assert.equal(
      personPath('vscode-remote://wsl+Ubuntu/home/a%20b/%E6%BC%A2.py'),
      '/home/a b/漢.py',
    );
    assert.equal(personPath('VSCODE-REMOTE://localhost:8080/x'), '/x');
    assert.equal(personPath('vscode-remote://box/home/a.js?query#part'), '/home/a.js');
  });

  it('convert file addresses to paths, with the drive first on Windows', () => {
    assert.equal(personPath('file:///home/ada/a.js'), '/home/ada/a.js');
    assert.equal(personPath('file:///C:/src/a%20b.js'), 'C:/src/a b.js');
    assert.equal(personPath('file:///c%3A/src/a.js'), 'c:/src/a.js');
  });

  it('treat an address or a drive inside a path as part of its name', () => {
    for (const path of ['/a/file:///b', 'x vscode-remote://box/a'])
      assert.equal(personPath(path), path);
    assert.equal(personPath('file:///a/c:/b'), '/a/c:/b');
    assert.equal(samePath('/a/C:/B', '/a/c:/b', 'linux'), false);
  });

  it('keep an address that cannot be decoded unchanged', () => {
    assert.equal(personPath('file:///a/100%'), '/a/100%');
  });

  it('are equal if links lead to the same file, also as addresses', () => {
    followLinksBy((path) => path.replace('/link/', '/real/'));
    try {
      for (const other of ['/real/a.js', 'file:///link/a.js', 'vscode-remote://box/link/a.js']) {
        assert.ok(samePath('/link/a.js', other, 'linux'), other);
        assert.equal(fileKey(other, 'linux'), '/real/a.js');
      }
      assert.equal(samePath('/link/a.js', '/real/b.js', 'linux'), false);
    } finally {
      followLinksBy((path) => path);
    }
    assert.equal(samePath('/link/a.js', '/real/a.js', 'linux'), false);
  });

  it('are equal on Windows regardless of slashes and case; elsewhere case matters', () => {
    assert.ok(samePath('C:\\Src\\A.js', 'c:/src/a.js'));
    assert.ok(samePath('file:///C:/src/a.js', 'c:\\src\\a.js'));
    assert.ok(!samePath('/Home/ada/a.js', '/home/ada/a.js'));
    assert.ok(samePath('vscode-remote://box/home/ada/a.js', '/home/ada/a.js'));
    assert.ok(!samePath('C:\\src\\a.js', 'D:\\src\\a.js'));
  });

  it('are equal to themselves, and the comparison is symmetric', () => {
    const path = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((text) => `file:///${text}`),
      fc.string().map((text) => `C:\\${text}`),
    );
    fc.assert(
      fc.property(path, path, (one, other) => {
        assert.ok(samePath(one, one));
        assert.equal(samePath(one, other), samePath(other, one));
      }),
    );
  });

  it('are equal on macOS regardless of case and the encoding of accents, but not on Linux', () => {
    assert.equal(samePath('/Users/Ada/App.js', '/users/ada/app.js', 'darwin'), true);
    assert.equal(samePath('/a/caf\u00e9.js', '/a/cafe\u0301.js', 'darwin'), true);
    assert.equal(samePath('/a/App.js', '/a/app.js', 'linux'), false);
    assert.equal(samePath('C:\\a\\App.js', 'c:/A/app.js', 'linux'), true);
  });
});

describe('network shares', () => {
  const share = (file: string): string | undefined => shareOf(file, 'win32');

  it('are identified by server and share, regardless of slashes and case', () => {
    for (const file of [
      '\\\\Server\\Share\\a.js',
      '//server/share/a.js',
      '\\/server\\share',
      '\\\\\\server\\\\share\\x\\y',
    ])
      assert.equal(share(file), '\\\\server\\share', file);
    assert.equal(share('\\\\server'), '\\\\server\\');
  });

  it('do not include paths on this machine', () => {
    for (const file of ['C:\\a\\b.js', '\\a\\b.js', '/a/b.js', 'a\\\\b\\c', 'C:\\\\a\\b'])
      assert.equal(share(file), undefined, file);
    for (const platform of ['linux', 'darwin'] as const)
      assert.equal(shareOf('\\\\server\\share\\a.js', platform), undefined);
  });

  it('include those of device paths', () => {
    assert.equal(share('\\\\?\\UNC\\server\\share\\a.js'), '\\\\?\\unc');
    assert.equal(share('\\\\.\\pipe\\a'), '\\\\.\\pipe');
    assert.equal(share('\\??\\UNC\\server\\share'), '\\\\?');
    assert.equal(share('C:\\??\\a'), undefined);
  });

  it('are foreign unless a workspace folder is on them; device paths are always foreign', () => {
    const folders = ['C:\\app', '//server/share/app'];
    const isForeign = (file: string, platform: NodeJS.Platform = 'win32'): boolean =>
      isForeignShare(file, folders, platform);
    assert.deepEqual(
      [
        '\\\\SERVER\\share\\lib\\a.js',
        '\\\\server\\other\\a.js',
        '\\\\evil\\share\\a.js',
        'C:\\lib\\a.js',
        '\\\\?\\C:\\app\\a.js',
        '\\??\\C:\\app\\a.js',
      ].map((file) => isForeign(file)),
      [false, true, true, false, true, true],
    );
    assert.equal(isForeignShare('\\\\?\\unc\\a', ['\\\\?\\unc\\b'], 'win32'), true);
    assert.equal(isForeign('//evil/share/a.js', 'linux'), false);
  });
});
