import { strict as assert } from 'node:assert';
import { handlerAround } from '../../../../../src/tools/trace/function/source/javascriptHandlers';

/** The handler of an exception that is thrown at the text `here`. */
function handlerOf(text: string): ReturnType<typeof handlerAround> {
  const before = text.slice(0, text.indexOf('here')).split('\n');
  const position = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return handlerAround(text, 'a.js', position);
}

describe('the handler of an exception in JavaScript', () => {
  it('is the innermost one around the place, in the same function', () => {
    assert.deepEqual(
      handlerOf(
        'try {\n  try {\n    here();\n  } catch (e) {\n    a(e);\n  }\n} catch {\n  b();\n}',
      ),
      { line: 5, column: 5 },
    );
    assert.deepEqual(handlerOf('try {\n  x();\n} catch {\n  here();\n}'), undefined);
    assert.deepEqual(
      handlerOf('try {\n  list.map((x) => here(x));\n} catch {\n  b();\n}'),
      undefined,
      'the callback is left first',
    );
    assert.deepEqual(
      handlerOf('function f() {\n  here();\n}\ntry { f(); } catch { b(); }'),
      undefined,
    );
  });

  it('may be a finally, and may have no place at which a debugger can stop', () => {
    assert.deepEqual(handlerOf('try {\n  here();\n} finally {\n  close();\n}'), {
      line: 4,
      column: 3,
    });
    assert.equal(handlerOf('try {\n  here();\n} catch {}'), 'nowhere');
    assert.equal(handlerOf('const = {;\nhere'), undefined);
  });
});
