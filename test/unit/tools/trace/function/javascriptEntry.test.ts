import { strict as assert } from 'node:assert';
import { firstExecuted } from '../../../../../src/tools/trace/function/source/javascriptEntry';

describe('the first executed statement of a JavaScript program', () => {
  for (const [place, text] of [
    ['1:12', "const fs = require('node:fs');\nfunction f() { return 1; }"],
    ['4:1', 'function down(n) {\n  return n - 1;\n}\ndown(1);'],
    ['3:1', "'use strict';\nfunction f() {}\nf();"],
    ['3:11', "import fs from 'node:fs';\nexport function f() { return 1; }\nconst x = f();"],
    ['2:18', "import 'node:fs';\nexport const f = () => 1;"],
    ['4:5', "import 'node:fs';\nexport { f };\nexport * from 'node:path';\nlet y;\nf();"],
    ['2:1', 'class A { constructor(n) { this.n = n; } }\nnew A(1);'],
    ['2:12', 'var x;\nvar y, z = 1;'],
    ['1:29', 'const { a = (() => 1)() } = { b: 1 };'],
    ['1:5', 'if (require.main === module) main();\nfunction main() {}'],
    ['1:34', 'try { function g() { return 1; } g(); } catch {}'],
    ['2:3', '{ function g() {}\n  g(); }'],
    ['1:1', 'for (let n = 0; n < 2; n += 1) f(n);'],
    ['1:20', 'for (const each of [1, 2]) f(each);'],
    ['3:1', '#!/usr/bin/env node\n// begins\nmain();'],
    ['1:8', 'while (next()) {}'],
    ['1:9', 'switch (next()) { default: }'],
    ['2:3', 'outer: do {\n  next(); } while (false);'],
  ] as const)
    it(`is at ${place}: ${JSON.stringify(text)}`, () => {
      const found = firstExecuted(text, 'a.js');
      assert.equal(`${found?.line}:${found?.column}`, place);
    });

  it('is found in TypeScript, after types', () => {
    const text = 'type A = number;\ninterface B { a: A }\ndeclare const c: B;\nconst n: A = 1;';
    assert.deepEqual(firstExecuted(text, 'a.ts'), { line: 4, column: 14 });
  });

  for (const text of ['', '/* nothing */', 'function f() { return 1; }', 'var x;', 'const ('])
    it(`does not exist: ${JSON.stringify(text)}`, () =>
      assert.equal(firstExecuted(text, 'a.js'), undefined));
});
