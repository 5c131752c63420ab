import { strict as assert } from 'node:assert';
import { assignedBy } from '../../../../../src/tools/trace/function/recordedCallees';
import {
  functionsIn,
  javaScriptProgramCalls,
} from '../../../../../src/tools/trace/function/source/functionsIn';
import type { SourceCall } from '../../../../../src/tools/trace/function/source/sourceFunction';
import { values } from '../../../support/callHistories';

async function callsIn(file: string, text: string): Promise<readonly SourceCall[]> {
  return (await functionsIn(file, text))?.[0]?.calls ?? [];
}

/** A call as `name start-end → what becomes of its value`. */
const brief = ({ name, isNew, start, end, assigned, isDeclared, isReturned }: SourceCall): string =>
  `${isNew ? 'new ' : ''}${name} ${start}-${end}${assigned.length > 0 ? ` ${isDeclared ? 'declares' : 'assigns'} ${assigned.join()}` : ''}${isReturned ? ' returns' : ''}`;

describe('the calls in a function', () => {
  it('have the statements that assign or return their values', async () => {
    const script = [
      'function f(a) {',
      '  const one = first(a);',
      '  a.b = second();',
      '  let [x] = third();',
      '  a = fourth(fifth(',
      '    a,',
      '  ));',
      '  a += sixth?.();',
      '  this.#own(); a[0](); super.x();',
      '  (() => hidden())();',
      '  return new Seventh();',
      '}',
    ];
    assert.deepEqual((await callsIn('/a.js', script.join('\n'))).map(brief), [
      'first 2-2 declares one',
      'second 3-3',
      'third 4-4',
      'fourth 5-7 assigns a',
      'fifth 5-7',
      'sixth 8-8',
      'own 9-9',
      'x 9-9',
      'new Seventh 11-11 returns',
    ]);
    const go = [
      'func f(a int) (int, error) {',
      '\tone, err := first(a)',
      '\tif err := second("x("); err != nil {',
      '\t}',
      '\ta = a + third(a)',
      '\tgo func() { fourth() }()',
      '\tfor i := range fifth(a) {',
      '\t}',
      '\treturn sixth(a)',
      '}',
    ];
    assert.deepEqual((await callsIn('/a.go', go.join('\n'))).map(brief), [
      'first 2-2 declares one,err',
      'second 3-3 declares err',
      'third 5-5',
      'fourth 6-6',
      'fifth 7-7',
      'sixth 9-9 returns',
    ]);
  });
});

describe('the calls outside of functions', () => {
  it('are those of the JavaScript file itself, with the blocks of their variables', async () => {
    const text = [
      'const one = f(1);',
      'function g() { return h(); }',
      'if (one) {',
      '  let two = f(one);',
      '  var three = f(two);',
      '}',
      'list.forEach((each) => h(each));',
    ].join('\n');
    const calls = await javaScriptProgramCalls('/a.js', text);
    assert.deepEqual(calls.map(brief), [
      'f 1-1 declares one',
      'f 4-4 declares two',
      'f 5-5 assigns three',
      'forEach 7-7',
    ]);
    assert.deepEqual(
      calls.map(({ block }) => block),
      [undefined, { start: 3, end: 6 }, undefined, undefined],
    );
    assert.deepEqual(await javaScriptProgramCalls('/a.js', '}'), []);
  });
});

describe('a statement with a call', () => {
  it('gives no value if other code may have changed the variable', async () => {
    const script = [
      'function f(a) {',
      '  let n = first(a); if (n < 0) n = 0;',
      '  var v = second(a); // a comment',
      '  try { const t = third(a) ; } finally {}',
      '  return fourth(a);',
      '}',
    ];
    assert.deepEqual((await callsIn('/a.js', script.join('\n'))).map(brief), [
      'first 2-2',
      'second 3-3 assigns v',
      // The block of `finally` may replace the value of a `return`.
      'third 4-4',
      'fourth 5-5',
    ]);
    const tried = 'function f() {\n  try {\n    const t = g();\n  } catch {}\n  return h();\n}';
    assert.deepEqual((await callsIn('/a.js', tried)).map(brief), [
      'g 3-3 assigns t',
      'h 5-5 returns',
    ]);
    const go = [
      'func f(a int) (err error) {',
      '\tdefer func() { err = nil }()',
      '\tif v, err := first(a); err != nil {',
      '\t\tuse(v)',
      '\t} else {',
      '\t}',
      '\tv := second(a); v++',
      '\treturn third(a)',
      '}',
    ];
    const calls = await callsIn('/a.go', go.join('\n'));
    assert.deepEqual(calls.map(brief), [
      'first 3-3 declares v,err',
      'use 4-4',
      'second 7-7',
      'third 8-8',
    ]);
    assert.deepEqual(
      calls.map(({ block }) => block),
      [{ start: 4, end: 4 }, undefined, undefined, undefined],
    );
  });

  it('shows a value only where its variables exist', () => {
    const call: SourceCall = {
      ...{ name: 'g', isNew: false, start: 3, end: 3, assigned: ['v', '_'], isReturned: false },
      ...{ isDeclared: true, block: { start: 4, end: 6 } },
    };
    const now = values({ v: 1 });
    assert.equal(assignedBy(call, now, 4, true), '1, _');
    assert.equal(assignedBy(call, now, 7, true), undefined);
    assert.equal(assignedBy({ ...call, isDeclared: false }, now, 4, true), undefined);
    assert.equal(assignedBy({ ...call, isDeclared: false }, now, 4, false), '1, _');
    assert.equal(assignedBy({ ...call, assigned: [] }, now, 4, false), undefined);
    assert.equal(assignedBy(call, values({}), 4, false), undefined);
  });
});
