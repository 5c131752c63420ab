import { strict as assert } from 'node:assert';
import type { Frame } from '../../../../../src/debugger/inspection/stackAndVariables';
import {
  hasLeftCaller,
  isSameFrame,
  type ThreadStack,
} from '../../../../../src/tools/trace/function/threadStack';
import { frameAt, stackIn } from '../../../support/stacks';

const frame = (name: string, path?: string): Frame =>
  frameAt(name, path === undefined ? {} : { path });

describe('a frame', () => {
  it('is of the same constructor before and after its call of `super`', () => {
    assert.ok(isSameFrame(frame('B'), frame('B.constructor')));
    assert.ok(isSameFrame(frame('B.constructor'), frame('B')));
    assert.ok(isSameFrame(frame('B'), frame('C.B')));
  });

  it('is of another function with another owner, another name or in another file', () => {
    assert.ok(!isSameFrame(frame('load'), frame('Cache.load')));
    assert.ok(!isSameFrame(frame('B'), frame('C')));
    assert.ok(!isSameFrame(frame('B'), frame('B', '/other.js')));
    assert.ok(!isSameFrame(frame('A.constructor'), frame('B.constructor')));
  });
});

describe('a thread that has left a call', () => {
  const at = (...names: readonly string[]): ThreadStack =>
    stackIn(names.map((name) => frame(name)));

  it('has left the caller if no frame of it is on the stack', () => {
    assert.ok(hasLeftCaller(frame('label'), at('main')));
    assert.ok(!hasLeftCaller(frame('label'), at('label', 'main')));
    assert.ok(!hasLeftCaller(undefined, at('main')));
  });

  it('has not left the caller while that runs other code, such as the initializers of a class', () => {
    assert.ok(!hasLeftCaller(frame('Kid'), at('Kid.<instance_members_initializer>', 'Kid')));
  });
});
