import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';

/** The expressions of the `yield` statements in the first function of a file, by line. */
async function yieldsIn(
  file: string,
  text: string,
): Promise<readonly (readonly [number, string])[]> {
  const [found] = (await functionsIn(file, text)) ?? [];
  return (found?.yields ?? []).map(({ line, expressions }) => [line, expressions.join(', ')]);
}

describe('what a generator yields', () => {
  it('is evaluated in Python if no code of the program runs', async () => {
    const body = [
      'def pairs(rows):',
      '    yield rows',
      '    got = yield rows, 1  # first',
      '    yield (got + 1) * 2',
      '    yield 2 * 3',
    ];
    assert.deepEqual(await yieldsIn('/a/a.py', body.join('\n')), [
      [2, 'rows'],
      [3, 'rows, 1'],
      [4, '((got + 1) * 2) if type(got) in (int, float, bool, str) else 1 / 0'],
      [5, '2 * 3'],
    ]);
  });

  it('is not evaluated in Python if it calls something, reads a member, or is another generator', async () => {
    const body = [
      'def pairs(rows):',
      '    yield size(rows)',
      '    yield rows.size',
      '    yield rows[0]',
      '    yield [each for each in rows]',
      '    yield (lambda: rows)',
      "    yield 'text'",
      '    yield from rows',
      '    yield',
    ];
    assert.deepEqual(await yieldsIn('/a/a.py', body.join('\n')), []);
  });

  it('is read in JavaScript if no code of the program runs', async () => {
    const body = [
      'function* pairs(rows, g) {',
      '  const got = yield rows.length + 1;',
      '  yield count(rows);',
      '  yield* rows;',
      '  yield g;',
      '  yield;',
      '}',
    ];
    const found = await yieldsIn('/a/a.mjs', body.join('\n'));
    assert.deepEqual(
      found.map(([line]) => line),
      [2, 6],
    );
    assert.match(found[0]?.[1] ?? '', /g\.m\(rows,"length",0\)/);
    assert.equal(found[1]?.[1], 'undefined');
  });
});
