import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  enclosingClass,
  pythonCondition,
  pythonExpression,
} from '../../../src/debugger/adapters/pythonCondition';
import { skip } from '../../support/skip';
import { expressionProgram } from '../support/pythonPrograms';
import { PYTHON, RECORDERS } from '../support/recorderRuns';

const PROGRAMS = 60;
const EXPRESSIONS = 30;

describe('rule 4: an expression of Python means what it means at its line', function () {
  this.timeout(60_000);

  it('as a value, as a condition, and as an evaluation at a stop', function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
    const programs = Array.from({ length: PROGRAMS }, (_, seed) => {
      const { source, cases } = expressionProgram(seed + 1, EXPRESSIONS);
      const lines = source.split('\n');
      return {
        source,
        cases: cases.map(({ text, line, isBound }) => {
          const owner = enclosingClass(lines, line);
          const evaluated = pythonExpression(text, lines, line);
          return { text, isBound, condition: pythonCondition(text, owner), evaluated };
        }),
      };
    });
    const script = path.resolve('test/fixtures/pythonKinds/expressions.py');
    const ran = spawnSync(PYTHON, ['-B', script, RECORDERS], {
      input: JSON.stringify(programs),
      encoding: 'utf8',
    });
    assert.equal(ran.status, 0, ran.stderr);
    const [counts = '', ...different] = ran.stdout.trim().split('\n').reverse();
    assert.deepEqual(different.reverse(), []);
    const { value, error } = JSON.parse(counts) as Readonly<Record<string, number>>;
    assert.ok(Number(value) > 1000 && Number(error) > 50, counts);
  });
});
