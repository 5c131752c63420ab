import { strict as assert } from 'node:assert';
import type { BreakpointParts } from '../../../../src/debugger/adapters/adapterParts';
import { adapterOf } from '../../../../src/debugger/adapters/registry';
import type { Fields } from '../../../../src/debugger/protocol';

const debugpy = adapterOf('debugpy');
const parts = { condition: undefined, hitCondition: undefined, logMessage: undefined };
const merged = (other: BreakpointParts) => debugpy.mergedCondition?.('seen()', other);
const ofModule = (module: string) => debugpy.moduleProperties?.(module);
const runsTests = (configuration: Fields) => debugpy.runsTests?.(configuration);

describe('debugpy', () => {
  it('reads the function’s name from the variable that holds its return value', () => {
    for (const [variable, by] of [
      ['(return) total', 'total'],
      ['(return) Cart.total', 'Cart.total'],
      ['(return) ', undefined],
      ['of (return) total', undefined],
      ['(return) total\n2', undefined],
      ['total', undefined],
    ] as const)
      assert.equal(debugpy.returnedBy?.(variable), by, variable);
  });

  it('reads how a call was left: by a return, by an exception, or unknown', () => {
    const read = (text: string) => debugpy.leftCall?.read(text);
    assert.deepEqual(read('returned'), { hasThrown: false });
    assert.deepEqual(read('threw'), { hasThrown: true, exception: undefined });
    assert.deepEqual(read("threw KeyError('a\nb')"), {
      hasThrown: true,
      exception: "KeyError('a\nb')",
    });
    for (const text of ['', 'None', "'returned'", 'threwn', 'NameError: x'])
      assert.equal(read(text), undefined, text);
  });

  it('does not name source locations in the output of logpoints', () => {
    assert.equal(debugpy.placesLogpoints?.({}), false);
  });

  it('asks Python itself whether an expression is true, even if it ends with a comment', () => {
    assert.equal(debugpy.truth?.('total # all'), 'bool((total # all\n))');
  });

  it('merges its condition with the other breakpoint on the line, unless that one counts hits', () => {
    assert.equal(merged(parts), '(seen()) or (True\n)');
    assert.equal(merged({ ...parts, condition: 'n > 1 # many' }), '(seen()) or (n > 1 # many\n)');
    assert.equal(merged({ ...parts, hitCondition: '3' }), undefined);
  });

  it('knows a web framework, whose reloader ends a process with an exception', () => {
    for (const program of ['/app/manage.py', 'manage.py', 'C:\\app\\manage.py'])
      assert.equal(debugpy.launch?.(program)['django'], true, program);
    assert.deepEqual(ofModule('django'), { django: true });
    assert.deepEqual(ofModule('flask'), { jinja: true });
    for (const other of ['/app/my_manage.py', '/app/manage.pyx', 'flask_app'])
      assert.deepEqual(ofModule(other), {}, other);
  });

  it('knows a program that starts a web framework’s server itself', () => {
    for (const text of [
      'import os\nfrom flask import Flask',
      'if x:\n    import werkzeug.serving',
      'from shop import app\napp.run(port=1, debug=True)',
      'from shop import app\napp.run(\n    use_reloader = True)',
    ])
      assert.deepEqual(debugpy.textProperties?.(text), { jinja: true }, text);
    for (const text of [
      '',
      'import flaskr',
      '# import flask',
      'app.run(debug=False)',
      'debug = True',
      'subprocess.run(["x"])',
    ])
      assert.deepEqual(debugpy.textProperties?.(text), {}, text);
  });

  it('runs tests if the module is a test runner', () => {
    for (const module of ['pytest', 'unittest', 'nose2', 'unittest.main'])
      assert.equal(runsTests({ module }), true, module);
    for (const module of ['pytester', 'flask', 'app.pytest', 7, undefined])
      assert.equal(runsTests({ module }), false, String(module));
  });

  it('runs tests if the program has a name as tests have', () => {
    for (const program of [
      '/app/test_cart.py',
      '/app/cart_test.py',
      'tests.py',
      String.raw`C:\app\test.py`,
    ])
      assert.equal(runsTests({ program }), true, program);
    for (const program of ['/app/latest.py', '/tests/cart.py', '/app/test_cart.pyc', 7, undefined])
      assert.equal(runsTests({ program }), false, String(program));
  });
});
