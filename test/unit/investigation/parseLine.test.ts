import { strict as assert } from 'node:assert';
import { LineReader, parseLine } from '../../../src/investigation/parseLine';
import { LineSplitter, MAX_OF_A_LINE } from '../../../src/investigation/lines';
import { placedMessage, traceLine } from '../../../src/investigation/traceFrames';
import { withoutPersonalData } from '../../../src/investigation/personalData';

const ORIGIN = { ts: 5, stream: 'stdout' } as const;
const read = (text: string): unknown[] => {
  const { level, module, func, msg } = parseLine(text, ORIGIN);
  return [level, module, func, msg];
};

describe('a captured line', () => {
  it('is parsed if it has our own JSON format', () => {
    const line =
      '{"ts":1699999999999,"level":"debug","module":"renderer.ts","func":"gridToPixel","msg":"mapped","kv":{"x":4}}';
    assert.deepEqual(parseLine(line, ORIGIN), {
      ts: 1699999999999,
      level: 'debug',
      module: 'renderer.ts',
      func: 'gridToPixel',
      msg: 'mapped',
      kv: { x: 4 },
      stream: 'stdout',
    });
  });

  it('is parsed if it is the JSON of another logger', () => {
    const pino = '{"level":50,"time":1699999999999,"name":"api","msg":"boom","reqId":7}';
    assert.deepEqual(parseLine(pino, ORIGIN).kv, { reqId: 7 });
    assert.deepEqual(read(pino), ['error', 'api', '', 'boom']);
    assert.deepEqual(read('{"severity":"WARNING","message":"slow","logger":"db"}'), [
      'warn',
      'db',
      '',
      'slow',
    ]);
  });

  it('that is JSON without a message is treated as text', () => {
    assert.deepEqual(read('{"x": 1}'), ['info', '', '', '{"x": 1}']);
    assert.deepEqual(read('{"x": '), ['info', '', '', '{"x": ']);
  });

  for (const [text, level, module, func] of [
    ['2026-01-02 10:11:12,123 ERROR [cart] no such item', 'error', 'cart', ''],
    ['ERROR:shop.cart:no such item', 'error', 'shop.cart', ''],
    ['[warn] deprecated', 'warn', '', ''],
    ['[renderer] mapped 3 cells', 'info', 'renderer', ''],
    ['renderer.ts:gridToPixel mapped', 'info', 'renderer.ts', 'gridToPixel'],
    ['TypeError: x is not a function', 'error', '', ''],
    ['Uncaught ReferenceError: y', 'error', '', ''],
    ['AssertionError [ERR_ASSERTION]: 1 == 2', 'error', '', ''],
    ['Traceback (most recent call last):', 'error', '', ''],
    ['panic: runtime error: index out of range', 'error', '', ''],
    ['not ok 3 - draws the board', 'error', '', ''],
    ['sh: 1: frobnicate: command not found', 'error', 'sh', ''],
    ['src/a.ts(5,3): error TS2304: Cannot find name', 'error', 'src/a.ts', ''],
    ['cart.c:12:5: warning: unused variable', 'warn', 'cart.c', ''],
    ['Compiled 3 files, 0 errors', 'info', '', ''],
    ['Listening on 127.0.0.1', 'info', '', ''],
  ] as const)
    it(`gives its level and its origin: ${text}`, () => {
      const [foundLevel, foundModule, foundFunc] = read(text);
      assert.deepEqual([foundLevel, foundModule, foundFunc], [level, module, func]);
    });

  it('keeps its named values', () => {
    assert.deepEqual(parseLine('mapped x=4 size=20 name="a b" y=1.5', ORIGIN).kv, {
      x: 4,
      size: 20,
      name: 'a b',
      y: 1.5,
    });
  });

  it('after a line of a stack trace belongs to the trace if it is indented', () => {
    const reader = new LineReader();
    const levels = [
      'Traceback (most recent call last):',
      '  File "/app/cart.py", line 3, in total',
      '    raise ValueError(x)',
      'ValueError: 3',
      '  done',
    ].map((line) => {
      const event = reader.read(line, ORIGIN);
      return [event.level, event.kv['trace'] === true];
    });
    assert.deepEqual(levels, [
      ['error', false],
      ['error', true],
      ['error', true],
      ['error', false],
      ['info', false],
    ]);
  });
});

