import { strict as assert } from 'node:assert';
import type { Measured } from '../../campaign/calls';
import type { Result } from '../../campaign/campaign';
import type { Project } from '../../campaign/project';
import { excess, missedAims, shortfallsOf, tableOf } from '../../campaign/table';

const PROJECT: Project = {
  name: 'lib',
  language: 'python',
  runner: 'pytest',
  package: 'lib==1.0',
  tests: ['tests'],
  sources: ['lib'],
};

const RIGHT = { isRight: true, expected: 'failed', got: 'failed' };

function measured(oursMs: number, more: Partial<Measured> = {}): Measured {
  const compared = { verdict: RIGHT, message: RIGHT };
  return { test: 't', file: '/t', isFailing: true, compared, plainMs: 1000, oursMs, ...more };
}

function result(all: readonly Measured[], stay: Result['stay']): Result {
  const fault = { file: 'lib/a.py', line: 3, column: 1, from: '<', to: '<=' };
  const prepared = { project: PROJECT, folder: '/lib', version: '9.2', fault, reader: 1 };
  return { prepared, failing: all.length, measured: all, stay };
}

describe('the table of the campaign', () => {
  it('has a row for each project, and meets the aims', () => {
    const results = [result([measured(2400)], { ...RIGHT, test: 't' })];
    const [, , row = '', all = ''] = tableOf(results).split('\n');
    assert.match(
      row,
      /^\| lib==1\.0 \| pytest 9\.2 \| a\.py:3 `<` → `<=` \| 1 \| 1 \| 1 \| – \| – \| 1 \|/,
    );
    assert.match(row, / 1\.00 \| 2\.40 \| – \| – \|$/);
    assert.match(all, /100% \| 100% \| – \| – \| 100% /);
    assert.deepEqual(shortfallsOf(results), []);
    assert.deepEqual(missedAims(results), []);
  });

  it('tells what fell short', () => {
    const verdict = { isRight: false, expected: 'failed', got: 'passed' };
    const late = measured(2600, { compared: { verdict } });
    const stay = { isRight: false, expected: 'stopped', got: 'ended', test: 't' };
    const results = [result([late], stay)];
    assert.match(tableOf(results), /\*\*0\*\* of 1 .* \*\*2\.60\*\*/);
    assert.deepEqual(
      shortfallsOf(results).map(({ what, got }) => [what, got]),
      [
        ['verdict', 'passed'],
        ['stay', 'ended'],
        ['time', '2.60 s'],
      ],
    );
    assert.deepEqual(missedAims(results, false), [
      'verdict: 0.0%, aim 100%',
      'stay: 0.0%, aim 100%',
    ]);
    assert.deepEqual(missedAims(results), [
      'verdict: 0.0%, aim 100%',
      'stay: 0.0%, aim 100%',
      'time: lib',
    ]);
  });

  it('judges times by the middle pair', () => {
    assert.equal(excess('pytest', [measured(2400), measured(2600), measured(9000)]), 100);
    assert.equal(excess('go_test', [measured(2600)]), -400);
  });
});
