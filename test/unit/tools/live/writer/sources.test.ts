import { strict as assert } from 'node:assert';
import { javaScriptWrites } from '../../../../../src/tools/live/writer/javaScriptWrites';
import { pythonWrites } from '../../../../../src/tools/live/writer/pythonWrites';
import { readPath } from '../../../../../src/tools/live/writer/valuePath';
import {
  mayWrite,
  type SourceWrites,
  type Write,
} from '../../../../../src/tools/live/writer/writes';

/** A write as a short text: its line, and what it changes. */
function shown(write: Write): string {
  const at = write.column === undefined ? `${write.line}` : `${write.line}:${write.column}`;
  if (write.kind === 'variable') return `${at} ${write.name}${write.isInner ? ' (inner)' : ''}`;
  const { key, receiver = '?' } = write;
  if (key === undefined) return `${at} ${receiver}.*`;
  return key.kind === 'attribute'
    ? `${at} ${receiver}.${key.text}`
    : `${at} ${receiver}[${key.text}]`;
}

const python = (...lines: readonly string[]): SourceWrites => pythonWrites(lines.join('\n'));

function javaScript(...lines: readonly string[]): SourceWrites {
  const found = javaScriptWrites(lines.join('\n'), 'a.js');
  assert.ok(found, 'the text can be parsed');
  return found;
}

const texts = ({ writes }: SourceWrites): readonly string[] => writes.map(shown);

describe('the path of a value', () => {
  it('is a variable, a member or an element', () => {
    assert.equal(readPath('total')?.kind, 'variable');
    for (const [text, owner, key] of [
      ['order.total', 'order', 'total'],
      ['this.a.b', 'this.a', 'b'],
      ['rows[3]["price"]', 'rows[3]', '"price"'],
      ['rows[i].x[j]', 'rows[i].x', 'j'],
      ["d['a b']", 'd', "'a b'"],
      ['rows[-1]', 'rows', '-1'],
    ] as const) {
      const asked = readPath(text);
      assert.ok(asked?.kind === 'member', text);
      assert.deepEqual([asked.owner, asked.key.text], [owner, key], text);
    }
  });

  it('is nothing that runs code', () => {
    for (const text of [
      '',
      '1',
      'f()',
      'a.b()',
      'a + b',
      'a[f()]',
      'a[1',
      'a.',
      '-a',
      'a[1:2]',
      'a = 1',
      'not a',
      'a b',
    ])
      assert.equal(readPath(text), undefined, text);
  });
});

describe('the writes of a Python file', () => {
  it('are assignments in all their forms', () => {
    const found = python(
      'a = 1',
      'a, (b, *c) = 1, (2, 3)',
      'o.k = o["x"] = 5',
      'n: int = 4',
      'n += 1',
      'rows[i].price = f(k=1, j=2) == 3',
      'for x, o.y in z: w = 1',
      'with open("=") as f, g() as h: pass',
      'del o.k, a',
      'import os.path, re as r',
      'from m import (p as q, s)',
      'if (y := f()) >= 2: pass',
      'a == b; v = "c = 1"  # d = 2',
      'long = f(',
      '    e=1,',
      ')',
      'f().x = 1',
      'o.rows[1:2] = []',
    );
    assert.deepEqual(texts(found), [
      ...['1 a', '2 a', '2 b', '2 c', '3 o.k', '3 o["x"]', '4 n', '5 n', '5 n.*'],
      ...['6 rows[i].price', '7 x', '7 o.y', '7 w', '8 f', '8 h', '9 o.k', '9 a'],
      ...['10 os', '10 r', '11 q', '11 s', '12 y', '13 v', '14 long', '17 ?.x', '18 o.rows.*'],
    ]);
  });

  it('are calls that change an object', () => {
    const found = python(
      'o.rows.append(1)',
      'return_value = sorted(rows[0].names.pop())',
      'setattr(o, "k", 1)',
      'setattr(o, name, 1)',
      'random.shuffle(o.rows)',
      'f(x).append(2)',
      'text.upper()',
      'if rows: rows.clear()',
    );
    assert.deepEqual(texts(found), [
      ...['1 o.rows.*', '2 rows[0].names.*', '2 return_value', '3 o.k', '4 o.*', '5 o.rows.*'],
      ...['6 ?.*', '8 rows.*'],
    ]);
  });

  it('are changes of the dictionary of an object', () => {
    const writes = python('vars(o).update(k=1)', "vars(a.b)['k'] = 1", 'o.__dict__[k] = 1');
    assert.deepEqual(texts(writes), ['1 o.*', "2 a.b.'k'", '3 o.__dict__[k]', '3 o.k']);
    const [, second, , last] = writes.writes;
    assert.ok(second?.kind === 'member' && last?.kind === 'member');
    assert.deepEqual([second.key?.constant, last.key?.constant], ['"k"', undefined]);
  });

  it('tell variables of the same name apart', () => {
    const found = python(
      'x = 1',
      'class C:',
      '    x = 2',
      'def f(y):',
      '    x = 3',
      '    def g():',
      '        nonlocal x',
      '        x = 4',
      '    return x + y',
      'def h():',
      '    global x',
      '    x = 5',
      'async def k():',
      '    z = 1',
    );
    const scopes = found.writes.map((write) =>
      write.kind === 'variable' ? `${shown(write)} of ${write.scope}` : '',
    );
    assert.deepEqual(scopes, [
      ...['1 x of module', '5 x of function 4', '8 x (inner) of function 4'],
      ...['12 x (inner) of module', '14 z of function 13'],
    ]);
    assert.equal(found.scopeOf('x', 9).calls, 'own');
    assert.equal(found.scopeOf('y', 9).id, 'function 4');
    assert.equal(found.scopeOf('x', 8).calls, 'unclear');
    assert.equal(found.scopeOf('x', 12).calls, 'single');
    assert.equal(found.scopeOf('z', 14).calls, 'unclear');
  });
});

