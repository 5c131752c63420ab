import { strict as assert } from 'node:assert';
import type { ToolServices } from '../../../../src/tools/services';
import { threadsOfDump } from '../../../../src/tools/live/javaDump';
import { ask } from '../../support/asking';
import { launched } from '../../support/events';
import { bench, type Bench } from '../../support/services';

const PARK = `	at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
	- parking to wait for  <0x000000069ec2d960> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
	at java.util.concurrent.locks.LockSupport.park(java.base@17.0.15/LockSupport.java:211)
	at java.util.concurrent.locks.ReentrantLock.lock(java.base@17.0.15/ReentrantLock.java:322)`;

/** As OpenJDK 17 writes it, without threads and lines that repeat what is here. */
const DUMP = `6189:
2026-11-29 14:57:43
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f8074002bd0, length=18, elements={
0x00007f8104019770, 0x00007f81040f9690
}

"main" #1 prio=5 os_prio=0 cpu=44.52ms elapsed=2.30s tid=0x00007f8104019770 nid=0x182f in Object.wait()  [0x00007f810a91e000]
   java.lang.Thread.State: WAITING (on object monitor)
	at java.lang.Object.wait(java.base@17.0.15/Native Method)
	- waiting on <0x000000069ec1aab0> (a java.lang.Thread)
	at java.lang.Thread.join(java.base@17.0.15/Thread.java:1313)
	- locked <0x000000069ec1aab0> (a java.lang.Thread)
	at shop.Bank.main(Bank.java:20)

   Locked ownable synchronizers:
	- <0x000000069ec2d960> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

"Reference Handler" #2 daemon prio=10 os_prio=0 cpu=0.35ms elapsed=2.25s tid=0x00007f81040f9690 nid=0x1836 waiting on condition  [0x00007f80e0bd8000]
   java.lang.Thread.State: RUNNABLE
	at java.lang.ref.Reference.waitForReferencePendingList(java.base@17.0.15/Native Method)

   Locked ownable synchronizers:
	- None

"Signal Dispatcher" #4 daemon prio=9 os_prio=0 cpu=0.47ms elapsed=2.17s tid=0x00007f8104102830 nid=0x1838 waiting on condition  [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE

   Locked ownable synchronizers:
	- None

"three " quoted" #16 prio=5 os_prio=0 cpu=0.35ms elapsed=2.12s tid=0x00007f8104134b30 nid=0x1843 waiting on condition  [0x00007f80d1dfd000]
   java.lang.Thread.State: WAITING (parking)
${PARK}
	at shop.Bank$$Lambda$3/0x00007f8084001800.run(Unknown Source)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

   Locked ownable synchronizers:
	- None

"waiter" #17 prio=5 os_prio=0 cpu=0.18ms elapsed=2.12s tid=0x00007f81041362b0 nid=0x1844 in Object.wait()  [0x00007f80d1cfd000]
   java.lang.Thread.State: TIMED_WAITING (on object monitor)
	at java.lang.Object.wait(java.base@17.0.15/Native Method)
	- waiting on <0x000000069ec2d930> (a shop.Queue)
	at java.lang.Object.wait(java.base@17.0.15/Object.java:338)
	at shop.Queue.take(Queue.java:17)
	- locked <0x000000069ec2d930> (a shop.Queue)

"busy" #18 prio=5 os_prio=0 cpu=0.18ms elapsed=2.12s tid=0x00007f81041362b1 nid=0x1849 runnable  [0x00007f80d1cfd000]
   java.lang.Thread.State: RUNNABLE
	at com.acme.Search.semaphore(Search.java:5)

"one" #14 prio=5 os_prio=0 cpu=0.29ms elapsed=2.11s tid=0x00007f81041372c0 nid=0x1845 waiting for monitor entry  [0x00007f80d1bfd000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at shop.Bank.take(Bank.java:9)
	- waiting to lock <0x000000069ec1a828> (a java.lang.Object)
	- locked <0x000000069ec1a818> (a java.lang.Object)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

   Locked ownable synchronizers:
	- None

"two" #15 prio=5 os_prio=0 cpu=0.26ms elapsed=2.11s tid=0x00007f8104138340 nid=0x1846 waiting for monitor entry  [0x00007f80d1afd000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at shop.Bank.take(Bank.java:9)
	- waiting to lock <0x000000069ec1a818> (a java.lang.Object)
	- locked <0x000000069ec1a828> (a java.lang.Object)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

   Locked ownable synchronizers:
	- None

"VM Thread" os_prio=0 cpu=1.03ms elapsed=2.26s tid=0x00007f81040f5700 nid=0x1835 runnable

JNI global refs: 28, weak refs: 1

Found one Java-level deadlock:
=============================
"one":
  waiting to lock monitor 0x00007f8070002a40 (object 0x000000069ec1a828, a java.lang.Object),
  which is held by "two"

"one":
	at shop.Bank.take(Bank.java:9)
	- waiting to lock <0x000000069ec1a828> (a java.lang.Object)
	- locked <0x000000069ec1a818> (a java.lang.Object)

Found 1 deadlock.
`;

