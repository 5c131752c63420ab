import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, errorOf, marked, stopOf, switchLive, type Answer } from '../support/client';
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
  await call('find_writer', { expression, max_seconds: 200 });

async function stopAt(program: string, marker: string): Promise<void> {
  await call('set_breakpoint', { file_path: program, line_number: marked(program, marker) });
  stopOf(await call('start_debugging', { program, ...WAIT }));
}

/** Asks about values at two stops of a program that does the same in each language. */
async function findAll(program: string): Promise<void> {
  const at = (marker: string): string => `${program}:${marked(program, marker)}`;
  await stopAt(program, 'shown');
  const total = await find('order.total');
  const text = JSON.stringify(total);
  assert.deepEqual([total.sure, total.at], ['seen', at('writes')], text);
  assert.deepEqual([total.before, total.after], ['100', '70'], text);
  assert.match(total.stack?.[0] ?? '', /discount/, text);
  assert.match(total.stack?.[1] ?? '', /main/, text);
  assert.ok(text.length < 1600, `${text.length} characters: ${text}`);

  const lines = await find('order.lines');
  assert.deepEqual([lines.sure, lines.at], ['seen', at('appends')], JSON.stringify(lines));
  assert.deepEqual([lines.before, lines.after], ['[0, 1]', '[0, 1, 2]'], JSON.stringify(lines));

  const limit = await find('limit');
  assert.equal(limit.sure, 'none', JSON.stringify(limit));
  assert.match(limit.why?.join(' ') ?? '', /argument or default/, JSON.stringify(limit));

  errorOf(await find('order.total + 1'), 'invalid_input');
  // The first session is still where it was.
  const state = await call('get_debug_state', {});
  assert.match(JSON.stringify(state), new RegExp(`${marked(program, 'shown')}`));
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
  this.timeout(300_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('finds a write by a helper under another name in Node', async () => {
    await findAll('live/node/writer.js');
  });

  it('is not sure in a Node program that differs from run to run', async () => {
    await findInRandom('live/node/writer.js');
  });

  it('finds a write by a helper under another name in Python', async function () {
    needs(this, 'Python');
    await findAll('live/python/writer.py');
  });

  it('is not sure in a Python program that differs from run to run', async function () {
    needs(this, 'Python');
    await findInRandom('live/python/writer.py');
  });
});
