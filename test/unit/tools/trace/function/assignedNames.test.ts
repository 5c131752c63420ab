import { strict as assert } from 'node:assert';
import { assignedNames } from '../../../../../src/tools/trace/function/assignedNames';

describe('the names that a line assigns', () => {
  for (const [line, names] of [
    ['x = 1', ['x']],
    ['  const x = f(a = 1)', ['x']],
    ['export let x: number = 1;', ['x']],
    ['x: list[int] = []', ['x']],
    ['a, b := f()', ['a', 'b']],
    ['order, *rest = normalize(order)', ['order', 'rest']],
    ['const { a, b: c, d = 1, ...others } = f()', ['a', 'c', 'd', 'others']],
    ['const [first, second] = pair', ['first', 'second']],
    ['for (const item of items) {', ['item']],
    ['for key, value in pairs.items():', ['key', 'value']],
    ['with open(p) as file, lock as held:', ['file', 'held']],
  ] as const)
    it(`are ${names.join(', ')} in: ${line}`, () => {
      assert.deepEqual(assignedNames(line), names);
    });

  for (const line of [
    'x += 1',
    'x.y = 1',
    'x[0] = 1',
    'x == 1',
    'call(x=1)',
    'if (x <= 1) {',
    'items.map(x => x * 2)',
    'print("x = 1")',
    'return x',
  ])
    it(`are none in: ${line}`, () => {
      assert.deepEqual(assignedNames(line), []);
    });
});
