import { strict as assert } from 'node:assert';
import { listOf } from '../../../src/debugger/protocol';
import type { HostBreakpoint } from '../../../src/debugger/host';
import { eventOf } from '../support/events';
import { InjectedBreakpoints } from '../../../src/control/injectedBreakpoints';
import { never } from '../support/fakeHost';
import { POINT, sent, settled, starting, vsCodeSends } from '../support/injecting';
import { bench, FILE, running } from '../support/services';

describe('injected breakpoints', () => {
  it('are sent to a session that starts before VS Code sends its own, and again after each of its lists', async () => {
    const on = starting(bench());
    const injection = on.services.injected.inject(() => [POINT]);
    assert.deepEqual(sent(on), []);
    on.model.dispatch(eventOf('initialized'));
    assert.deepEqual(sent(on), [[[3, 'record()']]]);
    vsCodeSends(on, 5, [{ line: 8 }]);
    await settled();
    assert.deepEqual(sent(on).at(-1), [
      [8, undefined],
      [3, 'record()'],
    ]);
    const [answer] = injection.answeredIn(on.session());
    assert.ok(answer?.kind === 'answered' && answer.adapter.verified);
    await injection.dispose();
    assert.deepEqual(sent(on).at(-1), [[8, undefined]]);
    assert.deepEqual(
      on
        .session()
        .sourceBreakpoints.get(FILE)
        ?.breakpoints.map((each) => each.injected),
      [undefined],
    );
  });

  it('are withdrawn early one by one, without a change of the others', async () => {
    const on = starting(bench());
    const other = { ...POINT, line: 5 };
    const points = [other, POINT];
    on.model.dispatch(eventOf('initialized'));
    const injection = on.services.injected.inject(() => points);
    await injection.placed;
    await injection.withdraw(new Set());
    assert.equal(sent(on).length, 1);
    await injection.withdraw(new Set([other]));
    assert.deepEqual(sent(on).at(-1), [[3, 'record()']]);
    assert.deepEqual(
      injection.answeredIn(on.session()).map(({ kind }) => kind),
      ['unanswered', 'answered'],
    );
    await injection.dispose();
    assert.deepEqual(sent(on).at(-1), []);
    await injection.withdraw(new Set([POINT]));
    assert.equal(sent(on).length, 3);
  });

  it('wait for VS Code’s own list of their file if the adapter may confuse two lists', async () => {
    for (const [path, first] of [
      [FILE, []],
      ['/app/other.js', [[[3, 'record()']]]],
    ] as const) {
      const on = bench();
      on.host.addBreakpoint({ kind: 'source', path, line: 8 });
      starting(on, 'pwa-node');
      const injection = on.services.injected.inject(() => [POINT]);
      on.model.dispatch(eventOf('initialized'));
      assert.deepEqual(sent(on), first);
      if (path !== FILE) continue;
      assert.deepEqual(injection.answeredIn(on.session()), [{ kind: 'unanswered' }]);
      vsCodeSends(on, 5, [{ line: 8 }]);
      await settled();
      assert.deepEqual(sent(on), [
        [
          [8, undefined],
          [3, 'record()'],
        ],
      ]);
    }
  });

  it('share the line of the person’s breakpoint, which stays bound as requested', async () => {
    const on = starting(bench());
    const theirs = on.host.addBreakpoint({
      kind: 'source',
      path: FILE,
      line: 3,
      condition: 'i > 1',
    });
    const injection = on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 3, condition: 'i > 1' }]);
    await settled();
    assert.deepEqual(sent(on).at(-1), [[3, '(record()) or (i > 1\n)']]);
    const bound = (breakpoint: HostBreakpoint): boolean =>
      on.services.breakpoints.boundIn(breakpoint).some(({ adapter }) => adapter.verified);
    assert.ok(bound(theirs));
    await injection.dispose();
    assert.deepEqual(sent(on).at(-1), [[3, 'i > 1']]);
    assert.ok(bound(theirs));
  });

  for (const [type, other] of [
    ['debugpy', { hitCondition: '== 3' }],
    ['pwa-node', { logMessage: 'here' }],
    ['lldb-dap', {}],
  ] as const)
    it(`do not change the person’s breakpoint if they cannot be merged with it: ${type} ${JSON.stringify(other)}`, async () => {
      const on = starting(bench(), type);
      const injection = on.services.injected.inject(() => [POINT]);
      on.model.dispatch(eventOf('initialized'));
      vsCodeSends(on, 5, [{ line: 3, ...other }]);
      await settled();
      const last = on.host.sent('setBreakpoints').at(-1);
      assert.deepEqual(listOf(last?.['breakpoints']), [{ line: 3, ...other }]);
      assert.deepEqual(injection.answeredIn(on.session()), [{ kind: 'displaced' }]);
    });

  it('are not taken for the person’s disabled breakpoint on the same line', async () => {
    const on = starting(bench());
    const theirs = on.host.addBreakpoint({
      kind: 'source',
      path: FILE,
      line: 3,
      enabled: false,
    });
    on.services.injected.inject(() => [{ path: FILE, line: 3 }]);
    on.model.dispatch(eventOf('initialized'));
    await settled();
    assert.deepEqual(on.services.breakpoints.boundIn(theirs), []);
  });

  it('wait only up to a limit for an adapter that does not answer, and are removed again', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', never);
    const injected = new InjectedBreakpoints(on.host, on.model, 10);
    const injection = injected.inject(() => [POINT]);
    await injection.placed;
    await injection.dispose();
    assert.deepEqual(sent(on), [[[3, 'record()']], []]);
  });

  it('are removed within the limit of a caller that cannot wait for the adapter', async () => {
    const on = running(bench());
    const injected = new InjectedBreakpoints(on.host, on.model, 3_600_000);
    const injection = injected.inject(() => [POINT]);
    await injection.placed;
    on.host.on('setBreakpoints', never);
    await injection.dispose(10);
    assert.deepEqual(sent(on), [[[3, 'record()']], []]);
  });

  it('keep their numbers apart if a session is included only later', async () => {
    const on = starting(bench());
    let isIncluded = false;
    const late = on.services.injected.inject(() => (isIncluded ? [POINT] : []));
    assert.deepEqual(late.answeredIn(on.session()), []);
    const other = on.services.injected.inject(() => [{ ...POINT, line: 4, condition: 'other()' }]);
    isIncluded = true;
    on.model.dispatch(eventOf('initialized'));
    await settled();
    const lines = [late, other].map((each) => {
      const [answer] = each.answeredIn(on.session());
      return answer?.kind === 'answered' && answer.adapter.line;
    });
    assert.deepEqual(lines, [3, 4]);
  });

  it('are removed from a session that is no longer included', async () => {
    const on = starting(bench());
    let isIncluded = true;
    const injection = on.services.injected.inject(() => (isIncluded ? [POINT] : []));
    on.model.dispatch(eventOf('initialized'));
    isIncluded = false;
    await injection.dispose();
    assert.deepEqual(sent(on), [[[3, 'record()']], []]);
  });
});
