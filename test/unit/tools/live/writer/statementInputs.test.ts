import { strict as assert } from 'node:assert';
import { statementInputs } from '../../../../../src/tools/live/writer/statementInputs';

const python = (text: string, line = 1, column?: number) =>
  statementInputs(text, { line, column }, 'python');
const javaScript = (text: string, line = 1, column?: number) =>
  statementInputs(text, { line, column }, 'javascript');

describe('what the line of a write reads', () => {
  it('is what stands behind the last sign of an assignment', () => {
    assert.deepEqual(python('a.total = order.price * count').paths, ['order.price', 'count']);
    assert.deepEqual(python('a = b = c').paths, ['c']);
    assert.deepEqual(python('n: int = other').paths, ['other']);
    assert.deepEqual(python('a, b = b, a').paths, ['b', 'a']);
    assert.deepEqual(javaScript('const { a, b } = box.inner;').paths, ['box.inner']);
    assert.deepEqual(python('a = b == c').paths, ['b', 'c']);
    assert.deepEqual(javaScript('a = b >= c && d != e').paths, ['b', 'c', 'd', 'e']);
    assert.deepEqual(python('a = 1 + 2.5e3').paths, []);
  });

  it('is also the target of an assignment that computes with it', () => {
    for (const sign of ['+=', '-=', '*=', '//=', '<<=', '|='])
      assert.deepEqual(python(`o.total ${sign} x`).paths, ['o.total', 'x'], sign);
    assert.deepEqual(javaScript('o.total ??= x;').paths, ['o.total', 'x']);
    assert.deepEqual(javaScript('count++;').paths, ['count']);
  });

  it('is the object of a call and its arguments, not what is called', () => {
    assert.deepEqual(python('rows.items.append(make(order.x, key=value))').paths, [
      'rows.items',
      'order.x',
      'value',
    ]);
    assert.deepEqual(javaScript('x = new Order(total, { price: cost, count });').paths, [
      'total',
      'cost',
      'count',
    ]);
    assert.deepEqual(javaScript('x = f(...rest)').paths, ['rest']);
  });

  it('has the elements, and the variables that name them', () => {
    assert.deepEqual(python('x = rows[i + 1].price').paths, ['rows', 'i']);
    assert.deepEqual(python('x = rows[i]["a"].b + d["k"]').paths, [
      'i',
      'rows[i]["a"].b',
      'd["k"]',
    ]);
  });

  it('has the placeholders of strings, and nothing else of them', () => {
    assert.deepEqual(python(`t = f"{order.total:.2f} of {limit!r}" + "{x}"`).paths.slice(0, 2), [
      'order.total',
      'limit',
    ]);
    assert.deepEqual(python(`t = "{a} b"`).paths, []);
    assert.deepEqual(javaScript('t = `${order.total} of ${limit}`;').paths, [
      'order.total',
      'limit',
    ]);
  });

  it('ends with the statement', () => {
    assert.deepEqual(python('x = f(a,\n  b)\ny = c').paths, ['a', 'b']);
    assert.deepEqual(python('x = a + \\\n  b\ny = c').paths, ['a', 'b']);
    assert.deepEqual(javaScript('const x = a +\n  b\n  .c;\nconst y = d;').paths, ['a', 'b']);
    assert.deepEqual(javaScript('let x = a; let y = b;').paths, ['a']);
    assert.deepEqual(javaScript('let x = a; let y = b;', 1, 12).paths, ['b']);
    assert.deepEqual(javaScript('for (const x of items.list) { y = z; }').paths, [
      'x',
      'items.list',
    ]);
    assert.deepEqual(python('for x in items.list:\n  y = z').paths, ['x', 'items.list']);
    assert.deepEqual(javaScript('const t = rows.map((row) => row.a);').paths, ['rows']);
    assert.deepEqual(python('\n\nx = a').paths, []);
    assert.deepEqual(python('x = a', 7).paths, []);
  });

  it('names what is assigned as it is', () => {
    assert.equal(python('self.total = total').copied, 'total');
    assert.equal(javaScript('const shown = order.result;').copied, 'order.result');
    assert.equal(python('x = rows[0]["a"]').copied, 'rows[0]["a"]');
    for (const text of ['x += y', 'x = f(y)', 'x = -y', 'x = None', 'f(y)'])
      assert.equal(python(text).copied, undefined, text);
  });

  it('is the call whose value is assigned as it is', () => {
    assert.equal(python('low = cheapest(prices)').called, 'cheapest');
    assert.equal(
      javaScript('const low = shop.cheapest(prices, { most: f(2) });').called,
      'cheapest',
    );
    assert.equal(python('return low').copied, 'low');
    for (const text of ['low = f(1) + 2', 'low = f(f(1))', 'low += f(1)', 'low = await f()'])
      assert.equal(python(text).called, undefined, text);
    assert.equal(javaScript('low = new Order(1);').called, undefined);
    assert.equal(python('f(1)').called, undefined);
  });

  it('is found in long texts without much work', () => {
    const begin = performance.now();
    for (const text of [
      'x = ' + 'a['.repeat(50_000),
      'x = ' + '('.repeat(50_000),
      `x = f"${'{'.repeat(50_000)}`,
    ])
      python(text);
    javaScript(`x = ${'a '.repeat(50_000)}=> 1`);
    assert.ok(performance.now() - begin < 20_000);
  });
});
