import { strict as assert } from 'node:assert';
import { Analyzer, type Analysis, type Range } from '../../../src/investigation/analysis';
import { buglens } from '../../../src/investigation/buglens';
import { chunksOf, needClarify, type Chunk } from '../../../src/investigation/chunks';
import type { CaptureEvent } from '../../../src/investigation/events';
import { LineReader } from '../../../src/investigation/parseLine';
import { captureRecord } from '../../../src/investigation/record';
import { signatureOf } from '../../../src/investigation/signature';

function analysed(lines: readonly string[], focus: readonly Range[] = [], stepMs = 10): Analysis {
  const reader = new LineReader();
  const analyzer = new Analyzer(focus);
  lines.forEach((line, index) =>
    analyzer.add(reader.read(line, { ts: 1000 + index * stepMs, stream: 'stdout' })),
  );
  return analyzer.finish();
}

function chunks(analysis: Analysis, selected: readonly Range[] = []): readonly Chunk[] {
  return chunksOf(analysis, {
    sid: '260301-abcd',
    capture: 'c1',
    file: 'logs/capture.ndjson',
    selected,
    fileOf: ({ file, line }) => (file.startsWith('/app/') ? `${file.slice(5)}:${line}` : undefined),
  });
}

const quiet = (count: number, from = 0): string[] =>
  Array.from(
    { length: count },
    (_, index) => `step ${String.fromCharCode(97 + ((index + from) % 26)).repeat(3 + (index % 7))}`,
  );

const CRASH = [
  'TypeError: board.cells is undefined',
  '    at draw (/app/board.js:12:5)',
  '    at Array.forEach (<anonymous>)',
  '    at render (/app/main.js:3:1)',
];

describe('the analysis of a capture', () => {
  it('finds an error with the lines before and after it, and maps its stack trace to files', () => {
    const analysis = analysed([...quiet(40), ...CRASH, ...quiet(40, 3)], [], 500);
    const [chunk, ...others] = chunks(analysis);
    assert.ok(chunk !== undefined);
    assert.equal(chunk.metadata.type, 'error_window');
    assert.deepEqual([chunk.metadata.startIdx, chunk.metadata.endIdx], [35, 48]);
    assert.equal(chunk.title, 'TypeError: board.cells is undefined');
    assert.deepEqual(chunk.metadata.files, ['board.js:12', 'main.js:3']);
    assert.deepEqual(chunk.refs, ['vdt://sessions/260301-abcd/logs/capture.ndjson#L36-L49']);
    assert.match(chunk.excerpt, /step .*\nTypeError/s);
    assert.ok(others.every((each) => each.metadata.type !== 'error_window'));
    assert.deepEqual([analysis.errors, needClarify(analysis, []).needed], [1, false]);
  });

  it('counts the same error once, with the places where it occurred again', () => {
    const analysis = analysed(
      Array.from({ length: 5 }, () => [...quiet(50), 'Error: timeout of 30 ms']).flat(),
    );
    const [first] = chunks(analysis);
    assert.equal(analysis.windows.length, 1);
    assert.deepEqual([first?.metadata.again, first?.metadata.errors], [4, 5]);
    assert.equal(first?.refs.length, 5);
  });

  it('orders errors before rapid sequences, then functions, then modules', () => {
    const spam = Array.from(
      { length: 30 },
      (_, index) => `renderer.ts:gridToPixel mapped x=${index}`,
    );
    const types = chunks(
      analysed(['Error: nothing', ...quiet(60), ...spam, 'ERROR [cart] boom']),
    ).map(({ metadata }) => metadata.type);
    assert.deepEqual([...new Set(types)], ['error_window', 'rapid_sequence', 'module']);
    const calm = chunks(analysed(spam)).map(({ metadata }) => metadata.type);
    assert.deepEqual(calm, ['rapid_sequence', 'function', 'module']);
  });

  it('finds a rapid sequence only if messages arrive fast', () => {
    const spam = Array.from({ length: 30 }, (_, index) => `tick ${index}`);
    assert.equal(analysed(spam, [], 20).rapid[0]?.count, 30);
    assert.equal(analysed(spam, [], 2000).rapid.length, 0);
  });

  it('asks for clarification if there is no error or no error stands out', () => {
    const calm = needClarify(analysed(quiet(30)), []);
    assert.match(calm.reason ?? '', /No error/);
    const many = analysed(
      ['apple', 'pear', 'plum', 'fig', 'kiwi'].flatMap((word) => [
        `Error: no ${word}`,
        ...quiet(60),
      ]),
    );
    assert.match(needClarify(many, []).reason ?? '', /5 different errors/);
    assert.equal(needClarify(many, [{ from: 0, to: 5 }]).needed, false);
    assert.match(needClarify(analysed([]), []).reason ?? '', /empty/);
  });

  it('covers only the ranges that the person selected, and marks them', () => {
    const lines = [...quiet(30), 'Error: one', ...quiet(60), 'Error: two', ...quiet(30)];
    const focus = [{ from: 85, to: 100 }];
    const found = chunks(analysed(lines, focus), focus);
    assert.deepEqual([found[0]?.title, found[0]?.metadata.selected], ['Error: two', true]);
    assert.ok(!found.some(({ title }) => title === 'Error: one'));
  });

  it('holds a bounded number of windows, clusters and sequences', () => {
    const analyzer = new Analyzer();
    const event = (index: number): CaptureEvent => ({
      ts: 1000 + index * 6000,
      level: index % 2 === 0 ? 'error' : 'info',
      module: `m${index}`,
      func: `f${index}`,
      msg: `${String.fromCharCode(97 + (index % 26))}${'ab'.repeat(index % 97)} of ${'c'.repeat(index % 89)}`,
      kv: {},
    });
    for (let index = 0; index < 40_000; index += 1) analyzer.add(event(index));
    const { windows, functions, errors } = analyzer.finish();
    assert.equal(errors, 20_000);
    assert.ok(windows.length <= 201, String(windows.length));
    assert.equal(functions.length, 20);
  });
});

