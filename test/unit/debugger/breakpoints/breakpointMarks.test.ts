import { strict as assert } from 'node:assert';
import { BreakpointBook } from '../../../../src/debugger/breakpoints/breakpointBook';
import type { MarkStore } from '../../../../src/debugger/breakpoints/breakpointMarks';
import type { RequestedHostBreakpoint } from '../../../../src/debugger/host';
import { readFrames } from '../../../../src/debugger/inspection/stackAndVariables';
import { answered, asked, ended, launched, stopped, told } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

const at = (
  line: number,
  more: Partial<Extract<RequestedHostBreakpoint, { kind: 'source' }>> = {},
): RequestedHostBreakpoint => ({ kind: 'source', path: FILE, line, ...more });

/** What VS Code keeps of a window, as JSON. */
class Kept implements MarkStore {
  private text: string | undefined;

  constructor(value?: unknown) {
    this.write(value);
  }

  read(): unknown {
    return this.text === undefined ? undefined : JSON.parse(this.text);
  }

  write(value: unknown): void {
    this.text = value === undefined ? undefined : JSON.stringify(value);
  }
}

/** The book of a window, or of the same window after a reload. */
const open = (on: Bench, memory: MarkStore): BreakpointBook =>
  new BreakpointBook(on.host, on.model, memory);

describe('breakpoint marks: what outlives a window', () => {
  it('numbers, owners and texts of lines are read back', () => {
    const on = bench();
    const memory = new Kept();
    const [theirs, mine, byText] = [
      on.host.addBreakpoint(at(1)),
      on.host.addBreakpoint(at(2)),
      on.host.addBreakpoint(at(3)),
    ];
    const before = open(on, memory);
    before.claim(byText, { content: 'three' });
    before.claim(mine);
    before.idOf(theirs);
    const now = open(on, memory);
    assert.deepEqual(
      [byText, mine, theirs].map((each) => [
        now.idOf(each),
        now.ownerOf(each),
        now.contentOf(each),
      ]),
      [
        [1, 'agent', 'three'],
        [2, 'agent', undefined],
        [3, 'user', undefined],
      ],
    );
  });

  it('a number is never given again, though its breakpoint was gone before the reload', () => {
    const on = bench();
    const memory = new Kept();
    const before = open(on, memory);
    const gone = [on.host.addBreakpoint(at(1)), on.host.addBreakpoint(at(2))];
    assert.deepEqual(
      gone.map((each) => before.idOf(each)),
      [1, 2],
    );
    for (const { hostId } of gone) {
      on.host.removeBreakpoints([hostId]);
      before.forget(hostId);
    }
    assert.equal(open(on, memory).idOf(on.host.addBreakpoint(at(3))), 3);
  });

  it('one that VS Code removed leaves no mark behind', () => {
    const on = bench();
    const memory = new Kept();
    const made = on.host.addBreakpoint(at(1));
    const before = open(on, memory);
    before.claim(made, { content: 'one' });
    before.forget(made.hostId);
    const now = open(on, memory);
    assert.deepEqual(
      [now.ownerOf(made), now.contentOf(made), now.idOf(made)],
      ['user', undefined, 2],
    );
  });

  it('what is no memory is as good as none', () => {
    const nonsense = [
      undefined,
      null,
      7,
      'marks',
      [],
      {},
      { marks: 'x' },
      { marks: {} },
      { last: 'x' },
      { last: -5 },
      { last: 1.5 },
      { last: null },
    ];
    const marks = [
      [null],
      [7],
      [[]],
      [{}],
      [{ hostId: 5, id: 1 }],
      [{ hostId: 'host-breakpoint-1' }],
      [{ hostId: 'host-breakpoint-1', id: 0, agent: true }],
      [{ hostId: 'host-breakpoint-1', id: -3, agent: true }],
      [{ hostId: 'host-breakpoint-1', id: '4', agent: true }],
      [{ hostId: 'host-breakpoint-1', id: 1.5, agent: true }],
    ];
    for (const value of [...nonsense, ...marks.map((each) => ({ marks: each }))]) {
      const on = bench();
      const made = on.host.addBreakpoint(at(1));
      const book = open(on, new Kept(value));
      assert.deepEqual([book.ownerOf(made), book.idOf(made)], ['user', 1], JSON.stringify(value));
    }
  });

  it('a mark is read back from among nonsense, and nonsense within it is left out', () => {
    const on = bench();
    const made = on.host.addBreakpoint(at(1));
    const book = open(
      on,
      new Kept({
        last: 'x',
        marks: [null, { hostId: made.hostId, id: 6, agent: 'yes', content: 5 }, 'x'],
      }),
    );
    assert.deepEqual(
      [book.idOf(made), book.ownerOf(made), book.contentOf(made)],
      [6, 'user', undefined],
    );
  });

  it('numbers go on behind the marks, though the last one was lost', () => {
    const on = bench();
    const made = on.host.addBreakpoint(at(1));
    const book = open(
      on,
      new Kept({
        last: 2,
        marks: [
          { hostId: made.hostId, id: 6 },
          { hostId: 'gone', id: 4 },
        ],
      }),
    );
    assert.equal(book.idOf(on.host.addBreakpoint(at(2))), 7);
  });

  it('what is given to the person is the person’s, keeps its number, and follows no text', () => {
    const on = bench();
    const memory = new Kept();
    const before = open(on, memory);
    const [given, kept] = [on.host.addBreakpoint(at(1)), on.host.addBreakpoint(at(2))];
    before.claim(given, { content: 'one' });
    before.claim(kept, { content: 'two' });
    before.giveToPerson([given]);
    for (const book of [before, open(on, memory)]) {
      assert.deepEqual(
        [book.ownerOf(given), book.idOf(given), book.contentOf(given)],
        ['user', 1, undefined],
      );
      assert.deepEqual(
        book.agents().map((each) => each.hostId),
        [kept.hostId],
      );
    }
  });

  it('one that is claimed anew keeps its number and follows what it is claimed with', () => {
    const {
      host,
      services: { breakpoints: book },
    } = bench();
    const made = host.addBreakpoint(at(1));
    book.claim(made, { content: 'one' });
    book.claim(made, { content: 'two' });
    assert.deepEqual([book.idOf(made), book.contentOf(made)], [1, 'two']);
    book.claim(made);
    assert.deepEqual([book.idOf(made), book.contentOf(made)], [1, undefined]);
  });
});

