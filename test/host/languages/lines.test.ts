import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, stopOf, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

interface Set {
  readonly id: number;
  readonly line_text?: string;
}

/** Files with lines without code, for the two debuggers that treat such lines most differently. */
const FILES = [
  {
    name: 'Python',
    file: 'python/lines.py',
    condition: 'totl > 100',
    type: 'debugpy',
    hides: true,
  },
  { name: 'Node', file: 'node/lines.js', condition: 'one > 100', type: 'node', hides: false },
] as const;

for (const { name, file, condition, type, hides } of FILES) {
  describe(`breakpoints that are not hit at their line, in ${name}`, function () {
    this.timeout(300_000);

    before(function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
    });
    afterEach(async () => {
      await cleanUp();
      await call('set_exception_breakpoints', {});
    });

    const set = async (
      marker: string,
      more: object = {},
    ): Promise<{ answer: Answer; breakpoint: Set }> => {
      const answer = await call('set_breakpoint', {
        file_path: file,
        line_number: marked(file, marker),
        ...more,
      });
      assert.equal(answer.status, 'success', JSON.stringify(answer));
      return { answer, breakpoint: answer['breakpoint'] as Set };
    };
    const start = async (): Promise<Answer> =>
      await call('start_debugging', { program: file, type, ...WAIT });
    const goOn = async (answer: Answer): Promise<Answer> =>
      await call('continue_debugging', { thread_id: stopOf(answer).thread_id, ...WAIT });

    it('reports a comment line when the breakpoint is set, and the stop reports that it was moved', async () => {
      const { answer, breakpoint } = await set('comment');
      assert.match(breakpoint.line_text ?? '', /A comment in a function/);
      assert.match(String(answer['hint']), /looks like a comment.*next line with code/);
      const stopped = await start();
      const stop = stopOf(stopped);
      assert.deepEqual(stop.hit_breakpoint_ids, [breakpoint.id], JSON.stringify(stop));
      assert.notEqual(stop.line, marked(file, 'comment'));
      assert.deepEqual(stop.moved_breakpoints, [
        { id: breakpoint.id, asked_line: marked(file, 'comment') },
      ]);
    });

    it('the end reports the breakpoints that were not hit, and why, and omits those that were hit', async () => {
      const sum = name === 'Python' ? 'total' : 'sum';
      const never = await set('never');
      const conditional = await set(sum, { condition });
      const done = await set('done');
      if (hides)
        assert.match(String(conditional.answer['hint']), /Nothing in the file is named totl/);
      const stopped = await start();
      assert.deepEqual(stopOf(stopped).hit_breakpoint_ids, [done.breakpoint.id]);
      const ended = await goOn(stopped);
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      const base = file.split('/').at(-1) ?? '';
      assert.deepEqual(ended['missed_breakpoints'], [
        { id: never.breakpoint.id, at: `${base}:${marked(file, 'never')}`, why: 'not_reached' },
        {
          id: conditional.breakpoint.id,
          at: `${base}:${marked(file, sum)}`,
          why: 'not_reached_or_condition_false',
        },
      ]);
      assert.equal(
        /debugpy treats a condition that fails as false/.test(String(ended['hint'])),
        hides,
        JSON.stringify(ended),
      );
    });

    it('the end reports no missed breakpoints if all were hit', async () => {
      await set('done');
      const ended = await goOn(await start());
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      assert.equal(ended['missed_breakpoints'], undefined);
    });
  });
}

describe('exception filters that are turned on during a run', function () {
  this.timeout(300_000);

  before(function () {
    const python = LANGUAGES.find((each) => each.name === 'Python');
    assert.ok(python);
    skipWhereMissing(this, python);
  });
  afterEach(async () => {
    await cleanUp();
    await call('set_exception_breakpoints', {});
  });

  it('apply in debugpy only to functions entered later, and the answer says so', async () => {
    const file = 'python/lines.py';
    await call('set_breakpoint', { file_path: file, line_number: marked(file, 'total') });
    const stopped = await call('start_debugging', { program: file, ...WAIT });
    const { thread_id } = stopOf(stopped);
    const chosen = await call('set_exception_breakpoints', { filters: ['raised'] });
    assert.match(
      String(chosen['hint']),
      /debugpy applies raised only to functions that are entered from now on/,
      JSON.stringify(chosen),
    );
    // The caller was entered before: its exception causes no stop, although the filter is on.
    assert.equal((await call('continue_debugging', { thread_id, ...WAIT })).status, 'completed');
    // A filter that is chosen before the start applies to all functions.
    await call('remove_breakpoint', { clear_all: true });
    assert.equal(
      stopOf(await call('start_debugging', { program: file, ...WAIT })).reason,
      'exception',
    );
  });

  it('keep JavaScript’s filters when Python’s are chosen, and are shown between sessions', async () => {
    const bogus = await call('set_exception_breakpoints', { filters: ['bogus'] });
    assert.equal(bogus['code'], 'not_supported', JSON.stringify(bogus));
    await call('set_exception_breakpoints', { filters: ['uncaught'], type: 'node' });
    const chosen = await call('set_exception_breakpoints', { filters: ['userUnhandled'] });
    const rows = chosen['filters'] as { type: string; from: string; filter: string; on: boolean }[];
    assert.deepEqual(
      rows.flatMap((each) => (each.on ? [`${each.type} ${each.filter}`] : [])),
      ['debugpy userUnhandled'],
    );
    assert.ok(
      rows.every((each) => each.from === 'last_session'),
      JSON.stringify(rows),
    );
    const { exception_filters: shown } = await call('get_debug_state', {});
    assert.deepEqual(
      (shown as { type?: string; filters: string[] }[]).filter((each) => each.type !== undefined),
      [
        { type: 'node', filters: ['uncaught'] },
        { type: 'debugpy', filters: ['userUnhandled'] },
      ],
    );
    const stop = stopOf(
      await call('start_debugging', { configuration_name: 'Node throw', ...WAIT }),
    );
    assert.equal(stop.reason, 'exception');
  });
});
