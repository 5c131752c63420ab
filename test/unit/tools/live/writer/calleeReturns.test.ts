import { strict as assert } from 'node:assert';
import { returnLines } from '../../../../../src/tools/live/writer/calleeReturns';
import { javaScriptFunctions } from '../../../../../src/tools/trace/function/source/javascriptFunctions';
import { pythonFunctions } from '../../../../../src/tools/trace/function/source/pythonFunctions';

const python = (lines: readonly string[], name: string): readonly number[] => {
  const text = lines.join('\n');
  return returnLines(text, pythonFunctions(text), name, 'python');
};

describe('the lines at which a function returns', () => {
  it('are those of the function itself', () => {
    const lines = [
      'def f(a):',
      '    def g():',
      '        return 1',
      '    if a:',
      '        return g()',
    ];
    assert.deepEqual(python([...lines, '    return a', 'return_f = 1'], 'f'), [5, 6]);
    assert.deepEqual(python(lines, 'g'), [3]);
    assert.deepEqual(python(lines, 'h'), []);
    const text = ['function f(a) {', '  // return', '  return a;', '}'].join('\n');
    assert.deepEqual(returnLines(text, javaScriptFunctions(text, 'a.js'), 'f', 'javascript'), [3]);
  });

  it('are none of a call that may pause', () => {
    assert.deepEqual(python(['async def f():', '    return 1'], 'f'), []);
  });
});
