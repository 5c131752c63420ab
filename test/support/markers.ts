import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';

/** The 1-based line of a file that ends with `marker: name`. */
export function markedLine(file: string, name: string): number {
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.trimEnd().endsWith(`marker: ${name}`));
  assert.ok(index >= 0, `no marker ${name} in ${file}`);
  return index + 1;
}
