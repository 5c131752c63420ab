import { strict as assert } from 'node:assert';
import type { Frame } from '../../../../src/debugger/inspection/stackAndVariables';
import { aboutThreads } from '../../../../src/tools/live/aboutThreads';
import { goWait, isOfRuntime } from '../../../../src/tools/live/goWait';
import { groupsOf } from '../../../../src/tools/live/hangReport';
import { nativeWait } from '../../../../src/tools/live/nativeWait';
import { innermostOf, waitByNames } from '../../../../src/tools/live/waitByNames';
import { cyclesOf } from '../../../../src/tools/live/waitCycles';
import { addressIn, type Evaluate } from '../../../../src/tools/live/waitFacts';
import { deadlocksOf, namedThreads } from '../../../../src/tools/live/waitingThreads';
import { frameAt } from '../../support/stacks';

const OWN = '/home/ada/app/main.cpp';

const frame = (name: string, path?: string, line = 1): Frame => ({
  ...frameAt(name, { line }),
  path,
});

const framesOf = (path: string, ...names: readonly string[]): readonly Frame[] =>
  names.map((name) => frame(name, path));

/** Evaluates as a debugger that knows these values, each in frames of a function. */
const knowing =
  (values: Readonly<Record<string, string>>): Evaluate =>
  async ({ name }, expression) => {
    await Promise.resolve();
    return values[`${name}: ${expression}`];
  };

describe('cycles of waits', () => {
  const waits = (...pairs: readonly (readonly [number, number])[]): ReturnType<typeof cyclesOf> =>
    cyclesOf(pairs.map(([id, ownerId]) => ({ id, ownerId })));

  it('are found behind threads that wait for them', () => {
    assert.deepEqual(waits([1, 2], [2, 3], [3, 2], [4, 1]), [[2, 3]]);
  });

  it('may be of one thread, and several', () => {
    assert.deepEqual(waits([7, 7], [1, 2], [2, 1]), [[7], [1, 2]]);
  });

  it('are none where a chain ends', () => {
    assert.deepEqual(waits([1, 2], [2, 3]), []);
  });

  it('are found once among 10,000 threads', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => [at, at + 1] as const);
    assert.deepEqual(waits(...chain, [10_000, 9_999]), [[9_999, 10_000]]);
  });
});

describe('addresses in values', () => {
  for (const [text, address] of [
    ['44404244275552 = 0x2862ab34e160', '0x2862ab34e160'],
    ['0x00007fffffffe630', '0x7fffffffe630'],
    ['0 = 0x0', '0x0'],
    ['(unreadable could not find loclist entry)', undefined],
    [undefined, undefined],
  ] as const)
    it(String(text), () => {
      assert.equal(addressIn(text), address);
    });
});

describe('the wait of a goroutine', () => {
  const GO = '/usr/local/go/src/runtime/proc.go';

  it('is for the mutex of the program, not for one inside of it', async () => {
    const frames = framesOf(GO, 'runtime.gopark', 'sync.(*Mutex).Lock', 'sync.(*RWMutex).Lock');
    const evaluate = knowing({
      'sync.(*Mutex).Lock: uintptr(m)': '16 = 0x10',
      'sync.(*RWMutex).Lock: uintptr(rw)': '8 = 0x8',
    });
    assert.deepEqual(await goWait(frames, evaluate), { kind: 'lock', what: 'sync.RWMutex at 0x8' });
  });

  it('never ends at a channel that is nil', async () => {
    const evaluate = knowing({ 'runtime.chanrecv: uintptr(c)': '0 = 0x0' });
    const { kind } = await goWait(framesOf(GO, 'runtime.gopark', 'runtime.chanrecv'), evaluate);
    assert.equal(kind, 'forever');
  });

  it('counts the calls that a wait group lacks', async () => {
    const evaluate = knowing({
      'sync.(*WaitGroup).Wait: uintptr(wg)': '16 = 0x10',
      'sync.(*WaitGroup).Wait: wg.state.v': '8589934593',
    });
    const { what } = await goWait(framesOf(GO, 'sync.(*WaitGroup).Wait'), evaluate);
    assert.equal(what, 'sync.WaitGroup at 0x10, which lacks 2 calls of Done');
  });

  it('stays what the names tell if the values cannot be read', async () => {
    assert.deepEqual(await goWait(framesOf(GO, 'sync.(*Mutex).Lock'), knowing({})), {});
  });

  it('is not shown if it is one of the runtime', () => {
    assert.ok(isOfRuntime(framesOf(GO, 'runtime.gopark', 'runtime.goexit'), 0));
    assert.ok(!isOfRuntime(framesOf(GO, 'runtime.gopark', 'main.work', 'runtime.goexit'), 0));
    assert.ok(!isOfRuntime(framesOf(GO, 'runtime.gopark', 'runtime.main'), 0));
    assert.ok(!isOfRuntime(framesOf(GO, 'runtime.gopark'), 3));
  });

  it('has the place outside of a Go in any folder', () => {
    const frames = [
      frame('runtime.gopark', '/opt/tools/go/1.22.1/x64/src/runtime/proc.go'),
      frame('sync.(*Mutex).Lock', '/opt/tools/go/1.22.1/x64/src/sync/mutex.go'),
      frame('main.work', OWN, 9),
    ];
    assert.equal(waitByNames(frames).line_number, 9);
  });
});

