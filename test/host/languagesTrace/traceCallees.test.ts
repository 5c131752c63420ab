import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, trace, withText } from './tracing';

const NODE = 'node/prices.mjs';

describe('the calls that a traced call makes', function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it('Node: have one line each, with their arguments and values', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'order' });
    console.log(JSON.stringify(answer, null, 1));
    assert.equal(withText(answer, 'x').length, 0);
    await assertNothingLeft();
  });
  it('Node left', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'left' });
    console.log(JSON.stringify(answer, null, 1));
  });
  it('Node hot', async () => {
    const answer = await trace({ program: NODE, file_path: NODE, function_name: 'hot' });
    console.log(JSON.stringify(answer, null, 1));
  });
});
