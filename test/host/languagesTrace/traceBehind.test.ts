import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, trace, withText } from './tracing';

const BEHIND = 'node/behind.mjs';
const SHOWN = "Cannot read properties of undefined (reading 'toFixed')";

// V8's steps miss the end of a call that returns within a `for-of` loop.
describe('an exception of the rest of the statement that made a Node call', function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it('does not count as that of the call', async () => {
    const found = await trace({ program: BEHIND, file_path: BEHIND, function_name: 'find' });
    assert.equal(found['threw'], undefined, JSON.stringify(found));
    assert.equal(found.returned, null, JSON.stringify(found));
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
  this.timeout(120_000);
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