describe('the wait of a thread of C++', () => {
  const LOCK = ['__GI___lll_lock_wait', '___pthread_mutex_lock', 'std::mutex::lock()'] as const;

  it('has the owner that glibc notes', async () => {
    const evaluate = knowing({
      '___pthread_mutex_lock: mutex': '0x00000000000000a0',
      '___pthread_mutex_lock: mutex->__data.__owner': '42',
    });
    assert.deepEqual(await nativeWait(framesOf('nptl/x.c', ...LOCK), evaluate), {
      ...{ kind: 'lock', what: 'mutex at 0xa0', ownerId: 42 },
    });
  });

  it('is read from the standard library if glibc has no symbols', async () => {
    const frames = [
      frame('__lll_lock_wait'),
      frame('pthread_mutex_lock'),
      frame(LOCK[2], '/usr/include/m'),
    ];
    const evaluate = knowing({
      // A variable of the program has the name of the parameter.
      'pthread_mutex_lock: mutex': '0x1',
      'pthread_mutex_lock: mutex->__data.__owner': '1',
      'std::mutex::lock(): this': '0x00000000000000a0',
      'std::mutex::lock(): this->_M_mutex.__data.__owner': '42',
    });
    assert.equal((await nativeWait(frames, evaluate)).ownerId, 42);
  });

  it('has no owner while the mutex is handed over', async () => {
    const evaluate = knowing({
      '___pthread_mutex_lock: mutex': '0xa0',
      '___pthread_mutex_lock: mutex->__data.__owner': '0',
    });
    const { what, ownerId } = await nativeWait(framesOf('nptl/x.c', ...LOCK), evaluate);
    assert.deepEqual([what, ownerId], ['mutex at 0xa0', undefined]);
  });

  it('has no owner if the thread is about to get the mutex, or runs a signal handler', async () => {
    const evaluate = knowing({
      '___pthread_mutex_lock: mutex': '0xa0',
      '___pthread_mutex_lock: mutex->__data.__owner': '42',
    });
    const getting = framesOf('nptl/x.c', '___pthread_mutex_lock', 'std::mutex::lock()');
    assert.deepEqual(await nativeWait(getting, evaluate), {});
    const handling = framesOf('nptl/x.c', 'handle', '__restore_rt', ...LOCK);
    assert.deepEqual(await nativeWait(handling, evaluate), {});
  });

  it('for the end of a thread has that thread, if the time limit is known', async () => {
    const frames = framesOf('nptl/x.c', 'futex_wait', '__pthread_clockjoin_ex');
    const tid = { '__pthread_clockjoin_ex: pd->tid': '42' };
    assert.deepEqual(await nativeWait(frames, knowing(tid)), { kind: 'join' });
    const waits = async (abstime: string): Promise<unknown> =>
      await nativeWait(frames, knowing({ ...tid, '__pthread_clockjoin_ex: abstime': abstime }));
    assert.deepEqual(await waits('0x0000000000000000'), { kind: 'join', ownerId: 42 });
    assert.deepEqual(await waits('0x10'), { kind: 'join', ownerId: 42, limited: true });
  });
});

describe('a function of the person that a waiting function calls', () => {
  it('runs', () => {
    const frames = [
      frame('main.load', OWN, 4),
      frame('sync.(*Once).doSlow', '/usr/local/go/src/sync/once.go'),
    ];
    assert.equal(waitByNames(frames).kind, 'unknown');
    assert.deepEqual(innermostOf(frames), []);
  });
});

describe('threads that wait for each other', () => {
  const thread = (
    id: number,
    ownerId?: number,
    limited?: true,
  ): Parameters<typeof namedThreads>[0][number] => ({
    ...{ id, name: 'app', more: 0, frames: [frame('std::mutex::lock()'), frame('f', OWN, id)] },
    facts: { kind: 'lock', what: `mutex at 0x${id}`, ownerId, ...(limited && { limited }) },
  });
  const listed = [1, 2, 3].map((id) => ({ id, name: 'app' }));

  it('are a deadlock with their places', () => {
    const threads = namedThreads([thread(1, 2), thread(2, 1), thread(3, 1)], listed);
    assert.deepEqual(
      deadlocksOf(threads).map((each) => [
        each.thread,
        each.held_by,
        each.waits_for,
        each.line_number,
      ]),
      [
        ['app (1)', 'app (2)', 'mutex at 0x1', 1],
        ['app (2)', 'app (1)', 'mutex at 0x2', 2],
      ],
    );
    assert.deepEqual(aboutThreads(threads, false), []);
  });

  it('are none if a wait ends by itself, or the owner is unknown', () => {
    for (const other of [thread(2, 1, true), thread(2)])
      assert.deepEqual(deadlocksOf(namedThreads([thread(1, 2), other], listed)), []);
    assert.equal(aboutThreads(namedThreads([thread(2)], listed), false).length, 2);
  });

  it('say that an owner is no thread of the program', () => {
    const [waits] = namedThreads([thread(1, 99)], listed);
    assert.match(waits?.wait?.owner ?? '', /^99, which is no thread/);
  });
});

describe('threads with equal stacks that wait for different things', () => {
  const waitingFor = (count: number): ReturnType<typeof groupsOf> =>
    groupsOf(
      Array.from({ length: 12 }, (_, at) => ({
        ...{ name: `w${at}`, more: 0, frames: [frame('f', OWN)] },
        wait: { kind: 'lock', what: `mutex at 0x${at % count}` },
      })),
    );

  it('are apart if they are few', () => {
    assert.deepEqual(
      waitingFor(2).map((each) => [each.count, each.waits_for.what]),
      [
        [6, 'mutex at 0x0'],
        [6, 'mutex at 0x1'],
      ],
    );
  });

  it('are together if they are many', () => {
    assert.deepEqual(
      waitingFor(12).map((each) => [each.count, each.waits_for.what]),
      [[12, '12 different ones']],
    );
  });
});
