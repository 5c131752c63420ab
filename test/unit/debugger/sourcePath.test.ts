import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isForeignShare, personPath, samePath, shareOf } from '../../../src/debugger/sourcePath';

describe('source paths', () => {
  it('ordinary paths stay as they are', () => {
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

  it('addresses of remote windows become the path there', () => {
    assert.equal(personPath('vscode-remote://ssh-remote%2Bbox/home/ada/a.js'), '/home/ada/a.js');
    assert.equal(
      personPath('vscode-remote://wsl+Ubuntu/home/a%20b/%E6%BC%A2.py'),
      '/home/a b/漢.py',
    );
    assert.equal(personPath('VSCODE-REMOTE://localhost:8080/x'), '/x');
    assert.equal(personPath('vscode-remote://box/home/a.js?query#part'), '/home/a.js');
  });

  it('file addresses become paths, with the drive of Windows in front', () => {
    assert.equal(personPath('file:///home/ada/a.js'), '/home/ada/a.js');
    assert.equal(personPath('file:///C:/src/a%20b.js'), 'C:/src/a b.js');
    assert.equal(personPath('file:///c%3A/src/a.js'), 'c:/src/a.js');
  });

  it('an address or a drive inside of a path is part of its name', () => {
    for (const path of ['/a/file:///b', 'x vscode-remote://box/a'])
      assert.equal(personPath(path), path);
    assert.equal(personPath('file:///a/c:/b'), '/a/c:/b');
    assert.equal(samePath('/a/C:/B', '/a/c:/b', 'linux'), false);
  });

  it('an address that cannot be decoded is taken as it is', () => {
    assert.equal(personPath('file:///a/100%'), '/a/100%');
  });

  it('on Windows, drives, slashes and case do not tell files apart; elsewhere case does', () => {
    assert.ok(samePath('C:\\Src\\A.js', 'c:/src/a.js'));
    assert.ok(samePath('file:///C:/src/a.js', 'c:\\src\\a.js'));
    assert.ok(!samePath('/Home/ada/a.js', '/home/ada/a.js'));
    assert.ok(samePath('vscode-remote://box/home/ada/a.js', '/home/ada/a.js'));
    assert.ok(!samePath('C:\\src\\a.js', 'D:\\src\\a.js'));
  });

  it('every path is the same as itself, and the comparison goes both ways', () => {
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

  it('on macOS case and the way an accent is written do not count, on Linux they do', () => {
    assert.equal(samePath('/Users/Ada/App.js', '/users/ada/app.js', 'darwin'), true);
    assert.equal(samePath('/a/caf\u00e9.js', '/a/cafe\u0301.js', 'darwin'), true);
    assert.equal(samePath('/a/App.js', '/a/app.js', 'linux'), false);
    assert.equal(samePath('C:\\a\\App.js', 'c:/A/app.js', 'linux'), true);
  });
});

describe('network shares', () => {
  const share = (file: string): string | undefined => shareOf(file, 'win32');

  it('are told by server and share, however slashes and case are written', () => {
    for (const file of [
      '\\\\Server\\Share\\a.js',
      '//server/share/a.js',
      '\\/server\\share',
      '\\\\\\server\\\\share\\x\\y',
    ])
      assert.equal(share(file), '\\\\server\\share', file);
    assert.equal(share('\\\\server'), '\\\\server\\');
  });

  it('are no paths of this machine', () => {
    for (const file of ['C:\\a\\b.js', '\\a\\b.js', '/a/b.js', 'a\\\\b\\c', 'C:\\\\a\\b'])
      assert.equal(share(file), undefined, file);
    for (const platform of ['linux', 'darwin'] as const)
      assert.equal(shareOf('\\\\server\\share\\a.js', platform), undefined);
  });

  it('are named by device paths, too', () => {
    assert.equal(share('\\\\?\\UNC\\server\\share\\a.js'), '\\\\?\\unc');
    assert.equal(share('\\\\.\\pipe\\a'), '\\\\.\\pipe');
    assert.equal(share('\\??\\UNC\\server\\share'), '\\\\?');
    assert.equal(share('C:\\??\\a'), undefined);
  });

  it('are foreign unless a folder lies on them; device paths always are', () => {
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
