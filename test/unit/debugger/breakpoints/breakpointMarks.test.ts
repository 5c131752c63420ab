import { strict as assert } from 'node:assert';
import { BreakpointBook } from '../../../../src/debugger/breakpoints/breakpointBook';
import type { MarkStore } from '../../../../src/debugger/breakpoints/breakpointMarks';
import type { RequestedHostBreakpoint } from '../../../../src/debugger/host';
import { bench, FILE, type Bench } from '../../support/services';

const at = (
  line: number,
  more: Partial<Extract<RequestedHostBreakpoint, { kind: 'source' }>> = {},
): RequestedHostBreakpoint => ({ kind: 'source', path: FILE, line, ...more });

/** The state of a window that VS Code keeps, as JSON. */
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

describe('breakpoint marks: after a reload', () => {
  it('restore the numbers, owners and line texts', () => {
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

  it('never reuse a number, even if its breakpoint was removed before the reload', () => {
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

  it('contain no mark of a breakpoint that VS Code removed', () => {
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

  it('treat an invalid memory like an empty one', () => {
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

  it('restore a mark from among invalid ones, without its invalid parts', () => {
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

  it('continue the numbers after the marks, even if the last number was lost', () => {
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

  it('make a breakpoint that is given to the person the person’s, keep its number, and follow no text', () => {
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

  it('keep the number of a breakpoint that is claimed again, and follow its new text', () => {
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
