import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import {
  countOf,
  fields,
  flagOf,
  isFields,
  listOf,
  numberOf,
  readMessage,
  textOf,
} from '../../../src/debugger/protocol';

const response = (more: object) =>
  readMessage({ type: 'response', request_seq: 4, command: 'next', ...more });

describe('protocol: messages', () => {
  it('requires a number and a command for requests, and reads missing arguments as empty', () => {
    assert.deepEqual(
      readMessage({ type: 'request', seq: 3, command: 'next', arguments: { threadId: 1 } }),
      { type: 'request', seq: 3, command: 'next', arguments: { threadId: 1 } },
    );
    assert.deepEqual(readMessage({ type: 'request', seq: 0, command: 'threads' }), {
      type: 'request',
      seq: 0,
      command: 'threads',
      arguments: {},
    });
    assert.equal(readMessage({ type: 'request', seq: '3', command: 'next' }), undefined);
    assert.equal(readMessage({ type: 'request', seq: 3 }), undefined);
  });

  it('takes only success: true as a success', () => {
    assert.deepEqual(response({ success: true, body: { a: 1 } }), {
      type: 'response',
      requestSeq: 4,
      command: 'next',
      success: true,
      message: undefined,
      body: { a: 1 },
    });
    for (const success of [false, undefined, 'true', 1])
      assert.deepEqual(response({ success }), {
        type: 'response',
        requestSeq: 4,
        command: 'next',
        success: false,
        message: undefined,
        body: {},
      });
    assert.equal(readMessage({ type: 'response', success: true }), undefined);
  });

  it('takes the message of a failure from the formatted error, otherwise from the short message', () => {
    const wordsOf = (more: object): string | undefined => {
      const message = response({ success: false, ...more });
      assert.equal(message?.type, 'response');
      return message.message;
    };
    assert.equal(wordsOf({ message: 'cancelled' }), 'cancelled');
    assert.equal(
      wordsOf({
        message: 'short',
        body: {
          error: {
            id: 1,
            format: 'Cannot open {file}: {_why}',
            variables: { file: 'a.js', _why: 'gone' },
          },
        },
      }),
      'Cannot open a.js: gone',
    );
    assert.equal(
      wordsOf({ body: { error: { format: '{missing} {} {x', variables: { other: 'o' } } } }),
      '{missing} {} {x',
    );
    assert.equal(wordsOf({ message: 'short', body: { error: { format: '' } } }), 'short');
    assert.equal(
      wordsOf({ body: { error: { format: '{a}', variables: { a: '$& {b}', b: 'no' } } } }),
      '$& {b}',
      'put in as it is, once',
    );
    assert.equal(wordsOf({}), undefined);
  });

  it('requires a name for events', () => {
    assert.deepEqual(readMessage({ type: 'event', event: 'stopped', body: { threadId: 1 } }), {
      type: 'event',
      event: 'stopped',
      body: { threadId: 1 },
    });
    assert.deepEqual(readMessage({ type: 'event', event: 'initialized', body: [] }), {
      type: 'event',
      event: 'initialized',
      body: {},
    });
    assert.equal(readMessage({ type: 'event' }), undefined);
  });

  it('never throws, whatever it reads', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
        (value) => void readMessage(value),
      ),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('request', 'response', 'event'),
        fc.dictionary(
          fc.constantFrom('seq', 'request_seq', 'command', 'event', 'body', 'message'),
          fc.jsonValue(),
        ),
        (type, rest) => void readMessage({ ...rest, type }),
      ),
      { numRuns: 500 },
    );
  });
});

describe('protocol: values', () => {
  it('reads only finite numbers as numbers', () => {
    assert.deepEqual([0, -1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null].map(numberOf), [
      0,
      -1.5,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads only whole, non-negative numbers as counts', () => {
    assert.deepEqual([0, 7, -1, 1.5, 2 ** 53, '3'].map(countOf), [
      0,
      7,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads texts, flags, lists and objects only from values of that type', () => {
    assert.deepEqual(
      [textOf(''), textOf(1), flagOf(false), flagOf('false')],
      ['', undefined, false, undefined],
    );
    assert.deepEqual([listOf([1]), listOf('ab'), listOf({ length: 2 })], [[1], [], []]);
    assert.deepEqual(
      [fields({ a: 1 }), fields([1]), fields(null), fields('x')],
      [{ a: 1 }, {}, {}, {}],
    );
    assert.deepEqual(
      [isFields({}), isFields([]), isFields(null), isFields(undefined)],
      [true, false, false, false],
    );
  });
});