describe('a signature', () => {
  it('is the same for messages of one kind', () => {
    const same = [
      'timeout after 30 ms at 0x7ffe12 (id 3f2504e0-4f89-11d3-9a0c-0305e82c3301)',
      'timeout after 4.5 ms at 0x1 (id 11111111-2222-3333-4444-555555555555)',
    ].map(signatureOf);
    assert.equal(same[0], same[1]);
    assert.notEqual(signatureOf('no apple'), signatureOf('no pear'));
  });
});

describe('buglens.md', () => {
  it('is readable Markdown with escaped values', () => {
    const analysis = analysed([...quiet(10), ...CRASH, 'ERROR [cart] `boom` | <b>'], [], 500);
    const text = buglens({
      capture: captureRecord.parse({
        id: 'c1',
        kind: 'capture',
        mode: 'cli',
        source: 'command',
        what: 'npm test | tee log',
        file: 'logs/capture.ndjson',
        startedAt: '2026-03-01T10:00:00.000Z',
        endedAt: '2026-03-01T10:00:02.000Z',
        endedBy: 'exit',
        exitCode: 1,
      }),
      analysis,
      chunks: chunks(analysis),
      clarify: { needed: true, reason: 'Which one?' },
    });
    for (const part of [
      '| Run | `npm test \\| tee log` |',
      'with exit code 1',
      '**TypeError: board.cells is undefined** at `board.js:12`',
      '> **A choice is needed.** Which one?',
      '## Errors',
      '```',
    ])
      assert.ok(text.includes(part), `${part}\n${text}`);
    assert.ok(!/<b>/.test(text.replace(/```[\s\S]*?```/g, '').replaceAll('\\<b\\>', '')), text);
  });
});
