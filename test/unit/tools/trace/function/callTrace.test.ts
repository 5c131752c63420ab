import type { ComparedParts } from '../../../../../src/recording/recordedRows';
import { strict as assert } from 'node:assert';
import type { CallEnd, Values } from '../../../../../src/tools/trace/function/callModel';
import { CallTrace } from '../../../../../src/tools/trace/function/callTrace';
import { renderTrace } from '../../../../../src/tools/trace/function/renderTrace';
import { historyOf, NOTHING, shown, values, type Seen } from '../../../support/callHistories';

describe('the history of a call', () => {
  const TOTAL =
    'def total(items):\n    total = 0\n    for item in items:\n        total += item\n    return total';

  it('has the arguments, the executed lines with their changes, and the return value', () => {
    const history = historyOf(
      TOTAL,
      [
        [2, { items: '[3, 5]' }],
        [3, { items: '[3, 5]', total: 0 }],
        [4, { items: '[3, 5]', total: 0, item: 3 }],
        [3, { items: '[3, 5]', total: 3, item: 3 }],
        [4, { items: '[3, 5]', total: 3, item: 5 }],
        [3, { items: '[3, 5]', total: 8, item: 5 }],
        [5, { items: '[3, 5]', total: 8, item: 5 }],
      ],
      { end: { kind: 'returned', value: '8' } },
    );
    assert.deepEqual(history.args, [['items', '[3, 5]']]);
    assert.equal(history.executed, 7);
    assert.deepEqual(shown(history), [
      '2 total = 0  | total = 0',
      '3 for item in items:  | item = 3',
      '4 total += item  | total: 0 → 3',
      '3  | item: 3 → 5',
      '4  | total: 3 → 8',
      '3',
      '5 return total',
    ]);
    assert.deepEqual(history.argumentChanges, []);
  });

  it('counts a line once, although the debugger stops at several of its places', () => {
    const source = ['function f(n) {', '  if (n > 1) throw new Error();', '}'];
    const trace = new CallTrace({ name: 'f', path: undefined, source }, values({ n: 2 }));
    trace.at(2, values({ n: 2 }));
    trace.at(2, values({ n: 2 }), false, true);
    const history = trace.finish({ kind: 'threw', exception: 'Error' });
    assert.deepEqual([history.executed, history.lines.length], [1, 1]);
  });

  it('claims no change of a value of which one text shows more', () => {
    const source = ['func f(s *S) int {', '\tif s.n > 1 {', '\t\ts.k = 2', '\t}', '\treturn 1'];
    const called = { name: 'f', path: undefined, source, parameters: [{ name: 's' }] };
    const text = '*main.S {name: "a name", n: 5, k: 1, items: []int len: 9';
    const whole = `${text}, cap: 9, [1,2,3]}`;
    const trace = new CallTrace(called, values({ s: `${text}...` }));
    trace.at(1, values({ s: `${text}...` }));
    trace.at(2, values({ s: whole }));
    trace.at(3, values({ s: whole }));
    trace.at(5, values({ s: whole.replace('[1,2,3]', '[1,2,4]') }));
    const history = trace.finish({ kind: 'returned', value: '1' });
    assert.deepEqual(
      history.lines.map(({ line, changes }) => [line, changes.length]),
      [
        [1, 0],
        [2, 0],
        [3, 1],
        [5, 0],
      ],
    );
    assert.equal(history.lines[2]?.changes[0]?.before, '[]int len: 9, cap: 9, [1,2,3]');
  });

  it('claims no change of a value that could not be read', () => {
    const source = ['func f(v any) int {', '\tn := 1', '\tn = 2', '\treturn n', '}'];
    const unreadable = '(unreadable error loading module data)';
    const called = { name: 'f', path: undefined, source, parameters: [{ name: 'v' }] };
    const trace = new CallTrace(called, values({ v: unreadable, n: unreadable }));
    trace.at(2, values({ v: unreadable, n: unreadable }));
    trace.at(3, values({ v: 'error "boom"', n: 1 }));
    trace.at(4, values({ v: unreadable, n: 2 }));
    const history = trace.finish({ kind: 'returned', value: '2' });
    assert.deepEqual(shown(history), ['2 n := 1  | n = 1', '3 n = 2  | n: 1 → 2', '4 return n']);
    assert.deepEqual(history.argumentChanges, []);
  });

  it('says that changes are unknown where a cut text shows none', () => {
    const readings = '[0, 0, …98 more]';
    const history = historyOf('def f(readings):\n    readings[80] = -1\n    return readings', [
      [2, { readings }],
      [3, { readings }],
    ]);
    assert.deepEqual(shown(history), [
      '2 readings[80] = -1  | changes unknown',
      '3 return readings',
    ]);
  });

  it('shows a change that a recorder has found where a cut text shows none', () => {
    const readings = '[0, 0, …98 more]';
    const source = [
      'def f(readings):',
      '    readings[80] = 1',
      '    readings[80] = 1',
      '    return',
    ];
    const called = { name: 'f', path: undefined, source, parameters: [{ name: 'readings' }] };
    const trace = new CallTrace(called, values({ readings }));
    const parts = (...changes: ComparedParts['changes']) => ({ changes, compared: ['readings'] });
    const now = values({ readings, 'readings[80]': '1' });
    trace.at(2, values({ readings }));
    trace.at(3, now, false, false, parts({ name: 'readings[80]', now: '1', before: '0' }));
    trace.at(4, now, false, false, parts());
    const history = trace.finish({ kind: 'returned', value: 'None' }, now, parts());
    assert.deepEqual(shown(history), [
      '2 readings[80] = 1  | readings[80]: 0 → 1',
      '3 readings[80] = 1',
      '4 return',
    ]);
    assert.deepEqual(history.argumentChanges, [
      { name: 'readings[80]', before: undefined, now: '1' },
    ]);
  });

  it('folds a loop to its first rounds, the rounds that differ, and the last', () => {
    const source =
      'def f(n):\n    for i in n:\n        if i == 20:\n            big = i\n        t += i\n    return t';
    const seen: Seen[] = [];
    let t = 0;
    for (let i = 1; i <= 50; i += 1) {
      const big = i > 20 ? { big: 20 } : {};
      seen.push(
        [2, { n: 50, t, ...(i > 1 ? { i: i - 1 } : {}), ...big }],
        [3, { n: 50, t, i, ...big }],
      );
      if (i === 20) seen.push([4, { n: 50, t, i }]);
      seen.push([5, { n: 50, t, i, ...(i >= 20 ? { big: 20 } : {}) }]);
      t += i;
    }
    seen.push([2, { n: 50, t, i: 50, big: 20 }], [6, { n: 50, t, i: 50, big: 20 }]);
    assert.deepEqual(shown(historyOf(source, seen, { parameters: ['n'] })), [
      'round 1 of 50',
      '2 for i in n:  | i = 1',
      '3 if i == 20:  | false',
      '5 t += i  | t = 1',
      'round 2 of 50',
      '2  | i: 1 → 2',
      '3  | false',
      '5  | t: 1 → 3',
      '… rounds 3 to 19, like those shown  | i: 2 → 19, t: 3 → 190',
      'round 20 of 50, differs',
      '2  | i: 19 → 20',
      '3  | true',
      '4 big = i  | big = 20',
      '5  | t: 190 → 210',
      '… rounds 21 to 49, like those shown  | i: 20 → 49, t: 210 → 1225',
      'round 50 of 50',
      '2  | i: 49 → 50',
      '3  | false',
      '5  | t: 1225 → 1275',
      '2',
      '6 return t',
    ]);
  });

  it('folds loops within loops, each in the shown rounds of the outer one', () => {
    const source = 'def f():\n  for i in a:\n    for j in b:\n      x()\n  return';
    const seen: Seen[] = [];
    for (let i = 0; i < 30; i += 1) {
      seen.push([2, { i }]);
      for (let j = 0; j < 20; j += 1) seen.push([3, { i, j }], [4, { i, j }]);
      seen.push([3, { i, j: 19 }]);
    }
    seen.push([2, {}], [5, {}]);
    const lines = shown(historyOf(source, seen, { parameters: [] }));
    assert.ok(lines.length < 60, lines.join('\n'));
    assert.equal(lines.filter((each) => each.startsWith('… rounds 3 to 19')).length, 3);
    assert.ok(
      lines.some((each) => each.startsWith('… rounds 3 to 29, like those shown')),
      lines.join('\n'),
    );
  });

  it('shows short loops and multi-line calls unfolded', () => {
    const history = historyOf('def f():\n  x = g(\n    1,\n    2)\n  return x', [
      [2, {}],
      [3, {}],
      [4, {}],
      [2, {}],
      [5, { x: 3 }],
    ]);
    assert.deepEqual(shown(history), ['2 x = g(', '3 1,', '4 2)', '2  | x = 3', '5 return x']);
  });

  it('shows members of objects, and the changes that the caller sees', () => {
    const history = historyOf(
      'def f(order, n):\n  order.total = 5\n  n = 7\n  items = []\n  return',
      [
        [2, { order: '<Order>', 'order.total': 0, n: 1 }],
        [3, { order: '<Order>', 'order.total': 5, n: 1 }],
        [4, { order: '<Order>', 'order.total': 5, n: 7 }],
        [5, { order: '<Order>', 'order.total': 5, n: 7, items: '[]' }],
      ],
      { parameters: ['order', 'n'] },
    );
    assert.deepEqual(history.args, [
      ['order', '<Order> {total: 0}'],
      ['n', '1'],
    ]);
    assert.deepEqual(shown(history), [
      '2 order.total = 5  | order.total: 0 → 5',
      '3 n = 7  | n: 1 → 7',
      '4 items = []  | items = []',
      '5 return',
    ]);
    assert.deepEqual(history.argumentChanges, [{ name: 'order.total', before: '0', now: '5' }]);
  });

  it('counts no change of an argument to which the function assigned another object', () => {
    const history = historyOf('def f(order):\n  order = other\n  order.total = 5\n  return', [
      [2, { order: '<Order>', 'order.total': 0 }],
      [3, { order: '<Other>', 'order.total': 1 }],
      [4, { order: '<Other>', 'order.total': 5 }],
    ]);
    assert.deepEqual(history.argumentChanges, []);
  });

  it('counts no change of an argument that a line assigns together with others, or in a loop', () => {
    for (const line of [
      'order, tax = normalize(order)',
      'for order in orders:',
      'with f() as order:',
    ]) {
      const history = historyOf(
        `def f(order):\n    ${line}\n        x = 1`,
        [
          [2, { order: 'Order()', 'order.total': 1 }],
          [3, { order: 'Order()', 'order.total': 2 }],
        ],
        { parameters: ['order'] },
      );
      assert.deepEqual(history.argumentChanges, [], line);
    }
  });

  it('counts a plain value behind a reference as seen by the caller', () => {
    const source = ['void add(int &sum, int n) {', '  sum += n;', '  n = 0;', '}'];
    const trace = new CallTrace(
      {
        name: 'add',
        path: '/a.cpp',
        source,
        range: { start: 1, end: 4 },
        parameters: [{ name: 'sum', isReference: true }, { name: 'n' }],
      },
      values({ sum: 1, n: 2 }),
    );
    trace.at(2, values({ sum: 1, n: 2 }));
    trace.at(3, values({ sum: 3, n: 2 }));
    trace.at(4, values({ sum: 3, n: 0 }));
    assert.deepEqual(trace.finish(NOTHING).argumentChanges, [
      { name: 'sum', before: '1', now: '3' },
    ]);
  });

  it('leaves out the values that a native frame shows for locals before their declaration', () => {
    const source = ['int f(int n) {', '  int a = n;', '  int b = a * 2;', '  return b;', '}'];
    const trace = new CallTrace(
      {
        name: 'f',
        path: '/a.cpp',
        source,
        range: { start: 1, end: 5 },
        parameters: [{ name: 'n' }],
      },
      values({ n: 1, a: -858993460, b: 32767 }),
    );
    trace.at(2, values({ n: 1, a: -858993460, b: 32767 }));
    trace.at(3, values({ n: 1, a: 1, b: 21845 }));
    trace.at(4, values({ n: 1, a: 1, b: 2 }));
    const history = trace.finish(NOTHING);
    assert.deepEqual(history.args, [['n', '1']]);
    assert.deepEqual(shown(history), [
      '2 int a = n;  | a = 1',
      '3 int b = a * 2;  | b = 2',
      '4 return b;',
    ]);
  });

  it('shows the changed list of a Go struct as one member', () => {
    const bag = (items: string, seen: number) => `main.Bag {Items: []int ${items}, Seen: ${seen}}`;
    const history = historyOf('func f(b *Bag) {\n  b.Items = nil\n  b.Seen = 5\n}', [
      [2, { b: bag('len: 2, cap: 2, [1,2]', 2) }],
      [3, { b: bag('len: 0, cap: 0, nil', 2) }],
      [4, { b: bag('len: 0, cap: 0, nil', 5) }],
    ]);
    assert.deepEqual(shown(history).slice(0, 2), [
      '2 b.Items = nil  | b.Items: []int len: 2, cap: 2, [1,2] → []int len: 0, cap: 0, nil',
      '3 b.Seen = 5  | b.Seen: 2 → 5',
    ]);
  });

  it('does not show changes of collected arguments as changes that the caller sees', () => {
    const at = (values: string): Values => new Map([['rest', values]]);
    const changesOf = (isCollected: boolean): readonly unknown[] => {
      const trace = new CallTrace(
        { name: 'f', path: undefined, source: [], parameters: [{ name: 'rest', isCollected }] },
        at('[1]'),
      );
      trace.at(1, at('[1]'));
      return trace.finish({ kind: 'open' }, at('[1, 2]')).argumentChanges;
    };
    assert.equal(changesOf(true).length, 0);
    assert.equal(changesOf(false).length, 1);
  });

  it('shows a variable that is assigned undefined, and a later value as a new one', () => {
    const source = 'for (const id of ids) {\n  const item = byId.get(id);\n  use(item);\n}';
    const history = historyOf(
      source,
      [
        [1, {}],
        [2, { id: 1 }],
        [3, { id: 1, item: '{price: 5}', 'item.price': 5 }],
        [2, { id: 2 }],
        [3, { id: 2, item: undefined }],
        [2, { id: 3 }],
        [3, { id: 3, item: '{price: 7}', 'item.price': 7 }],
      ],
      { parameters: ['ids'] },
    );
    const items = history.lines.flatMap(({ changes }) =>
      changes.filter(({ name }) => name.startsWith('item')),
    );
    assert.deepEqual(items, [
      { name: 'item', before: undefined, now: '{price: 5}' },
      { name: 'item', before: '{price: 5}', now: 'undefined' },
      { name: 'item', before: undefined, now: '{price: 7}' },
    ]);
  });

  it('shows what the last line changed if the last values are known', () => {
    const source = 'def apply(order):\n    order.total += 1';
    const before = { order: 'Order()', 'order.total': 1 };
    const last = values({ order: 'Order()', 'order.total': 2 });
    const history = historyOf(source, [[2, before]], { last, parameters: ['order'] });
    const change = { name: 'order.total', before: '1', now: '2' };
    assert.deepEqual([history.lines[0]?.changes, history.argumentChanges], [[change], [change]]);
  });

  it('shows callees on one line, and expanded callees with their own lines', () => {
    const trace = new CallTrace(
      { name: 'f', path: '/f.js', source: ['function f() {', '  return g(1) + h(2);', '}'] },
      values({}),
    );
    trace.at(2, values({}));
    trace.callee({ name: 'g', args: [['n', '1']], end: { kind: 'returned', value: '4' } });
    const inner = new CallTrace(
      { name: 'h', path: '/h.js', source: ['function h(n) {', '  return n * 2;', '}'] },
      values({ n: 2 }),
    );
    inner.at(2, values({ n: 2 }));
    const end: CallEnd = { kind: 'returned', value: '4' };
    trace.callee({ name: 'h', end, history: inner.finish(end) });
    trace.callee({ name: 'k', end: { kind: 'returned', value: undefined } });
    assert.deepEqual(shown(trace.finish({ kind: 'returned', value: '8' })), [
      '2 return g(1) + h(2);  | g(n=1) → 4, k(…) → ?',
      '  > h(n=2)',
      '  2 return n * 2;',
      '  < → 4',
    ]);
  });

  it('shows a long value of an argument or a call by the variable that has it', () => {
    const items = "[{'id': 4}, {'id': 5}, {'id': 6}, {'id': 7}, {'id': 8}, {'id': 9}]";
    const trace = new CallTrace(
      { name: 'f', path: undefined, source: ['', 'items = load()', 'rest = total(items)', ''] },
      values({}),
    );
    const returned = (value: string): CallEnd => ({ kind: 'returned', value });
    const part = '<Order item=1, title="an order of several parts for the shop", … 5 more>';
    trace.at(2, values({}));
    trace.callee({ name: 'load', args: [['order', part]], end: returned(items) });
    trace.at(3, values({ items, part }));
    const args = [['rows', items] as const, ['part', part] as const, ['n', '1'] as const];
    trace.callee({ name: 'total', args, end: returned('3') });
    trace.at(4, values({ items: '[]', part }));
    trace.callee({ name: 'total', args: [['rows', items]], end: returned('3') });
    assert.deepEqual(shown(trace.finish(NOTHING)), [
      `2 items = load()  | load(order=${part}) → ${items}, items = ${items}, part = ${part}`,
      `3 rest = total(items)  | total(rows=items, part=${part}, n=1) → 3, items: ${items} → []`,
      `4  | total(rows=${items}) → 3`,
    ]);
  });

  it('completes callees by the variables to which their values are assigned', () => {
    const source = 'function f() {\n  const a = g();\n  h(); h();\n  return k();\n}';
    const trace = new CallTrace(
      { name: 'f', path: undefined, source: source.split('\n') },
      values({}),
    );
    const called = (name: string, end: CallEnd): void => trace.callee({ name, args: [], end });
    trace.at(2, values({}));
    called('g', { kind: 'open' });
    trace.completeCallees((name, isOpen) => (name === 'g' && isOpen ? '1' : undefined));
    trace.at(3, values({ a: 1 }));
    // Each of two calls with one name may have another value.
    called('h', { kind: 'returned', value: undefined });
    called('h', { kind: 'returned', value: undefined });
    trace.completeCallees(() => '2');
    trace.at(4, values({ a: 1 }));
    called('k', { kind: 'returned', value: undefined });
    called('known', { kind: 'returned', value: '5' });
    called('failed', { kind: 'threw', exception: undefined });
    trace.completeCallees((name, isOpen) => (isOpen ? undefined : name));
    assert.deepEqual(shown(trace.finish({ kind: 'returned', value: '3' })), [
      '2 const a = g();  | g() → 1, a = 1',
      '3 h(); h();  | h() → ?, h() → ?',
      '4 return k();  | k() → k, known() → 5, failed() threw',
    ]);
  });

  it('shows the exception that has left a callee, caught or not', () => {
    const source =
      'function f() {\n  try {\n    g();\n  } catch (error) {\n    h();\n  }\n  k();\n}';
    const called = { name: 'f', path: undefined, source: source.split('\n') };
    const range = { start: 1, end: 8 };
    const trace = new CallTrace({ ...called, range, parameters: [] }, values({}));
    trace.at(3, values({}));
    trace.callee({ name: 'g', args: [], end: { kind: 'open' } });
    trace.at(5, values({ error: 'RangeError: no' }));
    trace.at(7, values({}));
    const end: CallEnd = { kind: 'threw', exception: undefined, source: 'new Error(x)' };
    trace.callee({ name: 'k', args: [], end });
    trace.thrown(undefined);
    assert.deepEqual(shown(trace.finish({ kind: 'threw', exception: undefined })), [
      '3 g();  | g() threw RangeError: no, caught at 4',
      '5 h();',
      '7 k();  | k() threw new Error(x)',
    ]);
    const unseen = new CallTrace(called, values({}));
    unseen.at(3, values({}));
    // A call whose end is not seen may have returned before.
    unseen.callee({ name: 'g', args: [], end: { kind: 'open' }, hasEnds: false });
    unseen.at(5, values({ error: 'RangeError: no' }));
    unseen.callee({ name: 'h', args: [], end: { kind: 'open' } });
    unseen.calleeThrows('new Error(h)');
    assert.deepEqual(shown(unseen.finish({ kind: 'threw', exception: undefined })), [
      '3 g();  | g() → …, threw RangeError: no, caught at 4',
      '5 h();  | h() threw new Error(h)',
    ]);
    const left = new CallTrace(called, values({}));
    left.at(7, values({}));
    left.callee({ name: 'k', args: [], end: { kind: 'open' } });
    assert.deepEqual(shown(left.finish({ kind: 'threw', exception: 'Error: left' })), [
      '7 k();  | k() threw Error: left',
    ]);
  });

  it('fits a trace that is too long: first with shorter values, then without the middle', () => {
    const source = Array.from({ length: 400 }, (_, index) => `  v${index} = make(${index})`).join(
      '\n',
    );
    const history = historyOf(
      source,
      Array.from({ length: 400 }, (_, index): Seen => [
        index + 1,
        { v: `${'x'.repeat(50)}${index}` },
      ]),
    );
    const { lines, omitted } = renderTrace(history, 4000);
    assert.ok(JSON.stringify(lines).length <= 4000);
    assert.ok(omitted > 0 && lines.length + omitted === 401, `${lines.length} and ${omitted}`);
    assert.match(lines[0] ?? '', /^1 v0 = make\(0\)/);
    assert.match(lines.at(-1) ?? '', /^400 v399/);
    assert.ok(lines.includes(`… ${omitted} lines of this trace omitted`));
  });

  it('says that the changes of the last line are unknown if it assigns a value', () => {
    const source = ['function f() {', '  open -= 1;', '  return open;', '}'];
    const endedAt = (line: number, end: CallEnd, values?: Values): readonly string[] => {
      const trace = new CallTrace({ name: 'f', path: '/a/f.js', source }, new Map([['open', '1']]));
      trace.at(line, new Map([['open', '1']]));
      return shown(trace.finish(end, values));
    };
    const returned: CallEnd = { kind: 'returned', value: undefined };
    assert.deepEqual(endedAt(2, returned), ['2 open -= 1;  | changes unknown']);
    assert.deepEqual(endedAt(2, returned, new Map([['open', '0']])), [
      '2 open -= 1;  | open: 1 → 0',
    ]);
    assert.deepEqual(endedAt(2, { kind: 'open' }), ['2 open -= 1;']);
    assert.deepEqual(endedAt(2, { ...returned, isSuspended: true }), ['2 open -= 1;']);
    assert.deepEqual(endedAt(3, returned), ['3 return open;']);
  });
});
