import { strict as assert } from 'node:assert';
import { freePort } from '../../support/network';
import { fields } from '../../../src/debugger/protocol';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, errorOf, switchLive, until, type Answer } from '../support/client';

interface Heap extends Answer {
  readonly heap_id?: string;
  readonly program?: string;
  readonly grown?: readonly {
    readonly type: string;
    readonly count_before: number;
    readonly count: number;
    readonly new?: number;
    readonly held?: number;
    readonly path?: readonly string[];
  }[];
}

const compare = async (input: object = {}): Promise<Heap> => await call('compare_heap', input);

/** Starts a server. Returns a function that makes requests to it. */
async function startServer(program: string): Promise<(paths: readonly string[]) => Promise<void>> {
  const started = await call('start_debugging', {
    ...{ program, output_pattern: 'listens at \\d+\\.', timeout_seconds: 40 },
  });
  const port = /listens at (\d+)\./.exec(JSON.stringify(started))?.[1];
  assert.ok(port, JSON.stringify(started));
  return async (paths) => {
    for (const each of paths) {
      const { status } = await fetch(`http://127.0.0.1:${port}${each}`);
      assert.equal(status, 200);
    }
  };
}

/** Lets a server grow between two calls. Returns the second answer, and what it says about the class of its entries. */
async function grow(program: string, type: string) {
  const request = await startServer(program);
  await request(['/first']);
  const before = await compare();
  assert.ok(before.heap_id, JSON.stringify(before));
  await request(['/a', '/b', '/c', '/d']);
  const heap = await compare({ since: before.heap_id });
  const text = JSON.stringify(heap);
  assert.equal(heap.program, 'running', text);
  const entry = heap.grown?.find((each) => each.type === type);
  assert.ok(entry, text);
  // The program goes on.
  await request(['/e']);
  await until(isRunning, 'the program runs');
  return { entry, text };
}

const isRunning = ({ state }: Parameters<Parameters<typeof until>[0]>[0]): boolean =>
  [...state.sessions.values()].some(
    ({ lifecycle, threads }) => lifecycle === 'running' && threads.size > 0,
  );

describe('compare_heap', function () {
  this.timeout(300_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('names the cache that grows in a Node server', async () => {
    const { entry, text } = await grow('live/node/leak.js', 'Entry');
    assert.deepEqual([entry.count_before, entry.count], [500, 2500], text);
    assert.deepEqual([entry.new, entry.held], [2000, 2000], text);
    assert.match(entry.path?.join(' → ') ?? '', /variable cache: Map → Entry$/, text);
    errorOf(await compare({ since: 'h0' }), 'invalid_input');
  });

  it('starts a server, triggers it twice and compares, in one call', async () => {
    const port = await freePort();
    const visit = `fetch('http://127.0.0.1:${port}/' + process.hrtime.bigint())`;
    const heap = await compare({
      ...{ program: 'live/node/leak.js', args: [String(port)] },
      trigger: { command: 'node', args: ['-e', visit], after: '^listens at' },
    });
    const text = JSON.stringify(heap);
    const entry = heap.grown?.find((each) => each.type === 'Entry');
    assert.deepEqual([entry?.count_before, entry?.count, entry?.held], [500, 1000, 500], text);
    assert.match(entry?.path?.join(' → ') ?? '', /variable cache: Map → Entry$/, text);
    assert.equal(heap.program, 'ended', text);
    assert.deepEqual(fields(heap['trigger'])['exit_code'], 0, text);
    errorOf(await compare(), 'no_session');
  });

  it('names the cache that grows in a Python server, and runs none of its code', async function () {
    needs(this, 'Python');
    const { entry, text } = await grow('live/python/leak.py', '__main__.Entry');
    assert.deepEqual([entry.count_before, entry.count], [500, 2500], text);
    assert.deepEqual(
      entry.path,
      ['__main__', '.cache: __main__.Cache', '.entries: dict', '[…]: __main__.Entry'],
      text,
    );
  });
});