describe('the threads of a dump of Java', () => {
  const threads = threadsOfDump(DUMP);
  const named = (name: string): (typeof threads)[number] => {
    const found = threads.find((each) => each.name === name);
    assert.ok(found, name);
    return found;
  };

  it('are those that run Java, each once, with any name', () => {
    assert.deepEqual(
      threads.map(({ id, name, frames }) => [id, name, frames.length]),
      [
        [1, 'main', 3],
        [2, 'Reference Handler', 1],
        [4, 'Signal Dispatcher', 0],
        [16, 'three " quoted', 5],
        [17, 'waiter', 3],
        [18, 'busy', 1],
        [14, 'one', 2],
        [15, 'two', 2],
      ],
    );
  });

  it('have what they locked, but not what they gave up to wait', () => {
    assert.deepEqual([...named('one').has], ['0x69ec1a818']);
    assert.deepEqual([...named('waiter').has], []);
    assert.deepEqual([...named('main').has], ['0x69ec2d960']);
  });

  it('have their places, also those of lambdas', () => {
    const [, , , lambda] = named('three " quoted').frames;
    assert.deepEqual(
      [lambda?.type, lambda?.method, lambda?.file],
      ['shop.Bank$$Lambda$3', 'run', undefined],
    );
    assert.deepEqual(named('one').frames[0], {
      ...{ type: 'shop.Bank', method: 'take', file: 'Bank.java', line: 9, isNative: false },
    });
  });

  it('are none in another text', () => {
    for (const text of ['', 'Error: no process', '"a" b\n"#\n" #x', '"x" #3']) {
      const read = threadsOfDump(text).filter((each) => each.frames.length > 0);
      assert.deepEqual(read, [], text);
    }
  });
});

describe('explain_hang of Java', () => {
  const BANK = '/home/ada/app/src/shop/Bank.java';
  const asked: Parameters<ToolServices['threadDumps']['ofJava']>[] = [];

  /** A Java program with this dump. */
  function program(dump: string | undefined): Bench {
    asked.length = 0;
    const on = bench();
    on.workspace.files.set(BANK, '');
    on.workspace.files.set('/home/ada/app/other/Bank.java', '');
    const configuration = { type: 'java', name: 'Bank', request: 'launch', javaExec: '/jdk/java' };
    for (const event of launched('a', { sessionType: 'java', configuration }))
      on.model.dispatch(event);
    on.host.emit('thread', { reason: 'started', threadId: 1 });
    on.host.on('processId', () => ({ processId: 42 }));
    const threadDumps = {
      ofJava: (...args: (typeof asked)[number]) => {
        asked.push(args);
        return Promise.resolve(dump);
      },
    };
    return { ...on, services: { ...on.services, threadDumps } };
  }

  it('names a deadlock of monitors with its places, and does not pause', async () => {
    const on = program(DUMP);
    const answer = await ask(on, 'explain_hang');
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'success', text);
    assert.equal(answer['program'], 'running', text);
    assert.deepEqual(
      answer['deadlock'],
      [
        ['one', 'two', '0x69ec1a828'],
        ['two', 'one', '0x69ec1a818'],
      ].map(([thread, owner, at]) => ({
        ...{ thread, held_by: owner, file_path: BANK, line_number: 9 },
        waits_for: `the monitor of the java.lang.Object at ${at}`,
      })),
      text,
    );
    assert.deepEqual(asked, [[42, { java: '/jdk/java', isStopped: false }]]);
    assert.deepEqual(on.host.sent('pause'), [], text);
  });

  it('says what the other threads wait for, and which of these waits end by themselves', async () => {
    const answer = await ask(program(DUMP), 'explain_hang');
    const waits = new Map(
      (answer['groups'] as { threads: string[]; waits_for: Record<string, unknown> }[]).map(
        ({ threads: [first], waits_for: wait }) => [first, wait] as const,
      ),
    );
    const of = (name: string): unknown[] => {
      const { kind, what, owner, limited } = waits.get(name) ?? {};
      return [kind, what, owner, limited];
    };
    assert.deepEqual(of('three " quoted'), [
      ...['lock', 'java.util.concurrent.locks.ReentrantLock$NonfairSync at 0x69ec2d960', 'main'],
      undefined,
    ]);
    assert.deepEqual(of('waiter'), [
      ...['condition', 'notify of the shop.Queue at 0x69ec2d930', undefined, true],
    ]);
    assert.deepEqual(of('busy'), ['running', undefined, undefined, undefined]);
    assert.deepEqual(of('main'), ['join', undefined, undefined, undefined]);
    assert.deepEqual(answer['total'], { threads: 8, groups: 6, of_the_runtime: 2 });
  });

  it('reads the stacks if the JDK does not answer, and says what is missing', async () => {
    for (const dump of [undefined, '42:\n']) {
      const on = program(dump);
      on.host
        .on('pause', () => {
          on.host.emit('stopped', { reason: 'pause', threadId: 1, allThreadsStopped: true });
          return {};
        })
        .on('continue', () => ({ allThreadsContinued: true }));
      const answer = await ask(on, 'explain_hang');
      const text = JSON.stringify(answer);
      assert.match(String(answer['unknown']), /Which thread has a monitor or a lock is not known/);
      assert.equal((answer['groups'] as unknown[]).length, 1, text);
      assert.equal(answer['program'], 'running', text);
    }
  });

  it('asks for no process that the session does not name', async () => {
    const on = program(DUMP);
    on.host.on('processId', () => {
      throw new Error('Unrecognized request');
    });
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1, allThreadsStopped: true });
    const answer = await ask(on, 'explain_hang');
    assert.deepEqual([answer.status, answer['program'], asked], ['success', 'stopped', []]);
  });
});
