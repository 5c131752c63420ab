import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, compileNative, trace, type Traced } from './tracing';

const NODE = 'node/prices.mjs';

/** What a trace shows for the lines with calls, without the numbers and sources of the lines. */
const calls = ({ trace: lines }: Traced): readonly string[] =>
  lines.flatMap((line) => (line.split('  | ')[1] ?? '').match(/^.*\) (?:→|threw).*$/) ?? []);

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
        'deep(code="bad") threw, caught at 62',
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

  it('C++', async () => {
    const program = compileNative('callees');
    const answer = await trace({ program, file_path: 'native/callees.cpp', function_name: 'order' });
    console.log(JSON.stringify(answer, null, 1));
    const l = await trace({ program, file_path: 'native/callees.cpp', function_name: 'left' });
    console.log(JSON.stringify(l, null, 1));
    const f = await trace({ program, file_path: 'native/callees.cpp', function_name: 'factorial' });
    console.log(JSON.stringify(f, null, 1));
  });
});
