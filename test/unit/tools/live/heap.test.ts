import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareTypes, Heaps, type HeapSummary } from '../../../../src/tools/live/heap/heapSummary';
import { readReport } from '../../../../src/tools/live/heap/pythonHeap';
import { recorderExpression } from '../../../../src/tools/live/pythonHang';
import { ask } from '../../support/asking';
import { launched } from '../../support/events';
import { PYTHON, RECORDERS } from '../../support/recorderRuns';
import { bench, paused, type Bench } from '../../support/services';

describe('two counts of types', () => {
  it('have what has grown and what has shrunk, largest first', () => {
    const types = (
      entries: readonly (readonly [string, number, number])[],
    ): ReadonlyMap<string, { count: number; bytes: number }> =>
      new Map(entries.map(([type, count, bytes]) => [type, { count, bytes }]));
    const { grown, shrunk } = compareTypes(
      types([
        ['Same', 1, 8],
        ['Gone', 2, 16],
        ['Fewer but larger', 3, 30],
        ['More', 1, 10],
      ]),
      types([
        ['Same', 1, 8],
        ['Fewer but larger', 2, 900],
        ['More', 3, 30],
        ['New', 1, 100],
      ]),
    );
    assert.deepEqual(
      grown.map(({ type }) => type),
      ['Fewer but larger', 'New', 'More'],
    );
    assert.deepEqual(shrunk, [
      { type: 'Gone', count_before: 2, count: 0, bytes_before: 16, bytes: 0 },
    ]);
  });
});

describe('the summaries of heaps', () => {
  it('are kept for a session, and the oldest one is dropped', () => {
    const heaps = new Heaps();
    const summary = (session: string): HeapSummary => ({
      ...{ session, isWhole: true, types: new Map(), mark: { folder: session } },
    });
    const first = heaps.add(summary('a'));
    assert.deepEqual(first.dropped, []);
    for (let at = 0; at < 9; at += 1) assert.deepEqual(heaps.add(summary('b')).dropped, []);
    assert.deepEqual(heaps.idsOf('a'), [first.id]);
    assert.deepEqual(
      heaps.add(summary('b')).dropped.map(({ session }) => session),
      ['a'],
    );
    assert.equal(heaps.get(first.id), undefined);
  });
});

describe('compare_heap', () => {
  const node = (): Bench => {
    const on = bench();
    for (const event of launched('a', { sessionType: 'node' })) on.model.dispatch(event);
    return on;
  };

  it('fails if there is no session', async () => {
    const { status, code } = await ask(bench(), 'compare_heap');
    assert.deepEqual([status, code], ['error', 'no_session']);
  });

  it('says what to do with other debuggers', async () => {
    const { status, code, hint } = await ask(paused(bench()), 'compare_heap');
    assert.deepEqual([status, code], ['error', 'not_supported']);
    assert.match(String(hint), /evaluate_expression/);
  });

  it('says that a heap took too long to write, and where the program is', async () => {
    const on = node();
    on.host.on('evaluate', async () => await new Promise(() => undefined));
    // The shortest time that a call has for a heap is a second.
    const short: Bench = { ...on, call: { ...on.call, maxWaitSeconds: 1 } };
    const { status, code, message, hint } = await ask(short, 'compare_heap');
    assert.deepEqual([status, code], ['error', 'call_timeout']);
    assert.equal(message, 'The heap was not read in 1 seconds.');
    assert.match(String(hint), /still be halted.*goes on by itself/);
  });

  it('refuses a heap of another program', async () => {
    const on = node();
    const mark = { lastId: 1 };
    const other = on.services.heaps.add({
      ...{ session: 'b', isWhole: true, types: new Map(), mark },
    });
    on.services.heaps.add({ session: 'a', isWhole: true, types: new Map(), mark });
    const { code, hint } = await ask(on, 'compare_heap', { since: other.id });
    assert.equal(code, 'invalid_input');
    assert.match(String(hint), /h2/);
    assert.equal(on.host.requests.length, 0);
  });

  for (const [result, code, hint] of [
    [JSON.stringify(JSON.stringify({ state: 'too_large', used: 3e9 })), 'not_supported', /leak/],
    ["'{}'", 'not_supported', /browser/],
    // The program says that it has written a file, and there is none.
    [JSON.stringify(JSON.stringify({ state: 'written', ms: 1 })), 'not_supported', /machine/],
  ] as const)
    it(`explains the answer ${result}`, async () => {
      const on = node();
      on.host.on('evaluate', () => ({ result, variablesReference: 0 }));
      const answer = await ask(on, 'compare_heap');
      assert.deepEqual([answer.status, answer['code']], ['error', code], JSON.stringify(answer));
      assert.match(String(answer['hint']), hint);
    });
});

