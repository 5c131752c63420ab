import { strict as assert } from 'node:assert';
import type { BreakpointView } from '../../../../src/results/views/breakpointView';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../../../src/debugger/host';
import { readFrames } from '../../../../src/debugger/inspection/stackAndVariables';
import { answered, asked, ended, stopped, eventOf } from '../../support/events';
import { bench, FILE, paused, running, type Bench } from '../../support/services';

const at = (
  line: number,
  more: Partial<Extract<RequestedHostBreakpoint, { kind: 'source' }>> = {},
): RequestedHostBreakpoint => ({ kind: 'source', path: FILE, line, ...more });

/** Makes the adapter respond for breakpoints of `FILE`, in order. */
function answer(
  on: Bench,
  breakpoints: readonly { line: number; column?: number; bound: object }[],
  key = 'a',
): void {
  on.model.dispatch(
    asked(
      50,
      'setBreakpoints',
      {
        source: { path: FILE },
        breakpoints: breakpoints.map(({ line, column }) => ({
          line,
          ...(column === undefined ? {} : { column }),
        })),
      },
      key,
    ),
  );
  on.model.dispatch(
    answered(50, 'setBreakpoints', { breakpoints: breakpoints.map((each) => each.bound) }, key),
  );
}

function top(line: number, path: string = FILE) {
  return readFrames({
    stackFrames: [{ id: 1, name: 'main', line, column: 1, source: { path } }],
  })[0];
}

describe('breakpoint book: numbers and owners', () => {
  it('assigns small and stable numbers, and a breakpoint keeps its own', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    const [one, two] = [host.addBreakpoint(at(1)), host.addBreakpoint(at(2))];
    assert.deepEqual([book.idOf(one), book.idOf(two), book.idOf(one)], [1, 2, 1]);
    assert.equal(book.find(2)?.hostId, two.hostId);
    assert.equal(book.find(3), undefined);
  });

  it('never reuses a number, even after its breakpoint is removed', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    const one = host.addBreakpoint(at(1));
    assert.equal(book.idOf(one), 1);
    host.removeBreakpoints([one.hostId]);
    book.forget(one.hostId);
    assert.equal(book.find(1), undefined);
    assert.equal(book.idOf(host.addBreakpoint(at(1))), 2);
  });

  it('assigns unclaimed breakpoints to the person', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    const [mine, theirs] = [host.addBreakpoint(at(1)), host.addBreakpoint(at(2))];
    book.claim(mine);
    assert.deepEqual([book.ownerOf(mine), book.ownerOf(theirs)], ['agent', 'user']);
  });

  it('gives the number of a breakpoint to its replacement', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    const old = host.addBreakpoint(at(1));
    book.claim(old);
    assert.equal(book.idOf(old), 1);
    const as = book.marksOf(old);
    host.removeBreakpoints([old.hostId]);
    book.forget(old.hostId);
    const made = host.addBreakpoint(at(1, { condition: 'x' }));
    book.claim(made, { as });
    assert.equal(book.find(1)?.hostId, made.hostId);
    assert.equal(book.ownerOf(made), 'agent');
  });

  it('finds all breakpoints on a line, and only those', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    host.addBreakpoint(at(1));
    host.addBreakpoint(at(1, { column: 4 }));
    host.addBreakpoint(at(2));
    host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal(book.at(FILE, 1).length, 2);
    assert.equal(book.at(`file://${FILE}`, 2).length, 1);
    assert.equal(book.at(FILE, 3).length, 0);
  });
});

const viewOf = (on: Bench, breakpoint: HostBreakpoint): Promise<BreakpointView> =>
  on.services.breakpointViews.view(breakpoint, on.call.signal);

