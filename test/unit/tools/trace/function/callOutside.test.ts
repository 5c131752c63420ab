import { strict as assert } from 'node:assert';
import { historyOf, shown, type Seen } from '../../../support/callHistories';

describe('the changes in the history of a call', () => {
  it('shows what it changes outside of itself, with the values before the call', () => {
    const source = 'def f(n):\n    total += n\n    own = total\n    return own';
    const seen: Seen[] = [
      [2, { n: 2, total: 5, 'this.#count': 1 }],
      [3, { n: 2, total: 7, 'this.#count': 2 }],
      [4, { n: 2, total: 7, 'this.#count': 2, own: 7 }],
    ];
    const lines = (outside: object): readonly string[] =>
      shown(historyOf(source, seen, { parameters: ['n'], outside }));
    const expected = [
      '2 total += n  | total: 5 → 7, this.#count: 1 → 2',
      '3 own = total  | own = 7',
      '4 return own',
    ];
    assert.deepEqual(lines({ captured: ['total', 'this.#count'] }), expected);
    assert.deepEqual(lines({ beginsEmpty: true }), expected);
    // A local of the debugger's frame may have a meaningless value before its declaration.
    assert.match(lines({})[0] ?? '', /total = 7/);
  });

  it('shows no variable before its declaration because of a comment or a text', () => {
    const source = [
      'int f(int n) {',
      '  log("sum"); // the sum, see rate',
      '  int sum = n;',
      '  double rate = 2;',
      '  return sum;',
    ].join('\n');
    const history = historyOf(
      source,
      [
        [2, { n: 1, sum: 32767, rate: 0.5 }],
        [3, { n: 1, sum: 32764, rate: 0.25 }],
        [4, { n: 1, sum: 1, rate: 0.25 }],
        [5, { n: 1, sum: 1, rate: 2 }],
      ],
      { parameters: ['n'] },
    );
    assert.deepEqual(shown(history), [
      '2 log("sum"); // the sum, see rate',
      '3 int sum = n;  | sum = 1',
      '4 double rate = 2;  | rate = 2',
      '5 return sum;',
    ]);
  });

  it('counts the object of a method among the arguments', () => {
    const history = historyOf(
      'f() {\n  this.#size++;\n}',
      [
        [2, { this: 'Box {name: "a"}', 'this.#size': 1 }],
        [3, { this: 'Box {name: "a"}', 'this.#size': 2 }],
      ],
      { parameters: [] },
    );
    assert.deepEqual(history.args, [['this', 'Box {name: "a", #size: 1}']]);
    assert.deepEqual(history.argumentChanges, [{ name: 'this.#size', before: '1', now: '2' }]);
    const unused = historyOf('f() {\n  x();\n}', [[2, { this: 'Box {}' }]], {
      parameters: [],
      outside: { usesThis: false },
    });
    assert.deepEqual(unused.args, []);
    // The parameters of a lambda are not known.
    const lambda = historyOf('lambda n: n * rate', [[1, { n: 2, rate: 3 }]], {
      outside: { captured: ['rate'] },
    });
    assert.deepEqual(lambda.args, [['n', '2']]);
  });

  it('shows no value of a variable whose line has not ended', () => {
    const history = historyOf(
      'f(n) {\n  const x = g() + h();\n  return x;\n}',
      [
        [2, { n: 1, x: 'undefined' }],
        [2, { n: 1, x: 'undefined' }],
        [3, { n: 1, x: 5 }],
      ],
      { parameters: ['n'] },
    );
    assert.deepEqual(shown(history), ['2 const x = g() + h();  | x = 5', '3 return x;']);
  });
});
