import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { answersToTooDeep, isTooDeep } from '../../../../src/mcp/shared/nesting';

const nested = (levels: number, open = '[', close = ']'): unknown =>
  JSON.parse(open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels));

/** The nesting depth, computed by its definition. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(levelsOf))
    : 0;

describe('the nesting limit of messages', () => {
  it('allows a hundred levels of lists or objects, and no more', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      assert.equal(isTooDeep(nested(100, open, close)), false);
      assert.equal(isTooDeep(nested(101, open, close)), true);
      assert.equal(isTooDeep(nested(400_000, open, close)), true);
    }
    for (const value of [null, 1, 'x', [], {}, [null], { a: [[null]] }])
      assert.equal(isTooDeep(value), false);
  });

  it('is the same wherever the nested part is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 80, max: 120 }), (text, levels) => {
        const value = { text: JSON.parse(text) as unknown, also: [nested(levels)] };
        assert.equal(isTooDeep(value), levelsOf(value) > 100);
      }),
    );
  });

  it('answers every request that is nested too deeply, and no other message', () => {
    const params = nested(200);
    const request = { jsonrpc: '2.0', id: 1, method: 'x' };
    assert.equal(answersToTooDeep(request), undefined);
    assert.deepEqual(
      answersToTooDeep({ ...request, params })?.map(({ id, error }) => [id, error.code]),
      [[1, -32602]],
    );
    assert.deepEqual(
      answersToTooDeep([
        { ...request, params },
        { ...request, id: 'two' },
        { jsonrpc: '2.0', method: 'x' },
        { jsonrpc: '2.0', id: 3, result: {} },
        7,
      ])?.map(({ id }) => id),
      [1, 'two'],
    );
    assert.deepEqual(answersToTooDeep({ jsonrpc: '2.0', method: 'x', params }), []);
    assert.deepEqual(answersToTooDeep(params), []);
  });
});