/** A program whose classes have code that ends it, and a function that runs the recorder in another thread. */
const PROGRAM = `
import gc, json, os, sys, threading
def ends(*args): os._exit(9)
class Meta(type):
    __hash__ = __eq__ = ends
class Entry(metaclass=Meta):
    __sizeof__ = __len__ = __repr__ = __hash__ = __eq__ = ends
    __class__ = property(ends)
    def __init__(self, text): self.text = text
class Cache: pass
class Linked: pass
class Garbage:
    __del__ = ends
cache = Cache()
cache.entries = {}
def listening():
    listeners = []
    def add(item): listeners.append(item)
    return add
add = listening()
def take(text):
    thread = threading.Thread(target=eval, args=(text, {}))
    thread.start()
    thread.join()
def grow(name, n):
    for at in range(n): cache.entries[name, at] = Entry(name)
# Its finalizer would run if its garbage were collected.
gc.disable()
lost = Garbage()
lost.own = lost
del lost
first, second = open(sys.argv[1]).read().split(chr(0))
grow('a', 100)
take(first)
os.rename(sys.argv[2] + '/out', sys.argv[2] + '/before.txt')
grow('b', 3000)
for at in range(2000): add([at])
head = None
for at in range(5000):
    one = Linked()
    one.next, head = head, one
del one
with open(sys.argv[2] + '/before.txt') as file: known = json.load(file)
with open(sys.argv[2] + '/before', 'w') as file: json.dump(known.get('types'), file)
del known
take(second)
os._exit(0)
`;

describe('the objects of a Python program', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'heap-'));
  after(() => rmSync(folder, { recursive: true }));

  function run(settings: object, flags: readonly string[] = []) {
    const place = mkdtempSync(path.join(folder, 'run-'));
    const file = (name: string): string => path.join(place, name);
    const base = {
      ...{ text: 80, items: 3, depth: 1, objects: 1_000_000, seconds: 100, holders: 12 },
      ...settings,
      out: file('out'),
    };
    const first = recorderExpression(RECORDERS, 'heap.py', { ...base, ids: file('first') });
    const second = recorderExpression(RECORDERS, 'heap.py', {
      ...{ ...base, ids: file('second'), old_ids: file('first'), before: file('before') },
    });
    writeFileSync(file('expressions'), `${first}\0${second}`);
    writeFileSync(file('program.py'), PROGRAM);
    const args = [...flags, file('program.py'), file('expressions'), place];
    const { status, stderr } = spawnSync(PYTHON, args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const read = (name: string) => readReport(readFileSync(file(name), 'utf8'));
    return { before: read('before.txt'), after: read('out') };
  }

  it('are counted without code of the program, and their holders are named', () => {
    const { before, after: now } = run({});
    assert.equal(before?.types?.['__main__.Entry']?.[0], 100);
    assert.equal(now?.types?.['__main__.Entry']?.[0], 3100);
    // Garbage that nothing holds.
    assert.equal(before.types['__main__.Garbage'], undefined);
    assert.ok((before.missed ?? 0) > 0);
    const entry = now.holders?.['__main__.Entry'];
    assert.deepEqual(entry?.path, [
      '__main__',
      '.cache: __main__.Cache',
      '.entries: dict',
      '[…]: __main__.Entry',
    ]);
    assert.ok(entry.held > 1500 && entry.held === entry.fresh, JSON.stringify(entry));
    assert.equal(entry.allocated_at, undefined);
    assert.deepEqual(now.holders?.['list']?.path.slice(0, 3), [
      '__main__',
      '.add: function',
      'variable listeners: list',
    ]);
    assert.deepEqual(now.holders['__main__.Linked']?.path, ['__main__', '.head: __main__.Linked']);
  });

  it('have the lines that made them if Python records these', () => {
    const { after: now } = run({}, ['-X', 'tracemalloc']);
    assert.equal(now?.tracing, true);
    const line = PROGRAM.split('\n').findIndex((text) => text.includes('add([at])')) + 1;
    assert.equal(now.holders?.['list']?.allocated_at?.split('program.py:')[1], String(line));
  });

  it('are only counted if there are too many', () => {
    const { before, after: now } = run({ objects: 1000 });
    assert.deepEqual([before?.whole, now?.whole], [false, false]);
    assert.equal(now?.types?.['__main__.Entry']?.[0], 3100);
    assert.equal(now.holders, undefined);
  });

  it('are not counted if that takes too long', () => {
    const { after: now } = run({ seconds: -1 });
    assert.deepEqual([now?.whole, now?.types], [false, undefined]);
  });
});
