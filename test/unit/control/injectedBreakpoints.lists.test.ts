import { strict as assert } from 'node:assert';
import { injectedMessage } from '../../../src/debugger/breakpoints/injectedLines';
import { fields, listOf, type Fields } from '../../../src/debugger/protocol';
import { theirs } from '../support/breakpointCalls';
import type { DebugEvent } from '../../../src/debugger/state/state';
import { answered, asked, created, ended, eventOf } from '../support/events';
import { never } from '../support/fakeHost';
import { POINT, sent, settled, starting, vsCodeSends } from '../support/injecting';
import { bench, FILE, running, type Bench } from '../support/services';

const OTHER = '/home/ada/app/other.js';

/** The last list that we sent, without our marks. */
function last(on: Bench): readonly Fields[] {
  return listOf(on.host.sent('setBreakpoints').at(-1)?.['breakpoints'])
    .map(fields)
    .map((each) => {
      const plain = Object.entries(each).filter(([name]) => !name.startsWith('__agentDebugger'));
      return Object.fromEntries(plain);
    });
}

const files = (on: Bench): unknown[] =>
  on.host.sent('setBreakpoints').map(({ source }) => fields(source)['path']);

describe('injected breakpoints: sessions', () => {
  it('are sent once, after the launch or attach request and the initialized event, in either order', () => {
    for (const command of ['launch', 'attach']) {
      for (const events of [
        [asked(2, command), eventOf('initialized')],
        [eventOf('initialized'), asked(2, command)],
      ]) {
        const on = bench();
        on.services.injected.inject(() => [POINT]);
        on.model.dispatch(created('a', { sessionType: 'debugpy' }));
        const [first, second] = events;
        if (first !== undefined) on.model.dispatch(first);
        if (first !== undefined) on.model.dispatch(first);
        assert.deepEqual(sent(on), [], 'one of the two is not enough, however often');
        if (second !== undefined) on.model.dispatch(second);
        assert.deepEqual(sent(on), [[[3, 'record()']]]);
        for (const again of [...events, answered(2, command)]) on.model.dispatch(again);
        assert.equal(sent(on).length, 1);
      }
    }
  });

  it('are sent again after a restart, without the list that VS Code sent before the restart', async () => {
    const on = starting(bench());
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    await settled();
    const before = sent(on).length;
    on.model.dispatch(ended());
    on.model.dispatch(created('a', { sessionType: 'debugpy' }));
    on.model.dispatch(asked(12, 'launch'));
    assert.equal(sent(on).length, before, 'its adapter has not said that it takes any');
    on.model.dispatch(eventOf('initialized'));
    assert.deepEqual(sent(on).slice(before), [[[3, 'record()']]]);
  });

  it('are not sent to a session that has ended', async () => {
    const on = starting(bench());
    const injection = on.services.injected.inject(() => [POINT]);
    on.model.dispatch(ended());
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    await injection.dispose();
    assert.deepEqual(sent(on), []);
  });

  it('are sent with the list that VS Code sent before, even if the session is found again', async () => {
    const on = starting(bench());
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    on.model.dispatch(answered(2, 'launch'));
    on.model.dispatch(created('a', { knowledge: 'partial' }));
    await on.services.injected.inject(() => [POINT]).placed;
    assert.deepEqual(last(on), [{ line: 8 }, { line: 3, condition: 'record()' }]);
  });
});

