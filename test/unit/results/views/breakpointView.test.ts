import { strict as assert } from 'node:assert';
import { type BreakpointView } from '../../../../src/results/views/breakpointView';
import type { HostBreakpoint } from '../../../../src/debugger/host';
import {
  LINE,
  LOCATIONS,
  SOURCES,
  answer,
  answerNone,
  set,
  viewOf,
  unbound,
} from '../../support/breakpointViews';
import { answered, asked, ended, launched, eventOf, refused } from '../../support/events';
import { bench, family, FILE, running, type Bench } from '../../support/services';

describe('breakpoint view: the properties of a breakpoint', () => {
  it('shows only the place of a plain breakpoint on a line', async () => {
    const on = bench();
    assert.deepEqual(await viewOf(on, set(on)), {
      id: 1,
      verified: false,
      source: { path: FILE },
      line: LINE,
      enabled: true,
      owner: 'user',
      message: 'No debug session is running. It is checked when one starts.',
    });
  });

  it('shows all of its conditions, and leaves out empty texts', async () => {
    const on = bench();
    const source = { kind: 'source', path: FILE, line: LINE } as const;
    const full = on.host.addBreakpoint({
      ...source,
      column: 9,
      condition: 'x > 1',
      hitCondition: '>2',
      logMessage: 'x is {x}',
    });
    const { column, condition, hit_condition, log_message } = await viewOf(on, full);
    assert.deepEqual(
      [column, condition, hit_condition, log_message],
      [9, 'x > 1', '>2', 'x is {x}'],
    );
    const empty = on.host.addBreakpoint({
      ...source,
      condition: '',
      hitCondition: '',
      logMessage: '',
    });
    assert.deepEqual(Object.keys(await viewOf(on, empty)), [
      'id',
      'verified',
      'source',
      'line',
      'enabled',
      'owner',
      'message',
    ]);
  });

  it('shows the name of a function breakpoint, and no place', async () => {
    const on = bench();
    const { message, ...rest } = await viewOf(
      on,
      on.host.addBreakpoint({ kind: 'function', functionName: 'main', condition: 'x' }),
    );
    assert.match(message ?? '', /^No debug session is running/);
    assert.deepEqual(rest, {
      id: 1,
      verified: false,
      function_name: 'main',
      condition: 'x',
      enabled: true,
      owner: 'user',
    });
  });

  it('shows the agent as the owner of a breakpoint that it set, and the text of its line', async () => {
    const on = bench();
    const made = set(on);
    on.services.breakpoints.claim(made, { content: 'three' });
    const view = await viewOf(on, made);
    assert.deepEqual([view.owner, view.line_content], ['agent', 'three']);
  });
});

describe('breakpoint view: in one run', () => {
  const inRun = (
    on: Bench,
    made: HostBreakpoint,
    ...keys: readonly string[]
  ): Promise<BreakpointView> =>
    on.services.breakpointViews.view(
      made,
      on.call.signal,
      true,
      keys.map((key) => on.session(key)),
    );

  it('shows the adapter’s message of a run that has ended, and sends no request', async () => {
    const { on, made } = unbound({ ...LOCATIONS, ...SOURCES }, { message: 'Unbound breakpoint' });
    on.model.dispatch(ended());
    const view = await inRun(on, made, 'a');
    assert.deepEqual(
      [view.verified, view.message, view.bound],
      [
        false,
        'Unbound breakpoint',
        [{ session_id: 's1', verified: false, message: 'Unbound breakpoint' }],
      ],
    );
    assert.deepEqual(on.host.requests, []);
  });

  it('reports that a run has ended without a response, whatever other sessions report', async () => {
    const on = running(running(bench()), 'b');
    const made = set(on);
    answer(on, { id: 1, verified: true }, 'b');
    on.model.dispatch(ended());
    const view = await inRun(on, made, 'a');
    assert.deepEqual(
      [view.verified, view.message, view.bound],
      [false, 'The debugger of this run has not confirmed it.', undefined],
    );
    assert.equal((await viewOf(on, made)).verified, true);
  });

  it('reports that a response may still arrive if one session of the run is still running', async () => {
    const on = running(running(bench()), 'b', 'a');
    const made = set(on);
    on.model.dispatch(ended());
    assert.equal(
      (await inRun(on, made, 'a', 'b')).message,
      'No running debug session has confirmed it yet.',
    );
  });
});

