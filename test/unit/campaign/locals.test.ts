import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localsOfLine } from '../../campaign/locals';
import { localsOfJavaScript } from '../../campaign/localsOfJavaScript';

/** The locals of the line that has `HERE`, of the function that has it. */
function inJavaScript(text: string): readonly string[] {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.includes('HERE'));
  return localsOfJavaScript(text, index + 1, (lines[index]?.indexOf('HERE') ?? 0) + 1);
}

function inFile(name: string, text: string): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-locals-'));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const line = text.split('\n').findIndex((each) => each.includes('HERE')) + 1;
    return localsOfLine({ file, line });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the locals of a failing line', () => {
  it('are those of the innermost function in JavaScript, declared before', () => {
    const text = `const outer = 1;
test('x', (t) => {
  const { a, b: [c] } = make();
  const f = () => 1;
  { const gone = 1; }
  for (const each of a) {
    HERE(t, a, c, each, f, gone, later, outer, x.a1, { c: 1 });
  }
  const later = 1;
});`;
    assert.deepEqual(inJavaScript(text), ['t', 'a', 'c', 'each']);
  });

  it('are not those of another function on the same line', () => {
    assert.deepEqual(inJavaScript('function f(a) {\n  HERE(a, (b) => b + 1);\n}'), ['a']);
    assert.deepEqual(inJavaScript('function f(a) {\n  g(a, (b) => HERE(b + 1));\n}'), ['b']);
  });

  it('are found by declarations above in Go, Rust, C++ and Java', () => {
    assert.deepEqual(
      inFile('a.go', 'func f(a, b int) {\n\tx, err := g()\n\tHERE(a, x.y, other.x, err, "b")\n}\n'),
      ['a', 'x', 'err'],
    );
    assert.deepEqual(
      inFile('a.rs', 'fn g(z: u8) {}\nfn f(a: u8) {\n    let mut b = 1;\n    HERE(a, b, z);\n}\n'),
      ['a', 'b'],
    );
    assert.deepEqual(
      inFile('a.cc', 'TEST(A, b) {\n  int n = 1;\n  std::string s;\n  HERE(n, s.size(), m);\n}\n'),
      ['n', 's'],
    );
    assert.deepEqual(
      inFile(
        'A.java',
        'class A {\n  void f(String a) {\n    int b = 1;\n    HERE(a, b, c);\n  }\n}\n',
      ),
      ['a', 'b'],
    );
  });
});
