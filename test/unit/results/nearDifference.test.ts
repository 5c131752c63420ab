import { strict as assert } from 'node:assert';
import { nearDifference, nearEntry } from '../../../src/results/nearDifference';

describe('two texts of a value that has changed', () => {
  it('begin shortly before their difference if they are long and equal until there', () => {
    const [one, other] = nearDifference(`${'a'.repeat(90)}1`, `${'a'.repeat(90)}2`, 40);
    assert.deepEqual([one, other], [`…${'a'.repeat(10)}1`, `…${'a'.repeat(10)}2`]);
    assert.deepEqual(nearDifference('a1', 'a2', 40), ['a1', 'a2']);
  });

  it('of collections begin at the entry before their difference', () => {
    const names = "['apple', 'banana', 'cherry', 'date'";
    assert.deepEqual(nearEntry(`${names}]`, `${names}, 'elder']`), [
      "…'date']",
      "…'date', 'elder']",
    ]);
    const numbers = '[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, … ';
    assert.deepEqual(nearEntry(`${numbers}9 more]`, `${numbers}10 more]`), [
      '… 9 more]',
      '… 10 more]',
    ]);
  });

  it('of collections are whole if they are short, differ early, or have a long entry there', () => {
    const long = `['first entry', '${'x'.repeat(60)}`;
    for (const pair of [
      ['[1, 2]', '[1, 2, 3]'],
      [`[1, ${'2, '.repeat(30)}]`, `[5, ${'2, '.repeat(30)}]`],
      [`${long}1']`, `${long}2']`],
    ] as const)
      assert.deepEqual(nearEntry(pair[0], pair[1]), pair);
  });
});
