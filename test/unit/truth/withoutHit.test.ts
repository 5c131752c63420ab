import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import { PassedStops } from '../../../src/control/passedStops';
import type { DebugEvent } from '../../../src/debugger/state/state';
import { fields, listOf } from '../../../src/debugger/protocol';
import type { PlacedPoint } from '../../../src/recording/recording';
import { reportEnd } from '../../../src/tools/reports/endReport';
import { silentProbes } from '../../../src/tools/trace/collect/silentProbes';
import { NoProbes } from '../../../src/tools/trace/collect/noProbes';
import { notReachedResult } from '../../../src/tools/trace/function/traceResult';
import { unseenCall } from '../../../src/tools/trace/function/unseenCall';
import { set } from '../support/breakpointCalls';
import { ended, eventOf, launched } from '../support/events';
import { Random } from '../support/random';
import { bench, FILE, type Bench } from '../support/services';

const LOST = 'pydevd: sys.settrace() should not be used when the debugger is being used.\n';
const GONE = ['none', 'adapter', 'program'] as const;

const printed = (text: string, category: string): DebugEvent =>
  eventOf('output', { output: text, category });

/** What happened to a program, and to a place in it. */
interface Facts {
  readonly type: 'debugpy' | 'lldb-dap' | 'test';
  readonly isBound: boolean;
  readonly gone: (typeof GONE)[number];
  readonly isLost: boolean;
}

function factsOf(random: Random): Facts {
  const type = random.of<Facts['type']>(['debugpy', 'lldb-dap', 'test']);
  const gone = random.of(GONE);
  return {
    type: gone === 'program' ? 'lldb-dap' : type,
    isBound: random.once(2),
    gone,
    isLost: random.once(2),
  };
}

/** A program that ends without a stop, and what an adapter has told about line 3. */
async function ran({ type, isBound, gone, isLost }: Facts): Promise<Bench & { run: BoundedRun }> {
  const on = bench();
  on.host.on('setBreakpoints', ({ breakpoints }) => ({
    breakpoints: listOf(breakpoints).map((each, id) => ({
      ...{ id, verified: isBound, line: fields(each)['line'] },
      ...(isBound ? {} : { message: 'no code there' }),
    })),
  }));
  for (const event of launched('a', { sessionType: type })) on.model.dispatch(event);
  await set(on, { line_number: 3 });
  const limits = { deadline: performance.now() + 60_000, signal: on.call.signal };
  const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits);
  if (isLost) on.model.dispatch(printed(LOST, 'stderr'));
  if (gone === 'adapter')
    on.model.dispatch({ type: 'adapterExited', key: 'a', at: 0, code: 1, signal: undefined });
  if (gone === 'program')
    on.model.dispatch(
      printed('Process 7 exited with status = -1 (0xffffffff) lost connection\n', 'console'),
    );
  if (gone === 'none') on.model.dispatch(eventOf('terminated'));
  on.model.dispatch(ended());
  return { ...on, run };
}

/** What each kind of answer says about line 3. */
async function answers(facts: Facts): Promise<Readonly<Record<string, unknown>>> {
  const { run, ...on } = await ran(facts);
  const { services } = on;
  const [answered] = [...on.session().sourceBreakpoints.values()].flatMap(
    (each) => each.breakpoints,
  );
  const collector = new (class extends NoProbes {
    override placedIn(): PlacedPoint {
      return answered === undefined ? super.placedIn() : { kind: 'answered', adapter: answered };
    }
  })();
  const probe = { id: 1, path: FILE, line: 3, expressions: [], condition: undefined };
  const [silent] = await silentProbes(services, run, collector, [{ ...probe, expect: undefined }]);
  const target = { name: 'f', place: undefined, source: [] };
  const reached = { kind: 'not', endedBy: 'program_end', seen: 0, bound: facts.isBound } as const;
  const traced = await notReachedResult(
    services,
    run,
    target,
    { ...reached, message: undefined },
    { condition: undefined, passed: new PassedStops() },
  );
  const end = await reportEnd(services, on.call, 'a');
  return {
    collected: silent?.why,
    traced: traced['reached'] === false ? 'not_reached' : traced['reached'],
    missed: end.missed_breakpoints?.[0]?.why,
    messages: [silent?.message, traced['message'], end.missed_breakpoints?.[0]?.message].join('|'),
  };
}

describe('rules 5 and 10: what is told about a place without a hit', () => {
  it('is the same in each answer, and never "not reached" without a bound place and a debugger that saw the end', async () => {
    const random = new Random(5);
    const seen = new Set<unknown>();
    for (let round = 0; round < 24; round += 1) {
      const facts = factsOf(random);
      const { collected, traced, missed, messages } = await answers(facts);
      const text = JSON.stringify([facts, collected, traced, missed, messages]);
      const isHidden = facts.isLost && facts.type === 'debugpy';
      const blind = facts.gone !== 'none' || (facts.isBound && isHidden) ? 'unknown' : undefined;
      const right = blind ?? (facts.isBound ? 'not_reached' : 'not_bound');
      assert.deepEqual([collected, traced], [right, right], text);
      // The end of a lost program is not told as its own end.
      if (facts.gone === 'none' || missed !== undefined) assert.equal(missed, right, text);
      // A reason that is known is told.
      if (facts.gone === 'adapter') assert.match(String(messages), /exit code 1/, text);
      if (facts.gone === 'program') assert.match(String(messages), /lost connection/, text);
      if (facts.gone === 'none' && right === 'unknown')
        assert.match(String(messages), /sys\.settrace/, text);
      seen.add(right);
    }
    assert.equal(seen.size, 3);
  });

  it('does not contradict the place at which the program is', () => {
    const random = new Random(6);
    for (let round = 0; round < 500; round += 1) {
      const why = random.of(['not_reached', 'not_bound', 'unknown'] as const);
      const conditionError = random.once(4) ? 'NameError: no x' : undefined;
      const [seen, isInside] = [random.of([0, 1, undefined]), random.once(2)];
      const answer = unseenCall({
        ...{ name: 'f', condition: random.of(['x > 1', undefined]), isInside },
        reached: { seen, bound: random.of([true, false, undefined]), message: 'm', conditionError },
        withoutHit: why === 'unknown' ? { why, message: 'lost' } : { why },
      });
      const text = JSON.stringify([why, conditionError, seen, isInside, answer]);
      const { reached, calls_seen, message } = answer;
      if (conditionError !== undefined) {
        assert.match(String(message), /no x/, text);
        assert.equal(reached, 'not_evaluated', text);
      }
      if (reached === false) assert.equal(why, 'not_reached', text);
      else if (conditionError === undefined) assert.equal(calls_seen, undefined, text);
      if (isInside && calls_seen === 0) assert.notEqual(conditionError, undefined, text);
      if (why === 'unknown' && conditionError === undefined) assert.equal(message, 'lost', text);
    }
  });
});
