import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ReadingThread } from '../../../src/syntax/readingThread';
import { longestBlock } from '../../support/processor';
import { ROOT } from '../support/trace';

const WORKER = path.join(ROOT, 'out/src/syntaxWorker.js');

/** Babel needs years for it. */
const ENDLESS = 'async <T>('.repeat(50);

const names = (functions: unknown): readonly string[] =>
  (functions as readonly { readonly name: string }[]).map(({ name }) => name);

describe('the thread that reads source texts', () => {
  const threads: ReadingThread[] = [];
  function thread(limits: { time?: number; processor?: number; memory?: number } = {}) {
    const made = new ReadingThread(
      WORKER,
      {},
      { time: 60_000, processor: 0, memory: 512, ...limits },
    );
    threads.push(made);
    return made;
  }

  afterEach(async () => {
    for (const each of threads.splice(0)) await each.end();
  });

  it('gives up a text that takes too long, once, and reads the next one', async () => {
    const reading = thread({ time: 1000 });
    const read = (text: string): Promise<unknown> =>
      reading.read('readFunctions', [text, '/a.ts', 'ts']);
    const blocked = await longestBlock(async () => assert.equal(await read(ENDLESS), undefined));
    assert.ok(blocked < 500, `${blocked} ms`);
    const others = [read(ENDLESS), read('function f() {}'), read('function g() {}')];
    const [again, first, second] = await Promise.all(others);
    assert.equal(again, undefined);
    assert.deepEqual([names(first), names(second)], [['f'], ['g']]);
  });

  it('gives the time again if the machine is busy with others', async () => {
    const begin = performance.now();
    const reading = thread({ time: 200, processor: 1e9 });
    assert.equal(await reading.read('readFunctions', [ENDLESS, '/a.ts', 'ts']), undefined);
    assert.ok(performance.now() - begin > 550);
  });

  it('gives up a text that needs too much memory, and reads the next one', async () => {
    const reading = thread({ memory: 24 });
    const large = 'f(a, [b, c], { d });\n'.repeat(20_000);
    assert.equal(await reading.read('readFunctions', [large, '/a.js', 'js']), undefined);
    const small = await reading.read('readFunctions', ['function f() {}', '/a.js', 'js']);
    assert.deepEqual(names(small), ['f']);
  });

  it('gives up a result that the host could not read without a pause', async () => {
    const text = 'function f(a) { return g(a, h(a)); }\n'.repeat(13_000);
    assert.equal(await thread().read('readFunctions', [text, '/a.js', 'js']), undefined);
  });

  it('tells the failure of a reader, and why it does not start', async () => {
    await assert.rejects(thread().read('noSuch', []), /no reader noSuch/);
    const broken = new ReadingThread('/no/such/file.js', {});
    await assert.rejects(broken.read('readFunctions', ['', '/a.js', 'js']), /\/no\/such\/file\.js/);
  });

  it('knows every reader that is asked for, by the name of its function', () => {
    const worker = readFileSync(path.join(ROOT, 'src/syntaxWorker.ts'), 'utf8');
    const known = /READERS[^{]*\{([^}]*)\}/.exec(worker)?.[1]?.match(/\w+/g) ?? [];
    const asked = new Set<string>();
    for (const file of readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
      for (const [, type, name] of text.matchAll(/inThread<typeof (\w+)>\(\s*'(\w+)'/g)) {
        assert.equal(type, name, file);
        asked.add(String(name));
      }
    }
    assert.deepEqual([...asked].sort(), [...known].sort());
  });
});
