import { strict as assert } from 'node:assert';
import { TemporaryBreakpoints } from '../../../src/control/temporaryBreakpoints';
import { bench, FILE } from '../support/services';

describe('temporary breakpoints', () => {
  it('that were left before the window reloaded are removed, and no others', () => {
    const on = bench();
    const { breakpoints, control } = on.services;
    const theirs = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 1 });
    const left = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 2 });
    breakpoints.claim(left, { isTemporary: true });
    const mine = control.temporary.add({ kind: 'source', path: FILE, line: 3 });
    control.temporary.removeLeft();
    assert.deepEqual(
      on.host.breakpoints().map((each) => each.hostId),
      [theirs.hostId, mine.breakpoint.hostId],
    );
    control.temporary.dispose();
    assert.deepEqual(
      on.host.breakpoints().map((each) => each.hostId),
      [theirs.hostId],
    );
  });

  it('stay marked as temporary when the window reloads; the reloaded window removes them', () => {
    const on = bench();
    const { breakpoints, control } = on.services;
    control.temporary.add({ kind: 'source', path: FILE, line: 3 });
    new TemporaryBreakpoints(on.host, breakpoints).removeLeft();
    assert.deepEqual(on.host.breakpoints(), []);
  });

  it('that the person has removed are not removed again', () => {
    const on = bench();
    const removed: (readonly string[])[] = [];
    const remove = on.host.removeBreakpoints.bind(on.host);
    on.host.removeBreakpoints = (hostIds) => {
      removed.push(hostIds);
      remove(hostIds);
    };
    const { temporary } = on.services.control;
    const [first, second] = [1, 2].map((line) =>
      temporary.add({ kind: 'source', path: FILE, line }),
    );
    remove([first?.breakpoint.hostId ?? '']);
    first?.dispose();
    assert.deepEqual(removed, []);
    temporary.dispose();
    assert.deepEqual(removed, [[second?.breakpoint.hostId]]);
  });
});
