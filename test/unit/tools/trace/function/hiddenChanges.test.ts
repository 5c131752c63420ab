import { strict as assert } from 'node:assert';
import { mayHideChange, partsWritten } from '../../../../../src/tools/trace/function/hiddenChanges';

const CUT = '[0, 0, 0, ...+97 more]';

describe('changes that texts do not show', () => {
  it('are possible where a line writes to a part of a value', () => {
    for (const [line, places] of [
      ['readings[at] = -1', ['readings']],
      ['  readings[at] += 1;', ['readings']],
      ['this.rows[i].total = 5;', ['this.rows']],
      ['node->next = 0;', ['node.next']],
      ['*sum = 4;', ['sum']],
      ['counts[key]++;', ['counts']],
      ['values[1] <<= 2', ['values']],
      ['items.append(order)', ['items']],
      ['this.cache.set(key, value); log.push(key);', ['this.cache', 'log']],
      ['total = 5', []],
      ['int total = 5;', []],
      ['const { a } = rows[0];', []],
      ['if (rows[0] == 5) {', []],
      ['if rows[0] <= 5:', []],
      ['rows[0] !== other', []],
      ['const f = (x) => x.y;', []],
      ['print("a.append(b)")', []],
      ['total := rows[0]', []],
    ] as const)
      assert.deepEqual(partsWritten(line), places, line);
  });

  it('are reported only if the text of the value may be a part of it, and shows no change', () => {
    const hides = (
      line: string,
      values: Readonly<Record<string, string>>,
      changed: string[] = [],
    ) =>
      mayHideChange(
        line,
        changed.map((name) => ({ name, before: '0', now: '1' })),
        new Map(Object.entries(values)),
      );
    assert.equal(hides('readings[at] = -1', { readings: CUT }), true);
    assert.equal(hides('readings[at] = -1', { readings: '[0, 1]' }), false);
    assert.equal(hides('readings[at] = -1', { readings: CUT }, ['readings']), false);
    assert.equal(hides('readings[at] = -1', {}), false);
    assert.equal(hides('this.rows.push(0);', { this: 'Cart {…}', 'this.rows': '[0]' }), false);
    assert.equal(hides('this.rows.push(0);', { this: 'Cart {…}' }), true);
    assert.equal(hides('readings = other', { readings: CUT }), false);
  });

  it('are not possible in values whose whole contents were compared', () => {
    const values = new Map([
      ['readings', CUT],
      ['this', 'Cart {…}'],
    ]);
    const hides = (line: string, compared: string[]): boolean =>
      mayHideChange(line, [], values, compared);
    assert.equal(hides('readings[at] = -1', ['readings']), false);
    assert.equal(hides('readings[at] = -1', ['other']), true);
    assert.equal(hides('this.rows.push(0);', ['this']), false);
    assert.equal(hides('this.#rows.push(0);', ['this']), true);
  });
});