describe('breakpoint view: breakpoints that no session has', () => {
  it('reports that a breakpoint is disabled, whatever else is wrong with it', async () => {
    const { on, made } = unbound({}, { message: 'Unbound breakpoint' });
    for (const where of [bench(), on]) {
      const view = await viewOf(where, { ...made, enabled: false });
      assert.deepEqual(
        [view.enabled, view.verified, view.message],
        [false, false, 'It is disabled in VS Code, so programs do not stop there.'],
      );
    }
  });

  it('reports that breakpoints are deactivated if VS Code withholds one', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, `file://${FILE}`);
    assert.equal(
      (await viewOf(on, made)).message,
      'Breakpoints are deactivated in VS Code, so programs stop at none.',
    );
  });

  it('does not report a deactivation if VS Code sent no list for the file, but one for another file', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, '/home/ada/app/other.js');
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has confirmed it yet.',
    );
  });

  it('does not report a deactivation if VS Code sent another breakpoint of the file', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 7 });
    answer(on, { id: 1, verified: true });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has confirmed it yet.',
    );
  });

  it('does not report a deactivation while a response is pending', async () => {
    // The older response is for a file that had no breakpoints then.
    const on = running(bench());
    answerNone(on);
    const made = set(on);
    on.model.dispatch(
      asked(51, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: LINE }] }),
    );
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has confirmed it yet.',
    );
  });

  it('does not report a deactivation if the adapter refuses to set it', async () => {
    const on = running(bench());
    answerNone(on);
    const made = set(on);
    on.model.dispatch(
      asked(51, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: LINE }] }),
    );
    on.model.dispatch(refused(51, 'setBreakpoints', 'not now'));
    assert.equal((await viewOf(on, made)).message, 'not now');
  });

  it('reports that no running debugger has function breakpoints', async () => {
    const on = running(running(bench()), 'b');
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debugger supports function breakpoints.',
    );
  });

  it('reports that a function breakpoint is pending if one debugger supports it', async () => {
    const on = running(running(bench()), 'b');
    on.model.dispatch(
      eventOf('capabilities', { capabilities: { supportsFunctionBreakpoints: true } }, 'b'),
    );
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has confirmed it yet.',
    );
  });

  it('sends no request for an unbound function breakpoint, and shows the adapter’s message', async () => {
    const on = running(bench());
    on.model.dispatch(
      eventOf('capabilities', {
        capabilities: { supportsFunctionBreakpoints: true, ...LOCATIONS, ...SOURCES },
      }),
    );
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.model.dispatch(asked(60, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }));
    on.model.dispatch(
      answered(60, 'setFunctionBreakpoints', {
        breakpoints: [{ verified: false, message: 'no such function' }],
      }),
    );
    assert.equal((await viewOf(on, made)).message, 'no such function');
    assert.deepEqual(on.host.requests, []);
  });
});

describe('breakpoint view: parent and child sessions', () => {
  const sessions = async (on: Bench, made: HostBreakpoint): Promise<unknown> =>
    (await viewOf(on, made)).bound?.map((session) => [session.session_id, session.verified]);

  it('leaves out a parent if its child has the breakpoint', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: false, message: 'Unbound breakpoint' }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [['s2', true]]);
  });

  it('shows a parent whose child does not have the breakpoint', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: true }, 'parent');
    assert.deepEqual(await sessions(on, made), [['s1', true]]);
  });

  it('shows a parent that runs its own program next to its child', async () => {
    const on = family(bench());
    const made = set(on);
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'parent'));
    answer(on, { verified: false }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [
      ['s1', false],
      ['s2', true],
    ]);
  });

  it('shows both of two unrelated sessions', async () => {
    const on = running(bench());
    for (const event of launched('b')) on.model.dispatch(event);
    const made = set(on);
    answer(on, { verified: false }, 'a');
    answer(on, { verified: true }, 'b');
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.verified, view.message, view.bound?.map((session) => session.reason)],
      [true, undefined, ['unknown', undefined]],
    );
  });
});
