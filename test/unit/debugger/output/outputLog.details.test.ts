import { strict as assert } from 'node:assert';
import { OutputLog } from '../../../../src/debugger/output/outputLog';

const texts = (log: OutputLog): string[] => log.read({ since: 0 }).map(({ text }) => text);

/** This many lines, numbered from one. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** The logs of several sessions, whose lines share one order. */
function logs(count: number, capacity?: number): OutputLog[] {
  let all = 0;
  return Array.from({ length: count }, () => new OutputLog(capacity, (more) => (all += more)));
}

describe('output log: the order among several sessions', () => {
  it('returns the number of a log’s own last line up to a position', () => {
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

  it('continues across dropped lines', () => {
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

describe('output log: unfinished lines', () => {
  it('have the numbers that they will get, and are read by category and pattern like others', () => {
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

  it('are ended, the oldest first, if there are too many categories', () => {
    const log = new OutputLog();
    for (let each = 1; each <= 16; each += 1) log.append(`category ${each}`, 'open');
    assert.equal(log.cursor, 0);
    log.append('category 17', 'open');
    assert.deepEqual([log.cursor, log.read({ since: 0 })[0]?.category], [1, 'category 1']);
  });
});

describe('output log: dropped lines', () => {
  it('are all lines before a chunk that is larger than the log, and they are counted', () => {
    const log = new OutputLog(100);
    log.append('stdout', 'first\nsecond\n');
    log.append('stdout', lines(100));
    const kept = log.read({ since: 0 });
    assert.equal(kept.length + log.dropped, 102);
    assert.deepEqual([log.cursor, kept.at(-1)?.text], [102, 'line 100']);
    assert.equal(kept[0]?.number, log.dropped + 1);
  });

  it('are none for a single line of any length, which is cut', () => {
    const log = new OutputLog(100);
    log.append('stdout', 'first\n');
    log.append('stdout', `${'x'.repeat(300)}\n`);
    assert.deepEqual(texts(log), ['first', `${'x'.repeat(25)}… (300 characters)`]);
    assert.equal(log.dropped, 0);
  });

  it('are not in the tail', () => {
    const log = new OutputLog(100);
    for (let line = 1; line <= 50; line += 1) log.append('stdout', `line ${line}\n`);
    assert.deepEqual(log.tail(1000), log.read({ since: 0 }));
  });
});

describe('output log: overwritten lines', () => {
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

  it('do not include dropped lines', () => {
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
