import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Turns } from '../../../../src/results/turns';
import { compareTypes } from '../../../../src/tools/live/heap/heapSummary';
import { readSnapshot } from '../../../../src/tools/live/heap/snapshotFile';
import { SnapshotGraph } from '../../../../src/tools/live/heap/snapshotGraph';
import { summarise } from '../../../../src/tools/live/heap/snapshotSummary';

/** A program that keeps entries in a cache of a module, and writes a snapshot before and after it has grown. */
const PROGRAM = `
const v8 = require('node:v8');
class Entry { constructor(text) { this.text = text; } }
class Dropped {}
const cache = new Map();
let old = Array.from({ length: 500 }, () => new Dropped());
global.lookUp = function (key) { return cache.get(key); };
global.dropped = () => old.length;
globalThis.Linked = Linked;
for (let at = 0; at < 100; at += 1) cache.set(at, new Entry('a' + at));
v8.writeHeapSnapshot(process.argv[1]);
for (let at = 0; at < 3000; at += 1) cache.set('k' + at, new Entry('b' + at));
// The inspector keeps what it has shown, as a debugger makes it do.
class Shown {}
const session = new (require('node:inspector').Session)();
session.connect();
globalThis.make = () => Array.from({ length: 50 }, () => new Shown());
session.post('Runtime.evaluate', { expression: 'make()' }, () => {});
let list;
for (let at = 0; at < 20000; at += 1) list = { __proto__: Linked.prototype, next: list };
function Linked() {}
global.list = list;
old = [];
v8.writeHeapSnapshot(process.argv[2]);
`;

const noCheck = (): void => undefined;

describe('snapshots of V8', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'heap-'));
  const [first, second] = ['a', 'b'].map((name) => path.join(folder, `${name}.heapsnapshot`));
  assert.ok(first !== undefined && second !== undefined);
  const open = async (file: string, makeGraph?: (head: string) => SnapshotGraph) =>
    await readSnapshot(
      // Small parts, so that each of them ends within numbers and strings.
      (start) => createReadStream(file, { start, highWaterMark: 1021 }),
      new Turns(),
      noCheck,
      makeGraph,
    );

  before(() => {
    const { status, stderr } = spawnSync(process.execPath, ['-e', PROGRAM, first, second], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('tell what has grown, and what holds it', async () => {
    const turns = new Turns();
    const before = await summarise(await open(first), turns);
    const after = await summarise(await open(second), turns);
    const { grown, shrunk } = compareTypes(before.types, after.types);
    const counts = (type: string): unknown => {
      const found = [...grown, ...shrunk].find((each) => each.type === type);
      return found && [found.count_before, found.count];
    };
    assert.deepEqual(counts('Entry'), [100, 3100]);
    assert.deepEqual(counts('Linked'), [0, 20_000]);
    assert.deepEqual(counts('Dropped'), [500, 0]);
    const entry = await after.holder('Entry', before.lastId, turns);
    assert.deepEqual([entry?.fresh, entry?.held], [3000, 3000]);
    // Any function of the module leads to its variables.
    assert.match(
      entry?.path.join(' → ') ?? '',
      /^global → \.\w+: function[^→]* → variable cache: Map → Entry$/,
    );
    // A list of linked objects ends with the first of them.
    const linked = await after.holder('Linked', before.lastId, turns);
    assert.deepEqual(linked?.path, ['global', '.list: Linked']);
    assert.equal(await after.holder('Dropped', before.lastId, turns), undefined);
  });

  it('do not count what only the debugger holds', async () => {
    const { types, debugger: debuggers } = await summarise(await open(second), new Turns());
    assert.equal(types.get('Shown'), undefined);
    assert.ok((debuggers?.count ?? 0) >= 50, JSON.stringify(debuggers));
  });

  it('are only counted if they are too large', async () => {
    const file = await open(second, (head) => new SnapshotGraph(head, 1000));
    const { types, holder, debugger: debuggers } = await summarise(file, new Turns());
    assert.equal(types.get('Entry')?.count, 3100);
    assert.equal(debuggers, undefined);
    assert.equal(await holder('Entry', 0, new Turns()), undefined);
  });

  it('are refused if they are cut, or none', async () => {
    const whole = readFileSync(second);
    for (const bytes of [
      whole.subarray(0, whole.length / 3),
      Buffer.from('[{"nodes":[1,2'),
      Buffer.alloc(0),
    ])
      await assert.rejects(
        readSnapshot(() => partsOf([bytes]), new Turns(), noCheck).then((file) =>
          file.strings(new Set([1])),
        ),
        Error,
      );
    // Its numbers are complete, and its strings are not.
    const file = await readSnapshot(() => partsOf([whole]), new Turns(), noCheck);
    assert.ok(file.graph.isComplete);
    const cut = await readSnapshot(
      (from) => partsOf([whole.subarray(from, whole.length - 100)]),
      new Turns(),
      noCheck,
    );
    await assert.rejects(cut.strings(new Set([1])), /part of a snapshot/);
  });

  it('end early if the call does', async () => {
    const stop = new Error('stopped');
    const check = (): never => {
      throw stop;
    };
    await assert.rejects(
      readSnapshot(() => partsOf([readFileSync(first)]), new Turns(), check),
      stop,
    );
  });
});

async function* partsOf(parts: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}
