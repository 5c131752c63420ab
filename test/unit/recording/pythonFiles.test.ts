import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PositionEncoding, Workspace, type Diagnostic } from '@astral-sh/ruff-wasm-nodejs';
import { LLDB_RECORDERS } from '../../../src/recording/lldb/recorder';

/** Errors, and names that are unknown or not used. Lines may be long, and hold two statements. */
const RULES = { 'target-version': 'py37', lint: { select: ['E9', 'F', 'B006', 'B023'] } };

/** The names that the extension or LLDB gives to a file, before it runs. */
const GIVEN = 'C = {}\n';

const PYTHON_RECORDERS = {
  call: ['connection', 'folder', 'values', 'expressions', 'parts', 'shapes', 'call'],
  hang: ['values', 'hang'],
  heap: ['values', 'heap'],
  points: ['connection', 'folder', 'values', 'expressions', 'parts', 'points'],
};

const textOf = (...parts: readonly string[]): string => readFileSync(path.join(...parts), 'utf8');

/** Files that run one after the other in one namespace, as one text. */
const together = (folder: string, files: readonly string[]): string =>
  files.map((each) => textOf('recorders', folder, `${each}.py`)).join('\n');

/** What is wrong in a text, such as `F821 Undefined name (12)`. */
function problems(text: string): readonly string[] {
  const ruff = new Workspace(RULES, PositionEncoding.Utf16);
  const found = ruff.check(text) as readonly Diagnostic[];
  return found.map(({ code, message, start_location: { row } }) => `${code}: ${message} (${row})`);
}

describe('the Python of the extension', () => {
  for (const [name, files] of Object.entries(PYTHON_RECORDERS))
    it(`has no unknown and no unused names in the recorder ${name}`, () => {
      const given = name === 'points' ? `${GIVEN}W = {}\n` : GIVEN;
      assert.deepEqual(problems(given + together('python', files)), []);
    });

  for (const [name, files] of Object.entries(LLDB_RECORDERS))
    it(`has no unknown and no unused names in the recorder ${name} of LLDB`, () => {
      assert.deepEqual(problems(GIVEN + together('lldb', ['values', ...files])), []);
    });

  it('has each file of a recorder in one of these', () => {
    const python = Object.values(PYTHON_RECORDERS).flat();
    const lldb = ['values', ...Object.values(LLDB_RECORDERS).flat()];
    for (const [folder, known] of Object.entries({ python, lldb }))
      assert.deepEqual(
        readdirSync(path.join('recorders', folder)).filter(
          (each) => each.endsWith('.py') && !known.includes(each.slice(0, -3)),
        ),
        [],
      );
  });

  for (const folder of ['reporters/python', 'reporters/lldb'])
    it(`has no unknown and no unused names in ${folder}`, () => {
      const files = readdirSync(folder).filter((each) => each.endsWith('.py'));
      assert.ok(files.length > 0);
      assert.deepEqual(
        files.flatMap((each) => problems(textOf(folder, each)).map((found) => `${each}: ${found}`)),
        [],
      );
    });
});
