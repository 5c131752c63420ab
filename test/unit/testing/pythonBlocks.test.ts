import { strict as assert } from 'node:assert';
import { afterException } from '../../../src/testing/python/pythonBlocks';

const SOURCE = `def plain():
    one()
def cleans():
    try:
        two()
    finally:
        three()
def retries():
    for attempt in range(3):
        try:
            four()
        except ConnectionError:
            # Not the last one.

            five()
        else:
            six()
        finally:
            seven()
def opens():
    with open(path) as file:
        if file:
            eight()
    nine()
def nests():
    with self.subTest():
        def inner():
            ten()
    try:
        eleven()
    except E:
        pass
async def waits():
    async with lock:
        twelve()
    if x:
        pass
    else:
        thirteen()
`.split('\n');

describe('an exception in Python', () => {
  for (const [text, runs, catches] of [
    ['one', false, false],
    ['two', true, false],
    ['three', false, false],
    ['four', true, true],
    ['five', true, false],
    ['six', true, false],
    ['seven', false, false],
    ['eight', true, false],
    ['nine', false, false],
    ['ten', false, false],
    ['eleven', false, true],
    ['twelve', true, false],
    ['thirteen', false, false],
  ] as const)
    it(`of ${text}() ${runs ? 'runs code' : 'runs no code'} of its function, and is ${catches ? '' : 'not '}caught`, () => {
      const line = SOURCE.findIndex((each) => each.includes(`${text}()`)) + 1;
      assert.deepEqual(afterException(SOURCE, line), { runs, catches });
    });

  it('at a line that does not exist leads to nothing', () => {
    assert.deepEqual(afterException([], 7), { runs: false, catches: false });
  });
});
