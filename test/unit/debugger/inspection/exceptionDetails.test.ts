import { strict as assert } from 'node:assert';
import {
  exitCodeOf,
  readException,
  unlessRepeated,
} from '../../../../src/debugger/inspection/exceptionDetails';

describe('exception details', () => {
  it('contain the full type and the message, otherwise the short type, otherwise the id and the description', () => {
    assert.deepEqual(
      readException({
        exceptionId: 'E',
        details: { typeName: 'T', fullTypeName: 'a.T', message: 'bad' },
      }),
      { type: 'a.T', message: 'bad' },
    );
    assert.deepEqual(readException({ exceptionId: 'E', details: { typeName: 'T' } }), {
      type: 'T',
    });
    assert.deepEqual(readException({ exceptionId: 'E', description: 'words' }), {
      type: 'E',
      message: 'words',
    });
    assert.equal(readException({ details: 5 }), undefined);
  });

  it('separate a type and a message that js-debug sends as one text', () => {
    assert.deepEqual(
      readException({
        exceptionId: "TypeError: Cannot read properties of undefined (reading 'x')",
      }),
      { type: 'TypeError', message: "Cannot read properties of undefined (reading 'x')" },
    );
    assert.deepEqual(readException({ exceptionId: 'PaymentError: order 7:\ncard not read' }), {
      type: 'PaymentError',
      message: 'order 7:\ncard not read',
    });
    assert.deepEqual(
      readException({ exceptionId: 'AssertionError [ERR_ASSERTION]: not equal:\n1 !== 2' }),
      { type: 'AssertionError [ERR_ASSERTION]', message: 'not equal:\n1 !== 2' },
    );
    assert.deepEqual(readException({ exceptionId: 'Object' }), { type: 'Object' });
    assert.deepEqual(readException({ exceptionId: 'just a text that was thrown' }), {
      type: 'unknown',
      message: 'just a text that was thrown',
    });
    assert.deepEqual(readException({ exceptionId: 'std::runtime_error', description: 'a: b' }), {
      type: 'std::runtime_error',
      message: 'a: b',
    });
  });

  it('give the program’s exit code for an uncaught SystemExit', () => {
    const code = (
      message: string,
      breakMode = 'unhandled',
      type = 'SystemExit',
    ): number | undefined =>
      exitCodeOf(
        readException({ exceptionId: type, breakMode, details: { typeName: type, message } }) ??
          assert.fail(),
      );
    assert.deepEqual(
      ['3', 'True', 'False', 'None', '-1', 'usage: a b'].map((each) => code(each)),
      [3, 1, 0, 0, -1, 1],
    );
    assert.deepEqual(
      [code('3', 'always'), code('3', 'userUnhandled'), code('3', 'unhandled', 'ValueError')],
      [undefined, undefined, undefined],
    );
  });

  it('are reported once, and not again in the text of the stop', () => {
    const exception = { type: 'AssertionError', message: 'lists differ:\n- 1\n+ 2' };
    for (const answerText of [
      'AssertionError',
      exception.message,
      `AssertionError: ${exception.message}`,
      `AssertionError: ${exception.message}\n    at check (a.js:3:1)`,
      undefined,
    ])
      assert.equal(unlessRepeated(answerText, exception), null);
    assert.equal(unlessRepeated('Paused on exception', exception), 'Paused on exception');
  });

  it('contain the type without the note that debugpy appends to it', () => {
    const typeName =
      'KeyError       (note: full exception trace is shown but execution is paused at: test_unknown)';
    assert.deepEqual(
      readException({ exceptionId: typeName, details: { typeName, message: "'screw'" } }),
      { type: 'KeyError', message: "'screw'" },
    );
  });

  it('contain the causes, nearest first, and the causes of those', () => {
    const body = {
      exceptionId: 'E',
      details: {
        innerException: [
          { typeName: 'One', message: '1', innerException: [{ fullTypeName: 'b.Two' }] },
          null,
        ],
      },
    };
    assert.deepEqual(readException(body)?.inner, [
      { type: 'One', message: '1' },
      { type: 'unknown' },
      { type: 'b.Two' },
    ]);
  });

  it('contain the causes that debugpy reports only in its trace, nearest first', () => {
    const stackTrace = [
      '  File "/w/work.py", line 86, in lookup\n    return table[key]\n           ~~~~~^^^^^\nKeyError: \'b\'\n',
      'The above exception was the direct cause of the following exception:\n',
      '  File "/w/work.py", line 93, in chain\n    lookup({"a": 1}, "b")\nmy.LookupError: no b\nsecond line\n',
      'During handling of the above exception, another exception occurred:\n',
      '  File "/w/work.py", line 95, in chain\n    raise RuntimeError("cannot go on")\nRuntimeError: cannot go on\n',
    ].join('\n');
    const reported = readException({
      exceptionId: 'RuntimeError',
      description: 'cannot go on',
      details: { message: 'cannot go on', typeName: 'RuntimeError', stackTrace },
    });
    assert.deepEqual(reported, {
      type: 'RuntimeError',
      message: 'cannot go on',
      inner: [
        { type: 'my.LookupError', message: 'no b\nsecond line' },
        { type: 'KeyError', message: "'b'" },
      ],
    });
    const silent =
      '  File "/w/a.py", line 2, in f\nTimeoutError\n\nThe above exception was the direct cause of the following exception:\n\n  File "/w/a.py", line 4, in f\nRuntimeError: stuck\n';
    assert.deepEqual(
      readException({
        exceptionId: 'RuntimeError',
        details: { typeName: 'RuntimeError', message: 'stuck', stackTrace: silent },
      })?.inner,
      [{ type: 'TimeoutError' }],
    );
    assert.equal(
      readException({
        exceptionId: 'E',
        details: { typeName: 'E', stackTrace: 'E: x\n    at main (a.js:1:1)' },
      })?.inner,
      undefined,
    );
  });

  it('end at a cycle of causes', () => {
    const cause: Record<string, unknown> = { typeName: 'Circle' };
    cause['innerException'] = [cause];
    assert.equal(
      readException({ exceptionId: 'E', details: { innerException: [cause] } })?.inner?.length,
      5,
    );
  });
});
