import { strict as assert } from 'node:assert';
import type { RequestedHostBreakpoint } from '../../../../src/debugger/host';
import { fields, listOf } from '../../../../src/debugger/protocol';
import { readFrames } from '../../../../src/debugger/inspection/stackAndVariables';
import { answered, asked, ended, launched, stopped, eventOf } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

const at = (
  line: number,
  more: Partial<Extract<RequestedHostBreakpoint, { kind: 'source' }>> = {},
): RequestedHostBreakpoint => ({ kind: 'source', path: FILE, line, ...more });

/** Makes the adapter respond for the breakpoints of VS Code's list, with the id 10 · line and bound to their lines. */
function bindAll(on: Bench, key = 'a'): void {
  const asking = on.host
    .breakpoints()
    .flatMap((each) =>
      each.kind === 'source' ? [{ line: each.line, logMessage: each.logMessage }] : [],
    );
  on.model.dispatch(
    asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints: asking }, key),
  );
  on.model.dispatch(
    answered(
      50,
      'setBreakpoints',
      { breakpoints: asking.map(({ line }) => ({ id: 10 * line, verified: true, line })) },
      key,
    ),
  );
}

/** Reports the session's newest stop to the book, as the report of the stop does. */
function report(on: Bench, line: number, key = 'a'): number[] | null {
  const session = on.session(key);
  assert.ok(session.lastStop !== undefined);
  return on.services.breakpoints.hit(
    session,
    session.lastStop,
    readFrames({
      stackFrames: [{ id: 1, name: 'main', line, column: 1, source: { path: FILE } }],
    })[0],
  );
}

const hits = (on: Bench): number[] =>
  on.host.breakpoints().map((each) => on.services.breakpoints.hitsOf(each));

const stop = (on: Bench, ids?: readonly number[], key = 'a'): void =>
  on.model.dispatch(
    stopped(
      1,
      { reason: 'breakpoint', ...(ids === undefined ? {} : { hitBreakpointIds: ids }) },
      key,
    ),
  );

function twoBound(): Bench {
  const on = running(bench());
  assert.deepEqual(
    [3, 7].map((line) => on.services.breakpoints.idOf(on.host.addBreakpoint(at(line)))),
    [1, 2],
  );
  bindAll(on);
  return on;
}

