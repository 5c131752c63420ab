import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, marked, stopOf, switchLive, type Answer } from '../support/client';
import { WAIT } from './stoppedProgram';

interface Write {
  readonly answer_id?: string;
  readonly expression?: string;
  readonly sure?: string;
  readonly at?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly why?: string;
}

interface Writer extends Answer {
  readonly answer_id?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly earlier?: readonly Write[];
  readonly chain_end?: string;
  readonly returned_at?: string;
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
  assert.deepEqual(total.inputs, { 'thing.total': '100' }, text);
  await goBack(program, total);
  // The first session is still where it was.
  const stop = JSON.stringify(await call('get_call_stack', {}));
  assert.ok(stop.includes(`"line_number":${marked(program, 'shown')}`), stop);
}

/** Goes on from the line that took the discount: to the constructor, and to its argument. */
async function goBack(program: string, { answer_id: of }: Writer): Promise<void> {
  const before: Writer = await call('find_writer', { of, steps: 3, max_seconds: 290 });
  const text = JSON.stringify(before);
  const constructs = `${program}:${marked(program, 'constructs')}`;
  assert.deepEqual([before.sure, before.at, before.after], ['seen', constructs, '100'], text);
  assert.deepEqual(before.inputs, { total: '100' }, text);
  const [argument] = before.earlier ?? [];
  assert.deepEqual([argument?.expression, argument?.sure], ['total', 'none'], text);
  assert.match(argument?.why ?? '', /argument/, text);
  assert.match(before.chain_end ?? '', /No earlier line/, text);
  const refused = await call('find_writer', { of: before.answer_id, expression: 'other' });
  assert.match(String(refused['hint']), /total/, JSON.stringify(refused));
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

/** Asks about hits of a collection, without a stop. */
async function findAtHits(program: string, [lines, wrong]: readonly [string, string]) {
  const probe = (marker: string, expression: string) => ({
    ...{ file_path: program, line: marked(program, marker), expressions: [expression] },
  });
  const probes = [probe('appends', lines), probe('shown', 'order.total')];
  const { collection_id } = await call('collect_values', { program, probes });
  const more = { collection_id, max_seconds: 290 };
  const asked = { ...more, expression: 'things', probe: 1 };
  const third: Writer = await call('find_writer', { ...asked, hit: 3 });
  const text = JSON.stringify(third);
  const appends = `${program}:${marked(program, 'appends')}`;
  assert.deepEqual([third.sure, third.at], ['seen', appends], text);
  assert.deepEqual([third.before?.replace(/ /g, ''), third.after], ['[0]', wrong], text);
  const total = { ...more, expression: 'order.total', probe: 2, hit: 1 };
  const shown: Writer = await call('find_writer', total);
  const writes = `${program}:${marked(program, 'writes')}`;
  assert.deepEqual([shown.sure, shown.at], ['seen', writes], JSON.stringify(shown));
  const refused = await call('find_writer', { ...asked, hit: 6 });
  assert.match(String(refused['hint']), /hit: 1 to 5/, JSON.stringify(refused));
}

/** The value of a call leads into the function that returned it. */
async function findReturned(program: string): Promise<void> {
  await stopAt(program, 'shown');
  const best: Writer = await call('find_writer', {
    ...{ expression: 'best', steps: 2, max_seconds: 290 },
  });
  const text = JSON.stringify(best);
  const at = (marker: string): string => `${program}:${marked(program, marker)}`;
  assert.deepEqual([best.sure, best.at, best.after], ['seen', at('calls'), '3'], text);
  assert.ok(best.returned_at?.startsWith(at('returns')), text);
  assert.deepEqual(best.inputs, { low: '3' }, text);
  const [low] = best.earlier ?? [];
  assert.deepEqual([low?.expression, low?.sure, low?.at], ['low', 'seen', at('lowers')], text);
  assert.deepEqual(low?.inputs, { value: '3' }, text);
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

  it('goes on into the function that returned a value in Node', async () => {
    await findReturned('live/node/returned.js');
  });

  it('goes on into the function that returned a value in Python', async function () {
    needs(this, 'Python');
    await findReturned('live/python/returned.py');
  });

  it('finds writes before hits of a collection in Node', async () => {
    await findAtHits('live/node/writer.js', ['things.length', '[0, 1]']);
  });

  it('finds writes before hits of a collection in Python', async function () {
    needs(this, 'Python');
    await findAtHits('live/python/writer.py', ['len(things)', '[0, 1]']);
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
