import { strict as assert } from 'node:assert';
import type { Frame } from '../../../../src/debugger/inspection/stackAndVariables';
import { groupsOf, readReport } from '../../../../src/tools/live/hangReport';
import { waitByNames } from '../../../../src/tools/live/waitByNames';
import { ask } from '../../support/asking';
import { frameAt } from '../../support/stacks';
import { bench } from '../../support/services';

const frame = (name: string, path?: string, line = 1): Frame => ({
  ...frameAt(name, { line }),
  path,
});

describe('the wait of a thread, by the names of its functions', () => {
  const OWN = '/home/ada/app/main.go';
  for (const [names, kind, what] of [
    [
      ['runtime.gopark', 'runtime.chanrecv', 'runtime.chanrecv1'],
      'queue',
      'receive from a channel',
    ],
    [
      ['runtime.gopark', 'sync.runtime_SemacquireMutex', 'sync.(*Mutex).Lock'],
      'lock',
      'sync.Mutex',
    ],
    [
      ['__lll_lock_wait', '___pthread_mutex_lock@@GLIBC_2.2.5', 'std::mutex::lock()'],
      'lock',
      undefined,
    ],
    [['runtime.gopark', 'time.Sleep'], 'sleep', undefined],
    [['compute'], 'unknown', undefined],
  ] as const)
    it(`${names.at(-1)}: ${kind}`, () => {
      const wait = waitByNames([...names.map((name) => frame(name)), frame('main.work', OWN, 7)]);
      assert.deepEqual(
        [wait.kind, wait.what, wait.file_path, wait.line_number],
        [kind, what, OWN, 7],
      );
      assert.equal(wait.limited, kind === 'sleep' ? true : undefined);
    });

  it('has the place outside of libraries', () => {
    const frames = [
      frame('sync.(*Mutex).Lock', '/usr/local/go/src/sync/mutex.go'),
      frame('f', OWN, 3),
    ];
    assert.equal(waitByNames(frames).line_number, 3);
  });
});

describe('threads with equal stacks', () => {
  it('are one group, and the largest group is the first', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      name: `w${at}`,
      frames: [frame('work', '/app/w.go', 4)],
      more: 2,
    }));
    const groups = groupsOf([{ name: 'main', frames: [frame('main')], more: undefined }, ...many]);
    assert.deepEqual(
      groups.map(({ count, threads, omitted_frames: omitted }) => [count, threads.length, omitted]),
      [
        [10_000, 5, 2],
        [1, 1, undefined],
      ],
    );
    assert.deepEqual(groups[0]?.stack, ['work (/app/w.go:4)']);
  });
});

describe('a report that a program wrote', () => {
  it('has no empty lists', () => {
    assert.deepEqual(readReport('{"groups":[],"unknown":["x"]}'), { unknown: ['x'] });
  });

  it('is refused if it is none', () => {
    for (const text of ['', 'null', '[]', '{"groups":1}', '{"tasks":[{}]}'])
      assert.equal(readReport(text), undefined, text);
  });
});

describe('explain_hang', () => {
  it('fails if there is no session', async () => {
    const { status, code } = await ask(bench(), 'explain_hang');
    assert.deepEqual([status, code], ['error', 'no_session']);
  });
});