describe('a list with injected breakpoints', () => {
  it('also names all its lines in DAP’s older property', async () => {
    const on = starting(bench());
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    await settled();
    assert.deepEqual(on.host.sent('setBreakpoints').at(-1)?.['lines'], [8, 3]);
  });

  it('is sent again only after VS Code’s lists, not after its other requests about the file', async () => {
    const on = starting(bench());
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    await settled();
    const before = sent(on).length;
    on.model.dispatch(asked(6, 'breakpointLocations', { source: { path: FILE }, line: 1 }));
    on.model.dispatch(asked(7, 'setBreakpoints', { source: { name: 'eval', sourceReference: 4 } }));
    vsCodeSends(on, 8, [{ line: 9 }]);
    await settled();
    assert.equal(sent(on).length, before + 1);
    assert.deepEqual(last(on), [{ line: 9 }, { line: 3, condition: 'record()' }]);
  });

  it('is not sent again for files without points', async () => {
    const on = starting(bench());
    on.services.injected.inject(() => [{ ...POINT, path: OTHER }]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 8 }]);
    await settled();
    assert.deepEqual(files(on), [OTHER]);
  });

  it('is sent at once unless the adapter may confuse it with a list that VS Code is about to send', () => {
    const on = bench();
    theirs(on, 8);
    starting(on, 'debugpy');
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    assert.deepEqual(files(on), [FILE]);
  });

  it('follows the answer to VS Code’s own list while js-debug starts, not the list', async () => {
    const on = bench();
    theirs(on, 8);
    starting(on, 'pwa-node');
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    on.model.dispatch(
      asked(5, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 8 }] }),
    );
    await settled();
    assert.deepEqual(files(on), []);
    on.model.dispatch(answered(5, 'setBreakpoints', { breakpoints: [{ id: 1, verified: false }] }));
    await settled();
    assert.deepEqual(sent(on), [
      [
        [8, undefined],
        [3, 'record()'],
      ],
    ]);
  });

  it('is sent at once if VS Code has no breakpoints in the file', () => {
    const on = bench();
    on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.host.addBreakpoint({ kind: 'source', path: OTHER, line: 8 });
    starting(on, 'pwa-node');
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    assert.deepEqual(files(on), [FILE]);
  });

  it('is sent at once if VS Code has already sent its own list', () => {
    const on = bench();
    theirs(on, 8);
    starting(on, 'pwa-node');
    on.model.dispatch(asked(5, 'setBreakpoints', { source: { path: FILE }, breakpoints: [] }));
    on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    assert.deepEqual(files(on), [FILE]);
  });

  it('includes the person’s breakpoints if VS Code’s own list was not observed', async () => {
    for (const knowledge of ['full', 'partial'] as const) {
      const on = bench();
      theirs(on, 8, { condition: 'i > 1' });
      theirs(on, 9, { enabled: false });
      on.host.addBreakpoint({ kind: 'source', path: OTHER, line: 4 });
      on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
      on.host.on('setBreakpoints', () => ({ breakpoints: [] }));
      if (knowledge === 'full') running(on);
      else on.model.dispatch(created('a', { knowledge }));
      const injection = on.services.injected.inject(() => [POINT]);
      await injection.placed;
      const theirOwn = { line: 8, condition: 'i > 1' };
      assert.deepEqual(last(on), [theirOwn, { line: 3, condition: 'record()' }]);
      await injection.dispose();
      assert.deepEqual(last(on), [theirOwn]);
    }
  });

  it('is not sent again with the points of later calls once it has been removed', async () => {
    const on = starting(bench());
    on.model.dispatch(eventOf('initialized'));
    const first = on.services.injected.inject(() => [POINT]);
    await first.placed;
    await first.dispose();
    const second = on.services.injected.inject(() => [{ ...POINT, path: OTHER }]);
    await second.placed;
    await second.dispose();
    await second.dispose();
    assert.deepEqual(files(on), [FILE, FILE, OTHER, OTHER]);
  });

  it('keeps the points of another call when the points of one call are removed', async () => {
    const on = starting(bench());
    on.model.dispatch(eventOf('initialized'));
    const first = on.services.injected.inject(() => [POINT]);
    const second = on.services.injected.inject(() => [{ ...POINT, line: 4 }]);
    await Promise.all([first.placed, second.placed]);
    await first.dispose();
    assert.deepEqual(last(on), [{ line: 4, condition: 'record()' }]);
    await second.dispose();
    assert.deepEqual(last(on), []);
  });
});