describe('the writes of a JavaScript file', () => {
  it('are assignments in all their forms', () => {
    const found = javaScript(
      'let a = 1, unset;',
      '[a, o.k] = [1, 2];',
      'const { b, c: d = 2, ...e } = o;',
      "o['x'] ??= rows[i].price++;",
      'for (const x of xs) o[x] = 1;',
      'delete o.k;',
      'xs.forEach((x) => { x.n = 1; });',
      'ys.map((y) => (y.n = 2));',
      'f().x = 1;',
      'class C { field = 1; static s = 2; #p = 3; }',
    );
    assert.deepEqual(texts(found), [
      ...['1 a', '2 a', '2 o.k', '3 b', '3 d', '3 e', '4 o["x"]', '4 rows[i].price', '5 x'],
      ...['5:21 o[x]', '6 o.k', '7:21 x.n', '8:16 y.n', '9 ?.x', '10:19 this.field'],
    ]);
  });

  it('are calls that change an object', () => {
    const found = javaScript(
      'o.rows.push(1);',
      'Object.assign(o, { k: 1 });',
      "Object.defineProperty(o, 'k', {});",
      'f(x).sort();',
      'text.trim();',
      'map.set(1, 2);',
    );
    assert.deepEqual(texts(found), ['1 o.rows.*', '2 o.*', '3 o["k"]', '4 ?.*', '6 map.*']);
  });

  it('tell variables of the same name apart', () => {
    const found = javaScript(
      'let x = 1;',
      'function f(y) {',
      '  let x = 2;',
      '  { let x = 3; x += 1; }',
      '  const g = () => {',
      '    x = 4;',
      '  };',
      '  y = x;',
      '}',
      'async function h() {',
      '  let z = 1;',
      '  x = z;',
      '}',
    );
    const ofX = found.writes.flatMap((write) =>
      write.kind === 'variable' && write.name === 'x' ? [write.scope] : [],
    );
    const [module, inF, inBlock, again, inArrow, inH] = ofX;
    assert.equal(ofX.length, 6);
    assert.equal(inBlock, again);
    assert.equal(inF, inArrow);
    assert.equal(module, inH);
    assert.equal(new Set([module, inF, inBlock]).size, 3);
    assert.deepEqual(found.scopeOf('y', 8), { ...found.scopeOf('y', 8), calls: 'own', entry: 3 });
    assert.equal(found.scopeOf('x', 8).calls, 'own');
    assert.equal(found.scopeOf('x', 6).calls, 'unclear');
    assert.equal(found.scopeOf('z', 12).calls, 'unclear');
    assert.equal(found.scopeOf('x', 12).calls, 'single');
  });

  it('are unknown if the file cannot be parsed', () => {
    assert.equal(javaScriptWrites('let = = 1 {', 'a.js')?.writes.length ?? 0, 0);
  });
});

describe('whether a write may be meant', () => {
  const asked = readPath('o.k');
  const may = (
    text: string,
    isMutable = false,
    language: 'python' | 'javascript' = 'javascript',
  ) => {
    const [write] = javaScript(text).writes;
    assert.ok(asked !== undefined && write !== undefined);
    return mayWrite(write, asked, undefined, { isMutable }, language);
  };

  it('is known from the key, if both are constants', () => {
    assert.equal(may('p.k = 1'), true);
    assert.equal(may('p.j = 1'), false);
    assert.equal(may('p[name] = 1'), true);
    assert.equal(may('p.push(1)'), true);
    assert.equal(may("p['k'] = 1"), true);
    assert.equal(may("p['k'] = 1", false, 'python'), false);
    assert.equal(may('p.length = 0'), true);
    assert.equal(may('k = 1'), false);
  });

  it('is unknown for the members of a value that can change', () => {
    assert.equal(may('p.j = 1', true), true);
  });
});
