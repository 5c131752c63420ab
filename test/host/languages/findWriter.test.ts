import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, marked, stopOf, switchLive, type Answer } from '../support/client';
import { WAIT } from './stoppedProgram';

interface Writer extends Answer {
  readonly sure?: string;
  readonly at?: string;
  readonly code_line?: string;
  readonly before?: string;
  readonly after?: string;
  readonly stack?: readonly string[];
  readonly why?: readonly string[];
  readonly differs?: { readonly what: string; readonly first: string; readonly again: string };
  readonly candidates?: readonly { readonly at: string; readonly saw: string }[];
}

const find = async (expression: string): Promise<Writer> =>
  await call('find_writer', { expression, max_seconds: 290 });

async function stopAt(program: string, marker: string): Promise<void> {
  await call('set_breakpoint', { file_path: program, line_number: marked(program, marker) });
  stopOf(await call('start_debugging', { program, ...WAIT }));
}

/** Asks about the total that a helper has changed under another name. The program does the same in each language. */
async function findTotal(program: string): Promise<void> {
  await stopAt(program, 'shown');
  const total = await find('order.total');
  const text = JSON.stringify(total);
  const writes = `${program}:${marked(program, 'writes')}`;
  assert.deepEqual([total.sure, total.at], ['seen', writes], text);
  assert.deepEqual([total.before, total.after], ['100', '70'], text);
  assert.match(total.stack?.[0] ?? '', /discount/, text);
  assert.match(total.stack?.[1] ?? '', /main/, text);
  assert.ok(text.length < 1600, `${text.length} characters: ${text}`);
  // The first session is still where it was.
  const stop = JSON.stringify(await call('get_call_stack', {}));
  assert.ok(stop.includes(`"line_number":${marked(program, 'shown')}`), stop);
}

/** The program has a random value at this stop. */
async function findInRandom(program: string): Promise<void> {
  await stopAt(program, 'random');
  const total = await find('order.total');
  assert.equal(total.sure, 'ambiguous', JSON.stringify(total));
  assert.equal(total.differs?.what, 'seed', JSON.stringify(total));
  assert.notEqual(total.differs.first, total.differs.again);
  const writes = `${program}:${marked(program, 'writes')}`;
  assert.ok(total.candidates?.some(({ at, saw }) => at === writes && saw === 'this'));
}

describe('find_writer', function () {
  this.timeout(600_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(async () => {
    await call('set_exception_breakpoints', {});
    await switchLive(false);
  });

  it('finds a write by a helper under another name in Node', async () => {
    await findTotal('live/node/writer.js');
    const limit = await find('limit');
    assert.equal(limit.sure, 'none', JSON.stringify(limit));
    assert.match(limit.why?.join(' ') ?? '', /argument or default/, JSON.stringify(limit));
  });

  it('is not sure in a Node program that differs from run to run', async () => {
    await findInRandom('live/node/writer.js');
  });

  it('finds a write by a helper under another name in Python', async function () {
    needs(this, 'Python');
    const program = 'live/python/writer.py';
    await findTotal(program);
    const lines = await find('order.lines');
    const text = JSON.stringify(lines);
    assert.deepEqual(
      [lines.sure, lines.before, lines.after],
      ['seen', '[0, 1]', '[0, 1, 2]'],
      text,
    );
    assert.equal(lines.at, `${program}:${marked(program, 'appends')}`, text);
  });

  it('finds a write from the end of a Python program by an exception', async function () {
    needs(this, 'Python');
    const program = 'live/python/writer.py';
    await call('set_exception_breakpoints', { filters: ['uncaught'] });
    stopOf(await call('start_debugging', { program, ...WAIT }));
    // The exception has left the stack, and a variable of the caller is random.
    const text = await find('text');
    assert.equal(text.after, "'70'", JSON.stringify(text));
    assert.deepEqual([text.sure, text.differs?.what], ['ambiguous', 'seed'], JSON.stringify(text));
  });
});