/** Has the adapter answer about the breakpoints of VS Code's list, with the id 10 · line and bound where they are. */
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

/** Tells the book of the session's newest stop, as its report does. */
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

describe('breakpoint marks: hits', () => {
  it('nothing is hit before the first stop', () => {
    assert.deepEqual(hits(twoBound()), [0, 0]);
  });

  it('by the adapter’s ids a hit counts once for a stop, however often that is told', () => {
    const on = twoBound();
    stop(on, [30]);
    assert.deepEqual(hits(on), [1, 0]);
    assert.deepEqual([report(on, 3), report(on, 3)], [[1], [1]]);
    assert.deepEqual(hits(on), [1, 0]);
  });

  it('by the adapter’s ids hits count though nobody asks about the stops', () => {
    const on = twoBound();
    for (const ids of [[30], [30], [70], [30, 70], [999], []]) stop(on, ids);
    assert.deepEqual(hits(on), [3, 2]);
  });

  it('by the place a hit counts once for a stop, however often that is told', () => {
    const on = twoBound();
    for (const expected of [1, 2]) {
      stop(on);
      assert.deepEqual([report(on, 7), report(on, 7)], [[2], [2]]);
      assert.deepEqual(hits(on), [0, expected]);
    }
  });

  it('a step, a pause and a stop elsewhere hit none', () => {
    const on = twoBound();
    for (const reason of ['step', 'pause']) {
      on.model.dispatch(stopped(1, { reason }));
      report(on, 3);
    }
    stop(on);
    report(on, 4);
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('the stops of two sessions count each', () => {
    const on = running(twoBound(), 'b');
    bindAll(on, 'b');
    stop(on, [30]);
    stop(on, [30], 'b');
    report(on, 3);
    report(on, 3, 'b');
    assert.deepEqual(hits(on), [2, 0]);
  });

  it('the stops of a session that was started again count on', () => {
    const on = twoBound();
    stop(on, [30]);
    on.model.dispatch(ended());
    for (const event of launched()) on.model.dispatch(event);
    bindAll(on);
    stop(on, [30]);
    report(on, 3);
    assert.deepEqual(hits(on), [2, 0]);
  });

  it('a stop counts once, though its session ends before it is told', () => {
    // StopReporter.report may still be reading the source file then.
    const on = twoBound();
    stop(on, [30]);
    const session = on.session();
    assert.ok(session.lastStop !== undefined);
    on.model.dispatch(ended());
    on.services.breakpoints.hit(session, session.lastStop, undefined);
    assert.deepEqual(hits(on), [1, 0]);
  });

  it('a function breakpoint’s hits count, too', () => {
    const on = running(bench());
    on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.model.dispatch(asked(60, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }));
    on.model.dispatch(
      answered(60, 'setFunctionBreakpoints', { breakpoints: [{ id: 5, verified: true }] }),
    );
    on.model.dispatch(stopped(1, { reason: 'function breakpoint', hitBreakpointIds: [5] }));
    assert.deepEqual(hits(on), [1]);
  });

  it('one that stands for another keeps its number and its hits, and counts on', () => {
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

  it('given to the person, its hits stay', () => {
    const on = twoBound();
    stop(on, [30]);
    on.services.breakpoints.giveToPerson(on.host.breakpoints());
    assert.deepEqual(hits(on), [1, 0]);
  });
});

describe('breakpoint marks: hits of logpoints', () => {
  const print = (on: Bench, body: object): void =>
    on.model.dispatch(told('output', { category: 'console', output: 'x\n', ...body }));

  /** A logpoint on line 3 and a breakpoint on line 7. */
  function logging(): Bench {
    const on = running(bench());
    on.host.addBreakpoint(at(3, { logMessage: 'x' }));
    on.host.addBreakpoint(at(7));
    return on;
  }

  it('each output that names its place is a hit', () => {
    const on = logging();
    for (const path of [FILE, FILE, `file://${FILE}`]) print(on, { source: { path }, line: 3 });
    assert.deepEqual(hits(on), [3, 0]);
  });

  it('the place where it was bound is its place as well', () => {
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

  it('output of elsewhere, or of no place, is none', () => {
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

  it('what the program prints on the line of a breakpoint that stops is none', () => {
    const on = logging();
    print(on, { source: { path: FILE }, line: 7 });
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('what the line itself prints is another text than the message', () => {
    const on = logging();
    print(on, { source: { path: FILE }, line: 3, output: 'done\n' });
    assert.deepEqual(hits(on), [0, 0]);
  });

  it('one that is disabled prints nothing: what the line itself prints is no hit', () => {
    // js-debug names the place of `console.log`, too.
    const on = logging();
    on.host.setEnabled(on.host.breakpoints()[0]?.hostId ?? '', false);
    print(on, { source: { path: FILE }, line: 3 });
    assert.deepEqual(hits(on), [0, 0]);
  });
});