describe('breakpoint book: responses of adapters', () => {
  it('reports a breakpoint as unverified without a session, with the reason', async () => {
    const on = bench();
    const view = await viewOf(
      on,
      on.host.addBreakpoint(
        at(3, { condition: 'x > 1', hitCondition: '> 5', logMessage: 'x {x}', column: 2 }),
      ),
    );
    assert.deepEqual(view, {
      id: 1,
      verified: false,
      source: { path: FILE },
      line: 3,
      column: 2,
      condition: 'x > 1',
      hit_condition: '> 5',
      log_message: 'x {x}',
      enabled: true,
      owner: 'user',
      message: 'No debug session is running. It is checked when one starts.',
    });
  });

  it('does not verify a breakpoint for a session that has not responded yet', async () => {
    const on = running(bench());
    const view = await viewOf(on, on.host.addBreakpoint(at(3)));
    assert.equal(view.verified, false);
    assert.equal(view.message, 'No running debug session has confirmed it yet.');
    assert.equal(view.bound, undefined);
  });

  it('reports the line to which the breakpoint was bound', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint(at(3));
    answer(on, [{ line: 3, bound: { id: 1, verified: true, line: 4 } }]);
    assert.deepEqual(await viewOf(on, made), {
      id: 1,
      verified: true,
      source: { path: FILE },
      line: 3,
      enabled: true,
      owner: 'user',
      bound: [{ session_id: 's1', verified: true, line: 4 }],
    });
  });

  it('reports the adapter’s message while the breakpoint is not verified', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint(at(3));
    answer(on, [{ line: 3, bound: { id: 1, verified: false, message: 'Unbound breakpoint' } }]);
    assert.equal((await viewOf(on, made)).message, 'Unbound breakpoint');
    on.model.dispatch(
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 1, verified: true } }),
    );
    assert.equal((await viewOf(on, made)).message, undefined);
    assert.equal((await viewOf(on, made)).verified, true);
  });

  it('reports a breakpoint as verified if one session verified it, even if another could not bind it', async () => {
    const on = running(running(bench()), 'b');
    const made = on.host.addBreakpoint(at(3));
    answer(on, [{ line: 3, bound: { verified: false, message: 'Unbound' } }]);
    answer(on, [{ line: 3, bound: { verified: true } }], 'b');
    const view = await viewOf(on, made);
    assert.equal(view.verified, true);
    assert.deepEqual(
      view.bound?.map((each) => [each.session_id, each.verified]),
      [
        ['s1', false],
        ['s2', true],
      ],
    );
  });

  it('ignores ended sessions', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint(at(3));
    answer(on, [{ line: 3, bound: { id: 1, verified: true } }]);
    on.model.dispatch(ended());
    assert.equal((await viewOf(on, made)).verified, false);
  });

  it('distinguishes two breakpoints on one line by their columns', async () => {
    const on = running(bench());
    const [one, two] = [
      on.host.addBreakpoint(at(3, { column: 1 })),
      on.host.addBreakpoint(at(3, { column: 9 })),
    ];
    answer(on, [
      { line: 3, column: 1, bound: { id: 1, verified: true } },
      { line: 3, column: 9, bound: { id: 2, verified: false } },
    ]);
    assert.deepEqual(
      (await Promise.all([one, two].map((each) => viewOf(on, each)))).map((each) => each.verified),
      [true, false],
    );
  });

  it('ignores a response for a replaced breakpoint with other conditions', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint(at(3, { condition: 'x > 1' }));
    answer(on, [{ line: 3, bound: { id: 1, verified: true } }]);
    assert.equal((await viewOf(on, made)).verified, false);
    on.model.dispatch(
      asked(51, 'setBreakpoints', {
        source: { path: FILE },
        breakpoints: [{ line: 3, condition: 'x > 1' }],
      }),
    );
    on.model.dispatch(answered(51, 'setBreakpoints', { breakpoints: [{ id: 2, verified: true }] }));
    assert.equal((await viewOf(on, made)).verified, true);
  });

  it('identifies a function breakpoint by its name', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.model.dispatch(asked(60, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }));
    on.model.dispatch(
      answered(60, 'setFunctionBreakpoints', { breakpoints: [{ id: 5, verified: true }] }),
    );
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.function_name, view.verified, view.source, view.line],
      ['main', true, undefined, undefined],
    );
  });
});

describe('breakpoint book: the breakpoints that a stop hit', () => {
  function hitOf(on: Bench, line: number, path?: string): number[] | null {
    const session = on.session();
    assert.ok(session.lastStop !== undefined);
    return on.services.breakpoints.hit(session, session.lastStop, top(line, path));
  }

  function twoBound(): Bench {
    const on = running(bench());
    const numbers = [on.host.addBreakpoint(at(3)), on.host.addBreakpoint(at(7))].map((each) =>
      on.services.breakpoints.idOf(each),
    );
    assert.deepEqual(numbers, [1, 2]);
    answer(on, [
      { line: 3, bound: { id: 0, verified: true, line: 3 } },
      { line: 7, bound: { id: 41, verified: true, line: 8 } },
    ]);
    return on;
  }

  it('converts the adapter’s ids to our numbers, including an id of 0', () => {
    const on = twoBound();
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [41] }));
    assert.deepEqual(hitOf(on, 999), [2]);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.deepEqual(hitOf(on, 999), [1]);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [41, 0] }));
    assert.deepEqual(hitOf(on, 999), [1, 2]);
  });

  it('uses the location if there are no ids: the requested line, or the line to which it was bound', () => {
    const on = twoBound();
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    assert.deepEqual(hitOf(on, 3), [1]);
    assert.deepEqual(hitOf(on, 8), [2]);
    assert.equal(hitOf(on, 5), null);
    assert.equal(hitOf(on, 3, '/elsewhere.js'), null);
  });

  it('falls back to the location if the ids are unknown', () => {
    const on = twoBound();
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [1234] }));
    assert.deepEqual(hitOf(on, 3), [1]);
  });

  it('returns none for a step that ends on the line of a breakpoint', () => {
    const on = twoBound();
    on.model.dispatch(stopped(1, { reason: 'step' }));
    assert.equal(hitOf(on, 3), null);
  });

  it('does not return a logpoint by its location', () => {
    const on = paused(bench());
    on.host.addBreakpoint(at(3, { logMessage: 'here' }));
    assert.equal(hitOf(on, 3), null);
  });

  it('does not return a breakpoint whose condition is never true by its location', () => {
    const on = paused(bench());
    on.host.addBreakpoint(at(3, { condition: 'false' }));
    assert.equal(hitOf(on, 3), null);
  });

  it('returns none for a stop without a location', () => {
    const on = paused(bench());
    const session = on.session();
    assert.ok(session.lastStop !== undefined);
    assert.equal(on.services.breakpoints.hit(session, session.lastStop, undefined), null);
  });

  it('ignores ids of another session', () => {
    const on = running(bench());
    on.host.addBreakpoint(at(3));
    running(on, 'b', 'a');
    answer(on, [{ line: 3, bound: { id: 41, verified: true } }], 'b');
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [41] }));
    assert.equal(hitOf(on, 900), null);
  });
});
