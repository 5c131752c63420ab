import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skip } from '../../support/skip';
import { javaScriptFile } from '../../../src/recording/javaScriptConditions';
import { readRow, type ComparedParts } from '../../../src/recording/recordedRows';
import { PYTHON, RECORDERS, SETTINGS } from '../support/recorderRuns';

const SEEDS = [1, 2, 3];

/** A value at a line: the text of all of it, the text that the recorder shows, and what it tells of its parts. */
interface Line {
  readonly whole: string;
  readonly shown: string;
  readonly parts: ComparedParts;
}

/** A program that changes a random value, and records it after each change. `whole` shows all of it. */
const PROGRAM = String.raw`
let state = 0;
const random = n => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
class Point { constructor(x, y) { this.x = x; this.y = y; } get sum() { throw new Error('code of the program'); } }
const simple = () => [0, -0, 1, '1', true, null, undefined, NaN, 10n, 'a', 'x'.repeat(80) + 'ab'[random(2)]][random(11)];
const value = depth => {
  const n = [1, 3, 20][random(3)], each = () => Array.from({ length: n }, () => value(depth - 1));
  switch (depth === 0 ? 0 : random(8)) {
    case 0: case 1: return simple();
    case 2: case 3: return each();
    case 4: return new Map(each().map((x, i) => [i, x]));
    case 5: return Object.fromEntries(each().map((x, i) => ['f' + i, x]));
    case 6: return new Point(value(depth - 1), value(depth - 1));
    default: return [new Float64Array(30), new Set(Array.from({ length: n }, () => random(100)))][random(2)];
  }
};
const whole = v => {
  if (typeof v === 'bigint') return v + 'n';
  if (Object.is(v, -0)) return '-0';
  if (typeof v !== 'object' || v === null) return typeof v + String(v);
  if (v instanceof Map) return 'Map' + [...v].map(([k, x]) => k + '=' + whole(x)).sort();
  if (v instanceof Set) return 'Set' + [...v].sort();
  if (Array.isArray(v) || ArrayBuffer.isView(v)) return '[' + Array.from(v, whole).join() + ']';
  return '{' + Object.keys(v).map(k => k + ':' + whole(v[k])).join() + '}';
};
const change = v => {
  if (typeof v !== 'object' || v === null) return false;
  const inner = v instanceof Map ? [...v.values()] : ArrayBuffer.isView(v) || v instanceof Set ? [] : Object.values(v);
  for (const x of inner) if (random(3) === 0 && change(x)) return true;
  if (v instanceof Map) v.set(random(v.size), simple());
  else if (v instanceof Set) { v.delete([...v][0]); v.add(100 + random(10)); }
  else if (ArrayBuffer.isView(v)) v[random(v.length)] = random(3);
  else { const all = Object.keys(v); v[all[random(all.length)]] = simple(); }
  return true;
};
const R = (0, eval)(require('fs').readFileSync(FILE, 'utf8'));
function called(v) {
  const at = () => [0, 0, 0, [[() => v, 'v']]];
  const lines = [];
  for (let i = 0; i < 6; i++) {
    if (i > 0 && random(5) > 0) change(v);
    i === 0 ? R.choose(1, at) : R.r([1, at]);
    lines.push(whole(v));
  }
  console.log(JSON.stringify(lines));
}
for (let seed = 1; seed <= SEEDS; seed++) {
  state = seed;
  called(value(3));
}
`;

/** Runs the program. Returns the lines of each value. */
function javaScriptLines(seeds: number): readonly (readonly Line[])[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const more = { text: 60, items: 4, oneCall: true, hits: 1e6, bytes: 1e8 };
    const file = path.join(folder, 'recorder.js');
    writeFileSync(
      file,
      javaScriptFile(SETTINGS.name, JSON.stringify({ ...SETTINGS, folder, ...more })),
    );
    const text = PROGRAM.replace('SEEDS', String(seeds)).replace('FILE', JSON.stringify(file));
    const ended = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8', maxBuffer: 1e9 });
    assert.equal(ended.status, 0, ended.stderr);
    const name = readdirSync(folder).find((each) => each.endsWith('.jsonl')) ?? '';
    const rows = readFileSync(path.join(folder, name), 'utf8').trim().split('\n').map(readRow);
    const hits = rows.flatMap((row) => (row?.kind === 'hit' ? [row.hit] : []));
    const wholes = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as readonly string[]);
    assert.equal(hits.length, wholes.flat().length);
    return wholes.map((lines, seed) =>
      lines.map((whole, index) => {
        const hit = hits[seed * lines.length + index];
        const [shown] = hit?.values ?? [];
        assert.ok(hit?.parts !== undefined && typeof shown === 'string');
        return { whole, shown, parts: hit.parts };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const told = ({ changes }: ComparedParts) => changes.filter(({ now }) => now !== undefined);

describe('the contents of values whose text shows a part', function () {
  this.timeout(120_000);

  it('are told by the Python recorder if and only if they have changed unseen', function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
    const script = path.resolve('test/fixtures/pythonKinds/comparedParts.py');
    for (const seed of SEEDS) {
      const args = ['-B', script, path.join(RECORDERS, 'python'), String(seed), '150'];
      const { status, stdout, stderr } = spawnSync(PYTHON, args, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const [counts = '', ...wrong] = stdout.trim().split('\n').reverse();
      assert.deepEqual(wrong, []);
      const { hidden, told: shown, unknown } = JSON.parse(counts) as Record<string, number>;
      assert.ok(Number(hidden) > 50 && Number(shown) > 50 && unknown === 0, counts);
    }
  });

  it('are told by the JavaScript recorder if and only if they have changed unseen', () => {
    let [hidden, unknown] = [0, 0];
    for (const lines of javaScriptLines(200))
      lines.slice(1).forEach((line, index) => {
        const before = lines[index];
        const isSame = line.whole === before?.whole;
        const isHidden = !isSame && line.shown === before?.shown;
        const shown = told(line.parts);
        if (isHidden) hidden += 1;
        if (isHidden && shown.length === 0) unknown += 1;
        const wrong = isSame ? shown.length > 0 : isHidden && shown.length === 0;
        assert.ok(!wrong, JSON.stringify([before, line]));
        for (const { now, before: earlier } of shown) assert.notEqual(now, earlier);
      });
    assert.ok(hidden > 20 && unknown === 0, String([hidden, unknown]));
  });
});
