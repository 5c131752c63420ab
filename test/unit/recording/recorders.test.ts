import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
} from '../../../src/recording/javaScriptRecorder';
import { pythonCondition, pythonFile } from '../../../src/recording/pythonRecorder';
import { textOf } from '../../../src/debugger/protocol';
import { readRow, type RecordedHit } from '../../../src/recording/recordedRows';
import { syntaxError, type CalleePoint } from '../../../src/recording/recordingPlan';

const SETTINGS = {
  name: 'agent_debugger_test',
  hits: 100,
  bytes: 1e6,
  stopAtLimit: true,
  stopAtRefuted: false,
  callers: true,
  activations: true,
  text: 200,
  items: 3,
  depth: 2,
  oneCall: false,
  valueStops: 2,
};
const PYTHON = '/usr/bin/python3';

/** A minimal Python debugger. Its frames have their own globals. */
const DEBUGGER = `
def hit(f):
    print(bool(eval(c, f.f_globals, f.f_locals)))
def trace(sys, name):
    def tracer(frame, event, arg):
        if frame.f_code.co_name != name: return None
        if event == 'line': hit(frame)
        return tracer
    sys.settrace(tracer)
`;

/** Runs a JavaScript program that has `AT(…)` where the points of called functions are, and `CHOOSE` in the call. */
function runCalls(
  program: string,
  settings: object = {},
  stops = 0,
): readonly ReturnType<typeof readRow>[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const all = { ...SETTINGS, folder, oneCall: true, ...settings };
    writeFileSync(path.join(folder, 'recorder.js'), javaScriptFile(all.name, JSON.stringify(all)));
    const at = (callee: CalleePoint): string =>
      `console.log(eval(${JSON.stringify(javaScriptCondition(all.name, folder, { points: [], callees: [callee], stopsWhenLeft: false }))}))`;
    const point = { id: 1, when: undefined, stopWhen: undefined, claim: undefined, values: [] };
    const text = program
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

interface Ran {
  readonly rows: readonly ReturnType<typeof readRow>[];
  readonly hits: readonly Omit<RecordedHit, 'pid'>[];
  /** The result of the condition at each hit. */
  readonly stops: string[];
}

type Point = {
  readonly values: readonly string[] | 'locals';
  readonly when?: string;
  readonly claim?: string;
  readonly stopWhen?: string;
  readonly returns?: string;
  readonly atEntry?: boolean;
};

/** Runs a program that has `CONDITION` where a debugger would evaluate a breakpoint's condition. */
function run(language: 'python' | 'javascript', program: string, point: Point, more = {}): Ran {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const settings = { ...SETTINGS, folder, ...more };
    const isPython = language === 'python';
    writeFileSync(
      path.join(folder, isPython ? 'recorder.py' : 'recorder.js'),
      isPython
        ? pythonFile(SETTINGS.name, JSON.stringify({ ...settings, points: [{ id: 1, ...point }] }))
        : javaScriptFile(SETTINGS.name, JSON.stringify(settings)),
    );
    const { values, when, claim, stopWhen, returns } = point;
    const condition = isPython
      ? pythonCondition(SETTINGS.name, folder, [1])
      : javaScriptCondition(SETTINGS.name, folder, {
          points: [
            { id: 1, values: values === 'locals' ? [] : values, when, claim, stopWhen, returns },
          ],
          callees: [],
          stopsWhenLeft: false,
        });
    // A debugger's own frames are between the program's frames and the condition's frame, with their own globals.
    const text = isPython
      ? `import sys\n_ns = {'c': ${JSON.stringify(condition)}}\nexec(${JSON.stringify(DEBUGGER)}, _ns)\nhit, trace = _ns['hit'], _ns['trace']\n${program}`
      : program.replaceAll('CONDITION', `console.log(eval(${JSON.stringify(condition)}))`);
    const file = path.join(folder, isPython ? 'program.py' : 'program.cjs');
    writeFileSync(file, text);
    const ended = spawnSync(isPython ? PYTHON : process.execPath, [file], { encoding: 'utf8' });
    assert.equal(ended.status, 0, ended.stderr);
    const rows = readdirSync(folder)
      .filter((each) => each.endsWith('.jsonl'))
      .flatMap((each) => readFileSync(path.join(folder, each), 'utf8').trim().split('\n'))
      .map(readRow);
    const hits = rows.flatMap((each) => (each?.kind === 'hit' ? [each.hit] : []));
    return { rows, hits, stops: ended.stdout.trim().toLowerCase().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const valuesOf = ({ hits }: Ran): unknown[] => hits.map((each) => each.values);

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
    assert.deepEqual(values.slice(6), [
      undefined,
      { error: 'ReferenceError: none is not defined' },
      { error: 'Error: ran' },
    ]);
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

describe('the Python recorder', function () {
  before(function () {
    if (!existsSync(PYTHON)) skip(this, `there is no ${PYTHON}`);
  });

  it('records only the beginning of each call if a loop reaches the first line again', () => {
    const program = `
def total(items):
    for item in items:
        item + 1
trace(sys, 'total')
total([1, 2, 3])
total([4])`;
    const at = (atEntry: boolean): number =>
      run('python', program, { values: ['items'], atEntry }).hits.length;
    assert.equal(at(true), 2);
    assert.ok(at(false) > 4);
  });

  it('describes values without running __repr__, properties or __class__', () => {
    const program = `
import enum, collections
class Order:
    def __init__(self): self.price = 10
    def __repr__(self): raise Exception('ran')
    @property
    def total(self): raise Exception('ran')
    @property
    def __class__(self): raise Exception('ran')
class Kind(enum.Enum):
    BIG = 1
Pair = collections.namedtuple('Pair', 'a b')
def f(order, kind, pair, big):
    many = {'k': [1, 2, 3, 4]}
    hit(sys._getframe())
f(Order(), Kind.BIG, Pair(1, Order()), 'x' * 10000000)
`;
    const ran = run('python', program, {
      values: [
        'order',
        'kind',
        'pair',
        'many',
        'len(big)',
        'big',
        'none.x',
        '[n for n in many if n in many]',
      ],
    });
    const values = ran.hits[0]?.values ?? [];
    assert.deepEqual(values.slice(0, 5), [
      '<Order price=10>',
      'Kind.BIG',
      'Pair(a=1, b=<Order price=10>)',
      "{'k': [1, 2, 3, … 1 more]}",
      '10000000',
    ]);
    assert.match(textOf(values[5]) ?? '', /^'x{160}'… \(10000000 characters\)$/);
    assert.deepEqual(values.slice(6), [
      { error: "NameError: name 'none' is not defined" },
      "['k']",
    ]);
  });

  it('records the locals that changed in each activation', () => {
    // Like a debugger, the tracer is called before each line of the function.
    const program = `
def f(n):
    total = n
    if n > 0:
        f(n - 1)
    total += 1
trace(sys, 'f')
f(1)
f(0)
`;
    const ran = run('python', program, { values: 'locals' });
    assert.deepEqual(
      ran.hits.map((each) => [each.activation, each.locals]),
      [
        [1, { n: '1' }],
        [1, { total: '1' }],
        [1, {}],
        [2, { n: '0' }],
        [2, { total: '0' }],
        [2, {}],
        [1, {}],
        [3, { n: '0' }],
        [3, { total: '0' }],
        [3, {}],
      ],
    );
  });

  it('continues in a forked process, even if another thread was writing at the time of the fork', () => {
    const program = `
import os, time
def work(n):
    return n
trace(sys, 'work')
work(1)
recorder = sys.modules['agent_debugger_test']
recorder.r.__globals__['R'].lock.acquire()
child = os.fork()
if child == 0:
    work(2)
    os._exit(0)
os.waitpid(child, 0)
`;
    const ran = run('python', program, { values: ['n'] });
    assert.deepEqual(valuesOf(ran).sort(), [['1'], ['2']]);
    assert.equal(ran.rows.filter((each) => each?.kind === 'began').length, 2);
  });

  it('records expressions that do not parse as errors, and stops once if it cannot write', () => {
    const program = 'for i in range(3): hit(sys._getframe())';
    const ran = run('python', program, { values: ['i', 'i +'], when: 'i != 1' });
    assert.deepEqual(
      ran.hits.map((each) => each.values[0]),
      ['0', '2'],
    );
    assert.match(JSON.stringify(ran.hits[0]?.values[1]), /SyntaxError/);
    const unwritten = run('python', program, { values: ['i'] }, { folder: '/nonexistent' });
    assert.deepEqual(unwritten.stops, ['true', 'false', 'false']);
  });
});

describe('JavaScript expressions', () => {
  for (const text of ['a.b', 'a, b', '{a: 1}.a', 'x => x', 'a // why', '/x/.test(a)'])
    it(`parses: ${text}`, () => assert.equal(syntaxError(text), undefined));
  for (const text of ['1), (2', '1], [2', 'let x = 1', 'a +', '/*', 'await a'])
    it(`does not parse: ${text}`, () => assert.match(syntaxError(text) ?? '', /^SyntaxError/));
});
