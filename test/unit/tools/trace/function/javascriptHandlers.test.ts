import { strict as assert } from 'node:assert';
import {
  catchNameAt,
  handlerAround,
  mayHaveCaught,
  isReplacedAt,
} from '../../../../../src/tools/trace/function/source/javascriptHandlers';

/** The handler of an exception that is thrown at the text `here`. */
function handlerOf(text: string): ReturnType<typeof handlerAround> {
  return handlerAround(text, 'a.js', positionIn(text));
}

function positionIn(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('here')).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
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

describe('an exception in JavaScript', () => {
  const isReplaced = (text: string): boolean => isReplacedAt(text, 'a.js', positionIn(text));

  it('is replaced by a statement that leaves the `finally` around it', () => {
    for (const leaves of ['return 1;', 'throw other;', 'if (a) return;', '{ return; }'])
      assert.ok(isReplaced(`function f() { try { here(); } finally { ${leaves} } }`), leaves);
    for (const jumps of ['break;', 'continue;', 'if (a) break;', 'break out;'])
      assert.ok(isReplaced(`out: for (;;) { try { here(); } finally { ${jumps} } }`), jumps);
    assert.ok(isReplaced('function f() { try { a(); } catch { here(); } finally { return; } }'));
    assert.ok(
      isReplaced('function f() { try { try { here(); } finally { a(); } } finally { return; } }'),
    );
  });

  it('leaves the function behind another `finally`', () => {
    for (const block of [
      'close();',
      'for (;;) break;',
      'switch (a) { case 1: break; }',
      'g(() => { return 1; });',
    ])
      assert.ok(!isReplaced(`function f() { try { here(); } finally { ${block} } }`), block);
    assert.ok(!isReplaced('function f() { try { a(); } finally { here(); return; } }'));
    assert.ok(!isReplaced('function f() { try { g(() => here()); } finally { return; } }'));
    assert.ok(!isReplaced('function f() { here(); try { a(); } finally { return; } }'));
    assert.ok(!isReplaced('const = {;\nhere'));
  });
});

describe('the name of a caught exception in JavaScript', () => {
  /** The name at `here` of what the call at `from` has thrown. */
  const nameIn = (text: string): string | undefined => {
    const before = text.slice(0, text.indexOf('from')).split('\n');
    const from = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    return catchNameAt(text, 'a.js', positionIn(text), from);
  };

  it('is that of the catch whose try made the call', () => {
    assert.equal(nameIn('try { from(); } catch (e) { here(e); }'), 'e');
    assert.equal(
      nameIn('try {\n  from();\n} catch (error) {\n  if (x) {\n    here();\n  }\n}'),
      'error',
    );
  });

  it('is unknown without a plain name', () => {
    assert.equal(nameIn('try { from(); } catch { here(); }'), undefined);
    assert.equal(nameIn('try { from(); } catch ({ message }) { here(message); }'), undefined);
  });

  it('is not that of another catch', () => {
    const inCatch = 'try { a(); } catch (e) { try { from(); } finally { here(); } }';
    assert.equal(nameIn(inCatch), undefined);
    assert.equal(nameIn('try { a(); } catch (e) { from(); here(); }'), undefined);
    assert.equal(nameIn('from(); try { a(); } catch (e) { here(); }'), undefined);
    assert.equal(nameIn('try { from(); } catch (e) { list.map((x) => here(x)); }'), undefined);
  });
});

describe('a place of JavaScript behind a call', () => {
  /** Whether an exception of the call at `from` may have led to `here`. */
  const mayIn = (text: string): boolean => {
    const before = text.slice(0, text.indexOf('from')).split('\n');
    const from = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    return mayHaveCaught(text, 'a.js', positionIn(text), from);
  };

  it('may follow from its exception only outside of a try that contains the call', () => {
    assert.equal(mayIn('try { from(); } catch { here(); }'), true);
    assert.equal(mayIn('try { from(); } catch {}\nhere();'), true);
    assert.equal(mayIn('try { from(); } finally { here(); }'), true);
    assert.equal(mayIn('try { from(); here(); } catch {}'), false);
    assert.equal(mayIn('from();\nhere();'), false);
    assert.equal(mayIn('try { a(); } catch { from(); here(); }'), false);
    assert.equal(mayIn('try { list.map(() => { from(); here(); }); } catch {}'), false);
  });
});
