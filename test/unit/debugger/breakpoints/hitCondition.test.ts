import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { hitConditionFor, readHitCount } from '../../../../src/debugger/breakpoints/hitCondition';

/** What an adapter of the debug type is sent; undefined where it has no words for it. */
function sent(type: string | undefined, text: string): string | undefined {
  const hits = readHitCount(text);
  assert.ok(hits !== undefined, text);
  const written = hitConditionFor(type, hits);
  return 'text' in written ? written.text : undefined;
}

const EVERY = ['== 3', '!= 3', '> 3', '>= 3', '< 3', '<= 3', '% 3'];
const JS_DEBUG = [
  'node',
  'pwa-node',
  'chrome',
  'pwa-chrome',
  'msedge',
  'pwa-msedge',
  'extensionHost',
  'pwa-extensionHost',
  'node-terminal',
];

describe('reading hit counts', () => {
  it('the founding documents’ spellings are hit counts', () => {
    assert.deepEqual(['> 5', '== 3', '% 2 == 0'].map(readHitCount), [
      { operator: '>', count: 5 },
      { operator: '==', count: 3 },
      { operator: '%', count: 2 },
    ]);
  });

  it('every operator is read, with and without blanks', () => {
    for (const operator of ['==', '!=', '>', '>=', '<', '<=', '%']) {
      for (const text of [`${operator}12`, `${operator} 12`, `  ${operator}  12 `])
        assert.deepEqual(readHitCount(text), { operator, count: 12 }, text);
    }
  });

  it('a number alone means that hit, and so do one or three equals signs', () => {
    for (const text of ['7', ' 7 ', '= 7', '== 7', '=== 7'])
      assert.deepEqual(readHitCount(text), { operator: '==', count: 7 }, text);
  });

  it('what every so many hits are left over may be said or not', () => {
    for (const text of ['% 20', '%20', '% 20 == 0', '%20==0', '% 20 ==0 '])
      assert.deepEqual(readHitCount(text), { operator: '%', count: 20 }, text);
  });

  it('counts that end in 0 are counts like others', () => {
    for (const text of ['== 10', '10', '>= 0', '!= 0', '<= 100'])
      assert.notEqual(readHitCount(text), undefined, text);
  });

  it('what is no hit count is none', () => {
    for (const text of [
      '',
      ' ',
      'x',
      '> x',
      '> -1',
      '> 1.5',
      '5 >',
      '> > 5',
      '=> 5',
      '==== 5',
      'i > 5',
      '> 5; exit()',
      '> 5 == 0',
      '5 == 0',
      '== 3 == 0',
      '% 2 == 1',
      '% 2 != 0',
      '> 1234567890',
      '٣',
    ]) {
      assert.equal(readHitCount(text), undefined, text);
    }
  });

  it('every 0 hits are none', () => {
    for (const text of ['% 0', '%0', '% 0 == 0', '% 000'])
      assert.equal(readHitCount(text), undefined, text);
  });
});

describe('hit counts in the words of a debug type', () => {
  it('who is not known gets operators', () => {
    for (const type of [undefined, 'go', 'some-other', ''])
      assert.deepEqual(
        EVERY.map((text) => sent(type, text)),
        EVERY,
      );
  });

  it('js-debug gets operators, save the one that it has not', () => {
    for (const type of JS_DEBUG)
      assert.deepEqual(
        EVERY.map((text) => sent(type, text)),
        ['== 3', undefined, '> 3', '>= 3', '< 3', '<= 3', '% 3'],
        type,
      );
  });

  it('js-debug is not sent the “== 0” that it cannot read', () => {
    assert.equal(sent('node', '% 2 == 0'), '% 2');
  });

  it('debugpy and CodeLLDB get operators', () => {
    for (const type of ['debugpy', 'python', 'lldb'])
      for (const text of ['== 3', '> 3', '>= 3', '< 3', '<= 3', '% 3'])
        assert.equal(sent(type, text), text);
  });

  it('debugpy is not sent “!=”, which it takes for an expression that never holds', () => {
    // pydevd's get_hit_condition_expression knows %, ==, > and < alone.
    for (const type of ['debugpy', 'python']) assert.equal(sent(type, '!= 3'), undefined, type);
  });

  it('CodeLLDB is not sent “!=”, without which it stops at every hit', () => {
    // Its parse_hit_condition knows <, <=, =, ==, >=, > and %; else it prints “Invalid hit condition” and drops the condition.
    assert.equal(sent('lldb', '!= 3'), undefined);
  });

  it('lldb-dap gets the number of the first hit that stops', () => {
    assert.deepEqual(
      EVERY.map((text) => sent('lldb-dap', text)),
      [undefined, undefined, '4', '3', undefined, undefined, undefined],
    );
    assert.equal(sent('lldb-dap', '> 0'), '1');
  });

  it('lldb-dap is never sent 0, of which it makes “never”', () => {
    // It does SetIgnoreCount(0 - 1), unsigned: “>= 0” would stop at none instead of at each.
    assert.notEqual(sent('lldb-dap', '>= 0'), '0');
  });

  it('java-debug gets the number of the only hit that stops', () => {
    assert.deepEqual(
      EVERY.map((text) => sent('java', text)),
      ['3', undefined, undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('what a type is said to understand is what it understands', () => {
    for (const type of ['lldb-dap', 'java', 'debugpy', 'python', ...JS_DEBUG]) {
      const refused = hitConditionFor(type, { operator: '!=', count: 3 });
      assert.ok('understands' in refused, type);
      const named = [...refused.understands.matchAll(/"([^"]+)"/g)].map(
        (each) => readHitCount((each[1] ?? '').replace('n', '3'))?.operator,
      );
      assert.deepEqual(
        new Set(named),
        new Set(
          EVERY.filter((text) => sent(type, text) !== undefined).map(
            (text) => readHitCount(text)?.operator,
          ),
        ),
        type,
      );
    }
  });

  it('every hit count that can be read reads back from operators as the same', () => {
    // “0” was read as “== 0”, which itself was none.
    const operator = fc.constantFrom('', '=', '==', '===', '!=', '>', '>=', '<', '<=', '%');
    fc.assert(
      fc.property(
        operator,
        fc.constantFrom('', ' ', '  '),
        fc.oneof(fc.nat(20), fc.nat(999_999_999)),
        fc.constantFrom('', ' == 0'),
        (sign, gap, count, rest) => {
          const hits = readHitCount(`${sign}${gap}${count}${rest}`);
          fc.pre(hits !== undefined);
          const written = hitConditionFor(undefined, hits);
          assert.ok('text' in written);
          assert.deepEqual(readHitCount(written.text), hits);
        },
      ),
      { numRuns: 1000, examples: [['', '', 0, '']] },
    );
  });
});
