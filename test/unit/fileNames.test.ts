import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The names of all TypeScript files in a folder and its folders. */
const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => name);

describe('the files of a layer', () => {
  for (const { name: layer } of readdirSync('src', { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ))
    it(`have different names: ${layer}`, () => {
      const names = namesIn(path.join('src', layer));
      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
    });
});
