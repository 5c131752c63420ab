import { strict as assert } from 'node:assert';
import { isInTry } from '../../../../../src/tools/trace/function/branches';

const SOURCE = `
try:
    first()
    for x in xs:

        second(x)
except E:
    third()
else:
    fourth()
def f():
    try:
        class A:
            fifth()
        def g():
            sixth()
        seventh()
    finally:
        eighth()
`.split('\n');

const lineOf = (text: string): number => SOURCE.findIndex((line) => line.includes(text)) + 1;

describe('a line of Python', () => {
  for (const [text, expected] of [
    ['first', true],
    ['second', true],
    ['third', false],
    ['fourth', false],
    ['fifth', false],
    ['sixth', false],
    ['seventh', true],
    ['eighth', false],
  ] as const)
    it(`${text}() is ${expected ? '' : 'not '}in the block of a try of its function`, () => {
      assert.equal(isInTry(SOURCE, lineOf(text)), expected);
    });
});
