import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fields } from '../../../../src/debugger/protocol';
import { binding, breakpointOf, only, places, set } from '../../support/breakpointCalls';
import { bench, LINES, running } from '../../support/services';

describe('breakpoints that are set at the same time', () => {
  it('are all set, each with its own id', async () => {
    const on = bench();
    const ids = await Promise.all(
      LINES.map(
        async (text, index) =>
          breakpointOf(
            await set(on, index % 2 === 0 ? { line_number: index + 1 } : { line_content: text }),
          )['id'],
      ),
    );
    assert.equal(new Set(ids).size, LINES.length);
    assert.deepEqual(
      places(on)
        .map(Number)
        .sort((one, other) => one - other),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  it('are one breakpoint if their place is the same', async () => {
    const on = bench();
    const results = await Promise.all(
      ['a', 'b', 'b', 'a'].map((condition) => set(on, { line_number: 3, condition })),
    );
    assert.deepEqual(
      results.map((result) => breakpointOf(result)['id']),
      [1, 1, 1, 1],
    );
    assert.deepEqual(
      results.map((result) => result['changed']),
      [undefined, { condition: ['a', 'b'] }, {}, { condition: ['b', 'a'] }],
    );
    assert.equal(only(on).condition, 'a');
  });

  it('are all set and all verified in a running program', async () => {
    const on = binding(running(bench()));
    const results = await Promise.all([1, 2, 3, 4].map((line_number) => set(on, { line_number })));
    assert.deepEqual(
      results.map((result) => breakpointOf(result)['verified']),
      [true, true, true, true],
    );
    assert.equal(on.model.listenerCount, 0);
  });
});

describe('set_breakpoint: a response to an earlier list of breakpoints', () => {
  it('does not count for a breakpoint that was set since', async () => {
    const on = running(bench());
    const pending: (() => void)[] = [];
    let bothAsked = (): void => undefined;
    const areAsked = new Promise<void>((resolve) => (bothAsked = resolve));
    on.host.on('setBreakpoints', async ({ breakpoints }) => {
      await new Promise<void>((resolve) => {
        pending.push(resolve);
        if (pending.length === 2) bothAsked();
      });
      return {
        breakpoints: Array.isArray(breakpoints)
          ? breakpoints.map((breakpoint, id) => ({
              id,
              verified: true,
              line: fields(breakpoint)['line'],
            }))
          : [],
      };
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = set(on, { line_number: 3 });
      const second = set(on, { line_number: 4 });
      await areAsked;
      pending[0]?.();
      assert.equal(breakpointOf(await first)['verified'], true);
      // Longer than the time that an adapter has to bind a breakpoint after its response.
      mock.timers.tick(300);
      assert.equal(await Promise.race([second, setImmediate('open')]), 'open');
      pending[1]?.();
      assert.deepEqual(
        [breakpointOf(await second)['verified'], breakpointOf(await second)['bound']],
        [true, [{ session_id: 's1', verified: true, line: 4 }]],
      );
    } finally {
      mock.timers.reset();
    }
    assert.equal(on.model.listenerCount, 0);
  });

  it('does not count for a breakpoint that replaces another: the list without the other is empty, but not deactivated', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    const sends: (() => void)[] = [];
    on.host.whenSent = (send) => void sends.push(send);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const again = set(on, { line_number: 3, condition: 'i > 3' });
      while (sends.length < 2) await setImmediate();
      sends[0]?.();
      await setImmediate();
      mock.timers.tick(300);
      assert.equal(await Promise.race([again, setImmediate('open')]), 'open');
      sends[1]?.();
      assert.deepEqual(
        [breakpointOf(await again)['verified'], breakpointOf(await again)['message']],
        [true, undefined],
      );
    } finally {
      mock.timers.reset();
    }
  });

  it('counts for a breakpoint that replaces another if all breakpoints are deactivated', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [] }));
    await set(on, { line_number: 3 });
    on.host.deactivated = true;
    assert.match(
      String(breakpointOf(await set(on, { line_number: 3, condition: 'i > 3' }))['message']),
      /deactivated/,
    );
  });

  it('counts if VS Code’s breakpoints are deactivated, because the adapter is sent none', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [] }));
    on.host.deactivated = true;
    assert.match(String(breakpointOf(await set(on, { line_number: 3 }))['message']), /deactivated/);
    assert.equal(on.model.listenerCount, 0);
  });
});
