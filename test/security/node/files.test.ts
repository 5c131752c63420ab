import { strict as assert } from 'node:assert';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kindOf, readRegular, realPathOf } from '../../../src/editor/realFiles';
import { GuardedWorkspace, type Disk } from '../../../src/tools/files/fileAccess';
import { FakeWorkspace } from '../../unit/support/services';

const SECRET = 'correct-horse-battery-staple';
const SWAPS = 2000;
/** The number of turns of the event loop in which a read ends. */
const TURNS = 400;

/** The real disk, without an editor. */
const DISK: Disk = {
  realPath: realPathOf,
  read: readRegular,
  kindOf,
  languageOf: () => Promise.resolve(undefined),
  languageByName: () => undefined,
  filesNamed: () => Promise.resolve([]),
  filesWith: () => Promise.resolve([]),
};

describe('a race for a file outside the workspace', () => {
  let root = '';
  let workspace: GuardedWorkspace;
  const at = (...names: string[]): string => path.join(root, ...names);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-race-')));
    for (const folder of ['app/real', 'outside']) mkdirSync(at(folder), { recursive: true });
    writeFileSync(at('app/real/file'), 'mine');
    writeFileSync(at('outside/file'), SECRET);
    const bare = new FakeWorkspace();
    bare.folders = [{ name: 'app', path: at('app') }];
    workspace = new GuardedWorkspace(bare, DISK, () => Promise.resolve(false));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Replaces a link by another in one step. */
  const point = (link: string, target: string): void => {
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  };

  /** Reads a path many times, and swaps its target during each read, at a later turn of the event loop each time. */
  async function race(
    file: string,
    swap: (toOutside: boolean) => void,
  ): Promise<{ readonly mine: number; readonly refused: number }> {
    const counts = { mine: 0, refused: 0 };
    for (let swaps = 0; swaps < SWAPS; swaps += 1) {
      swap(false);
      const reading = workspace.readText(file).then(
        (text) => {
          assert.ok(!text.includes(SECRET), `swap ${swaps}`);
          counts.mine += 1;
        },
        () => {
          counts.refused += 1;
        },
      );
      // Each swap is one turn later in the read than the one before.
      for (let turns = swaps % TURNS; turns > 0; turns -= 1)
        await new Promise((resolve) => setImmediate(resolve));
      swap(true);
      await reading;
    }
    return counts;
  }

  it('is not won by swapping a link during the read', async () => {
    const counts = await race(at('app/link'), (toOutside) =>
      point(at('app/link'), toOutside ? at('outside/file') : at('app/real/file')),
    );
    assert.ok(counts.mine > 0 && counts.refused > 0, JSON.stringify(counts));
  });

  it('is not won by swapping a folder for a link during the read', async () => {
    const counts = await race(at('app/real/file'), (toOutside) => {
      if (toOutside) {
        renameSync(at('app/real'), at('app/away'));
        symlinkSync(at('outside'), at('app/real'));
      } else if (realpathSync(at('app/real')) !== at('app/real')) {
        rmSync(at('app/real'));
        renameSync(at('app/away'), at('app/real'));
      }
    });
    assert.ok(counts.mine > 0 && counts.refused > 0, JSON.stringify(counts));
  });
});
