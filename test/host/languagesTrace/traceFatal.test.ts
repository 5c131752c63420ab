import { strict as assert } from 'node:assert';
import { call, cleanUp } from '../support/client';
import { assertNothingLeft, compileNative, needs, trace, withText } from './tracing';

describe('a stop at an exception or signal during a traced call', function () {
  this.timeout(300_000);
  afterEach(async () => {
    // Later files of this window run with the default.
    const reset = await call('set_exception_breakpoints', {});
    await cleanUp();
    assert.equal(reset.status, 'success', JSON.stringify(reset));
  });

  for (const [how, stoppedBy] of [
    ['abort', /^signal SIGABRT/],
    ['fault', /^signal SIGSEGV/],
  ] as const)
    for (const depth of [0, 1])
      it(`C++: is no exception of the call if it is a signal (${how}, depth ${depth})`, async function () {
        needs(this, 'C++');
        const file = { program: compileNative('fatal'), file_path: 'native/fatal.cpp' };
        const answer = await trace({ ...file, args: [how], function_name: 'work', depth });
        const text = JSON.stringify(answer);
        assert.deepEqual([answer.status, answer['ended_by']], ['stopped', 'exception'], text);
        assert.match(String(answer['stopped_by']), stoppedBy, text);
        assert.ok(!text.includes('threw') && !('returned' in answer), text);
      });

  it('C++: is the exception that nothing catches, not the signal that ends the program', async function () {
    needs(this, 'C++');
    const file = { program: compileNative('fatal'), file_path: 'native/fatal.cpp' };
    const answer = await trace({ ...file, args: ['throw'], function_name: 'work' });
    const text = JSON.stringify(answer);
    assert.equal(answer['threw'], 'std::runtime_error', text);
    assert.match(withText(answer, 'fall(').join(), /threw std::runtime_error/, text);
  });

  it('C++: is of another thread, whose signal says nothing about the call', async function () {
    needs(this, 'C++');
    const file = { program: compileNative('fatal'), file_path: 'native/fatal.cpp' };
    const answer = await trace({ ...file, args: ['other'], function_name: 'wait' });
    const text = JSON.stringify(answer);
    assert.equal(answer['ended_by'], 'exception', text);
    assert.match(String(answer['stopped_by']), /^signal SIGSEGV/, text);
    assert.ok(!text.includes('threw'), text);
    await assertNothingLeft();
  });

  it('Python: is of another thread', async () => {
    const file = { program: 'python/fatal.py', file_path: 'python/fatal.py' };
    const answer = await trace({ ...file, args: ['other'], function_name: 'waits' });
    const text = JSON.stringify(answer);
    assert.equal(answer['ended_by'], 'exception', text);
    assert.match(String(answer['stopped_by']), /ValueError/, text);
    assert.ok(!('threw' in answer) && !('returned' in answer), text);
    await assertNothingLeft();
  });

  for (const [name, file, filter, error] of [
    ['price_of', 'python/fatal.py', 'raised', 'KeyError'],
    ['priceOf', 'node/fatal.js', 'all', 'RangeError'],
  ] as const)
    for (const depth of [0, 1])
      it(`is caught by the call itself: ${file}, depth ${depth}`, async () => {
        await call('set_exception_breakpoints', { filters: [filter] });
        const answer = await trace({
          ...{ program: file, file_path: file, function_name: name, depth },
          args: ['caught'],
        });
        const text = JSON.stringify(answer);
        // Whether the trace ends at that stop or passes it, the call has not thrown.
        assert.ok(!('threw' in answer), text);
        if (answer['ended_by'] === 'exception')
          assert.match(String(answer['stopped_by']), new RegExp(error), text);
        else assert.equal(answer.returned, '0', text);
      });
});
