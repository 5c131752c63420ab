import { strict as assert } from 'node:assert';
import path from 'node:path';
import { textOf } from '../../../src/debugger/protocol';
import { Failure } from '../../../src/results/failure';
import { APP, holding, made } from '../support/programs';
import { Random } from '../support/random';

const NAMES = ['node', 'npm', 'pytest', 'python', 'go', 'eslint', 'flask', 'sort', 'shop'] as const;
const HEADS: Readonly<Record<string, string | null>> = {
  npm: '#!/usr/bin/env node\n',
  eslint: '#!/usr/bin/env node\n',
  flask: '#!/usr/bin/python3\n',
};

/** A workspace that may have a file or a folder of each name, with programs on the PATH and in packages. */
function filesOf(random: Random): Readonly<Record<string, string | null>> {
  const files: Record<string, string | null> = {};
  for (const name of NAMES) {
    const inApp = path.join(APP, name);
    const kind = random.of(['absent', 'file', 'folder', 'project', 'project']);
    if (kind === 'file') files[inApp] = 'print(1)';
    if (kind === 'folder') files[`${inApp}/notes.txt`] = 'none';
    if (kind === 'project') {
      files[`${inApp}/package.json`] = '{}';
      files[`${inApp}/index.js`] = '';
    }
    if (random.once(2) && name !== 'shop') files[`/usr/bin/${name}`] = HEADS[name] ?? null;
    if (name === 'eslint' && random.once(2))
      files[`${APP}/node_modules/.bin/eslint`] = '#!/usr/bin/env node\n';
  }
  return files;
}

/** Whether a configuration, or the reason why there is none, is about a path below the workspace's folder. */
async function meant(
  files: Readonly<Record<string, string | null>>,
  program: string,
): Promise<'path' | 'program' | 'none'> {
  const on = holding(files);
  const input = { program, ...(program === 'python' ? { args: ['-m', 'pytest'] } : {}) };
  try {
    const { program: file } = { program: undefined, ...(await made(on, input)) };
    const folder = path.resolve(APP, program);
    return textOf(file) === folder || textOf(file)?.startsWith(`${folder}/`) === true
      ? 'path'
      : 'program';
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return error.code === 'not_supported' ? 'program' : 'none';
  }
}

describe('rule 7: a bare name of a program', () => {
  it('means the program, whatever folders have its name; a folder is meant by its path', async () => {
    const random = new Random(7);
    const seen = new Map<string, number>();
    for (let round = 0; round < 40; round += 1) {
      const files = filesOf(random);
      for (const name of NAMES) {
        const inApp = path.join(APP, name);
        const isFile = files[inApp] !== undefined;
        const isProject = files[`${inApp}/index.js`] !== undefined;
        const isFolder = isProject || files[`${inApp}/notes.txt`] !== undefined;
        const isKnown =
          ['pytest', 'python'].includes(name) ||
          files[`/usr/bin/${name}`] !== undefined ||
          (name === 'eslint' && files[`${APP}/node_modules/.bin/eslint`] !== undefined);
        const right = isFile ? 'path' : isKnown ? 'program' : isProject ? 'path' : 'none';
        const text = JSON.stringify([name, files]);
        const found = await meant(files, name);
        // A file that no debugger is for is refused by its own name, and a folder without a main file as well.
        if (right === 'none') assert.notEqual(found, 'path', text);
        else if (!isFile) assert.equal(found, right, text);
        if (isProject) assert.equal(await meant(files, `./${name}`), 'path', text);
        if (isFile || !isFolder) continue;
        seen.set(right, (seen.get(right) ?? 0) + 1);
      }
    }
    assert.ok((seen.get('program') ?? 0) > 50 && (seen.get('path') ?? 0) > 20, String([...seen]));
  });
});
