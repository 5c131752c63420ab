import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workTreeOf } from '../../../../src/mcp/clients/gitWorkTree';

/** Uses real repositories, created with the installed Git. */
describe('the Git work tree of a settings file', () => {
  let root: string;
  let home: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'dotfiles-')));
    home = path.join(root, 'home');
    mkdirSync(path.join(home, '.cursor'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const git = (folder: string, ...args: readonly string[]): void => {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args],
      { env: { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1' }, stdio: 'pipe' },
    );
  };
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const settings = (): string => path.join(home, '.cursor', 'mcp.json');
  const found = async (real = settings()): Promise<string | undefined> =>
    await workTreeOf({ named: settings(), real, home });

  it('is undefined for a file outside any work tree', async () => {
    assert.equal(await found(), undefined);
  });

  it('is the dotfiles repository that a link leads into, even if the file is ignored or does not exist yet', async () => {
    const dotfiles = path.join(root, 'dotfiles');
    git(dotfiles, 'init', '-q');
    const real = path.join(dotfiles, 'cursor', 'mcp.json');
    symlinkSync(real, settings());
    assert.equal(await found(real), dotfiles);
    write(real, '{}');
    write(path.join(dotfiles, '.gitignore'), 'mcp.json\n');
    assert.equal(await found(real), dotfiles);
  });

  it('is the repository that a linked folder leads into', async () => {
    const dotfiles = path.join(root, 'dotfiles');
    git(dotfiles, 'init', '-q');
    rmSync(path.join(home, '.cursor'), { recursive: true });
    mkdirSync(path.join(dotfiles, 'cursor'));
    symlinkSync(path.join(dotfiles, 'cursor'), path.join(home, '.cursor'));
    assert.equal(await found(path.join(dotfiles, 'cursor', 'mcp.json')), dotfiles);
  });

  for (const [name, ignored, expected] of [
    ['nothing', '', true],
    ['something else', 'other.json\n', true],
    ['the file', '.cursor/mcp.json\n', false],
    ['its folder', '.cursor/\n', false],
    ['everything', '*\n', false],
    ['everything but the file', '*\n!.cursor\n!.cursor/mcp.json\n', true],
  ] as const) {
    it(`depends on the ignore rules if the home folder is a work tree that ignores ${name}`, async () => {
      git(home, 'init', '-q');
      if (ignored !== '') write(path.join(home, '.gitignore'), ignored);
      write(settings(), '{}');
      assert.equal(await found(), expected ? home : undefined);
    });
  }

  it('is found if a deeper ignore file re-includes the file', async () => {
    git(home, 'init', '-q');
    write(path.join(home, '.gitignore'), 'mcp.json\n');
    write(path.join(home, '.cursor', '.gitignore'), '!mcp.json\n');
    assert.equal(await found(), home);
  });

  it('is undefined if the repository’s own exclude file lists the folder', async () => {
    git(home, 'init', '-q');
    write(path.join(home, '.git', 'info', 'exclude'), '.cursor\n');
    assert.equal(await found(), undefined);
  });

  it('is found for an ignored file that was added by force', async () => {
    git(home, 'init', '-q');
    write(path.join(home, '.gitignore'), '*\n');
    write(settings(), '{}');
    assert.equal(await found(), undefined);
    git(home, 'add', '-f', '.cursor/mcp.json');
    assert.equal(await found(), home);
    git(home, 'update-index', '--index-version', '4');
    assert.equal(await found(), home, 'an index that shortens names');
  });

  it('is found for a linked work tree, whose .git is a file', async () => {
    const main = path.join(root, 'main');
    git(main, 'init', '-q');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'x');
    rmSync(home, { recursive: true });
    git(main, 'worktree', 'add', '-q', home);
    write(path.join(home, '.gitignore'), '*\n');
    write(settings(), '{}');
    assert.equal(await found(), undefined);
    git(home, 'add', '-f', '.cursor/mcp.json');
    assert.equal(await found(), home);
  });

  it('is not affected by a link to the home folder itself', async () => {
    git(home, 'init', '-q');
    write(path.join(home, '.gitignore'), '*\n');
    const linked = path.join(root, 'linked');
    symlinkSync(home, linked);
    assert.equal(
      await workTreeOf({
        named: path.join(linked, '.cursor', 'mcp.json'),
        real: settings(),
        home: linked,
      }),
      undefined,
    );
  });
});
