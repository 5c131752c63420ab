import { strict as assert } from 'node:assert';
import { CallTrace } from '../../../../../src/tools/trace/function/callTrace';
import { historyOf, shown, type Seen } from '../../../support/callHistories';

describe('exceptions in the history of a call', () => {
  it('shows exceptions that were thrown and caught, and the one that left the function', () => {
    const source = 'def f():\n  try:\n    g()\n  except KeyError as e:\n    raise ValueError\n';
    const history = historyOf(
      source,
      [
        [2, {}],
        [3, {}],
        [4, {}],
        [5, { e: "KeyError('x')" }],
      ],
      { end: { kind: 'threw', exception: 'ValueError' } },
    );
    assert.deepEqual(shown(history), [
      '2 try:',
      '3 g()  | threw, caught at 4',
      "4 except KeyError as e:  | e = KeyError('x')",
      '5 raise ValueError  | threw ValueError',
    ]);
    assert.deepEqual(history.end, { kind: 'threw', exception: 'ValueError' });
  });

  it('names the catch line that catches, if an earlier one does not fit', () => {
    const source = 'try:\n  try:\n    g()\n  except A:\n    pass\nexcept B:\n  h()';
    const history = historyOf(source, [
      [3, {}],
      [4, {}],
      [6, {}],
      [7, {}],
    ]);
    assert.deepEqual(shown(history), [
      '3 g()  | threw, caught at 6',
      '4 except A:',
      '6 except B:',
      '7 h()',
    ]);
  });

  it('does not name an except line that does not match, nor a finally block', () => {
    const source = [
      ...['def f():', '  try:', '    g()', '  except A:', '    pass', '  finally:', '    h()'],
      ...['  return 1', ''],
    ].join('\n');
    const end = { kind: 'threw', exception: 'B()' } as const;
    for (const [lines, expected] of [
      [
        [3, 4],
        ['3 g()  | threw', '4 except A:  | threw B()'],
      ],
      [
        [3, 4, 7],
        ['3 g()  | threw', '4 except A:', '7 h()  | threw B()'],
      ],
      [
        [3, 7],
        ['3 g()', '7 h()  | threw B()'],
      ],
    ] as const)
      assert.deepEqual(
        shown(
          historyOf(
            source,
            lines.map((line) => [line, {}]),
            { end },
          ),
        ),
        expected,
      );
    const caught = historyOf(source, [
      [3, {}],
      [4, {}],
      [5, {}],
      [7, {}],
    ]);
    assert.deepEqual(shown(caught).slice(0, 2), ['3 g()  | threw, caught at 4', '4 except A:']);
  });

  it('does not count the end of a handler as an exception, if the debugger stops at the next one', () => {
    const source = [
      'int f() {',
      '  try {',
      '    g();',
      '  } catch (int a) {',
      '    a = -a;',
      '  } catch (...) {',
      '    h();',
      '  }',
      '  return 1;',
    ].join('\n');
    assert.deepEqual(
      shown(
        historyOf(source, [
          [3, {}],
          [4, {}],
          [5, { a: 1 }],
          [6, { a: -1 }],
          [9, { a: -1 }],
        ]),
      ),
      [
        '3 g();  | threw, caught at 4',
        '4 } catch (int a) {  | a = 1',
        '5 a = -a;  | a: 1 → -1',
        '9 return 1;',
      ],
    );
    // The next handler of the same `try` is the one that catches, if the first one does not fit.
    assert.deepEqual(
      shown(
        historyOf(source, [
          [3, {}],
          [6, {}],
          [7, {}],
        ]),
      ),
      ['3 g();  | threw, caught at 6', '6 } catch (...) {', '7 h();'],
    );
  });

  it('shows an exception in a handler, which an outer one catches directly behind it', () => {
    const source = [
      'def f():',
      '  try:',
      '    try:',
      '      g()',
      '    except A:',
      '      h()',
      '  except B:',
      '    pass',
    ].join('\n');
    const seen: Seen[] = [4, 5, 6, 7, 8].map((line) => [line, {}]);
    assert.deepEqual(shown(historyOf(source, seen)), [
      '4 g()  | threw, caught at 5',
      '5 except A:',
      '6 h()  | threw, caught at 7',
      '7 except B:',
      '8 pass',
    ]);
  });

  it('shows one exception for a call and the one that it made, whichever is known', () => {
    const called = { name: 'f', path: undefined, source: ['def f():', '  g()'] };
    const lineOf = (of: string | undefined, end: string | undefined, thrown?: string): unknown => {
      const trace = new CallTrace(called, new Map());
      trace.at(2, new Map());
      trace.callee({ name: 'g', args: [], end: { kind: 'threw', exception: of } });
      if (thrown !== undefined) trace.thrown(thrown);
      const history = trace.finish({ kind: 'threw', exception: end });
      return [shown(history), history.end];
    };
    const expected = [['2 g()  | g() threw E()'], { kind: 'threw', exception: 'E()' }];
    assert.deepEqual(lineOf('E()', undefined), expected);
    assert.deepEqual(lineOf(undefined, 'E()'), expected);
    assert.deepEqual(lineOf(undefined, undefined, 'E()'), expected);
    assert.deepEqual(lineOf(undefined, undefined), [
      ['2 g()  | g() threw'],
      { kind: 'threw', exception: undefined },
    ]);
  });

  it('shows no exception for lines within a block that handles one', () => {
    const several =
      'try:\n    parse(x)\nexcept E as e:\n    report(\n        e,\n        x)\n    done = 1';
    const at = (lines: readonly number[]): readonly string[] =>
      shown(
        historyOf(
          several,
          lines.map((line): Seen => [line, { e: line > 3 ? 'E()' : undefined }]),
        ),
      ).filter((line) => line.includes('threw'));
    assert.deepEqual(at([2, 3, 4, 5, 6, 4, 7]), ['2 parse(x)  | threw, caught at 3']);
    const loop = 'try:\n    parse(x)\nexcept E:\n    for h in hs:\n        h(x)';
    const history = historyOf(
      loop,
      [2, 3, 4, 5, 4, 5, 4].map((line, round): Seen => [line, { h: round }]),
    );
    assert.equal(shown(history).filter((line) => line.includes('threw')).length, 1);
  });

  it('shows what a deferred function caught, with the call that it left', () => {
    const source = ['func f() {', '  defer g()', '  h()', '}'];
    const recoveredIn = (...ends: readonly ('open' | 'returned')[]): readonly string[] => {
      const called = { name: 'f', path: '/a/f.go', source };
      const trace = new CallTrace(called, new Map());
      trace.at(3, new Map());
      for (const kind of ends)
        trace.callee({
          ...{ name: 'h', args: [] },
          end: kind === 'open' ? { kind } : { kind, value: '1' },
        });
      trace.recovered('panic: "x"', 2);
      return shown(trace.finish({ kind: 'returned', value: undefined }));
    };
    assert.deepEqual(recoveredIn(), ['3 h()  | threw panic: "x", caught at 2']);
    assert.deepEqual(recoveredIn('open'), ['3 h()  | h() threw panic: "x", caught at 2']);
    assert.deepEqual(recoveredIn('returned'), ['3 h()  | h() → 1, threw panic: "x", caught at 2']);
  });
});