describe('breakpoint hits', () => {
  it('are none before the first stop', () => {
    assert.deepEqual(hits(twoBound()), [0, 0]);
  });

  it('count once for a stop by the adapter’s ids, however often the stop is reported', () => {
    const on = twoBound();
    stop(on, [30]);
    assert.deepEqual(hits(on), [1, 0]);
    assert.deepEqual([report(on, 3), report(on, 3)], [[1], [1]]);
    assert.deepEqual(hits(on), [1, 0]);
  });

  it('count by the adapter’s ids even if no stop is reported', () => {
    const on = twoBound();
    for (const ids of [[30], [30], [70], [30, 70], [999], []]) stop(on, ids);
    assert.deepEqual(hits(on), [3, 2]);
  });

  it('count once for a stop by its location, however often the stop is reported', () => {
    const on = twoBound();
    for (const expected of [1, 2]) {
      stop(on);
      assert.deepEqual([report(on, 7), report(on, 7)], [[2], [2]]);
      assert.deepEqual(hits(on), [0, expected]);
    }
  });

  it('do not count at a stop for the breakpoint of a call, even after that breakpoint was removed', async () => {
    const on = running(bench());
    on.host.addBreakpoint({ kind: 'function', functionName: 'other.main' });
    on.host.on('setBreakpoints', ({ breakpoints }) => ({
      breakpoints: listOf(breakpoints).map((each) => ({ ...fields(each), id: 50, verified: true })),
    }));
    const points = [{ path: FILE, line: 4 }];
    const injection = on.services.injected.inject(() => points);
    await injection.placed;
    stop(on, [50]);
    assert.equal(report(on, 4), null);
    await injection.dispose();
    assert.equal(report(on, 4), null);
    assert.deepEqual(hits(on), [0]);
  });

  it('do not count at a step, a pause or a stop elsewhere', () => {
    const on = twoBound();
    for (const reason of ['step', 'pause']) {
      on.model.dispatch(stopped(1, { reason }));
      report(on, 3);
    }
    stop(on);
    report(on, 4);
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('count the stops of both sessions', () => {
    const on = running(twoBound(), 'b');
    bindAll(on, 'b');
    stop(on, [30]);
    stop(on, [30], 'b');
    report(on, 3);
    report(on, 3, 'b');
    assert.deepEqual(hits(on), [2, 0]);
  });

  it('continue when a session is restarted', () => {
    const on = twoBound();
    stop(on, [30]);
    on.model.dispatch(ended());
    for (const event of launched()) on.model.dispatch(event);
    bindAll(on);
    stop(on, [30]);
    report(on, 3);
    assert.deepEqual(hits(on), [2, 0]);
  });

  it('count once for a stop, even if its session ends before the stop is reported', () => {
    // StopReporter.report may still be reading the source file then.
    const on = twoBound();
    stop(on, [30]);
    const session = on.session();
    assert.ok(session.lastStop !== undefined);
    on.model.dispatch(ended());
    on.services.breakpoints.hit(session, session.lastStop, undefined);
    assert.deepEqual(hits(on), [1, 0]);
  });

  it('count for a function breakpoint, too', () => {
    const on = running(bench());
    on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.model.dispatch(asked(60, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }));
    on.model.dispatch(
      answered(60, 'setFunctionBreakpoints', { breakpoints: [{ id: 5, verified: true }] }),
    );
    on.model.dispatch(stopped(1, { reason: 'function breakpoint', hitBreakpointIds: [5] }));
    assert.deepEqual(hits(on), [1]);
  });

  it('continue for a breakpoint that replaces another and keeps its number', () => {
    const on = twoBound();
    const book = on.services.breakpoints;
    const [old] = on.host.breakpoints();
    assert.ok(old !== undefined);
    stop(on, [30]);
    const as = book.marksOf(old);
    on.host.removeBreakpoints([old.hostId]);
    book.forget(old.hostId);
    const made = on.host.addBreakpoint(at(3));
    book.claim(made, { as });
    assert.deepEqual(
      [as.id, as.hits, book.idOf(made), book.hitsOf(made), book.hitsOf(old)],
      [1, 1, 1, 1, 0],
    );
    bindAll(on);
    stop(on, [30]);
    assert.equal(book.hitsOf(made), 2);
  });

  it('stay when the breakpoint is given to the person', () => {
    const on = twoBound();
    stop(on, [30]);
    on.services.breakpoints.giveToPerson(on.host.breakpoints());
    assert.deepEqual(hits(on), [1, 0]);
  });
});

describe('breakpoint hits: logpoints', () => {
  const print = (on: Bench, body: object): void =>
    on.model.dispatch(eventOf('output', { category: 'console', output: 'x\n', ...body }));

  /** A logpoint on line 3 and a breakpoint on line 7. */
  function logging(): Bench {
    const on = running(bench());
    on.host.addBreakpoint(at(3, { logMessage: 'x' }));
    on.host.addBreakpoint(at(7));
    return on;
  }

  it('count each output that names the logpoint’s location', () => {
    const on = logging();
    for (const path of [FILE, FILE, `file://${FILE}`]) print(on, { source: { path }, line: 3 });
    assert.deepEqual(hits(on), [3, 0]);
  });

  it('count at the location to which the logpoint was bound as well', () => {
    const on = logging();
    on.model.dispatch(
      asked(50, 'setBreakpoints', {
        source: { path: FILE },
        breakpoints: [{ line: 3, logMessage: 'x' }],
      }),
    );
    on.model.dispatch(
      answered(50, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true, line: 4 }] }),
    );
    print(on, { source: { path: FILE }, line: 4 });
    assert.deepEqual(hits(on), [1, 0]);
  });

  it('do not count output from elsewhere or without a location', () => {
    const on = logging();
    for (const body of [
      {},
      { line: 3 },
      { source: { path: FILE } },
      { source: { path: FILE }, line: 4 },
      { source: { path: '/other.js' }, line: 3 },
      { source: { name: 'main.js' }, line: 3 },
      { source: { path: FILE }, line: '3' },
    ])
      print(on, body);
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('do not count what the program prints on the line of a breakpoint that stops', () => {
    const on = logging();
    print(on, { source: { path: FILE }, line: 7 });
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('do not count what the line itself prints, because its text differs from the message', () => {
    const on = logging();
    print(on, { source: { path: FILE }, line: 3, output: 'done\n' });
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('do not count output on the line of a disabled logpoint', () => {
    // js-debug names the place of `console.log`, too.
    const on = logging();
    on.host.setEnabled(on.host.breakpoints()[0]?.hostId ?? '', false);
    print(on, { source: { path: FILE }, line: 3 });
    assert.deepEqual(hits(on), [0, 0]);
  });
});
