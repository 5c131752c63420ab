import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { chooseWindow, pathsOf, wishIn, type Wish } from '../../../../src/mcp/windows/routing';

const at = (...folders: string[]) => ({
  id: folders.join('').replace(/\W/g, ''),
  name: folders.map((each) => path.basename(each)).join('+'),
  folders,
});

const SHOP = at('/home/ada/shop');
const API = at('/home/ada/shop/api');
const BOTH = at('/home/ada/a', '/home/ada/b');
const NONE = { id: 'empty', name: '', folders: [] as string[] };

function chosen(windows: readonly ReturnType<typeof at>[], wish: Wish): string {
  const choice = chooseWindow(windows, wish);
  return choice.kind === 'window'
    ? choice.window.id
    : choice.kind === 'several'
      ? choice.windows.map((each) => each.id).join(' ')
      : 'none';
}

describe('chooseWindow', () => {
  it('takes the window that contains the path, with the nearest folder', () => {
    assert.equal(chosen([SHOP, API, BOTH], { roots: ['/home/ada/shop/api/src'] }), API.id);
    assert.equal(chosen([SHOP, API, BOTH], { roots: ['/home/ada/shop/web'] }), SHOP.id);
    assert.equal(chosen([SHOP, API, BOTH], { roots: ['/home/ada/b'] }), BOTH.id);
  });

  it('takes a window inside the path if none contains it', () => {
    assert.equal(chosen([API, BOTH], { roots: ['/home/ada/shop'] }), API.id);
    assert.equal(chosen([API, BOTH], { roots: ['/home/ada'] }), `${API.id} ${BOTH.id}`);
  });

  it('does not take a folder whose name only begins the same way', () => {
    assert.equal(chosen([SHOP, BOTH], { workspace: '/home/ada/shop2' }), 'none');
    assert.equal(chosen([SHOP, BOTH], { workspace: '/home/ada/sho' }), 'none');
  });

  it('prefers a named workspace to roots, roots to the folder, and the folder to the only window', () => {
    assert.equal(
      chosen([SHOP, BOTH], {
        workspace: '/home/ada/shop',
        roots: ['/home/ada/a'],
        folder: '/home/ada/b',
      }),
      SHOP.id,
    );
    assert.equal(
      chosen([SHOP, BOTH], { roots: ['/home/ada/a'], folder: '/home/ada/shop' }),
      BOTH.id,
    );
    assert.equal(chosen([SHOP, BOTH], { roots: ['/else'], folder: '/home/ada/shop' }), SHOP.id);
    assert.equal(chosen([SHOP, BOTH], { folder: '/else' }), `${SHOP.id} ${BOTH.id}`);
    assert.equal(chosen([SHOP], { folder: '/else', roots: ['/else'] }), SHOP.id);
    assert.equal(chosen([NONE], {}), 'empty');
    assert.equal(
      chosen([SHOP], { workspace: '/else' }),
      'none',
      'what was said is not replaced by a guess',
    );
    assert.equal(chosen([], {}), 'none');
  });

  it('recognizes a window by id, name and folder name, and a folder by its URI', () => {
    for (const workspace of [API.id, 'api', 'file:///home/ada/shop/api'])
      assert.equal(chosen([SHOP, API, BOTH], { workspace }), API.id, workspace);
    for (const workspace of ['a+b', 'b'])
      assert.equal(chosen([SHOP, API, BOTH], { workspace }), BOTH.id, workspace);
    assert.equal(chosen([SHOP, at('/other/shop')], { workspace: 'shop' }), `${SHOP.id} othershop`);
  });

  it('resolves links', () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-links-')));
    try {
      mkdirSync(path.join(root, 'real/src'), { recursive: true });
      symlinkSync(path.join(root, 'real'), path.join(root, 'link'));
      assert.equal(
        chosen([at(path.join(root, 'link')), SHOP], { roots: [path.join(root, 'real/src')] }),
        at(path.join(root, 'link')).id,
      );
      assert.equal(
        chosen([at(path.join(root, 'real')), SHOP], { roots: [path.join(root, 'link')] }),
        at(path.join(root, 'real')).id,
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('compares network shares as text, because Windows would log in to a share when it resolves it', () => {
    const looked: string[] = [];
    const windows = (realPath: (file: string) => string) => ({
      platform: 'win32' as const,
      realPath: (file: string): string => {
        looked.push(file);
        return realPath(file);
      },
    });
    const [local, shared] = [
      { id: 'local', name: 'app', folders: ['C:\\work\\app'] },
      { id: 'shared', name: 'team', folders: ['\\\\Server\\Team\\app'] },
    ];
    const chosenOn = (wish: Wish, realPath = (file: string): string => file): string => {
      const choice = chooseWindow([local, shared], wish, windows(realPath));
      return choice.kind === 'window' ? choice.window.id : choice.kind;
    };
    const evil = [
      '\\\\evil\\share\\x',
      '//evil/share',
      '\\\\?\\UNC\\evil\\share',
      '\\\\.\\pipe\\x',
      'file://evil/share/x',
      '/\\evil/share',
    ];
    for (const path of evil) assert.equal(chosenOn({ workspace: path }), 'none', path);
    assert.equal(
      chosenOn({ roots: pathsOf(['file://evil/share/x'], 'win32'), folder: '\\\\evil\\share' }),
      'several',
    );
    for (const path of [
      '\\\\server\\team\\app\\src',
      '//SERVER/Team/app',
      'file://server/Team/app/src',
    ])
      assert.equal(chosenOn({ workspace: path }), 'shared', path);
    assert.deepEqual(
      [...new Set(looked.filter((file) => !file.toLowerCase().startsWith('c:')))],
      [],
    );
    assert.equal(chosenOn({ workspace: 'c:/WORK/app/src' }), 'local');
    assert.equal(
      chosenOn({ roots: ['Z:\\app'] }, (file) =>
        file === 'Z:\\app' ? '\\\\server\\team\\app' : file,
      ),
      'shared',
      'a drive that stands for a share',
    );
  });

  it('parses roots and addresses, whatever they contain', () => {
    assert.deepEqual(
      pathsOf([
        'file:///home/ada/a%20b',
        'https://x',
        'file://other-host/share',
        '',
        'file:///home/ada/%',
      ]),
      ['/home/ada/a b'],
    );
    assert.deepEqual(wishIn(new URL('http://x/mcp?workspace=%2Fa&folder=%2Fb')), {
      workspace: '/a',
      folder: '/b',
    });
    assert.deepEqual(wishIn(new URL('http://x/mcp')), { workspace: undefined, folder: undefined });
  });

  it('parses a folder from a URL that VS Code’s `uri.toString()` has encoded a second time', () => {
    for (const folder of ['/home/ada/a b', '/home/ada/a&b', '/home/ada/a=b+c', '/home/ada/50%'])
      for (const query of [`workspace=${folder}`, `workspace=${encodeURIComponent(folder)}`])
        assert.deepEqual(wishIn(new URL(`http://x/mcp?${encodeURIComponent(query)}`)), {
          workspace: folder,
          folder: undefined,
        });
    assert.equal(wishIn(new URL('http://x/mcp?workspace=%2Fa&workspace%3D%2Fb')).workspace, '/a');
  });

  it('never throws, and never returns a window that was not offered', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '/',
        '/home/ada',
        '/home/ada/shop/../a',
        '..',
        '.',
        '\0',
        'file:///',
        'file://[',
        'C:\\x',
      ),
    );
    const window = fc.record({
      id: fc.string(),
      name: fc.string(),
      folders: fc.array(text, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(window, { maxLength: 4 }),
        fc.option(text, { nil: undefined }),
        fc.array(text, { maxLength: 3 }),
        fc.option(text, { nil: undefined }),
        (windows, workspace, roots, folder) => {
          const choice = chooseWindow(windows, { workspace, roots, folder });
          if (choice.kind === 'window') assert.ok(windows.includes(choice.window));
          if (choice.kind === 'several')
            assert.ok(
              choice.windows.length > 1 && choice.windows.every((each) => windows.includes(each)),
            );
          if (choice.kind === 'none') assert.ok(workspace !== undefined || windows.length === 0);
        },
      ),
    );
  });
});
