import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import { ForeignStops } from '../../../src/tools/trace/function/foreignStops';
import type { ThreadStack } from '../../../src/tools/trace/function/threadStack';
import { exceptionAt } from '../../../src/tools/trace/function/source/javascriptRejections';
import { ended, eventOf, launched } from '../support/events';
import { Random } from '../support/random';
import { bench, FILE, type Bench } from '../support/services';

/** Functions, each on a line of its own, in which an exception is thrown or a promise is rejected at a place. */
const SOURCE = {
  called: ['function called() { here(); }', 'here'],
  plain: ['function plain() { throw error; }', 'throw'],
  arrow: ['list.map((each) => { throw error; });', 'throw'],
  kept: ['async function kept() { throw error; }', 'throw'],
  method: ['class A { async kept() { await 1; throw error; } }', 'throw'],
  executor: ['const made = new Promise((done, reject) => { throw error; });', 'throw'],
  rejects: ['function rejects() { return Promise.reject(error); }', 'reject(error)'],
  refuses: ['function refuses(reject) { reject(error); }', 'reject(error)'],
} as const;
type Name = keyof typeof SOURCE;
const NAMES = Object.keys(SOURCE) as Name[];
const KEEPS: ReadonlySet<Name> = new Set(['kept', 'method', 'executor']);
const REJECTS: ReadonlySet<Name> = new Set(['rejects', 'refuses']);
const TEXT = NAMES.map((name) => SOURCE[name][0]).join('\n');

const placeIn = (name: Name): { readonly line: number; readonly column: number } => ({
  line: NAMES.indexOf(name) + 1,
  column: SOURCE[name][0].indexOf(SOURCE[name][1]) + 1,
});

/** A stop at a rejection: the functions on the stack, the innermost first. `isIn`: the traced call is one of them. */
interface Rejection {
  readonly inner: readonly Name[];
  readonly isIn: boolean;
}

const TOPS = ['plain', 'arrow', 'kept', 'method', 'executor', 'rejects', 'refuses'] as const;

/** The number of frames that have called the traced call. */
const BELOW = 3;

function rejectionOf(random: Random): Rejection {
  const top = random.of(TOPS);
  const between = random.some(3, () => random.of(['plain', 'arrow', 'kept', 'method'] as const));
  return { inner: [top, ...between], isIn: !random.once(4) };
}

/** Whether the exception leaves the traced call. */
function leaves({ inner, isIn }: Rejection): boolean {
  const [top] = inner;
  return isIn && top !== undefined && !REJECTS.has(top) && !inner.some((name) => KEEPS.has(name));
}

function framesOf({ inner, isIn }: Rejection): readonly object[] {
  const names = [...inner, ...(isIn ? (['called'] as const) : [])];
  const own = names.map((name, id) => ({ id, name, source: { path: FILE }, ...placeIn(name) }));
  const below = Array.from({ length: BELOW }, (_, id) => ({
    ...{ id: id + 100, name: `main${id}`, line: 90, column: 1, source: { path: FILE } },
  }));
  return [...own, ...below];
}

/** A Node program in a call, which stops so whenever it moves, and then at the end of the step. */
async function stepped(stops: readonly Rejection[]): Promise<{
  readonly on: Bench;
  readonly reason: string;
  readonly passed: number;
}> {
  const on = bench();
  on.workspace.files.set(FILE, TEXT);
  for (const event of launched('a', { sessionType: 'pwa-node' })) on.model.dispatch(event);
  on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
  let next = 0;
  const goOn = (): void => {
    const stop = stops[next];
    next += 1;
    const description = 'Paused on promise rejection';
    if (stop !== undefined)
      on.host.emit('stopped', { reason: 'exception', description, threadId: 1 });
    // js-debug gives this reason to the end of a step that it did not expect.
    else on.host.emit('stopped', { reason: next === 1 ? 'step' : 'pause', threadId: 1 });
  };
  for (const command of ['next', 'continue'])
    on.host.on(command, () => {
      setImmediate(goOn);
      return {};
    });
  on.host.on('stackTrace', () => {
    const stackFrames = framesOf(stops[next - 1] ?? { inner: [], isIn: true });
    return { stackFrames, totalFrames: stackFrames.length };
  });
  const limits = { deadline: performance.now() + 60_000, signal: on.call.signal };
  const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits);
  const top = {
    ...{ id: 1, name: 'called', path: FILE, ...placeIn('called'), sourceName: undefined },
    ...{ subtle: false, isLabel: false, instructionPointerReference: undefined },
  };
  const call: ThreadStack = {
    ...{ session: on.session(), threadId: 1, top, callers: [], total: BELOW + 1 },
    ...{ values: new Map(), returned: [] },
  };
  const foreign = new ForeignStops(on.services, run);
  const first = await run.move('next', on.session(), 1);
  const step = await foreign.past(first, { command: 'next', signal: on.call.signal, call });
  assert.equal(step.kind, 'stopped');
  const shown = foreign.passed.shown ?? {};
  on.model.dispatch(ended());
  return { on, reason: step.stop.reason, passed: shown['promise rejection'] ?? 0 };
}

describe('rule 3: rejections during a traced call', () => {
  it('are passed and counted up to the first whose exception leaves the call', async () => {
    const random = new Random(3);
    let thrown = 0;
    for (let round = 0; round < 60; round += 1) {
      const stops = random.some(4, () => rejectionOf(random));
      const at = stops.findIndex(leaves);
      if (at >= 0) thrown += 1;
      const { reason, passed } = await stepped(stops);
      const text = JSON.stringify(stops);
      assert.equal(passed, at < 0 ? stops.length : at, text);
      assert.equal(reason, at < 0 ? 'step' : 'exception', text);
    }
    assert.ok(thrown > 10 && thrown < 50, String(thrown));
  });

  it('are told apart by the function of their place', () => {
    for (const name of NAMES) {
      const becomes = KEEPS.has(name) ? 'kept' : 'leaves';
      const expected = REJECTS.has(name) ? 'rejects' : becomes;
      assert.equal(exceptionAt(TEXT, 'a.js', placeIn(name)), expected, name);
    }
    assert.equal(exceptionAt('const = {;', 'a.js', { line: 1, column: 1 }), 'leaves');
  });
});
