import { strict as assert } from 'node:assert';
import type { Hit } from '../../../../../src/tools/trace/collect/collector';
import { claimResult } from '../../../../../src/tools/trace/collect/collectResult';

const hitOf = (claim: Hit['claim'], index: number): Hit => ({
  probe: 1,
  number: index + 1,
  thread: 'main',
  caller: undefined,
  values: [String(index)],
  claim,
  stack: undefined,
});

const resultOf = (...claims: readonly Hit['claim'][]): Readonly<Record<string, unknown>> =>
  claimResult({ expressions: ['n'] }, claims.map(hitOf), true);

const ERROR = "NameError: name 'limit' is not defined";

describe('the claim of a probe', () => {
  it('is confirmed only if it was true at every hit', () => {
    assert.deepEqual(resultOf(true, true), { expect: 'confirmed', confirmed_hits: 2 });
    assert.equal(resultOf()['expect'], 'never_reached');
    // Hits may have been missed.
    assert.deepEqual(claimResult({ expressions: ['n'] }, [], false), { expect: 'unknown' });
  });

  it('is neither refuted nor confirmed by hits at which it raised an error', () => {
    const { expect, confirmed_hits, not_evaluated_hits, not_evaluated } = resultOf(true, ERROR);
    assert.deepEqual([expect, confirmed_hits, not_evaluated_hits], ['not_evaluated', 1, 1]);
    const { hit, error, hint } = not_evaluated as Record<string, unknown>;
    assert.deepEqual([hit, error], [2, ERROR]);
    assert.match(String(hint), /another|line/);
  });

  it('is refuted by the first hit at which it was false', () => {
    const { expect, refuted_hits, not_evaluated_hits, counterexample } = resultOf(
      ...[ERROR, true, false, false],
    );
    assert.deepEqual([expect, refuted_hits, not_evaluated_hits], ['refuted', 2, 1]);
    assert.deepEqual(counterexample, { hit: 3, values: { n: '2' } });
  });

  it('never has a verdict that its hits do not show', () => {
    const claims = [true, false, ERROR, undefined];
    for (const one of claims)
      for (const two of claims)
        for (const three of claims) {
          const all = [one, two, three];
          const { expect } = resultOf(...all);
          assert.equal(expect === 'refuted', all.includes(false), JSON.stringify(all));
          assert.equal(
            expect === 'confirmed',
            all.every((each) => each === true),
          );
        }
  });
});
