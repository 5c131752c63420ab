import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { OutputLog } from '../../../../src/debugger/output/outputLog';

function texts(log: OutputLog, since = 0): string[] {
  return log.read({ since }).map((line) => line.text);
}

function logOf(...chunks: string[]): OutputLog {
  const log = new OutputLog();
  for (const chunk of chunks) log.append('stdout', chunk);
  return log;
}

describe('output log: lines', () => {
  it('are joined from pieces and split from chunks', () => {
    assert.deepEqual(texts(logOf('he', 'llo\nwor', 'ld\n\nx\ny\n')), [
      'hello',
      'world',
      '',
      'x',
      'y',
    ]);
  });

  it('are read but not counted while they are unfinished, such as a prompt', () => {
    const log = logOf('ready\n\u001b[1mname? ');
    assert.deepEqual(texts(log), ['ready', 'name? ']);
    assert.deepEqual(
      log.tail(1).map((line) => line.text),
      ['name? '],
    );
    assert.deepEqual(
      log.read({ since: 0, pattern: /name\? $/u }).map((line) => line.text),
      ['name? '],
    );
    assert.deepEqual(log.read({ since: 0, category: 'stderr' }), []);
    const { cursor } = log;
    assert.equal(cursor, 1);
    log.append('stdout', 'Eve\n');
    assert.deepEqual(
      texts(log, cursor),
      ['name? Eve'],
      'whoever read the half of it gets the whole',
    );
  });

  it('are ended once by flush', () => {
    const log = logOf('ready\n> ');
    log.flush();
    log.flush();
    assert.deepEqual(texts(log), ['ready', '> ']);
    log.append('stdout', 'yes\n');
    assert.deepEqual(texts(log), ['ready', '> ', 'yes']);
  });

  it('are not followed by an empty line if their newline arrives after flush', () => {
    const log = logOf('waiting');
    log.flush();
    log.append('stderr', '\n');
    log.append('stdout', '');
    log.append('stdout', '\nwaiting\n\n');
    assert.deepEqual(texts(log), ['waiting', '', 'waiting', '']);
    assert.deepEqual(
      log.read({ since: 0, category: 'stdout' }).map(({ text }) => text),
      ['waiting', 'waiting', ''],
    );
    const windows = logOf('one');
    windows.flush();
    windows.append('stdout', '\r\ntwo\n');
    assert.deepEqual(texts(windows), ['one', 'two']);
  });

  it('are not mixed from pieces of different categories', () => {
    const log = new OutputLog();
    log.append('stdout', 'ou');
    log.append('stderr', 'er');
    log.append('stdout', 't\n');
    log.append('stderr', 'r\n');
    assert.deepEqual(
      log.read({ since: 0 }).map((line) => [line.number, line.category, line.text]),
      [
        [1, 'stdout', 'out'],
        [2, 'stderr', 'err'],
      ],
    );
  });

  it('have no carriage return if they end as on Windows', () => {
    assert.deepEqual(texts(logOf('one\r\ntwo\r', '\nthree\r\n')), ['one', 'two', 'three']);
  });

  it('have no colours and other escape sequences', () => {
    assert.deepEqual(
      texts(
        logOf(
          '\u001b[31mred\u001b[0m and \u001b[1;4mbold\u001b[m\n',
          '\u001b]8;;http://x\u0007link\u001b]8;;\u0007\n',
        ),
      ),
      ['red and bold', 'link'],
    );
  });

  it('have no escape sequence that is split across chunks', () => {
    assert.deepEqual(texts(logOf('a\u001b[3', '1mb\n')), ['ab']);
  });

  it('are only the last state of a progress bar', () => {
    assert.deepEqual(texts(logOf('10%\r50%\r', '100%\ndone\n')), ['100%', 'done']);
    assert.deepEqual(
      texts(logOf('10%\r100%\r\n')),
      ['100%'],
      'a last carriage return belongs to the line’s end',
    );
  });

  it('keep the reference of a logged object', () => {
    const log = new OutputLog();
    log.append('stdout', 'Object\n', { logged: { reference: 12, epoch: 1 } });
    log.append('stdout', 'plain\n');
    assert.deepEqual(
      log.read({ since: 0 }).map((line) => line.logged),
      [{ reference: 12, epoch: 1 }, undefined],
    );
  });

  it('are only the last states of several progress bars that move the cursor up', () => {
    const up = '\u001b[2A\u001b[2K';
    assert.deepEqual(
      texts(
        logOf(
          'start\n',
          'one 10%\ntwo 10%\n',
          `${up}one 50%\n\u001b[2Ktwo 20%\n`,
          `${up}one 100%\n\u001b[2Ktwo 100%\n`,
          'end\n',
        ),
      ),
      ['start', 'one 100%', 'two 100%', 'end'],
    );
    assert.deepEqual(
      texts(logOf('\u001b[5Aabove all\n', 'next\n')),
      ['above all', 'next'],
      'above the first line there is nothing',
    );
  });

  it('are not overwritten by progress bars of another category', () => {
    const log = new OutputLog();
    log.append('stdout', 'bar 10%\n');
    log.append('stderr', 'warning\n');
    log.append('stdout', '\u001b[1A\u001b[2Kbar 100%\n');
    assert.deepEqual(
      log.read({ since: 0 }).map((line) => line.text),
      ['bar 100%', 'warning'],
    );
  });

  it('do not contain characters that are erased by backspaces', () => {
    assert.deepEqual(texts(logOf('wait |\b/\b-\bdone\n')), ['wait done']);
  });

  it('equal the original plain text, however it was split into pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é', '漢', '😀', '\t') });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (chunks) => {
        const log = logOf(...chunks);
        log.flush();
        const whole = chunks.join('');
        const expected =
          whole.endsWith('\n') || whole === '' ? whole.slice(0, -1).split('\n') : whole.split('\n');
        assert.deepEqual(texts(log), whole === '' ? [] : expected);
        assert.equal(log.cursor, whole === '' ? 0 : expected.length);
        assert.equal(log.dropped, 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('output log: reading', () => {
  const log = new OutputLog();
  for (let line = 1; line <= 10; line += 1)
    log.append(line % 2 === 0 ? 'stderr' : 'stdout', `line ${line}\n`);

  it('returns only newer lines for since, and none at the cursor', () => {
    assert.deepEqual(texts(log, 8), ['line 9', 'line 10']);
    assert.deepEqual(texts(log, log.cursor), []);
    assert.deepEqual(texts(log, 1_000_000), []);
  });

  it('counts since by the numbers of the lines', () => {
    for (const line of log.read({ since: 0 }))
      assert.equal(log.read({ since: line.number - 1 })[0]?.text, line.text);
  });

  it('returns the newest lines as the tail, oldest first, and no more than there are', () => {
    assert.deepEqual(
      log.tail(2).map((line) => line.text),
      ['line 9', 'line 10'],
    );
    assert.equal(log.tail(100).length, 10);
    assert.deepEqual(new OutputLog().tail(5), []);
  });

  it('filters by a category, by a pattern, and by both together', () => {
    assert.deepEqual(
      log.read({ since: 4, category: 'stderr' }).map((line) => line.number),
      [6, 8, 10],
    );
    assert.deepEqual(
      log.read({ since: 0, pattern: /line (2|3)$/u }).map((line) => line.number),
      [2, 3],
    );
    assert.deepEqual(
      log.read({ since: 0, category: 'stdout', pattern: /[23]$/u }).map((line) => line.number),
      [3],
    );
  });
});

describe('output log: bounds', () => {
  it('drops and counts the oldest lines, and the numbers continue', () => {
    const log = new OutputLog(100);
    for (let line = 1; line <= 50; line += 1)
      log.append('stdout', `${String(line).padStart(2, '0')} 67890\n`.slice(0, 10));
    const kept = log.read({ since: 0 });
    const length = kept.reduce((sum, line) => sum + line.text.length + 1, 0);
    assert.ok(length <= 100, `kept ${length}`);
    assert.equal(kept.length + log.dropped, 50);
    assert.equal(log.cursor, 50);
    assert.equal(kept[kept.length - 1]?.number, 50);
    assert.equal(kept[0]?.number, log.dropped + 1);
  });

  it('returns what is left since a dropped line, and only newer lines since a kept one', () => {
    const log = new OutputLog(100);
    for (let line = 1; line <= 50; line += 1) log.append('stdout', `line ${line}\n`);
    assert.deepEqual(texts(log, 2), texts(log, 0));
    assert.deepEqual(texts(log, 49), ['line 50']);
  });

  it('stays within its capacity after 500,000 lines and still counts correctly', () => {
    const log = new OutputLog(1000);
    for (let each = 0; each < 1000; each += 1) log.append('stdout', 'x\n'.repeat(1000 / 2));
    assert.equal(log.cursor, 500_000);
    assert.equal(log.read({ since: 0 }).length + log.dropped, 500_000);
    assert.ok(log.read({ since: 0 }).length <= 500);
  });

  it('cuts a line that never ends into pieces instead of keeping it whole', () => {
    const log = new OutputLog(1600);
    for (let each = 0; each < 100; each += 1) log.append('stdout', 'y'.repeat(64));
    log.append('stdout', '\n');
    const kept = log.read({ since: 0 });
    assert.ok(kept.every((line) => line.text !== ''));
    assert.ok(kept.length > 1);
    assert.ok(kept.every((line) => line.text.length <= 100 + 64));
    assert.ok(kept.reduce((sum, line) => sum + line.text.length + 1, 0) <= 1600);
    assert.ok(log.dropped > 0);
  });

  it('keeps the newest line readable, even if a line is longer than the whole log', () => {
    const log = new OutputLog(100);
    log.append('stdout', `${'z'.repeat(90)}\n`);
    log.append('stdout', `${'w'.repeat(500)}\n`);
    const kept = log.read({ since: 0 });
    assert.ok(kept[kept.length - 1]?.text.startsWith('www'));
    assert.ok(kept.reduce((sum, line) => sum + line.text.length, 0) <= 100);
    assert.equal(log.cursor, 2);
  });

  it('counts the dropped lines of a chunk that is larger than the log', () => {
    const log = new OutputLog(100);
    log.append('stdout', Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join(''));
    const kept = log.read({ since: 0 });
    assert.equal(kept[kept.length - 1]?.text, 'line 100');
    assert.equal(kept.length + log.dropped, 100);
  });

  it('counts lines that are overwritten by longer ones against the capacity', () => {
    const log = new OutputLog(2000);
    log.append('stdout', 'short\n'.repeat(10));
    log.append('stdout', `\u001b[8A${`${'x'.repeat(300)}\n`.repeat(8)}`);
    log.append('stdout', 'last\n');
    const kept = log.read({ since: 0 });
    assert.ok(
      kept.reduce((sum, line) => sum + line.text.length + 1, 0) <= 2000,
      `${kept.length} lines`,
    );
    assert.equal(kept[kept.length - 1]?.text, 'last');
  });
});
