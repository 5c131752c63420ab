import { strict as assert } from 'node:assert';
import { calleesOf } from '../../../../../src/tools/trace/function/callees';
import { calleePoints } from '../../../../../src/tools/trace/function/calleePoints';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';
import { isJavaScript } from '../../../../../src/tools/trace/function/placesAhead';
import type { SourceCall } from '../../../../../src/tools/trace/function/source/sourceFunction';
import { bench } from '../../../support/services';

const APP = '/home/ada/app';

/** The callees of a function, as `name file:line`. */
async function found(files: Readonly<Record<string, string>>, name: string): Promise<string[]> {
  const { services, workspace } = bench();
  workspace.files.clear();
  for (const [file, text] of Object.entries(files)) workspace.files.set(`${APP}/${file}`, text);
  const [file = '', text = ''] = Object.entries(files)[0] ?? [];
  const functions = (await functionsIn(file, text)) ?? [];
  const caller = functions.find((other) => other.name === name);
  assert.ok(caller);
  const callees = await calleesOf(services, { path: `${APP}/${file}`, found: caller });
  assert.equal(callees.isWhole, true);
  return callees.functions.map(
    (callee) => `${callee.name} ${callee.path.slice(APP.length + 1)}:${callee.found.start}`,
  );
}

async function callsIn(file: string, text: string): Promise<readonly SourceCall[]> {
  return (await functionsIn(file, text))?.[0]?.calls ?? [];
}

/** A call as `name start-end → what becomes of its value`. */
const brief = ({ name, isNew, start, end, assigned, isDeclared, isReturned }: SourceCall): string =>
  `${isNew ? 'new ' : ''}${name} ${start}-${end}${assigned.length > 0 ? ` ${isDeclared ? 'declares' : 'assigns'} ${assigned.join()}` : ''}${isReturned ? ' returns' : ''}`;

describe('the functions that a function calls', () => {
  it('JavaScript: are in its file and in the files that it imports, also with the endings of the output', async () => {
    const cart = [
      "import { rate } from './rates.js';",
      "import { Receipt } from './lib';",
      "import { gone } from './gone.js';",
      "import fs from 'node:fs';",
      'const half = (value) => value / 2;',
      'export function total(items) {',
      '  const inner = () => half(1);',
      '  function* all() { yield 1; }',
      '  all();',
      '  return new Receipt(inner() + rate(items.size)).print(gone(fs.size));',
      '}',
      'function other() {}',
    ].join('\n');
    const files = {
      'cart.ts': cart,
      'rates.ts': 'export async function rate(country) {}',
      'lib/index.ts': 'export class Receipt { constructor(total) {} print() {} }',
    };
    assert.deepEqual(await found(files, 'total'), [
      'inner cart.ts:7',
      'rate rates.ts:1',
      'new Receipt lib/index.ts:1',
      'print lib/index.ts:1',
    ]);
    assert.deepEqual(await found(files, 'other'), []);
  });

  it('Go: are in its package and in the packages that it names', async () => {
    const cart =
      'package main\nfunc total(a int) int {\n\treturn tax(a) + rates.Of(a) + total(a)\n}';
    const files = {
      'main.go': cart,
      'tax.go': 'package main\nfunc tax(a int) int {\n}',
      'rates/rates.go': 'package rates\nfunc Of(a int) int {\n}',
      'other/other.go': 'package other\nfunc tax(a int) int {\n}',
    };
    assert.deepEqual(await found(files, 'total'), [
      'total main.go:2',
      'tax tax.go:2',
      'Of rates/rates.go:2',
    ]);
  });

  it('have the statements that assign or return their values', async () => {
    const script = [
      'function f(a) {',
      '  const one = first(a);',
      '  a.b = second();',
      '  let [x] = third();',
      '  a = fourth(fifth(',
      '    a,',
      '  ));',
      '  a += sixth?.();',
      '  this.#own(); a[0](); super.x();',
      '  (() => hidden())();',
      '  return new Seventh();',
      '}',
    ];
    assert.deepEqual((await callsIn('/a.js', script.join('\n'))).map(brief), [
      'first 2-2 declares one',
      'second 3-3',
      'third 4-4',
      'fourth 5-7 assigns a',
      'fifth 5-7',
      'sixth 8-8',
      'own 9-9',
      'x 9-9',
      'new Seventh 11-11 returns',
    ]);
    const go = [
      'func f(a int) (int, error) {',
      '\tone, err := first(a)',
      '\tif err := second("x("); err != nil {',
      '\t}',
      '\ta = a + third(a)',
      '\tgo func() { fourth() }()',
      '\tfor i := range fifth(a) {',
      '\t}',
      '\treturn sixth(a)',
      '}',
    ];
    assert.deepEqual((await callsIn('/a.go', go.join('\n'))).map(brief), [
      'first 2-2 declares one,err',
      'second 3-3 declares err',
      'third 5-5',
      'fourth 6-6',
      'fifth 7-7',
      'sixth 9-9 returns',
    ]);
  });
});

