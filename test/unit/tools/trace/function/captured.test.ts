import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';

/** Returns the captured variables of the function with a name. */
async function capturedIn(
  file: string,
  name: string,
  ...lines: readonly string[]
): Promise<readonly string[]> {
  const functions = (await functionsIn(file, lines.join('\n'))) ?? [];
  return functions.find((found) => found.name === name)?.captured ?? [];
}

describe('the variables outside of a function that it may change', () => {
  const inJavaScript = (...body: readonly string[]): Promise<readonly string[]> =>
    capturedIn(
      '/a/a.mjs',
      'work',
      ...["import fs from 'node:fs';", 'let total = 0, other = 1;', 'const cache = new Map();'],
      ...['export const list = [];', "const os = require('node:os');", 'const helper = () => 1;'],
      ...['function work(item) {', ...body, '}'],
    );

  it('JavaScript: assigned variables, and objects that are changed, called or passed on', async () => {
    assert.deepEqual(await inJavaScript('total += item;'), ['total']);
    assert.deepEqual(await inJavaScript('total++; --other;'), ['total', 'other']);
    assert.deepEqual(await inJavaScript('cache.items[0].name = item;'), ['cache']);
    assert.deepEqual(await inJavaScript('cache?.items?.push(item);'), ['cache']);
    assert.deepEqual(await inJavaScript('delete cache.item;'), ['cache']);
    assert.deepEqual(await inJavaScript('fill(list, new Box(cache));'), ['list', 'cache']);
    assert.deepEqual(await inJavaScript('fill(...list, [cache], { total });'), [
      'list',
      'cache',
      'total',
    ]);
    assert.deepEqual(await inJavaScript('[total, { a: other }] = item;'), ['total', 'other']);
    assert.deepEqual(await inJavaScript('for (total of item) {}'), ['total']);
    assert.deepEqual(await inJavaScript('item.forEach((x) => { total += x; });'), ['total']);
  });

  it('JavaScript: no variable that is only read, is its own, or is no data', async () => {
    assert.deepEqual(await inJavaScript('return total + list.length;'), []);
    assert.deepEqual(await inJavaScript('let total = 1; total += item;'), []);
    assert.deepEqual(await inJavaScript('item.total = 1; item.push(2);'), []);
    assert.deepEqual(await inJavaScript('fs.readFileSync(os.tmpdir()); helper.call(1);'), []);
    assert.deepEqual(await inJavaScript('console.log(missing);'), []);
  });

  it('JavaScript: variables of the functions around it', async () => {
    const captured = await capturedIn(
      '/a/a.js',
      'next',
      ...['function counter(start, { step }) {', '  let count = start;', '  if (start) {'],
      ...['    const seen = [];', '    return function next() {'],
      ...['      count += step;', '      seen.push(count);', '      start = step = 0;'],
      ...['    };', '  }', '}'],
    );
    assert.deepEqual(captured, ['count', 'seen', 'start', 'step']);
  });

  it('TypeScript: behind types', async () => {
    const captured = await capturedIn(
      '/a/a.ts',
      'work',
      ...[
        'let total = 1 as number;',
        'const cache = new Map<string, number>();',
        'const log = [];',
      ],
      ...['function work() {', '  (total as number) += 1;', '  (cache as any).set(1, 2);'],
      ...['  fill(log satisfies unknown[]);', '  cache!.clear();', '}'],
    );
    assert.deepEqual(captured, ['total', 'cache', 'log']);
  });

  it('JavaScript: private fields, but no private methods and accessors', async () => {
    const captured = await capturedIn(
      '/a/a.ts',
      'add',
      ...['class Cart {', '  #items: number[] = [];', '  static #made = 0;'],
      ...['  get #size() { return this.#items.length; }', '  #check() {}'],
      ...['  add(item: number) {', '    this.#check();', '    this.#items.push(this.#size);'],
      ...[
        '    Cart.#made += 1;',
        '    const Own = Cart;',
        '    Own.#made++;',
        '    other.#items = [];',
      ],
      ...['  }', '}'],
    );
    assert.deepEqual(captured, ['this.#items', 'Cart.#made']);
  });

  it('Go: variables of the file that the function mentions', async () => {
    const inGo = (...body: readonly string[]): Promise<readonly string[]> =>
      capturedIn(
        '/a/a.go',
        'work',
        ...[
          'package main',
          'var total, other int',
          'var cache = map[int]int{}',
          'var _ any = 1',
          'var (',
        ],
        ...['\tlimit = 5', '\tnames []string', ')', 'func rest() {', '\tvar inner int', '}'],
        ...['func work(limit int) {', ...body, '}'],
      );
    assert.deepEqual(await inGo('\ttotal += limit'), ['total']);
    assert.deepEqual(await inGo('\tcache[other] = len(names)'), ['cache', 'other', 'names']);
    assert.deepEqual(await inGo('\ttotal := 1', '\tinner := total'), []);
    assert.deepEqual(await inGo('\tfor _, n := range names {', '\t\tother += n', '\t}'), [
      ...['other', 'names'],
    ]);
  });

  it('are counted if there are too many', async () => {
    const names = Array.from({ length: 15 }, (_, index) => `v${index}`);
    const leftOutIn = async (file: string, text: string): Promise<number | undefined> =>
      (await functionsIn(file, text))?.find((found) => found.name === 'work')?.capturedLeftOut;
    const script = (body: readonly string[]): string =>
      [...names.map((name) => `let ${name} = 0;`), 'function work() {', ...body, '}'].join('\n');
    assert.equal(await leftOutIn('/a/a.js', script(names.map((name) => `${name} += 1;`))), 3);
    assert.equal(await leftOutIn('/a/a.js', script(['v1 += 1;'])), 0);
    const go = ['package main', `var ${names.join(', ')} int`, 'func work() {'];
    const sum = `\tv0 = ${names.join(' + ')}`;
    assert.equal(await leftOutIn('/a/a.go', [...go, sum, '}'].join('\n')), 3);
  });
});
