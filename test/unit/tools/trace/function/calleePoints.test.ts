import { strict as assert } from 'node:assert';
import { calleePoints, canStopAtEnds } from '../../../../../src/tools/trace/function/calleePoints';
import { isValueUnknown } from '../../../../../src/tools/trace/function/callees';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';
import { isJavaScript } from '../../../../../src/tools/trace/function/source/isJavaScript';

describe('the points in a called function', () => {
  const points = async (text: string, places: readonly (readonly [number, number])[]) => {
    const [callee] = (await functionsIn('/a.js', text)) ?? [];
    assert.ok(callee && isJavaScript(callee));
    const breakpoints = places.map(([line, column]) => ({ line, column }));
    const name = callee.name === 'constructor' ? 'new Cart' : callee.name;
    return calleePoints({ name, path: '/a.js', found: callee }, { breakpoints }).points.map(
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
      [2, 3, { kind: 'begin', name: 'f', args: ['a', 'b'], returnsPromise: false, hasEnds: true }],
      [2, 10, { kind: 'return', exit: 0, read: 'g.m(a,"x",0)', isEnd: false }],
      [2, 21, { kind: 'end', exit: 0, read: 'g.m(a,"x",0)' }],
      [3, 10, { kind: 'throw', throws: 'new Error(b)' }],
      [5, 1, { kind: 'end', exit: 2, read: 'undefined' }],
    ]);
    assert.deepEqual(await points(text, []), []);
  });

  it('stop at the ends if values are wanted that cannot be read otherwise', async () => {
    const text = 'function f(a) {\n  if (a) return g(a);\n  return a;\n}';
    const [callee] = (await functionsIn('/a.js', text)) ?? [];
    assert.ok(callee && isJavaScript(callee));
    const at = (...places: (readonly [number, number])[]) => ({
      breakpoints: places.map(([line, column]) => ({ line, column })),
    });
    const whole = at([2, 3], [2, 10], [2, 17], [2, 22], [3, 3], [3, 12]);
    const of = { name: 'f', path: '/a.js', found: callee };
    const { points: all } = calleePoints(of, whole, () => true, true);
    assert.deepEqual(
      all.flatMap(({ line, callee: point }) => (point?.kind === 'end' ? [[line, point]] : [])),
      [
        [2, { kind: 'end', exit: 0, read: undefined, stops: true }],
        [3, { kind: 'end', exit: 1, read: 'a', stops: true }],
      ],
    );
    assert.equal(canStopAtEnds(callee, whole), true);
    assert.equal(canStopAtEnds(callee, at([2, 3], [2, 10], [2, 17], [3, 3])), false);
  });

  it('have one end where the end of a return is that of the block, and none in an expression', async () => {
    const ends = async (text: string, ...columns: number[]) => {
      const [callee] = (await functionsIn('/a.js', text)) ?? [];
      assert.ok(callee && isJavaScript(callee));
      const breakpoints = columns.map((column) => ({ line: 1, column }));
      const { points: all } = calleePoints(
        { name: 'f', path: '/a.js', found: callee },
        { breakpoints },
      );
      return all.flatMap(({ column, callee: point }) =>
        point?.kind === 'end' ? [[column, point.exit]] : [],
      );
    };
    assert.deepEqual(await ends('function f(n) {return g(n)}', 16, 23, 27), [[27, 0]]);
    assert.deepEqual(await ends('const f = () => q;', 17, 18), [[18, 0]]);
    assert.deepEqual(await ends('function f(n) { g(n); }', 17, 23), [[23, 0]]);
  });

  it('are wanted unless each call assigns or returns just its value', async () => {
    const wanted = async (body: string): Promise<boolean> => {
      const [found] = (await functionsIn('/a.js', `function f() {\n${body}\n}`)) ?? [];
      return found !== undefined && isValueUnknown(found, { name: 'g' });
    };
    assert.equal(await wanted('const a = g(1);\nreturn g(a);'), false);
    assert.equal(await wanted('const a = g(1);\nh(g(a));'), true);
    assert.equal(await wanted('const a = g(g(1));'), true);
    assert.equal(await wanted('h(1);'), false);
  });

  it('are none in a function that begins with a repeated place, and read only what V8 shows', async () => {
    const text = 'function f(q) {\n  while (q.x) q.x -= 1;\n  return q;\n}';
    assert.deepEqual(
      await points(text, [
        [2, 10],
        [3, 3],
      ]),
      [],
    );
    const [callee] = (await functionsIn('/a.js', text)) ?? [];
    assert.ok(callee);
    assert.equal(calleePoints({ name: 'f', path: '/a.js', found: callee }, {}).isWhole, false);
    // At the end of a `return`, a variable of a block looks like the outer one of the same name.
    for (const [body, start, end] of [
      ['{ let a = 1; return a; }', 'a', undefined],
      ['let b = 1; return b;', 'b', 'b'],
      ['try { g(); } catch (a) { return a; }', 'a', undefined],
      ['return outer;', undefined, undefined],
      ['return a;', 'a', 'a'],
    ] as const) {
      const line = `function f(a) { ${body} }`;
      const from = line.indexOf('return') + 1;
      const read = await points(line, [
        [1, 17],
        [1, from + 7],
        [1, line.indexOf(';', from) + 2],
      ]);
      const find = (kind: string): string | undefined => {
        const point = read.find(([, , other]) => other?.kind === kind)?.[2];
        return point?.kind === 'return' || point?.kind === 'end' ? point.read : undefined;
      };
      assert.deepEqual([find('return'), find('end')], [start, end], body);
    }
    const plain = 'function f({ a }) { const b = a; return b; }';
    const own = await points(plain, [
      [1, 31],
      [1, 43],
    ]);
    assert.deepEqual(own.at(-1)?.[2], { kind: 'end', exit: 0, read: undefined });
  });

  it('have all ends if those that are missing are never reached', async () => {
    const hasEnds = async (
      text: string,
      places: readonly (readonly [number, number])[],
    ): Promise<unknown> => {
      const [[, , begin] = []] = await points(text, places);
      return begin?.kind === 'begin' ? begin.hasEnds : undefined;
    };
    const fail = 'function fail(x) {\n  throw new Error(x);\n}';
    assert.equal(await hasEnds(fail, [[2, 9]]), true);
    const either = 'function f(x) {\n  if (x) { return 1; } else throw x;\n}';
    const inBoth = [
      [2, 3],
      [2, 12],
      [2, 21],
      [2, 29],
    ] as const;
    assert.equal(await hasEnds(either, inBoth), true);
    const maybe = 'function f(x) {\n  if (x) return 1;\n  g();\n}';
    const withoutEnd = [
      [2, 3],
      [2, 19],
      [3, 3],
    ] as const;
    assert.equal(await hasEnds(maybe, withoutEnd), false);
    assert.equal(await hasEnds(maybe, [...withoutEnd, [4, 1]]), true);
  });

  it('are not in statements that are never executed, and not at exceptions that the function catches', async () => {
    const dead = 'function f(a) {\n  if (a) { return 1; throw new Error(a); }\n  more();\n}';
    const places = [
      [2, 3],
      [2, 12],
      [2, 21],
      [3, 3],
      [4, 1],
    ] as const;
    assert.deepEqual(
      (await points(dead, places)).map(([line, column, point]) => [line, column, point?.kind]),
      [
        [2, 3, 'begin'],
        [2, 12, 'return'],
        [2, 21, 'end'],
        [4, 1, 'end'],
      ],
    );
    const caught = 'function f(a) {\n  try { throw new Error(a); } catch { more(); }\n}';
    assert.deepEqual(
      (
        await points(caught, [
          [2, 15],
          [2, 39],
          [3, 1],
        ])
      ).map(([, , point]) => point?.kind),
      ['begin', 'end'],
    );
  });

  it('end at a `return` that can be read, if a source map leaves out the end', async () => {
    const text = 'function f(a) {\n  if (a) return a;\n  return g(a);\n}';
    const places = [
      [2, 3],
      [2, 10],
      [3, 3],
    ] as const;
    assert.deepEqual((await points(text, places)).slice(1), [
      [2, 10, { kind: 'return', exit: 0, read: 'a', isEnd: true }],
    ]);
  });

  it('have the object of a constructor, the promise of an async function, and the value of an arrow function', async () => {
    const created = await points('class Cart {\n  constructor(a) {\n    this.a = a;\n  }\n}', [
      [3, 5],
      [4, 3],
    ]);
    assert.deepEqual(created.at(-1)?.[2], { kind: 'end', exit: 0, read: 'this' });
    const waiting = await points('async function f() {\n  await null;\n  return 1;\n}', [
      [2, 3],
      [3, 3],
      [3, 12],
    ]);
    assert.deepEqual(waiting, [
      [2, 3, { kind: 'begin', name: 'f', args: [], returnsPromise: true, hasEnds: true }],
    ]);
    const arrow = await points('const f = (a) => a + 1;', [
      [1, 18],
      [1, 23],
    ]);
    assert.deepEqual(arrow.at(-1), [...[1, 23], { kind: 'end', exit: 0, read: '(g.p(a)+g.p(1))' }]);
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
      ['a.b?.c[0]', 'g.m(g.m(g.m(a,"b",0),"c",1),g.p(0),0)'],
      ['-a + 1n', '(g.p((-g.p(a)))+g.p(1n))'],
      ['!a && b === null', '(((! (a)))&&(((b)===(null))))'],
      ['typeof a ?? true', '(((typeof (a)))??(true))'],
      ['a ? "x\\n" : void 0', '(a?"x\\n":(void (0)))'],
      ['`${a}-${b.c}`', '(""+g.p(a)+"-"+g.p(g.m(b,"c",0))+"")'],
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
