import { strict as assert } from 'node:assert';
import { OutputLog } from '../../../../src/debugger/output/outputLog';

const texts = (log: OutputLog): string[] => log.read({ since: 0 }).map(({ text }) => text);

/** Lines with their numbers, from one on. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** Logs of several sessions, whose lines have their places among all. */
function logs(count: number, capacity?: number): OutputLog[] {
  let all = 0;
  return Array.from({ length: count }, () => new OutputLog(capacity, (more) => (all += more)));
}

describe('output log: the order among several sessions', () => {
  it('tells up to which line of its own a log had come', () => {
    const [one, other] = logs(2);
    assert.ok(one && other);
    assert.equal(one.numberUpTo(9), 0);
    one.append('stdout', 'a\nb\n');
    other.append('stdout', 'x\n');
    one.append('stdout', 'c\n');
    assert.deepEqual([one.newestOrder, other.newestOrder], [4, 3]);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 9].map((order) => one.numberUpTo(order)),
      [0, 1, 2, 2, 3, 3],
    );
    assert.deepEqual(
      [0, 2, 3, 4].map((order) => other.numberUpTo(order)),
      [0, 0, 1, 1],
    );
  });

  it('goes on over lines that were dropped', () => {
    const [log] = logs(1, 100);
    assert.ok(log);
    for (let line = 1; line <= 50; line += 1) log.append('stdout', `line ${line}\n`);
    const [oldest] = log.read({ since: 0 });
    assert.ok(oldest && oldest.number > 1);
    assert.deepEqual(
      [log.numberUpTo(49), log.numberUpTo(oldest.order), log.numberUpTo(1)],
      [49, oldest.number, oldest.number - 1],
    );
    const [large] = logs(1, 100);
    assert.ok(large);
    large.append('stdout', lines(500));
    assert.deepEqual([large.cursor, large.newestOrder, large.numberUpTo(499)], [500, 500, 499]);
  });
});

describe('output log: lines that have not ended', () => {
  it('are numbered as they would be, and are read by category and pattern like others', () => {
    const log = new OutputLog();
    log.append('stdout', 'ready\nname? ');
    log.append('stderr', 'half');
    const unended = log.read({ since: 1 });
    assert.deepEqual(
      unended.map(({ number, text }) => [number, text]),
      [
        [2, 'name? '],
        [3, 'half'],
      ],
    );
    assert.deepEqual(
      log.read({ since: 1, category: 'stderr' }).map(({ text }) => text),
      ['half'],
    );
    assert.deepEqual(log.read({ since: 1, pattern: /nothing/u }), []);
  });

  it('of ever new categories are ended, the oldest first', () => {
    const log = new OutputLog();
    for (let each = 1; each <= 16; each += 1) log.append(`category ${each}`, 'open');
    assert.equal(log.cursor, 0);
    log.append('category 17', 'open');
    assert.deepEqual([log.cursor, log.read({ since: 0 })[0]?.category], [1, 'category 1']);
  });
});

describe('output log: what is dropped', () => {
  it('by a chunk that is larger than the log are all lines before it, and they are counted', () => {
    const log = new OutputLog(100);
    log.append('stdout', 'first\nsecond\n');
    log.append('stdout', lines(100));
    const kept = log.read({ since: 0 });
    assert.equal(kept.length + log.dropped, 102);
    assert.deepEqual([log.cursor, kept.at(-1)?.text], [102, 'line 100']);
    assert.equal(kept[0]?.number, log.dropped + 1);
  });

  it('is nothing for a single line of any length: it is cut', () => {
    const log = new OutputLog(100);
    log.append('stdout', 'first\n');
    log.append('stdout', `${'x'.repeat(300)}\n`);
    assert.deepEqual(texts(log), ['first', `${'x'.repeat(25)}… (300 characters)`]);
    assert.equal(log.dropped, 0);
  });

  it('is not in the tail', () => {
    const log = new OutputLog(100);
    for (let line = 1; line <= 50; line += 1) log.append('stdout', `line ${line}\n`);
    assert.deepEqual(log.tail(1000), log.read({ since: 0 }));
  });
});

describe('output log: lines that are overwritten', () => {
  const above = (moves: string, count = 5): string[] => {
    const log = new OutputLog();
    log.append('stdout', lines(count));
    log.append('stdout', `${moves}new\n`);
    return texts(log);
  };
  const changed = (moves: string): number => above(moves).indexOf('new') + 1;

  it('are as far above as the cursor is moved, up and down', () => {
    assert.deepEqual(
      [
        '\u001b[A',
        '\u001b[3A',
        '\u001b[3F',
        '\u001b[4A\u001b[B',
        '\u001b[4A\u001b[2E',
        '\u001b[2A\u001b[2A',
        '\u001b[0A',
        '\u001b[2B',
      ].map(changed),
      [5, 3, 3, 3, 4, 2, 5, 6],
    );
  });

  it('are no further above than a screen is high', () => {
    assert.equal(above('\u001b[200A', 250).indexOf('new'), 50);
    assert.equal(above('\u001b[201A', 250).indexOf('new'), 250, 'it is a line of its own');
  });

  it('are none that were dropped', () => {
    const log = new OutputLog(100);
    for (let line = 1; line <= 50; line += 1) log.append('stdout', `line ${line}\n`);
    const kept = log.read({ since: 0 }).length;
    log.append('stdout', `\u001b[${kept + 3}Anew\n`);
    assert.deepEqual([log.cursor, texts(log).at(-1)], [51, 'new']);
  });
});

describe('output log: logpoints', () => {
  it('mark the lines that they print, and no others', () => {
    const log = new OutputLog();
    const isOfLogpoint = (line: string): boolean => line.startsWith('x=');
    log.append('console', 'x=1\nhello\n', { isOfLogpoint });
    log.append('console', 'x=2\n');
    assert.deepEqual(
      log.read({ since: 0 }).map((line) => 'isOfLogpoint' in line),
      [true, false, false],
    );
  });
});
