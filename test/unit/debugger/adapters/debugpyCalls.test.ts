import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { leftCall } from '../../../../src/debugger/adapters/debugpyCalls';
import { skip } from '../../../support/skip';

const PYTHON = '/usr/bin/python3';

const FIELDS = `answer.append(','.join(sorted(variables)))`;

/** A minimal debugger. Like debugpy, it reports the caller when a frame ends, and suspends within its trace function. */
const DEBUGGER = `
import sys
TEXT = ${JSON.stringify(leftCall({ name: 'Shop.price', path: '/app/<string>', fields: FIELDS }))}
def do_wait_suspend(thread, frame, event, arg):
    left = eval(TEXT, frame.f_globals, frame.f_locals)
    print(event, frame.f_code.co_name, repr(left), *((vars(left.locals), left.fields) if hasattr(left, 'fields') else ()))
def run(called, name, event, of):
    def tracer(frame, seen, arg):
        if seen == event and frame.f_code.co_name == of:
            do_wait_suspend(None, frame.f_back if seen == 'return' else frame, seen, arg)
        return tracer
    sys.settrace(tracer)
    caller(called, name)
    sys.settrace(None)
`;

const PROGRAM = `
exec(compile(${JSON.stringify(DEBUGGER)}, 'pydevd.py', 'exec'))
def price(name):
    if name == 'bad': return {}[name]
    return 3
def other(name): return [][0]
def caller(called, name):
    try: return called(name)
    except LookupError: return handle()
def handle(): return 0
run(price, 'good', 'return', 'price')
run(price, 'bad', 'return', 'price')
run(price, 'bad', 'exception', 'caller')
run(price, 'bad', 'call', 'handle')
run(other, 'bad', 'exception', 'caller')
run(other, 'bad', 'call', 'handle')
run(other, 'bad', 'return', 'other')
def price(name):
    a = 1
    yield a
generator = price('good')
run(lambda name: next(generator), '', 'return', 'price')
`;

describe('debugpy’s expression for a call that was left', function () {
  before(function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
  });

  it('distinguishes a return from an exception, before and after the exception is handled', () => {
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', PROGRAM], { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.deepEqual(stdout.trim().split('\n'), [
      "return caller returned {'name': 'good'} name",
      "return caller threw {'name': 'bad'} name",
      "exception caller threw KeyError('bad') {'name': 'bad'} name",
      "call handle threw KeyError('bad') {'name': 'bad'} name",
      // An exception that did not leave the call says nothing about it.
      'exception caller None',
      'call handle None',
      'return caller None',
      // A generator that is suspended.
      "return <lambda> returned {'name': 'good', 'a': 1} a,name",
    ]);
  });

  it('does not take the frame of another call of a recursion', () => {
    const program = `${PROGRAM.slice(0, PROGRAM.indexOf('def price'))}
def price(n):
    try:
        return price(n - 1) if n else [][0]
    except LookupError:
        if n < 2: raise
        return caller(lambda name: handle(), '')
def caller(called, name): return called(name)
def handle(): return 0
run(price, 2, 'call', 'handle')
`;
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', program], { encoding: 'utf8' });
    assert.equal(stderr, '');
    // Two calls have been left, and the one that handles the exception still runs.
    assert.match(stdout, /^call handle threw IndexError\('list index out of range'\)/);
    assert.doesNotMatch(stdout, /'n':/);
  });
});
