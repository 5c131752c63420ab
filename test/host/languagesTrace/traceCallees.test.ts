import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import {
  assertNothingLeft,
  compileNative,
  returnedIn,
  trace,
  withText,
  type Traced,
} from './tracing';

const NODE = 'node/prices.mjs';
const SHOWN = 'node/shown.mjs';
const PARTS = 'node/shownParts.mjs';
const CPP = 'native/callees.cpp';
const GO = 'go/callees/main.go';
const RETURNS = 'go/returns/returns.go';

/** What a trace shows for the lines with calls, without the numbers and sources of the lines. */
const calls = ({ trace: lines }: Traced): readonly string[] =>
  lines.flatMap((line) => (line.split('  | ')[1] ?? '').match(/^.*\) (?:→|threw\b).*$/) ?? []);

describe('the calls that a traced call makes', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('Node: are shown with their arguments and values, also in another file', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'order' });
    const text = JSON.stringify(answer);
    assert.equal(answer['callees'], undefined, text);
    assert.equal(answer.stepped_lines, undefined, text);
    assert.deepEqual(
      calls(answer),
      [
        'priceOf(item={name: "pen", price: 10}, count=3) → 15, total: 0 → 15',
        'priceOf(item={name: "ink", price: 7}, count=3) → 10.5, total: 15 → 25.5',
        'priceOf(item={name: "a4", price: 3}, count=2) → 6, total: 25.5 → 31.5',
        // The value of `rounded` is that of the variable to which it is assigned.
        'rate(country="at") → 0.2, rounded(value=6.300000000000001) → 6, tax = 6',
        // It catches its own exception.
        'checked(code="") → -1, length = -1',
        'deep(code="bad") threw RangeError: refused bad, caught at 62',
        'new Receipt(total=37.5) → Receipt {total: 37.5}, receipt = Receipt {total: 37.5}',
        'print(title="bad") → undefined, receipt.title = "bad"',
        'saved(total=31.5) → Promise',
        'half(value=31.5) → 15.75, half(value=1) → 0.5, small = 16.25',
        'area(width=31.5, height=2) → {size: 63, isLarge: true}, isLarge = true',
        // Built-in code calls the function of the next line.
        'rounded(value=48.75) → 49',
      ],
      text,
    );
    assert.equal(answer.returned, '49', text);
    await assertNothingLeft();
  });

  it('Node: show the exception that leaves the call and the traced call', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'left' });
    const text = JSON.stringify(answer);
    assert.deepEqual(calls(answer), ['refused(code="bad") threw RangeError: refused bad'], text);
    assert.equal(answer['threw'], 'RangeError: refused bad', text);
  });

  it('Node: are given up for a function that others call very often', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'hot' });
    const text = JSON.stringify(answer);
    assert.equal(answer['callees'], 'partly_recorded', text);
    assert.deepEqual([answer.returned, answer.executed_lines], ['2961', 10], text);
    await assertNothingLeft();
  });

  it('Node: show values that only the debugger can read, and count the stops for them', async () => {
    const program = { program: SHOWN, file_path: SHOWN };
    const answer = await trace({ ...program, function_name: 'report' });
    const text = JSON.stringify(answer);
    assert.deepEqual(
      calls(answer),
      [
        'total(values=[1, 1]) → 2, sum: 0 → 2',
        'total(values=[2, 1]) → 3, sum: 2 → 5',
        'total(values=[3, 1]) → 4, sum: 5 → 9',
        'shout(text="pens") → "PENS", total(values=[1, 2, 3]) → 6, head = "PENS: 6"',
        `large(values=[1, 2, 3]) → [2, '2']`,
        'total(values=[1, 2, 3]) → 6',
      ],
      text,
    );
    assert.deepEqual(
      [answer.returned, answer['stepped_calls'], answer.stepped_lines, answer['callees']],
      [`'PENS: 6 9'`, 7, undefined, undefined],
      text,
    );
    assert.match(answer.at ?? '', /shown\.mjs:\d+/, text);
    await assertNothingLeft();
  });

  it('Node: show the values of recursive calls, of many calls, and of a call without a value', async () => {
    const program = { program: SHOWN, file_path: SHOWN };
    const fact = await trace({ ...program, function_name: 'fact' });
    assert.deepEqual(calls(fact), ['fact(n=3) → 6'], JSON.stringify(fact));
    assert.deepEqual([fact.returned, fact['stepped_calls']], ['24', 1], JSON.stringify(fact));
    await cleanUp();
    const inner = await trace({ ...program, function_name: 'fact', call: 2 });
    assert.deepEqual(calls(inner), ['fact(n=2) → 2'], JSON.stringify(inner));
    assert.deepEqual([inner.returned, inner.arguments['n']], ['6', '3'], JSON.stringify(inner));
    assert.match(inner.at ?? '', /shown\.mjs:5 fact$/, JSON.stringify(inner));
    await cleanUp();
    // The debugger does not tell how deep the stack is.
    const deep = await trace({ ...program, function_name: 'fact', call: 29 });
    assert.deepEqual(calls(deep), ['fact(n=5) → 120'], JSON.stringify(deep));
    assert.deepEqual([deep.returned, deep.arguments['n']], ['720', '6'], JSON.stringify(deep));
    assert.match(deep.at ?? '', /shown\.mjs:5 fact$/, JSON.stringify(deep));
    await cleanUp();
    const fib = await trace({ ...program, function_name: 'fib', call: 2 });
    assert.deepEqual(
      calls(fib),
      ['fib(n=2) → 1, one = 1', 'fib(n=1) → 1, two = 1'],
      JSON.stringify(fib),
    );
    assert.deepEqual([fib.returned, fib.arguments['n']], ['2', '3'], JSON.stringify(fib));
    await cleanUp();
    const compact = await trace({ ...program, function_name: 'compact' });
    assert.deepEqual(
      calls(compact),
      ['square(n=3) → 9, get() → 7, text = "9 7"'],
      JSON.stringify(compact),
    );
    await cleanUp();
    const many = await trace({ ...program, function_name: 'many' });
    const text = JSON.stringify(many);
    assert.deepEqual([many.returned, many['stepped_calls']], ['435', 20], text);
    assert.equal(calls(many)[0], 'total(values=[0]) → 0, round: 0 → 1', text);
    assert.match(calls(many).at(-1) ?? '', /^total\(values=\[29\]\) → \?, sum: 406 → 435/, text);
    await cleanUp();
    // Built-in code calls the function again at once.
    const each = await trace({ ...program, function_name: 'each' });
    assert.deepEqual(
      calls(each),
      ['total(values=[5, 1]) → 6, sums: [] → [6]'],
      JSON.stringify(each),
    );
    assert.equal(each.returned, 'undefined', JSON.stringify(each));
    await cleanUp();
    const longer = await trace({ ...program, function_name: 'longer' });
    assert.deepEqual(calls(longer), ['total(values=[1, 2]) → 3'], JSON.stringify(longer));
    assert.equal(longer.returned, '5', JSON.stringify(longer));
    await assertNothingLeft();
  });

  it('Node: are read again for the traced call itself, without a getter', async () => {
    const program = { program: SHOWN, file_path: SHOWN };
    const results = [];
    for (const name of ['find', 'price', 'measured', 'label', 'closed', 'get']) {
      const answer = await trace({ ...program, function_name: name });
      const { at } = answer;
      results.push([name, returnedIn(answer), (at ?? '').split(' ').at(-1)]);
      await cleanUp();
    }
    assert.deepEqual(results, [
      ['find', '2', 'looks'],
      ['price', '{total: 6, name: "pen"}', '<anonymous>'],
      ['measured', '8', '<anonymous>'],
      // V8 shows no value at a `return` within a loop that it closes.
      ['label', 'not_shown', 'looks'],
      ['closed', 'not_shown', '<anonymous>'],
      ['get', '7', 'compact'],
    ]);
  });

  it('Node: are known from the variable to which the caller assigned them', async () => {
    const program = { program: SHOWN, file_path: SHOWN };
    const results = [];
    for (const [name, call, depth] of [
      ['closed', 2, 0],
      ['label', 3, 0],
      ['label', 4, 0],
      ['label', 3, 1],
    ] as const) {
      const answer = await trace({ ...program, function_name: name, call, depth });
      results.push([returnedIn(answer), (answer.at ?? '').split(' ').at(-1)]);
      await cleanUp();
    }
    assert.deepEqual(results, [
      ["'8'", '<anonymous>'],
      ["'3'", 'named'],
      // If the call had thrown, the variable would have its old value.
      ['not_shown', 'named'],
      ["'3'", 'named'],
    ]);
    await assertNothingLeft();
  });

  it('Node: end where they return, also if they are stepped', async () => {
    const program = { program: SHOWN, file_path: SHOWN, depth: 1 };
    const found = await trace({ ...program, function_name: 'find' });
    assert.deepEqual(
      [found.returned, (found.at ?? '').split(' ').at(-1)],
      ['2', 'looks'],
      JSON.stringify(found),
    );
    await cleanUp();
    const looks = await trace({ ...program, function_name: 'looks' });
    const text = JSON.stringify(looks);
    assert.equal(looks.returned, "'2 undefined 2 NONE'", text);
    assert.equal((looks.at ?? '').split(' ').at(-1), '<anonymous>', text);
    await cleanUp();
    // The calls call themselves, and each one returns within the loop.
    const walk = await trace({ ...program, function_name: 'walk' });
    const tree = JSON.stringify(walk);
    assert.deepEqual(walk.trace.slice(-2), ['  < → ?', '88'], tree);
    assert.ok(withText(walk, "found = 'LEAF'").length === 1, tree);
    assert.equal((walk.at ?? '').split(' ').at(-1), '<anonymous>', tree);
    await assertNothingLeft();
  });

  it('Node: show the exception of a call behind one that was stopped for its value', async () => {
    const answer = await trace({ program: SHOWN, file_path: SHOWN, function_name: 'broken' });
    const text = JSON.stringify(answer);
    const thrown = "TypeError: Cannot read properties of undefined (reading 'length')";
    assert.deepEqual(
      calls(answer),
      [`total(values=[1]) → 1, fail(values=[1]) threw ${thrown}`],
      text,
    );
    assert.equal(answer['threw'], thrown, text);
    await assertNothingLeft();
  });

  it('Node: throw if another file catches the exception of a `return` in a loop', async () => {
    for (const depth of [0, 1]) {
      const call = { file_path: PARTS, function_name: 'checked', call: 2, depth };
      const answer = await trace({ program: SHOWN, ...call });
      const text = JSON.stringify(answer);
      assert.deepEqual(
        [answer['threw'], answer.returned],
        ['RangeError: refused 2', undefined],
        text,
      );
      assert.match(answer.at ?? '', /shown\.mjs:\d+ <anonymous>$/, text);
      await cleanUp();
    }
    await assertNothingLeft();
  });

  it('C++: are shown with their arguments and values, also virtual functions and templates', async () => {
    const program = compileNative('callees');
    const answer = await trace({ program, file_path: CPP, function_name: 'order' });
    const text = JSON.stringify(answer);
    assert.equal(answer['callees'], undefined, text);
    assert.deepEqual(
      calls(answer),
      [
        'price_of(item=Item {name: "pen", price: 10}, count=3) → 15, total: 0 → 15',
        'price_of(item=Item {name: "a4", price: 3}, count=2) → 6, total: 15 → 21',
        'label(name="pen") → "<pen>", title = "<pen>"',
        'doubled(size=Size {width: 1, height: 2}) → Size {width: 2, height: 4}, size = Size {width: 2, height: 4}',
        'biggest(one=2, other=3) → 3, Square::area(scale=3) → 48, area = 48',
        'deep(code=-1) threw std::out_of_range, caught at 77',
        // The library calls the function of the line before.
        'factorial(n=3) → 6, check(code=6) → void',
      ],
      text,
    );
    assert.equal(answer.returned, '74', text);
    const left = await trace({ program, file_path: CPP, function_name: 'left' });
    const threw = JSON.stringify(left);
    assert.deepEqual(calls(left), ['deep(code=-2) threw std::out_of_range'], threw);
    assert.equal(left['threw'], 'std::out_of_range', threw);
    const factorial = await trace({ program, file_path: CPP, function_name: 'factorial' });
    assert.deepEqual(calls(factorial), ['factorial(n=2) → 2'], JSON.stringify(factorial));
    await assertNothingLeft();
  });

  it('C++: are given up after many calls', async () => {
    const program = compileNative('callees');
    const answer = await trace({ program, file_path: CPP, function_name: 'often' });
    const text = JSON.stringify(answer);
    assert.equal(answer['callees'], 'partly_recorded', text);
    assert.equal(answer.returned, '500500', text);
  });

  it('Go: are shown with their arguments and values, also of other files and packages', async () => {
    const answer = await trace({ program: GO, file_path: GO, function_name: 'order' });
    const text = JSON.stringify(answer);
    assert.equal(answer['callees'], undefined, text);
    assert.equal(answer.stepped_lines, undefined, text);
    assert.deepEqual(
      calls(answer)
        // Go 1.26 stores the variable of a `range` loop only behind the first instruction of the loop's body. At a stop
        // there, Delve shows the memory as it was.
        .filter((line) => !line.startsWith('item: '))
        .map((line) => line.replace(/, items: .*/, '')),
      [
        'priceOf(item=main.Item {Name: "pen", Price: 10}, count=3) → 15, total: 0 → 15',
        'priceOf(item=main.Item {Name: "a4", Price: 3}, count=2) → 6, total: 15 → 21',
        'Of(country="at") → 0.2, tax = 4.2',
        // The debugger runs no calls in a logpoint. The value is that of the variable.
        'label(name="pen") → "<pen>", title = "<pen>"',
        'rename(item=*main.Item {Name: "pen", Price: 10}, name="<pen>") → void',
        'true, deep(code=-1) → error(*errors.errorString) *{s: "refused"}, err = error(*errors.errorString) *{s: "refused"}',
        // The library calls the function of the next line.
        'split(value=42) → 4, 2, tens = 4, ones = 2',
      ],
      text,
    );
    await cleanUp();
    const factorial = await trace({ program: GO, file_path: GO, function_name: 'factorial' });
    assert.deepEqual(calls(factorial), ['factorial(n=3) → 6'], JSON.stringify(factorial));
    assert.deepEqual([factorial.returned, factorial['stepped_calls']], ['24', 2]);
    await cleanUp();
    const hot = await trace({ program: GO, file_path: GO, function_name: 'hot' });
    assert.equal(hot['callees'], 'partly_recorded', JSON.stringify(hot));
    assert.deepEqual([hot.returned, hot.executed_lines], ['2961', 10], JSON.stringify(hot));
    await assertNothingLeft();
  });

  it('Go: show values that no logpoint can evaluate, and those of the traced call', async () => {
    const answer = await trace({ program: RETURNS, file_path: RETURNS, function_name: 'report' });
    const text = JSON.stringify(answer);
    assert.deepEqual(
      calls(answer),
      [
        'root(value=1) → 1, sum: 0 → 1',
        'root(value=4) → 2, sum: 1 → 3',
        'label(name="x") → "<x>", error nil',
        'total(cart=*main.Cart {prices: []float64 len: 1, cap: 1, [2.5]}) → 3, sum: 3 → 6',
        'counted(n=3) → 7, error nil, first(value=7) → 7',
      ],
      text,
    );
    assert.deepEqual(
      [answer.returned, answer['stepped_calls'], answer['callees']],
      ['13', 6, undefined],
      text,
    );
    await cleanUp();
    const many = await trace({ program: RETURNS, file_path: RETURNS, function_name: 'many' });
    const last = JSON.stringify(many);
    assert.deepEqual([many.returned, many['stepped_calls']], ['435', 21], last);
    assert.match(calls(many).at(-1) ?? '', /^root\(value=841\) → \?, sum: 406 → 435/, last);
    await assertNothingLeft();
  });
});
