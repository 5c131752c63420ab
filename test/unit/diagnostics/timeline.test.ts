import { strict as assert } from 'node:assert';
import { timelineEntries, type TimelineEntry } from '../../../src/diagnostics/timeline';
import { call, sources } from './support';

describe('the timeline', () => {
  const short = ({ label, description, icon }: TimelineEntry) => [label, description, icon];

  it('shows the newest call first, with its place and what changed', () => {
    const { calls } = sources();
    calls.ended(call());
    calls.ended(
      call({
        title: 'Evaluate Expression',
        status: 'success',
        result: { status: 'success', result: '42' },
      }),
    );
    calls.ended(
      call({ status: 'error', result: { status: 'error', code: 'no_session', message: 'None.' } }),
    );
    assert.deepEqual(timelineEntries(calls.records, []).map(short), [
      ['Step', 'no_session', 'error'],
      ['Evaluate Expression', '= 42', 'pass'],
      ['Step', 'main.js:3  fresh = 2', 'debug-stackframe'],
    ]);
  });

  it('opens the line on a click on the call or on its place', () => {
    const { calls } = sources();
    calls.ended(call());
    const [entry] = timelineEntries(calls.records, []);
    const place = { file: '/home/ada/app/main.js', line: 3 };
    assert.deepEqual(entry?.place, place);
    assert.deepEqual(entry.children[0]?.place, place);
    assert.deepEqual(
      entry.children.map(({ description, label }) => `${description}: ${label}`),
      [
        'Place: main.js:3 in add: step',
        'Changed: total: 0 → 1',
        'Changed: fresh = 2',
        'Output: hello',
        'Made by: VS Code',
        'Result: stopped, 35 ms',
      ],
    );
  });

  it('shows the person’s answer, also to a screen reader', () => {
    const { calls, clock } = sources();
    calls.asked({ tool: 'x', title: 'Set Breakpoint', caller: 'VS Code', input: {} });
    const spoken = (): string | undefined => timelineEntries(calls.records, []).at(-1)?.spoken;
    assert.equal(spoken(), 'Set Breakpoint, waits for your approval');
    clock.at += 100;
    calls.ended(call({ wasAsked: true, milliseconds: 1 }));
    assert.match(spoken() ?? '', /^Set Breakpoint, skipped/);
    const [newest] = timelineEntries(calls.records, []);
    assert.deepEqual(
      newest?.children.filter(({ icon }) => ['person', 'watch'].includes(icon)).map(short),
      [
        ['approved', 'You', 'person'],
        ['stopped, 1 ms', 'Result', 'watch'],
      ],
    );
    assert.equal(newest.spoken, 'Step, stopped, approved, main.js:3  fresh = 2');
    for (const each of newest.children) assert.match(each.spoken, /^[A-Z][\w ]+: .+/);
  });

  it('shows the calls that are running, and is bounded', () => {
    const { calls } = sources();
    for (let index = 0; index < 350; index += 1) calls.ended(call());
    const entries = timelineEntries(calls.records, [{ doing: 'Waiting\nfor the stop' }]);
    assert.equal(entries.length, 302);
    assert.deepEqual(short(entries[0] ?? assert.fail()), [
      'Waiting for the stop',
      'running',
      'play-circle',
    ]);
    assert.match(entries.at(-1)?.label ?? '', /^50 older calls/);
    assert.equal(new Set(entries.map((each) => each.id)).size, 302, 'ids are unique');
  });

  it('shows text from a program or an agent as one bounded line', () => {
    const { calls } = sources();
    const result = { status: 'success', result: `a\n\u202e${'x'.repeat(1000)}` };
    calls.ended(call({ status: 'success', result }));
    const [entry] = timelineEntries(calls.records, []);
    for (const each of [entry, ...(entry?.children ?? [])]) {
      assert.doesNotMatch(`${each?.label}${each?.description}`, /[\n\u202e]/);
      assert.ok((each?.label.length ?? 0) < 300 && (each?.description.length ?? 0) < 300);
    }
  });
});
