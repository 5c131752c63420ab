import { strict as assert } from 'node:assert';
import { AnswerCache, keyOf, type ReadRequest } from '../../../../src/debugger/state/answerCache';

const request = (variablesReference: number, command = 'variables'): ReadRequest => ({
  command,
  arguments: { variablesReference },
  key: undefined,
});
const find = (cache: AnswerCache, reference: number) =>
  cache.find('variables', { variablesReference: reference });

describe('answer cache', () => {
  it('finds a response by its request, the newest first', () => {
    const cache = new AnswerCache();
    cache.add(1, request(5), { variables: ['old'] });
    cache.add(2, request(5), { variables: ['new'] });
    cache.add(3, request(6), { variables: ['other'] });
    assert.deepEqual(find(cache, 5), { variables: ['new'] });
    assert.equal(find(cache, 7), undefined);
    assert.equal(cache.find('scopes', { variablesReference: 5 }), undefined);
  });

  it('keeps the first response if a request is answered twice', () => {
    const cache = new AnswerCache();
    cache.add(1, request(5), { variables: ['first'] });
    cache.add(1, request(5), { variables: ['second'] });
    assert.deepEqual(find(cache, 5), { variables: ['first'] });
  });

  it('holds at most two hundred responses and drops the oldest', () => {
    const cache = new AnswerCache();
    for (let index = 1; index <= 201; index += 1) cache.add(index, request(index), {});
    assert.deepEqual([find(cache, 1), find(cache, 2), find(cache, 201)], [undefined, {}, {}]);
  });

  it('drops the oldest responses until the newest fits the total size', () => {
    for (const body of [
      { value: 'x'.repeat(6_000_000) },
      { values: Array.from({ length: 600 }, () => 'x'.repeat(10_000)) },
      { values: Array.from({ length: 100_000 }, () => ({ n: 1 })) },
    ]) {
      const cache = new AnswerCache();
      for (const reference of [1, 2, 3]) cache.add(reference, request(reference), body);
      assert.deepEqual(
        [1, 2, 3].map((reference) => find(cache, reference) !== undefined),
        [false, true, true],
      );
    }
  });

  it('does not keep a response that is too large alone, and drops nothing for it', () => {
    const deep = (depth: number): object => (depth === 0 ? {} : { inner: deep(depth - 1) });
    for (const body of [
      { value: 'x'.repeat(16_000_000) },
      { values: Array.from({ length: 1_100_000 }, () => null) },
      { values: Array.from({ length: 300_000 }, () => ({ n: 1 })) },
      deep(30),
      { list: [[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]] },
    ]) {
      const cache = new AnswerCache();
      cache.add(1, request(1), {});
      cache.add(2, request(2), { ...body });
      assert.deepEqual([find(cache, 1), find(cache, 2)], [{}, undefined]);
    }
  });

  it('drops all responses and their size when it is cleared', () => {
    const cache = new AnswerCache();
    const body = { value: 'x'.repeat(9_000_000) };
    cache.add(1, request(1), body);
    cache.clear();
    assert.equal(find(cache, 1), undefined);
    cache.add(2, request(2), body);
    assert.equal(find(cache, 2), body);
  });
});

describe('answer cache: the key of a request', () => {
  it('does not depend on the order of the arguments', () => {
    assert.equal(
      keyOf('stackTrace', { levels: 20, threadId: 1 }),
      keyOf('stackTrace', { threadId: 1, levels: 20 }),
    );
  });

  it('ignores a start frame of 0, a format, and arguments without a value', () => {
    const key = keyOf('stackTrace', { threadId: 1 });
    assert.equal(keyOf('stackTrace', { threadId: 1, startFrame: 0 }), key);
    assert.equal(keyOf('stackTrace', { threadId: 1, format: { hex: true } }), key);
    assert.equal(keyOf('stackTrace', { threadId: 1, levels: undefined, more: undefined }), key);
  });

  it('differs if any other argument differs', () => {
    const keys = [
      {},
      { threadId: 1 },
      { threadId: '1' },
      { threadId: 1, startFrame: 20 },
      { threadId: 1, levels: 0 },
      { threadId: 1, start: 0 },
      { threadId: 1, filter: 'named' },
      { threadId: 1, filter: 'indexed' },
      { threadId: 1, own: 1 },
      { threadId: 1, own: 2 },
      { threadId: 1, other: 2 },
    ].map((args) => keyOf('stackTrace', args));
    assert.equal(new Set(keys).size, keys.length);
    assert.notEqual(keyOf('scopes', {}), keyOf('variables', {}));
  });
});
