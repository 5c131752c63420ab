import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, trace, withText } from './tracing';

const BEHIND = 'node/behind.mjs';
const SHOWN = "Cannot read properties of undefined (reading 'toFixed')";

// V8's steps miss the end of a call that returns within a `for-of` loop.
describe('an exception of the rest of the statement that made a Node call', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('does not count as that of the call', async () => {
    const found = await trace({ program: BEHIND, file_path: BEHIND, function_name: 'find' });
    assert.equal(found['threw'], undefined, JSON.stringify(found));
    assert.equal(found['returned_value'], 'not_shown', JSON.stringify(found));
    assert.deepEqual(withText(found, 'threw'), []);
    await assertNothingLeft();
  });

  it('does not count as that of the call if its caller is traced, with the call', async () => {
    const label = await trace({
      ...{ program: BEHIND, file_path: BEHIND, function_name: 'label' },
      depth: 1,
    });
    assert.deepEqual(label.trace, [
      `19 const shown = find(list, id).price.toFixed(2);  | threw TypeError: ${SHOWN}, caught at 21`,
      '  > find(list=(2) [{…}, {…}], id=2)',
      '  7 for (const item of list) {  | item = {id: 1, price: 3}',
      '  8 if (item.id === id) return wrap(item);',
      '  7  | item: {id: 1, price: 3} → {id: 2}',
      '  8',
      '  < → ?',
      '22 return error.message;',
    ]);
    await assertNothingLeft();
  });

  it('still counts if the call has thrown it', async () => {
    const threw = 'Error: no item 9';
    const found = await trace({
      ...{ program: BEHIND, file_path: BEHIND, function_name: 'find' },
      call: 2,
    });
    assert.equal(found['threw'], threw, JSON.stringify(found));
    await cleanUp();
    const label = await trace({
      ...{ program: BEHIND, file_path: BEHIND, function_name: 'label' },
      ...{ call: 2, depth: 1 },
    });
    assert.deepEqual(withText(label, '  < '), [`  < threw ${threw}`]);
  });
});

describe('a Node call with opened calls', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('goes on behind a function of a library that returns within a loop', async () => {
    const total = await trace({
      ...{ program: BEHIND, file_path: BEHIND, function_name: 'total' },
      depth: 1,
    });
    assert.deepEqual(total.trace, [
      '27 const sum = first(list, Boolean).price + size(list);  | sum = 5',
      '  > size(list=(2) [{…}, {…}])',
      '  32 return list.length;',
      '  < → 2',
      '28 return sum * 2;',
    ]);
    assert.equal(total.returned, '10');
    await assertNothingLeft();
  });
});

describe('an asynchronous Node call that another one awaits', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const AWAITS = { program: 'node/awaits.js', file_path: 'node/awaits.js' };

  it('is traced to its end, which comes after it was suspended', async () => {
    const plain = await trace({ ...AWAITS, function_name: 'plain', call: 2 });
    assert.deepEqual(plain.trace, [
      '3 const a = await Promise.resolve(n);  | a = 2',
      '4 const b = a + 1;  | b = 3',
      '5 return b;',
    ]);
    assert.equal(plain.returned, '3');
    await assertNothingLeft();
  });

  it('is opened in its caller', async () => {
    const main = await trace({ ...AWAITS, function_name: 'main', depth: 1 });
    assert.deepEqual(withText(main, '  > '), ['  > plain(n=1)', '  > plain(n=2)']);
    assert.deepEqual(withText(main, ' const '), [
      '9 const first = await plain(1);  | first = 2',
      '  3 const a = await Promise.resolve(n);  | a = 1',
      '  4 const b = a + 1;  | b = 2',
      '10 const second = await plain(first);  | second = 3',
    ]);
    assert.equal(main.returned, '[2, 3]');
    await assertNothingLeft();
  });
});