describe('a line of a stack trace', () => {
  for (const [text, func, file, line] of [
    ['    at draw (/app/board.js:12:5)', 'draw', '/app/board.js', 12],
    ['    at async load (file:///app/my%20board.mjs:7:1)', 'load', '/app/my board.mjs', 7],
    ['    at /app/board.js:12:5', '', '/app/board.js', 12],
    ['draw@http://127.0.0.1:8000/board.js:12:5', 'draw', 'http://127.0.0.1:8000/board.js', 12],
    ['  File "/app/cart.py", line 3, in total', 'total', '/app/cart.py', 3],
    ['\tat com.shop.Cart.total(Cart.java:12)', 'com.shop.Cart.total', 'Cart.java', 12],
    ['   at Shop.Cart.Total() in /app/Cart.cs:line 12', 'Shop.Cart.Total', '/app/Cart.cs', 12],
    ['\t/app/cart.go:12 +0x1d', '', '/app/cart.go', 12],
    ['             at ./src/main.rs:5:9', '', './src/main.rs', 5],
    ["thread 'main' panicked at src/main.rs:5:9:", '', 'src/main.rs', 5],
    ["\tfrom app/cart.rb:12:in 'total'", 'total', 'app/cart.rb', 12],
    ['#0 /app/cart.php(12): Cart->total()', 'Cart->total', '/app/cart.php', 12],
    ['#1  0x0000555 in total (cart=0x0) at cart.c:12', 'total', 'cart.c', 12],
    ['    #0 0x4f in total /app/cart.c:12:5', 'total', '/app/cart.c', 12],
  ] as const)
    it(`is recognized: ${text.trim()}`, () => {
      const found = traceLine(text);
      assert.deepEqual([found?.func, found?.frame.file, found?.frame.line], [func, file, line]);
    });

  for (const text of [
    'at 12:30 we met',
    'see (a) at 3',
    'ends with 5',
    'a@b.example',
    '',
    'x'.repeat(5000),
  ])
    it(`is not found in: ${text.slice(0, 40)}`, () => assert.equal(traceLine(text), undefined));

  it('takes no longer for text that is designed to be slow to parse', () => {
    const started = performance.now();
    for (const text of [
      'at '.repeat(300),
      `at ${'('.repeat(900)}1`,
      `${'a.'.repeat(450)}(1`,
      `${' '.repeat(990)}1`,
    ])
      for (let turn = 0; turn < 100; turn += 1) {
        traceLine(text);
        placedMessage(text);
        parseLine(text, ORIGIN);
      }
    assert.ok(performance.now() - started < 3000);
  });
});

describe('bytes', () => {
  const lines = (...pieces: (string | Uint8Array)[]): string[] => {
    const splitter = new LineSplitter();
    return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.finish()].map(
      ({ text }) => text,
    );
  };

  it('are split into the same lines however they are split into pieces', () => {
    const data = Buffer.from('eins\r\nzwei €\n\ndrei');
    for (let at = 0; at <= data.length; at += 1)
      assert.deepEqual(lines(data.subarray(0, at), data.subarray(at)), [
        'eins',
        'zwei €',
        '',
        'drei',
      ]);
  });

  it('that are not UTF-8, and control characters, become replacement characters', () => {
    assert.deepEqual(lines(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x00, 0x62, 0x0a])), [
      'a\ufffd\ufffd',
      '\ufffdb',
    ]);
  });

  it('lose colours, and all of a progress bar except its last state', () => {
    assert.deepEqual(lines('\u001b[31mred\u001b[0m\n 10%\r 50%\r100%\n'), ['red', '100%']);
  });

  it('of a long line are kept in parts, and none are lost', () => {
    const word = 'abcdefg ';
    const long = word.repeat(30_000);
    const splitter = new LineSplitter();
    const parts = [...splitter.push(long), ...splitter.push('end\nnext\n'), ...splitter.finish()];
    assert.ok(parts.every(({ text }) => text.length <= MAX_OF_A_LINE));
    assert.equal(
      parts
        .slice(0, -1)
        .map(({ text }) => text)
        .join(''),
      `${long}end`,
    );
    assert.deepEqual(parts[1]?.part, 2);
    assert.deepEqual(parts.at(-1), { text: 'next' });
    assert.ok(
      parts.slice(0, -2).every(({ text }) => text.endsWith(' ')),
      'cut after a blank',
    );
  });
});

describe('personal data', () => {
  it('is replaced', () => {
    assert.equal(
      withoutPersonalData('ada@example.com called 13812345678 and +49 170 1234 5678'),
      '[redacted: email] called [redacted: phone number] and [redacted: phone number]',
    );
  });

  for (const text of [
    'draw@board.js:12:5',
    'left-pad@1.2.3',
    '1699999999999',
    'x=+3',
    '@scope/name',
  ])
    it(`is not found in ${text}`, () => assert.equal(withoutPersonalData(text), text));
});
