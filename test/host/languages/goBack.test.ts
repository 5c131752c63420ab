import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import {
  call,
  cleanUp,
  marked,
  stopOf,
  switchLive,
  variable,
  type Answer,
} from '../support/client';
import { WAIT } from './stoppedProgram';

interface Back extends Answer {
  readonly moment?: string;
  readonly hit?: number;
  readonly same_values?: number;
  readonly runs?: number;
  readonly why?: readonly string[];
  readonly differs?: { readonly what: string; readonly first: string; readonly again: string };
}

const back = async (input: object): Promise<Back> =>
  await call('go_back', { ...input, max_seconds: 290 });

async function setAt(program: string, marker: string): Promise<void> {
  await call('set_breakpoint', { file_path: program, line_number: marked(program, marker) });
}

/** Goes on from a loop, and back to its second round, to its third by a step, and from the end of the program. */
async function backInLoop(program: string): Promise<void> {
  await setAt(program, 'appends');
  const first = stopOf(await call('start_debugging', { program, ...WAIT }));
  const second = stopOf(await call('continue_debugging', WAIT));
  assert.equal(variable(second, 'number').value, '1');
  stopOf(await call('step_execution', { step_type: 'over' }));
  const third = stopOf(await call('continue_debugging', WAIT));
  assert.equal(variable(third, 'number').value, '2');
  const answer = await back({ stop_id: second.stop_id });
  const text = JSON.stringify(answer);
  assert.deepEqual([answer.moment, answer.hit, answer.runs], ['same', 2, 1], text);
  assert.ok((answer.same_values ?? 0) > 0, text);
  const now = stopOf(answer);
  assert.notEqual(now.session_id, first.session_id, text);
  assert.equal(variable(now, 'number').value, '1', text);
  // The first session is where it was.
  const stay = await call('get_call_stack', { session_id: first.session_id });
  assert.ok(JSON.stringify(stay).includes(`"line_number":${third.line}`), JSON.stringify(stay));
  // The program that was left goes on like any other. When it has ended, one can go back to it, too.
  await call('remove_breakpoint', { clear_all: true });
  const session_id = now.session_id;
  const on = stopOf(await call('step_execution', { session_id, step_type: 'over' }));
  assert.equal(on.session_id, session_id, JSON.stringify(on));
  await call('stop_debugging', { session_id });
  const again = await back({ session_id, stop_id: now.stop_id });
  assert.deepEqual([again.moment, again.hit], ['same', 2], JSON.stringify(again));
}

/** The first stop at a place may be a later hit: its breakpoint was set afterwards. */
async function backToLaterHit(program: string): Promise<void> {
  await setAt(program, 'writes');
  stopOf(await call('start_debugging', { program, ...WAIT }));
  await setAt(program, 'appends');
  const stop = stopOf(await call('continue_debugging', WAIT));
  const answer = await back({ stop_id: stop.stop_id });
  const text = JSON.stringify(answer);
  // Three rounds were before it.
  assert.deepEqual([answer.moment, answer.hit, answer.runs], ['same', 4, 2], text);
  assert.match(answer.why?.join(' ') ?? '', /first with these/, text);
}

/** A random value says that it is another run. */
async function differs(program: string, marker: string): Promise<void> {
  await setAt(program, marker);
  const stop = stopOf(await call('start_debugging', { program, ...WAIT }));
  const answer = await back({ stop_id: stop.stop_id });
  const text = JSON.stringify(answer);
  assert.deepEqual([answer.moment, answer.differs?.what], ['differs', 'seed'], text);
  assert.equal(stopOf(answer).line, stop.line, text);
}

async function backToHit(program: string, lines: string): Promise<void> {
  const probe = { file_path: program, line: marked(program, 'appends'), expressions: [lines] };
  const { collection_id } = await call('collect_values', { program, probes: [probe] });
  const answer = await back({ collection_id, hit: 3 });
  const text = JSON.stringify(answer);
  assert.deepEqual([answer.moment, answer.hit, answer.same_values], ['same', 3, 1], text);
  assert.equal(variable(stopOf(answer), 'number').value, '2', text);
}

describe('go_back', function () {
  this.timeout(600_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  for (const [name, program, lines, random] of [
    ['Node', 'live/node/writer.js', 'things.length', 'random'],
    ['Python', 'live/python/writer.py', 'len(things)', 'raises'],
  ] as const) {
    it(`goes back to an earlier stop of a ${name} program`, async function () {
      if (name === 'Python') needs(this, name);
      await backInLoop(program);
    });

    it(`finds a hit of a ${name} program by its values`, async function () {
      if (name === 'Python') needs(this, name);
      await backToLaterHit(program);
    });

    it(`says what differs in a ${name} program`, async function () {
      if (name === 'Python') needs(this, name);
      await differs(program, random);
    });

    it(`goes back to a hit of a collection of a ${name} program`, async function () {
      if (name === 'Python') needs(this, name);
      await backToHit(program, lines);
    });
  }
});
