import { strict as assert } from 'node:assert';
import { unknownNames } from '../../../../src/debugger/breakpoints/conditionNames';

const TEXT = 'import os\ndef add(one, total):\n    self.items = {}\n    return one + total\n';

describe('names of a Python condition that the file does not hold', () => {
  for (const [condition, names] of [
    ['totl > 1', ['totl']],
    ['total > 1 and one is not None', []],
    ['self.itms.count == 3', []],
    ['slf.items', ['slf']],
    ['len(total) > 1 and isinstance(one, str)', []],
    ['one == "totl" or total == f\'{x}\'', []],
    ['any(each > 1 for each in total)', []],
    ['any(a == b for a, b in zip(one, total))', []],
    ['(lambda value: value > 1)(total)', []],
    ['(found := one) and found > 1', []],
    ['sorted(total, key=one) == wrong', ['wrong']],
    ['total > 0x1f and one > 1e5 and total == 10j', []],
    ['a == a', ['a']],
    ['1 + totl', ['totl']],
    ['check(totl, key=one)', ['check', 'totl']],
    ['self . itms', []],
    ['one if"x"else total', []],
    ['any(each > 1 for  each  in total)', []],
    ['(lambda  value: value > 1)(total)', []],
    ['(größe2 := one) and größe2', []],
    ['one ==', []],
  ] as const) {
    it(condition, () => {
      assert.deepEqual(unknownNames(condition, TEXT), names);
    });
  }

  it('are none if names may come from anywhere', () => {
    assert.deepEqual(unknownNames('totl > 1', `from math import *\n${TEXT}`), []);
  });

  it('are reported if the line that imports everything is in a comment or a string', () => {
    const imports = (line: string): readonly string[] =>
      unknownNames('totl > 1', `${line}\n${TEXT}`);
    for (const line of ['    from  math  import  *', 'x = 1\n\tfrom os.path import *'])
      assert.deepEqual(imports(line), [], line);
    for (const line of ['# from math import *', 'x = "from math import *"'])
      assert.deepEqual(imports(line), ['totl'], line);
  });

  it('are none in a condition that is too long to check', () => {
    const adding = (times: number): string => `${'total + '.repeat(times)}totl`;
    assert.deepEqual(unknownNames(adding(200), TEXT), []);
    assert.deepEqual(unknownNames(adding(124), TEXT), ['totl']);
  });

  it('are found quickly even in conditions that are made to take long', () => {
    const began = performance.now();
    for (const condition of [
      'a'.repeat(10_000),
      'for '.repeat(2500),
      'lambda '.repeat(1400),
      '"'.repeat(10_000),
      "'''".repeat(3000),
      '1'.repeat(10_000),
      ' '.repeat(10_000),
      '\\"'.repeat(5000),
      'a.'.repeat(5000),
      'x :'.repeat(3000),
    ])
      unknownNames(condition, TEXT);
    assert.ok(performance.now() - began < 1000, `${performance.now() - began} ms`);
  });
});
