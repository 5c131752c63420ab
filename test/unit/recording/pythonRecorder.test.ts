import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skip } from '../../support/skip';
import { textOf } from '../../../src/debugger/protocol';
import { pythonCondition } from '../../../src/recording/pythonRecorder';
import { recorderCondition } from '../../../src/trace/tracers/python/condition';
import { PYTHON, run, valuesOf } from '../support/recorderRuns';

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

  it('evaluates an expression as its line would, also within comprehensions and lambdas', () => {
    const program = `
limit, wanted, order, late = 100, 1, 'global', 'global'
def scan(items):
    limit, wanted = 5, 9
    over = [x for x in items if x > limit]
    hit(sys._getframe())
    late = 1
scan([3, 7, 9])`;
    const ran = run('python', program, {
      values: [
        'any(x > limit for x in items)',
        '[x for x in items if x > limit]',
        '(lambda: limit)()',
        'sorted(items, key=lambda x: (limit, -x))',
        '{order: limit for _ in [1]}',
        'late',
        '[late for _ in items]',
      ],
      when: 'any(x == wanted for x in items)',
      claim: 'all(x in items for x in over)',
    });
    assert.equal(ran.hits[0]?.claim, true);
    const values = ran.hits[0].values;
    assert.deepEqual(values.slice(0, 5), ['True', '[7, 9]', '5', '[9, 7, 3]', "{'global': 5}"]);
    for (const value of values.slice(5))
      assert.match(JSON.stringify(value), /UnboundLocalError.*'late'/);
  });

  it('counts a line once, and its comprehensions and lambdas only if an expression asks for them', () => {
    const program = `
def total(items):
    rate = 2
    return (sum(hit(sys._getframe()) or x * rate for x in items), list(map(lambda y: hit(sys._getframe()) or y, items)), hit(sys._getframe()))
total([1, 2, 3])`;
    const values = (...names: string[]) => valuesOf(run('python', program, { values: names }));
    assert.deepEqual(values('rate', 'len(items)'), [['2', '3']]);
    assert.deepEqual(values(), [[]]);
    assert.deepEqual(values('x').slice(0, 3), [['1'], ['2'], ['3']]);
  });

  it('tells concurrent calls of a coroutine apart', () => {
    const program = `
import asyncio
async def scan(n):
    hit(sys._getframe())
    await asyncio.sleep(0)
    hit(sys._getframe())
async def main(): await asyncio.gather(scan(1), scan(2))
asyncio.run(main())`;
    const { hits } = run('python', program, { values: ['n'] });
    const calls = hits.map(({ activation, values: [n] }) => [activation, n]);
    assert.deepEqual(calls[0], calls[2]);
    assert.deepEqual(calls[1], calls[3]);
    assert.notEqual(calls[0]?.[0], calls[1]?.[0]);
  });

  it('reads private names as the class of the frame does', () => {
    const program = `
class Base:
    def __init__(self): self.__level = 1
    def show(self):
        def inner(): return hit(sys._getframe()), self
        inner()
        hit(sys._getframe())
        return self.__level
class Account(Base):
    def __init__(self):
        super().__init__()
        self.__level = 2
    def read(self):
        hit(sys._getframe())
        return self.__level
Account().read()
Account().show()`;
    const ran = run('python', program, {
      values: ['self.__level', '[self.__level for _ in [1]]', 'self.__class__.__name__'],
      claim: 'self.__level > 0',
    });
    assert.deepEqual(valuesOf(ran), [
      ['2', '[2]', "'Account'"],
      ['1', '[1]', "'Account'"],
      ['1', '[1]', "'Account'"],
    ]);
    assert.ok(ran.hits.every(({ claim }) => claim === true));
  });

  it('neither stops nor takes a claim for refuted if it raises an error', () => {
    const program = `
def f(n):
    hit(sys._getframe())
f(1)
f(2)`;
    const point = { values: ['n'], claim: 'missing > n' };
    const ran = run('python', program, point, { stopAtRefuted: true });
    assert.deepEqual(ran.stops, ['false', 'false']);
    assert.match(String(ran.hits[0]?.claim), /NameError.*missing/);
    assert.equal(ran.hits[0]?.stack, undefined);
    const refuted = run('python', program, { ...point, claim: 'n < 2' }, { stopAtRefuted: true });
    assert.deepEqual(refuted.stops, ['false', 'true']);
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

  it('runs no code of classes that pretend to be of the standard library, or extend it', () => {
    const program = `
import datetime, decimal, fractions, pathlib, uuid
class Fake:
    def __repr__(self): raise Exception('ran')
Fake.__module__ = 'decimal'
class Own(decimal.Decimal):
    def __repr__(self): raise Exception('ran')
Own.__module__ = 'decimal'
class Fields:
    @property
    def __dict__(self): raise Exception('ran')
def f(fake, own, fields, data):
    hit(sys._getframe())
ran = []
f(Fake(), Own('1.5'), Fields(), [
    decimal.Decimal('1.5'), datetime.date(2026, 1, 2), fractions.Fraction(1, 3),
    pathlib.PurePosixPath('/a'), uuid.UUID(int=1),
])
`;
    const point = { values: ['fake', 'own', 'fields', 'data'] };
    const ran = run('python', program, point, { items: 5 });
    assert.deepEqual(ran.hits[0]?.values, [
      '<Fake>',
      '<Own>',
      '<Fields>',
      "[Decimal('1.5'), datetime.date(2026, 1, 2), Fraction(1, 3), PurePosixPath('/a'), UUID('00000000-0000-0000-0000-000000000001')]",
    ]);
  });

  it('describes slots, dataclasses, time zones and collections by their fields', () => {
    const program = `
import array, collections, dataclasses, datetime, re, types
class Slots(object):
    __slots__ = ('a', 'missing')
    def __repr__(self): raise Exception('ran')
class More(Slots):
    def __init__(self): self.a, self.b = 1, 2
@dataclasses.dataclass(frozen=True)
class Item:
    name: str
    __slots__ = ('name',)
class Zone(datetime.tzinfo):
    def utcoffset(self, _): raise Exception('ran')
    def __repr__(self): raise Exception('ran')
def made():
    yield 1
def f(values):
    hit(sys._getframe())
f([More(), Item('tea'), datetime.datetime(2026, 1, 2, tzinfo=Zone()), datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc),
   datetime.timedelta(1), collections.deque([1]), re.compile('a+'), {1: 2}.keys(), made(), types.SimpleNamespace(a=1), array.array('i', [1]), memoryview(b'ab')])
`;
    const ran = run('python', program, { values: ['values'] }, { items: 12, text: 900, depth: 3 });
    assert.deepEqual(ran.hits[0]?.values, [
      `[${[
        '<More a=1, b=2>',
        "<Item name='tea'>",
        'datetime.datetime(2026, 1, 2, 0, 0, tzinfo=<Zone>)',
        'datetime.datetime(2026, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)',
        ...['datetime.timedelta(days=1)', 'deque[1]', "re.compile('a+')", 'dict_keys[1]'],
        ...['<generator made>', '<SimpleNamespace a=1>', "array('i', [1])"],
        '<memoryview of 2 bytes>',
      ].join(', ')}]`,
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

  it('records the globals that the code of a function names, without functions, classes and modules', () => {
    const { hits } = run(
      'python',
      [
        'import json, sys',
        'total, unused, limits = 1, 2, {"a": 1}',
        'class Box: pass',
        'def helper(): return Box',
        'def work(n):',
        '    global total',
        '    total += n',
        '    limits["b"] = n',
        '    helper(), json.dumps(n), len(limits)',
        '    own = str',
        '    return own',
        "trace(sys, 'work')",
        'work(5)',
      ].join('\n'),
      { values: 'locals' },
    );
    assert.deepEqual(
      hits.map(({ locals }) => ({ ...locals })),
      [
        { n: '5', total: '1', limits: "{'a': 1}" },
        { total: '6' },
        { limits: "{'a': 1, 'b': 5}" },
        {},
        { own: "<class 'str'>" },
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
    const unwritten = run('python', program, { values: ['i'] }, { folder: '/none/of/them' });
    assert.deepEqual(unwritten.stops, ['true', 'false', 'false']);
  });

  it('does not stop at a condition that is still evaluated when the recording has ended', () => {
    const program = 'for i in range(3): hit(sys._getframe())';
    const folder = path.join(tmpdir(), 'agent-debugger-no-such-folder');
    const loaded = run('python', program, { values: ['i'] }, { folder });
    assert.deepEqual(loaded.stops, ['false', 'false', 'false']);
  });

  /** What the condition of each recorder is in a program that has not loaded it. */
  const conditionsIn = (folder: string, before = ''): readonly string[] =>
    [
      pythonCondition('agent_debugger_test', folder, [1]),
      recorderCondition({ name: 'agent_debugger_test', folder, recorders: '' }),
    ].map((condition) => {
      const args = ['-c', `${before}\nprint(eval(${JSON.stringify(condition)}))`];
      return spawnSync(PYTHON, args, { encoding: 'utf8' }).stdout.trim();
    });

  it('is false if its folder was removed, and true if the program cannot read its file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
    try {
      assert.deepEqual(conditionsIn(folder), ['True', 'True'], 'a folder without the file');
      // The program has no file descriptor left. It has loaded all modules before.
      const full = `import os, sys, types, pathlib, builtins, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))`;
      writeFileSync(path.join(folder, 'recorder.py'), 'raise SystemExit(7)');
      assert.deepEqual(conditionsIn(folder, full), ['True', 'True'], 'no file descriptor');
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.deepEqual(conditionsIn(folder), ['False', 'False'], 'the recording has ended');
    assert.deepEqual(conditionsIn('/none/of/them'), ['True', 'True'], 'another machine');
  });
});
