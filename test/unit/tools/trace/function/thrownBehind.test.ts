import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';
import type { Frame } from '../../../../../src/debugger/inspection/stackAndVariables';
import { isThrownBehind } from '../../../../../src/tools/trace/function/thrownBehind';
import { FILE } from '../../../support/services';

const OTHER = FILE.replace(/\w+(?=\.\w+$)/, 'other');

const called = (path: string | undefined = FILE, start = 3, end = 8) => ({
  ...{ name: 'find', path, source: [] },
  range: { start, end },
});

const callerAt = (line: number, path: string | undefined = OTHER): Frame => ({
  ...{ id: 2, name: 'label', path, line, column: 1, sourceName: undefined },
  ...{ subtle: false, isLabel: false, instructionPointerReference: undefined },
});

const thrown = (...places: readonly string[]): string =>
  ['TypeError: no price', ...places.map((place) => `    at ${place}`)].join('\n');

describe('an exception behind a call', () => {
  it('has a stack with the statement of the caller, but not with the call', () => {
    const outside = thrown(`label (${OTHER}:20:30)`, `Object.<anonymous> (${OTHER}:40:1)`);
    assert.equal(isThrownBehind(outside, called(), callerAt(20)), true);
    assert.equal(isThrownBehind(outside, called(), callerAt(18)), true);
    const inCallee = thrown(`toFixed (${FILE}:1:1)`, `${OTHER}:20:30`);
    assert.equal(isThrownBehind(inCallee, called(), callerAt(20)), true);
  });

  it('is in a module, whose stack has addresses', () => {
    const module = thrown(`label (${pathToFileURL(OTHER).href}:20:30)`);
    assert.equal(isThrownBehind(module, called(), callerAt(20)), true);
  });

  it('is not one that the call, or a call in it, has thrown', () => {
    const inside = thrown(`find (${FILE}:5:1)`, `label (${OTHER}:20:30)`);
    assert.equal(isThrownBehind(inside, called(), callerAt(20)), false);
    const deeper = thrown(`parse (/lib/parse.js:1:1)`, `find (${FILE}:8:1)`, `${OTHER}:20:30`);
    assert.equal(isThrownBehind(deeper, called(), callerAt(20)), false);
  });

  it('is not known without a stack, or with one that does not contain the statement', () => {
    for (const text of ["'text'", thrown(), thrown(`label (${OTHER}:19:1)`)])
      assert.equal(isThrownBehind(text, called(), callerAt(20)), false, text);
    const far = thrown(`label (${OTHER}:31:1)`);
    assert.equal(isThrownBehind(far, called(), callerAt(20)), false);
    assert.equal(isThrownBehind(thrown(`x (file://%zz:20:1)`), called(), callerAt(20)), false);
  });

  it('is not known in a recursion, and without the places of the call and of its caller', () => {
    const own = thrown(`find (${FILE}:5:1)`);
    assert.equal(isThrownBehind(own, called(), callerAt(5, FILE)), false);
    const outside = thrown(`label (${OTHER}:20:30)`);
    assert.equal(isThrownBehind(outside, { ...called(), path: undefined }, callerAt(20)), false);
    assert.equal(isThrownBehind(outside, { ...called(), range: undefined }, callerAt(20)), false);
    assert.equal(isThrownBehind(outside, called(), { ...callerAt(20), path: undefined }), false);
  });
});
