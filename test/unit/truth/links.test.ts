import { strict as assert } from 'node:assert';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileKey, followLinksBy, samePath } from '../../../src/debugger/sourcePath';
import { KnownLinks } from '../../../src/editor/realFiles';
import { Random } from '../support/random';

const NAMES = ['a', 'b', 'c', 'd'] as const;

/** Returns any path in the tree, through links or not, of a file or of none. */
function randomPath(root: string, random: Random): string {
  let file = root;
  for (let depth = random.below(5); depth >= 0; depth -= 1) {
    const names = isFolder(file) && !random.once(8) ? readdirSync(file) : [];
    if (!isFolder(file) && !random.once(8)) break;
    file = path.join(file, names[random.below(names.length)] ?? random.of(NAMES));
  }
  return file;
}

/** Makes folders, files, and links to any of them, also to links, to nothing and in circles. */
function tree(root: string, random: Random): void {
  const folders = [root];
  for (let index = 0; index < 60; index += 1) {
    const folder = folders[random.below(folders.length)] ?? root;
    const file = path.join(folder, random.of(NAMES) + String(index));
    const kind = random.below(4);
    if (kind === 0) {
      mkdirSync(file);
      folders.push(file);
    } else if (kind === 1) writeFileSync(file, '');
    else {
      const target = randomPath(root, random);
      symlinkSync(
        random.once(2) ? target : path.relative(realpathSync(folder), target) || '.',
        file,
      );
      folders.push(...(isFolder(file) ? [file] : []));
    }
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}

/** The same file has the same number on the disk, whichever links lead to it. */
function numberOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

describe('rule 6: two paths are the same file', () => {
  let root = '';
  let [same, linked] = [0, 0];
  afterEach(() => {
    followLinksBy((file) => file);
    if (root !== '') rmSync(root, { recursive: true });
    root = '';
  });

  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`if and only if the disk says so, in random trees of links (${seed})`, () => {
      const random = new Random(seed);
      root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
      tree(root, random);
      const links = new KnownLinks();
      followLinksBy((file) => links.resolve(file));
      const paths = Array.from({ length: 100 }, () => randomPath(root, random));
      for (const one of paths)
        for (const other of paths) {
          const number = numberOf(one);
          const text = `${one} ${other}`;
          assert.equal(samePath(one, other), samePath(other, one), text);
          assert.equal(samePath(one, other), fileKey(one) === fileKey(other), text);
          if (number === undefined || numberOf(other) === undefined) continue;
          const isSame = number === numberOf(other);
          assert.equal(samePath(one, other), isSame, text);
          if (isSame) same += 1;
          if (isSame && one !== other) linked += 1;
          // A file is within a folder if its real path is.
          const real = path.relative(realpathSync(other), realpathSync(one));
          const isWithin = !real.startsWith('..');
          assert.equal(links.within(one, other), isWithin ? real : undefined, text);
        }
    });

  it('in trees with many files that have several paths', () => {
    assert.ok(same > 500 && linked > 100, String([same, linked]));
  });

  it('if a folder of theirs is a link, also for files that do not exist (yet)', () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    mkdirSync(path.join(root, 'packages/one'), { recursive: true });
    mkdirSync(path.join(root, 'node_modules'));
    symlinkSync('../packages/one', path.join(root, 'node_modules/one'));
    const links = new KnownLinks();
    followLinksBy((file) => links.resolve(file));
    const [linked, real] = ['node_modules/one/index.js', 'packages/one/index.js'].map((file) =>
      path.join(root, file),
    );
    assert.ok(linked !== undefined && real !== undefined && samePath(linked, real));
    // A package that a package manager has linked is own code, however a runtime names its files.
    assert.equal(links.within(linked, root), path.join('packages', 'one', 'index.js'));
  });
});
