import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isCompleteText } from '../../../../src/debugger/inspection/completeText';

const COMPLETE: Readonly<Record<string, readonly string[]>> = {
  'numbers and words': [
    '7',
    '-0.5',
    '1e-7',
    'true',
    'None',
    'nil',
    'undefined',
    'Color.RED',
    'Red',
  ],
  strings: [
    `"a"`,
    `'it is … no: a plain one'`.replace('…', ''),
    `"loading..."`,
    `"size=3 and 0x7ffe12345678 @ 0x1 <Order>"`,
    `b'ab'`,
    `L"wide"`,
    `97 'a'`,
    `"say \\"no\\""`,
  ],
  'JavaScript’s recorder': [
    'Order {name: "o1", price: 10}',
    '[1, 2, [3]]',
    'Map {"a" => 1}',
    'Uint8Array [1, 2]',
    '2020-01-01T00:00:00.000Z',
    'RangeError: no',
  ],
  'Python’s recorder': [
    `<Order name='o1', price=10>`,
    `<Order price=10, size=3>`,
    `{'a': [1, 2]}`,
    'array([1., 7.])',
    'np.int64(7)',
    "Decimal('1.5')",
    'Point(x=1, size=2)',
  ],
  'LLDB’s recorder': [
    'size=3 [0, -1, 2]',
    'size=0',
    'Order {number: 1, price: 10}',
    '{items: size=1 [2]}',
    '0x7ffe12345678 (5)',
    'size=1 [{first: "a", second: 1}]',
    'Some(3)',
  ],
  Delve: [
    '[]int len: 3, cap: 3, [1,2,3]',
    'main.Order {ID: 1, Name: "a"}',
    '*main.Order {ID: 1}',
    '4831232 = 0x49b800',
    'map[string]int ["a": 1, ]',
  ],
};

const PARTIAL: Readonly<Record<string, readonly string[]>> = {
  'cut texts': ['[1, 2, … 90 more]', '"aaa', `'aa…aa'`, `"aa"...`, '{…}', '{...}', '', ' '],
  Delve: [
    '[]int len: 100, cap: 100, [0,1,2,...+36 more]',
    '"aaaa...+36 more"',
    '[][]int len: 1, cap: 1, [[...]]',
    '*main.Node {next: (*main.Node)(0xc000012345)}',
    '(unreadable could not read string at 0x9)',
    'chan int 3/10',
  ],
  LLDB: [
    'size=3',
    '{items: size=2}',
    '[size=2, size=1]',
    '0x00007ffe12345678',
    'Order @ 0x7ffe12345678',
    '*{next: 0x55d0c2b0a2c0}',
    '{x: ?}',
  ],
  Python: [
    '<ndarray>',
    '<date>',
    '<Order …>',
    '<function add at 0x7f00aa00bb00>',
    '<int of 2000 bits>',
    '[<Order>, 1]',
    'ndarray(shape=(3,), dtype=float64)',
    'DataFrame(shape=(3, 2))',
    'array([0.12345679])',
    `'${'a'.repeat(50)}...${'b'.repeat(50)}'`,
  ],
  JavaScript: [
    'Array(3)',
    'Map(2)',
    '{a: Array(3)}',
    '[Proxy]',
    '{a: (getter)}',
    'Promise',
    'Object',
  ],
  Java: ['Order@1b2c', 'ArrayList@12'],
};

describe('whether the text of a value shows the whole value', () => {
  for (const [kind, texts] of Object.entries(COMPLETE))
    it(`yes: ${kind}`, () => {
      assert.deepEqual(
        texts.filter((text) => !isCompleteText(text)),
        [],
      );
    });

  for (const [kind, texts] of Object.entries(PARTIAL))
    it(`no: ${kind}`, () => {
      assert.deepEqual(
        texts.filter((text) => isCompleteText(text)),
        [],
      );
    });

  // Whatever surrounds a part, the whole is not complete.
  it('no, wherever the part is', () => {
    const part = fc.constantFrom(...Object.values(PARTIAL).flat().filter(isMember));
    const whole = fc.constantFrom(...Object.values(COMPLETE).flat().filter(isMember));
    fc.assert(
      fc.property(part, fc.array(whole), fc.array(whole), (inner, before, after) => {
        const list = `[${[...before, inner, ...after].join(', ')}]`;
        return !isCompleteText(list) && !isCompleteText(`Cart {items: ${list}, total: 1}`);
      }),
    );
  });

  it('yes, if all members are complete', () => {
    const whole = fc.constantFrom(...Object.values(COMPLETE).flat().filter(isMember));
    fc.assert(
      fc.property(fc.array(whole, { minLength: 1 }), (members) =>
        isCompleteText(`[${members.join(', ')}]`),
      ),
    );
  });

  it('no, for any value that is cut at its limit', () => {
    fc.assert(fc.property(fc.string(), (text) => !isCompleteText(`${text}…`)));
  });

  it('yes, for any string that is printed whole', () => {
    const plain = fc.string({ maxLength: 30 }).filter((text) => !text.includes('…'));
    fc.assert(fc.property(plain, (text) => isCompleteText(JSON.stringify(text))));
  });
});

/** Leaves out texts that mean something else within others. */
function isMember(text: string): boolean {
  return text.trim() !== '' && !text.startsWith('"aaa') && text !== 'Object' && text !== `"aa"...`;
}