describe('the points in a called function', () => {
  const points = async (text: string, places: readonly (readonly [number, number])[]) => {
    const [callee] = (await functionsIn('/a.js', text)) ?? [];
    assert.ok(callee && isJavaScript(callee));
    const breakpoints = places.map(([line, column]) => ({ line, column }));
    const name = callee.name === 'constructor' ? 'new Cart' : callee.name;
    return calleePoints({ name, path: '/a.js', found: callee }, { breakpoints }).map(
      ({ line, column, callee: point }) => [line, column, point] as const,
    );
  };

  it('are where it begins, returns, throws and ends', async () => {
    const text =
      'function f(a, b) {\n  if (a) return a.x;\n  if (b) throw new Error(b);\n  g(() => { return 1; });\n}';
    const places = [
      [2, 3],
      [2, 10],
      [2, 21],
      [3, 10],
      [3, 16],
      [4, 3],
      [4, 13],
      [5, 1],
    ] as const;
    assert.deepEqual(await points(text, places), [
      [2, 3, { kind: 'begin', name: 'f', args: ['a', 'b'], returnsPromise: false }],
      [2, 10, { kind: 'return', read: 'g.m(a,"x",0)', isEnd: false }],
      [2, 21, { kind: 'end', hasReturned: true, read: 'g.m(a,"x",0)' }],
      [3, 10, { kind: 'end', hasReturned: false, throws: 'new Error(b)' }],
      [5, 1, { kind: 'end', hasReturned: true, read: 'undefined' }],
    ]);
    assert.deepEqual(await points(text, []), []);
  });

  it('end at a `return` that can be read, if a source map leaves out the end', async () => {
    const text = 'function f(a) {\n  if (a) return a;\n  return g(a);\n}';
    const places = [
      [2, 3],
      [2, 10],
      [3, 3],
    ] as const;
    assert.deepEqual((await points(text, places)).slice(1), [
      [2, 10, { kind: 'return', read: 'a', isEnd: true }],
    ]);
  });

  it('have the object of a constructor, the promise of an async function, and the value of an arrow function', async () => {
    const created = await points('class Cart {\n  constructor(a) {\n    this.a = a;\n  }\n}', [
      [3, 5],
      [4, 3],
    ]);
    assert.deepEqual(created.at(-1)?.[2], { kind: 'end', hasReturned: true, read: 'this' });
    const waiting = await points('async function f() {\n  await null;\n  return 1;\n}', [
      [2, 3],
      [3, 3],
      [3, 12],
    ]);
    assert.deepEqual(waiting, [
      [2, 3, { kind: 'begin', name: 'f', args: [], returnsPromise: true }],
    ]);
    const arrow = await points('const f = (a) => a + 1;', [
      [1, 18],
      [1, 23],
    ]);
    assert.deepEqual(arrow.at(-1), [
      ...[1, 23],
      { kind: 'end', hasReturned: true, read: '(g.p(a)+g.p(1))' },
    ]);
  });
});

describe('the value of a `return`', () => {
  const reads = async (expression: string): Promise<string | undefined> => {
    const [f] =
      (await functionsIn('/a.ts', `class A { #p; f(a, b) { return ${expression}; } }`)) ?? [];
    return f !== undefined && isJavaScript(f) ? f.exits[0]?.read : undefined;
  };

  it('is read again without running code of the program', async () => {
    for (const [expression, code] of [
      ['this', 'this'],
      ['a.b?.c[0]', 'g.m(g.m(g.m(a,"b",0),"c",1),g.p(0),1)'],
      ['-a + 1n', '(g.p((-g.p(a)))+g.p(1n))'],
      ['!a && b === null', '(((! (a)))&&(((b)===(null))))'],
      ['typeof a ?? true', '(((typeof (a)))??(true))'],
      ['a ? "x\\n" : void 0', '(a?"x\\n":(void (0)))'],
      ['`${a}-${b.c}`', '(""+String(g.p(a))+"-"+String(g.p(g.m(b,"c",0)))+"")'],
      ['[a, { b, "c d": 1 }] as const', '[a,({"b":b,"c d":1})]'],
    ] as const)
      assert.equal(await reads(expression), code);
  });

  it('is not read if that would run code of the program', async () => {
    for (const expression of [
      ...['a()', 'new A()', 'a = b', 'a++', 'a in b', 'a instanceof b', 'this.#p', 'delete a.b'],
      ...['[...a]', '{ ...a }', '{ [a]: b }', '{ __proto__: a }', '() => a', 'a`x`', 'a[b()]'],
    ])
      assert.equal(
        await reads(expression.startsWith('{') ? `(${expression})` : expression),
        undefined,
      );
  });
});
