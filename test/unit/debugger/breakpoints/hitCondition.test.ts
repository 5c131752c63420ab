import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { hitConditionFor, readHitCount } from '../../../../src/debugger/breakpoints/hitCondition';

/** The hit condition that is sent to an adapter of the debug type. Undefined if the adapter cannot express it. */
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
  it('accepts the spellings of the founding documents', () => {
    assert.deepEqual(['> 5', '== 3', '% 2 == 0'].map(readHitCount), [
      { operator: '>', count: 5 },
      { operator: '==', count: 3 },
      { operator: '%', count: 2 },
    ]);
  });

  it('accepts every operator, with and without blanks', () => {
    for (const operator of ['==', '!=', '>', '>=', '<', '<=', '%']) {
      for (const text of [`${operator}12`, `${operator} 12`, `  ${operator}  12 `])
        assert.deepEqual(readHitCount(text), { operator, count: 12 }, text);
    }
  });

  it('takes a number alone as that hit, also with one to three equals signs', () => {
    for (const text of ['7', ' 7 ', '= 7', '== 7', '=== 7'])
      assert.deepEqual(readHitCount(text), { operator: '==', count: 7 }, text);
  });

  it('accepts a modulo with and without its remainder of 0', () => {
    for (const text of ['% 20', '%20', '% 20 == 0', '%20==0', '% 20 ==0 '])
      assert.deepEqual(readHitCount(text), { operator: '%', count: 20 }, text);
  });

  it('accepts counts that end in 0', () => {
    for (const text of ['== 10', '10', '>= 0', '!= 0', '<= 100'])
      assert.notEqual(readHitCount(text), undefined, text);
  });

  it('rejects texts that are no hit counts', () => {
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

  it('rejects a modulo of 0', () => {
    for (const text of ['% 0', '%0', '% 0 == 0', '% 000'])
      assert.equal(readHitCount(text), undefined, text);
  });
});

describe('hit counts for a debug type', () => {
  it('are sent as operators to an unknown type', () => {
    for (const type of [undefined, 'go', 'some-other', ''])
      assert.deepEqual(
        EVERY.map((text) => sent(type, text)),
        EVERY,
      );
  });

  it('are sent as operators to js-debug, except the one that it does not support', () => {
    for (const type of JS_DEBUG)
      assert.deepEqual(
        EVERY.map((text) => sent(type, text)),
        ['== 3', undefined, '> 3', '>= 3', '< 3', '<= 3', '% 3'],
        type,
      );
  });

  it('are sent to js-debug without the “== 0” that it cannot read', () => {
    assert.equal(sent('node', '% 2 == 0'), '% 2');
  });

  it('are sent as operators to debugpy and CodeLLDB', () => {
    for (const type of ['debugpy', 'python', 'lldb'])
      for (const text of ['== 3', '> 3', '>= 3', '< 3', '<= 3', '% 3'])
        assert.equal(sent(type, text), text);
  });

  it('are not sent with “!=” to debugpy, which takes it for an expression that is never true', () => {
    // pydevd's get_hit_condition_expression recognizes only %, ==, > and <.
    for (const type of ['debugpy', 'python']) assert.equal(sent(type, '!= 3'), undefined, type);
  });

  it('are not sent with “!=” to CodeLLDB, which would then stop at every hit', () => {
    // Its parse_hit_condition supports <, <=, =, ==, >=, > and %. Otherwise it prints “Invalid hit condition” and drops
    // the condition.
    assert.equal(sent('lldb', '!= 3'), undefined);
  });

  it('are sent to lldb-dap as the number of the first hit that stops', () => {
    assert.deepEqual(
      EVERY.map((text) => sent('lldb-dap', text)),
      [undefined, undefined, '4', '3', undefined, undefined, undefined],
    );
    assert.equal(sent('lldb-dap', '> 0'), '1');
  });

  it('are never sent as 0 to lldb-dap, which takes it as “never”', () => {
    // It calls SetIgnoreCount(0 - 1), unsigned: “>= 0” would stop at no hit instead of at each.
    assert.notEqual(sent('lldb-dap', '>= 0'), '0');
  });

  it('are sent to java-debug as the number of the only hit that stops', () => {
    assert.deepEqual(
      EVERY.map((text) => sent('java', text)),
      ['3', undefined, undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('use exactly the operators that a type is said to understand', () => {
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

  it('are the same when they are read back from operators', () => {
    // “0” was read as “== 0”, which itself was no valid hit count.
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
