import { strict as assert } from 'node:assert';
import { framesInStack } from '../../../src/results/stackText';

describe('the frames in the text of a stack', () => {
  it('are those in files, and not those in code that is made at run time', () => {
    const stack = `Error: no
    at total (/app/(shop)/cart.js:12:7)
    at Object.eval [as handler] (eval at build (/app/lib/build.js:82:12), <anonymous>:3:5)
    at async file:///app/main.mjs:3:1
    at node:internal/main:5:2`;
    assert.deepEqual(framesInStack(stack), [
      { name: 'total', path: '/app/(shop)/cart.js', line: 12, column: 7 },
      { name: '', path: '/app/main.mjs', line: 3, column: 1 },
    ]);
  });
});