describe('a point and the person’s breakpoint on its line', () => {
  /** The list that was sent last, and the kind of answer for the point. */
  async function placed(
    point: object,
    other: object,
    type = 'debugpy',
  ): Promise<{ readonly list: readonly Fields[]; readonly kind: string | undefined }> {
    const on = starting(bench(), type);
    const injection = on.services.injected.inject(() => [{ path: FILE, line: 3, ...point }]);
    on.model.dispatch(eventOf('initialized'));
    vsCodeSends(on, 5, [{ line: 3, ...other }]);
    await settled();
    return { list: last(on), kind: injection.answeredIn(on.session())[0]?.kind };
  }
  const condition = 'record()';

  it('are one place if one of them names no column, or if both name the same column', async () => {
    for (const [mine, other] of [
      [{ column: 5 }, {}],
      [{}, { column: 5 }],
      [{ column: 5 }, { column: 5 }],
    ]) {
      const { list, kind } = await placed({ condition, ...mine }, { ...other });
      assert.deepEqual([list.length, kind], [1, 'answered']);
    }
  });

  it('are two places if they name different columns', async () => {
    const { list, kind } = await placed({ condition, column: 5 }, { column: 9 });
    assert.deepEqual(list, [
      { line: 3, column: 9 },
      { line: 3, column: 5, condition },
    ]);
    assert.equal(kind, 'answered');
  });

  it('are not merged unless the point has a condition and nothing else', async () => {
    for (const point of [
      {},
      { condition, hitCondition: '3' },
      { condition, logMessage: 'here' },
      { logMessage: 'here' },
    ]) {
      const { list, kind } = await placed(point, {});
      assert.deepEqual([list, kind], [[{ line: 3 }], 'displaced'], JSON.stringify(point));
    }
  });

  it('are merged if VS Code sends empty strings for the condition and the message', async () => {
    const { kind } = await placed(
      { condition },
      { condition: '', hitCondition: '', logMessage: '' },
      'pwa-node',
    );
    assert.equal(kind, 'answered');
  });

  it('are unanswered until the adapter answers, if they could be merged', () => {
    const on = starting(bench());
    on.host.on('setBreakpoints', never);
    const injection = on.services.injected.inject(() => [POINT]);
    on.model.dispatch(eventOf('initialized'));
    on.model.dispatch(
      asked(5, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 3 }] }),
    );
    assert.deepEqual(injection.answeredIn(on.session()), [{ kind: 'unanswered' }]);
  });
});

describe('the answers to injected breakpoints', () => {
  it('belong to their own points, with several points and several calls', async () => {
    const on = starting(bench());
    on.model.dispatch(eventOf('initialized'));
    const points = (...lines: readonly number[]) => lines.map((line) => ({ ...POINT, line }));
    const all = [points(3, 4), points(5, 6)];
    const injections = all.map((each) => on.services.injected.inject(() => each));
    await Promise.all(injections.map(({ placed }) => placed));
    assert.deepEqual(
      injections.map((each) =>
        each
          .answeredIn(on.session())
          .map((answer) => (answer.kind === 'answered' ? answer.adapter.line : answer.kind)),
      ),
      [
        [3, 4],
        [5, 6],
      ],
    );
  });
});

describe('injected breakpoints of several calls', () => {
  it('are all removed when the extension is deactivated', async () => {
    const on = running(bench());
    const { injected } = on.services;
    for (const number of [3, 4]) await injected.inject(() => [{ ...POINT, line: number }]).placed;
    await injected.dispose();
    assert.deepEqual(last(on), []);
  });
});

describe('the output of injected logpoints', () => {
  const line = injectedMessage('nonce', 1, ['x']);

  it('is reported to the call with its nonce; the program’s own output is not', () => {
    const on = running(bench());
    const heard: unknown[] = [];
    const { output } = on.services.injected;
    const subscription = output.onLine('nonce', (reported) => heard.push(reported));
    const printed = eventOf('output', { category: 'console', output: `> ${line}\n` });
    const others = [
      eventOf('output', { category: 'stdout', output: 'hello' }),
      eventOf('output', { category: 'stdout', output: injectedMessage('other', 1, ['x']) }),
      eventOf('output', {}),
      eventOf('thread', { reason: 'started', threadId: 1, output: line }),
    ];
    for (const event of [...others, printed]) on.model.dispatch(event);
    assert.deepEqual(heard, [{ key: printed.key, text: `> ${line}\n`, point: 1, values: ['{x}'] }]);
    const own = [...others, printed].filter((event) => output.isOwn(messageIn(event)));
    assert.deepEqual(own, [printed]);
    subscription.dispose();
    // An adapter may print a line after it has removed the logpoint.
    const late = eventOf('output', { category: 'console', output: line });
    on.model.dispatch(late);
    assert.equal(heard.length, 1);
    assert.equal(output.isOwn(messageIn(late)), true);
  });
});

function messageIn(event: DebugEvent): unknown {
  return 'message' in event ? event.message : undefined;
}
