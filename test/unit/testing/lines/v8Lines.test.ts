import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { countOf, type RanLines } from '../../../../src/testing/lines/ranLines';
import { mappingsOf, sourcesOf } from '../../../../src/testing/lines/sourceMap';
import { readV8Lines } from '../../../../src/testing/lines/v8Lines';

/** Runs a program as `what_ran` does, and reads its counts. */
async function run(
  files: Readonly<Record<string, string>>,
  change: (text: string) => string = (text) => text,
): Promise<RanLines> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lines-')));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const coverage = path.join(folder, 'coverage');
    const [program = ''] = Object.keys(files);
    const { status, stderr } = spawnSync(process.execPath, [path.join(folder, program)], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: coverage },
    });
    assert.equal(status, 0, stderr);
    const texts = readdirSync(coverage).map((name) =>
      readFileSync(path.join(coverage, name), 'utf8'),
    );
    const isOwn = (file: string): boolean => file.startsWith(folder + path.sep);
    const read = (file: string): Promise<string | undefined> =>
      Promise.resolve(change(readFileSync(file, 'utf8')));
    const lines = await readV8Lines(texts, isOwn, read);
    return {
      ...lines,
      files: lines.files.map((each) => ({ ...each, path: path.basename(each.path) })),
      unread: lines.unread.map((each) => path.basename(each)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The counts of the lines of a file with a mark such as `// 3`, beside the mark. */
function marks({ files }: RanLines, name: string, text: string) {
  const lines = files.find(({ path: each }) => each === name)?.lines;
  return text.split('\n').flatMap((line, index) => {
    const mark = /\/\/ (\d+)$/.exec(line)?.[1];
    const count = countOf(lines?.get(index + 1) ?? []);
    return mark === undefined ? [] : [[`${name}:${index + 1}`, count, Number(mark)] as const];
  });
}

const PROGRAM = `const path = require('node:path'); // 1
function used(n) { // 3
  if (n > 1) { // 3
    return 'more'; // 1
  }
  // A comment with words.
  const text = \`never \${n} ran\`; // 2
  return text; // 2
}
const never = () => { // 1
  return 'no code ran here'; // 0
};
class Cart {
  add() { return this.fail(); } // 1
  fail() { throw new Error('x'); } // 1
  other() { return 1; } // 0
}
for (const n of [0, 1, 2]) used(n); // 3
try { // 1
  new Cart().add(); // 1
} catch { // 1
  path.sep; // 1
}
`;

describe('the counts of V8', () => {
  it('are those of the blocks', async () => {
    const lines = await run({ 'main.cjs': PROGRAM });
    assert.equal(lines.unit, 'block');
    const found = marks(lines, 'main.cjs', PROGRAM);
    assert.equal(found.length, 16);
    for (const [at, count, mark] of found) assert.equal(count, mark, at);
    const known = lines.files[0]?.lines;
    // Lines without code say nothing.
    assert.deepEqual([known?.has(6), known?.has(9)], [false, false]);
  });

  it('are the same in ES modules, and with line ends of Windows', async () => {
    const text = PROGRAM.replace(
      "const path = require('node:path');",
      "import path from 'node:path';",
    ).replaceAll('\n', '\r\n');
    const lines = await run({ 'main.mjs': text });
    for (const [at, count, mark] of marks(lines, 'main.mjs', text.replaceAll('\r', '')))
      assert.equal(count, mark, at);
  });

  it('are not read with another text', async () => {
    const lines = await run({ 'main.cjs': PROGRAM }, (text) => `${text}// changed\n`);
    assert.deepEqual([lines.files, lines.unread], [[], ['main.cjs']]);
  });

  it('of all processes are added', async () => {
    const child = `const n = 1; // 2
if (process.argv[2] === 'child') n.toFixed(); // 1
else require('node:child_process').spawnSync(process.execPath, [__filename, 'child']); // 1
`;
    const lines = await run({ 'main.cjs': child });
    for (const [at, count, mark] of marks(lines, 'main.cjs', child).slice(0, 1))
      assert.equal(count, mark, at);
    assert.match(lines.notes.join(), /killed/);
  });

  it('belong to the sources of a script that was made of them', async () => {
    const text = `interface Order {
  readonly price: number;
}

function half(order: Order): number { // 1
  return order.price / 2; // 1
}

function twice(order: Order): number { // 0
  return order.price * 2; // 0
}

export const price: number = half({ price: 4 }); // 1
if (price > 5) twice({ price }); // 1
`;
    const { outputText, sourceMapText = '' } = ts.transpileModule(text, {
      fileName: 'main.ts',
      compilerOptions: {
        sourceMap: true,
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
      },
    });
    const lines = await run({
      'main.js': outputText,
      'main.js.map': sourceMapText,
      'main.ts': text,
    });
    assert.deepEqual(
      lines.files.map(({ path: name }) => name),
      ['main.ts'],
    );
    const found = marks(lines, 'main.ts', text);
    assert.equal(found.length, 6);
    for (const [at, count, mark] of found) assert.equal(count, mark, at);
  });

  it('are not read by a source map that is not valid', () => {
    assert.deepEqual(mappingsOf({ mappings: 'AAAA,!!!!;;C' }), [
      { line: 0, column: 0, source: 0, sourceLine: 0, sourceColumn: 0 },
    ]);
    assert.deepEqual(mappingsOf(undefined), []);
    assert.deepEqual(sourcesOf({ sourceRoot: '/x', sources: ['a.ts'] }), []);
  });
});
