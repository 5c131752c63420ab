import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
  javaScriptLast,
} from '../../../src/recording/javaScriptConditions';
import { textOf } from '../../../src/debugger/protocol';
import { readRow } from '../../../src/recording/recordedRows';
import { syntaxError, type CalleePoint } from '../../../src/recording/recordingPlan';
import { run, SETTINGS, valuesOf } from '../support/recorderRuns';

/** Runs a JavaScript program that has `AT(…)` where the points of called functions are, and `CHOOSE` in the call. */
function runCalls(
  program: string,
  settings: object = {},
  stops = 0,
  values: readonly string[] = [],
  captured: readonly string[] = [],
): readonly ReturnType<typeof readRow>[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const all = { ...SETTINGS, folder, oneCall: true, ...settings };
    writeFileSync(path.join(folder, 'recorder.js'), javaScriptFile(all.name, JSON.stringify(all)));
    const at = (callee: CalleePoint): string =>
      `console.log(eval(${JSON.stringify(javaScriptCondition(all.name, folder, { points: [], callees: [callee], stopsWhenLeft: false }))}))`;
    const point = {
      id: 1,
      when: undefined,
      stopWhen: undefined,
      claim: undefined,
      values,
      captured,
    };
    const text = program
      .replaceAll('LAST', `eval(${JSON.stringify(javaScriptLast(all.name))})`)
      .replaceAll('CHOOSE', `eval(${JSON.stringify(javaScriptChoice(all.name, folder, point))})`)
      .replace(/AT\((\{.*?\})\)/g, (_, callee: string) => at(JSON.parse(callee) as CalleePoint));
    const file = path.join(folder, 'program.cjs');
    writeFileSync(file, text);
    const ended = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    assert.deepEqual([ended.status, ended.stderr], [0, '']);
    assert.equal(ended.stdout.match(/true/g)?.length ?? 0, stops);
    return readdirSync(folder)
      .filter((each) => each.endsWith('.jsonl'))
      .flatMap((each) => readFileSync(path.join(folder, each), 'utf8').trim().split('\n'))
      .map(readRow)
      .filter((row) => row?.kind !== 'began' && row?.kind !== 'hit' && row?.kind !== 'reached');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A row of a called function in short. */
function briefCall(row: ReturnType<typeof readRow>): string {
  if (row?.kind !== 'call') return row?.kind ?? '';
  const { call } = row;
  if (call.kind === 'called')
    return `${call.name}(${call.args.map(([name, value]) => `${name}=${value}`).join()})`;
  if (call.kind === 'throws') return `throws ${call.source}`;
  return call.kind === 'ended' ? `${call.hasReturned ? '→' : 'threw'} ${call.value ?? '?'}` : '';
}

describe('the JavaScript recorder of the end of a call', () => {
  it('reports its variables again, with the present members of their objects', () => {
    const rows = runCalls(
      'function f(items, box, n) { CHOOSE; items.push(1); box.n = 2; n = 3; { let late; } }\nf([], {}, 1);\nLAST;',
      {},
      0,
      ['items', 'box', 'n', 'late', 'items.length'],
    );
    const [last] = rows;
    assert.ok(last?.kind === 'last', JSON.stringify(rows));
    // A debugger copies other values at the hit.
    assert.deepEqual({ ...last.locals }, { items: '[1]', box: '{n: 2}' });
  });
});

describe('the JavaScript recorder of variables outside of a call', () => {
  it('reports them again, and leaves out a private field that a compiler has replaced', () => {
    const rows = runCalls(
      `let total = 1; const seen = [];
      class Cart { #items = [4]; static #made = 1;
        add(n) { CHOOSE; total += n; seen.push(n); this.#items.push(n); Cart.#made++; later = n; } }
      new Cart().add(2);
      LAST;
      var later;`,
      {},
      0,
      ['total', 'seen', 'this.#items', 'Cart.#made', 'later', 'n', 'this.#gone', 'missing'],
      ['total', 'seen', 'this.#items', 'Cart.#made', 'later', 'this.#gone', 'missing'],
    );
    const [last] = rows;
    assert.ok(last?.kind === 'last', JSON.stringify(rows));
    assert.deepEqual(
      { ...last.locals },
      { total: '3', seen: '[2]', 'this.#items': '[4, 2]', 'Cart.#made': '2', later: '2' },
    );
  });
});

describe('the JavaScript recorder of called functions', () => {
  const BEGIN = (name: string, ...args: string[]): string =>
    `AT(${JSON.stringify({ kind: 'begin', name, args, returnsPromise: false, hasEnds: true })})`;
  const END = (read?: string): string =>
    `AT(${JSON.stringify({ kind: 'end', exit: 1, ...(read === undefined ? {} : { read }) })})`;

  it('reports the calls of the chosen call, but not those of others', () => {
    const rows = runCalls(`
      function half(a, { b }) { ${BEGIN('half', 'a', 'b', 'none')}; ${END('g.p(a)/2')}; return a / 2; }
      function deep(a) { ${BEGIN('deep', 'a')}; half(a, {}); ${END()}; }
      function total(n) { if (n === 1) { CHOOSE; half(4, { b: [1] }); deep(6); [8].map(half); } half(10, {}); }
      half(1, {}); total(0); total(1); half(2, {});
      function other() { half(3, {}); }
      other();`);
    assert.deepEqual(rows.map(briefCall), [
      ...['half(a=4,b=[1])', '→ 2', 'deep(a=6)', '→ ?', 'half(a=10,b=undefined)', '→ 5'],
    ]);
  });

  it('reads values without getters, proxies and conversions, and keeps the value from the beginning of a `return`', () => {
    const RETURN = (read: string, isEnd: boolean): string =>
      `AT(${JSON.stringify({ kind: 'return', exit: 1, read, isEnd })})`;
    const rows = runCalls(`
      const fails = () => { throw new Error('ran'); };
      const value = { plain: { x: 1 }, get own() { fails(); }, proxy: new Proxy({}, { get: fails }), valueOf: fails };
      function f() {
        ${BEGIN('f')};
        ${END('g.m(g.m(value,"plain",0),"x",0)')}; ${END('g.m(value,"own",0)')};
        ${END('g.m(g.m(value,"proxy",0),"x",0)')}; ${END('g.p(value)+g.p(1)')};
        ${END('g.m(null,"x",1)')}; ${END('g.m(null,"x",0)')}; ${END('g.m("text","length",0)')};
        ${RETURN('g.p(7)', false)}; ${END('g.p(6)')}; ${END('gone')};
        ${RETURN('g.p(8)', true)}; ${RETURN('gone', true)};
        AT(${JSON.stringify({ kind: 'throw', throws: 'new Error(x)' })});
      }
      (function total() { CHOOSE; f(); })();`);
    assert.deepEqual(rows.map(briefCall), [
      ...['f()', '→ 1', '→ ?', '→ ?', '→ ?', '→ undefined', '→ ?', '→ 4', '→ 7', '→ ?', '→ 8'],
      'throws new Error(x)',
    ]);
  });

  it('gives up after many calls, by the chosen call and by others', () => {
    const f = `function f(a) { ${BEGIN('f', 'a')}; }`;
    const own = runCalls(`${f}\n(function g() { CHOOSE; for (let i = 0; i < 9; i++) f(i); })();`, {
      hits: 3,
    });
    assert.deepEqual(own.map(briefCall), ['f(a=0)', 'f(a=1)', 'f(a=2)', 'f(a=3)', 'fullOfCalls']);
    const others = runCalls(
      `${f}\nfunction all() { for (let i = 0; i < 9; i++) f(i); }\n(function g() { CHOOSE; all(); f(9); })();`,
      { hits: 3 },
    );
    assert.deepEqual(others.map(briefCall), ['fullOfCalls']);
  });

  it('stops where no code can read a value, up to a limit', () => {
    const end = (read?: string): string =>
      `AT(${JSON.stringify({ kind: 'end', exit: 1, ...(read !== undefined && { read }), stops: true })})`;
    const rows = runCalls(
      `function f(a) { ${BEGIN('f', 'a')}; ${end()}; }
      function g(a) { ${BEGIN('g', 'a')}; ${end('g.p(a)')}; }
      (function total() { CHOOSE; f(1); g(2); g({}); f(3); })(); f(4);`,
      {},
      2,
    );
    assert.deepEqual(
      rows.map((row) => {
        const isShown = row?.kind === 'call' && row.call.kind === 'ended' && row.call.isShown;
        return `${briefCall(row)}${isShown === true ? ' shown' : ''}`;
      }),
      ['f(a=1)', '→ ? shown', 'g(a=2)', '→ 2', 'g(a={})', '→ ? shown', 'f(a=3)', '→ ?'],
    );
  });

  it('reports a promise at the beginning of an async function', () => {
    const begin = { kind: 'begin', name: 'f', args: [], returnsPromise: true, hasEnds: true };
    const rows = runCalls(
      `async function f() { AT(${JSON.stringify(begin)}); }\n(function g() { CHOOSE; f(); })();`,
    );
    assert.deepEqual(rows.map(briefCall), ['f()', '→ Promise']);
  });
});

describe('the JavaScript recorder', () => {
  it('describes values without running getters, traps or toString', () => {
    const program = `
      class Order { constructor() { this.price = 10; } get total() { throw new Error('ran'); } toString() { throw new Error('ran'); } }
      const trap = new Proxy({}, { get() { throw new Error('ran'); }, ownKeys() { throw new Error('ran'); } });
      const own = { a: 1, get b() { throw new Error('ran'); }, c: [1, 2, 3, 4] };
      (function f(order, map, big) { CONDITION })(new Order(), new Map([['k', { deep: { er: 1 } }]]), 'x'.repeat(1e7));`;
    const ran = run('javascript', program, {
      values: ['order', 'own', 'trap', 'map', 'big.length', 'big', 'none', 'none.x', 'order.total'],
    });
    const values = ran.hits[0]?.values ?? [];
    assert.deepEqual(values.slice(0, 5), [
      'Order {price: 10}',
      '{a: 1, b: (getter), c: [1, 2, 3, … 1 more]}',
      '[Proxy]',
      'Map {"k" => {deep: {…}}}',
      '10000000',
    ]);
    assert.match(
      textOf(values[5]) ?? '',
      /^"x{160}… \(10000000 characters\)|^"x{160}"… \(10000000 characters\)/,
    );
    for (const value of values.slice(6, 8))
      assert.match(JSON.stringify(value), /"error":"ReferenceError: none is not defined \(/);
    assert.deepEqual(values.slice(8), [{ error: 'Error: ran' }]);
  });

  it('tells a name that was not captured from a value that is undefined', () => {
    const program = `
      function outer() {
        const options = { extra: 7 };
        return function inner(item) {
          const missing = undefined;
          CONDITION
        };
      }
      // The condition of a real breakpoint sees no more than the function.
      const inner = new Function('console', 'require', 'process', 'return ' + outer().toString())(console, require, process);
      inner(1);`;
    const point = { values: ['item', 'missing', 'options'], claim: 'options.extra === 7' };
    const { hits, stops } = run('javascript', program, point, { stopAtRefuted: true });
    assert.deepEqual(hits[0]?.values.slice(0, 2), ['1', 'undefined']);
    assert.match(JSON.stringify(hits[0].values[2]), /ReferenceError: options is not defined/);
    assert.match(String(hits[0].claim), /^ReferenceError: options is not defined/);
    assert.deepEqual([stops, hits[0].stack], [['false'], undefined]);
  });

  it('lists a caller without a file by its name alone', () => {
    const program = `
      [1].forEach(function each(i) { CONDITION });`;
    const ran = run('javascript', program, { values: ['i'], claim: 'i > 1' });
    assert.equal(ran.hits[0]?.caller, 'Array.forEach');
    assert.equal(ran.hits[0].stack?.[1], 'Array.forEach');
  });

  it('counts hits whose condition is false, lists callers, and records the stack of a refuted claim once', () => {
    const program = `
      function f(i) { CONDITION }
      function caller() { for (let i = 0; i < 5; i += 1) f(i); }
      caller();`;
    const ran = run('javascript', program, { values: ['i'], when: 'i > 1', claim: 'i < 3' });
    assert.deepEqual(valuesOf(ran), [['2'], ['3'], ['4']]);
    assert.deepEqual(
      ran.hits.map((each) => each.claim),
      [true, false, false],
    );
    assert.match(ran.hits[0]?.caller ?? '', /^caller \(program\.cjs:\d+\)$/);
    assert.match(ran.hits[1]?.stack?.[0] ?? '', /^f \(.*program\.cjs:\d+\)$/);
    assert.equal(ran.hits[2]?.stack, undefined);
    assert.deepEqual(
      ran.rows.flatMap((each) => (each?.kind === 'passed' ? [each.times] : [])),
      [1, 2],
    );
    assert.deepEqual(ran.stops, ['false', 'false', 'false', 'false', 'false']);
  });

  it('reads the value that a call returns behind the other values, and stops where that would run code', () => {
    const program =
      'const items = [{ x: 1 }, { get x() { throw new Error("ran"); } }];\nfor (const item of items) { CONDITION; }';
    const ran = run('javascript', program, { values: [], returns: 'g.p(g.m(item,"x",0))+g.p(1)' });
    assert.deepEqual(valuesOf(ran), [['2'], []]);
    assert.deepEqual(ran.stops, ['false', 'true']);
  });

  it('stops on request, and once at the limit', () => {
    const program = 'for (let i = 0; i < 6; i += 1) { CONDITION }';
    const stopping = run('javascript', program, { values: ['i'], stopWhen: 'i === 2' });
    assert.deepEqual(stopping.stops, ['false', 'false', 'true', 'false', 'false', 'false']);
    const limited = run('javascript', program, { values: ['i'] }, { hits: 2 });
    assert.deepEqual(valuesOf(limited), [['0'], ['1']]);
    assert.deepEqual(limited.stops, ['false', 'false', 'true', 'false', 'false', 'false']);
  });

  it('stops once if it cannot write', () => {
    const program = 'for (let i = 0; i < 3; i += 1) { CONDITION }';
    const ran = run('javascript', program, { values: ['i'] }, { folder: '/nonexistent' });
    assert.deepEqual(ran.stops, ['true', 'false', 'false']);
  });
});

describe('JavaScript expressions', () => {
  for (const text of ['a.b', 'a, b', '{a: 1}.a', 'x => x', 'a // why', '/x/.test(a)'])
    it(`parses: ${text}`, () => assert.equal(syntaxError(text), undefined));
  for (const text of ['1), (2', '1], [2', 'let x = 1', 'a +', '/*', 'await a'])
    it(`does not parse: ${text}`, () => assert.match(syntaxError(text) ?? '', /^SyntaxError/));
});
