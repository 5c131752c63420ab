import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, compileNative, trace, type Traced } from './tracing';

const NODE = 'node/prices.mjs';
const CPP = 'native/callees.cpp';
const GO = 'go/callees/main.go';

/** What a trace shows for the lines with calls, without the numbers and sources of the lines. */
const calls = ({ trace: lines }: Traced): readonly string[] =>
  lines.flatMap((line) => (line.split('  | ')[1] ?? '').match(/^.*\) (?:→|threw\b).*$/) ?? []);

describe('the calls that a traced call makes', function () {
  this.timeout(120_000);
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
        // A small object is returned in several registers.
        'doubled(size=Size {width: 1, height: 2}) → ?, size = Size {width: 2, height: 4}',
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
      calls(answer).map((line) => line.replace(/, items: .*/, '')),
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
    assert.deepEqual(calls(factorial), ['factorial(n=3) → ?'], JSON.stringify(factorial));
    await cleanUp();
    const hot = await trace({ program: GO, file_path: GO, function_name: 'hot' });
    assert.equal(hot['callees'], 'partly_recorded', JSON.stringify(hot));
    assert.deepEqual([hot.returned, hot.executed_lines], ['2961', 10], JSON.stringify(hot));
    await assertNothingLeft();
  });
});
