import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { personPath, samePath } from '../../../src/debugger/sourcePath';

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
