import { strict as assert } from 'node:assert';
import path from 'node:path';
import { PLANTED_WRITES } from '../../bench/bugs/writers/plantedWrites';
import { markedLine } from '../../support/markers';
import { readPath } from '../../../src/tools/live/writer/valuePath';
import { ROOT } from '../support/trace';

describe('bench: planted writes', () => {
  it('are at least twelve in each language', () => {
    assert.equal(new Set(PLANTED_WRITES.map(({ file }) => file)).size, PLANTED_WRITES.length);
    for (const language of ['Node', 'Python'])
      assert.ok(PLANTED_WRITES.filter((each) => each.language === language).length >= 12);
  });

  for (const { file, expression } of PLANTED_WRITES)
    it(`${file}: writes ${expression} before it is read`, () => {
      const program = path.join(ROOT, 'test/bench/bugs/writers/programs', file);
      assert.notEqual(markedLine(program, 'writes'), markedLine(program, 'wrong'));
      assert.ok(readPath(expression), expression);
    });
});
