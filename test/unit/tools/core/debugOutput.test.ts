import { strict as assert } from 'node:assert';
import { ask, type Answer } from '../../support/asking';
import { created, ended, launched, eventOf } from '../../support/events';
import { bench, family, type Bench } from '../../support/services';

interface Line {
  readonly text: string;
  readonly session_id?: string;
}

const linesOf = (answer: Answer): readonly Line[] => answer['lines'] as Line[];
const texts = (answer: Answer): readonly string[] => linesOf(answer).map((line) => line.text);

it('a forgotten session has no output, and the answer says why', async () => {
  const on = bench();
  for (let index = 0; index < 30; index += 1) {
    on.model.dispatch(created(`short ${index}`));
    on.model.dispatch(ended(`short ${index}`));
  }
  for (const tool of ['get_debug_output', 'get_debug_state', 'wait_for_stop']) {
    const answer = await ask(on, tool, { session_id: 's3' });
    assert.equal(answer['code'], 'session_ended', tool);
    assert.match(String(answer['message']), /s3 has ended and is no longer kept/);
  }
});

describe('get_debug_output', () => {
  const print = (on: Bench, key: string, output: string): void =>
    on.model.dispatch(eventOf('output', { category: 'stdout', output }, key));
  /** As with js-debug: the parent prints how the program started and ended, the child prints the program's output. */
  const printed = (): Bench => {
    const on = family(bench());
    print(on, 'parent', 'node main.js\n');
    print(on, 'child', 'one\ntwo\n');
    print(on, 'parent', 'Process exited with code 1\n');
    return on;
  };

  it('returns the output of the whole session tree in order, and marks the lines of another session', async () => {
    const answer = await ask(printed(), 'get_debug_output');
    assert.deepEqual(texts(answer), ['node main.js', 'one', 'two', 'Process exited with code 1']);
    assert.deepEqual(
      linesOf(answer).map((line) => line.session_id),
      ['s1', undefined, undefined, 's1'],
    );
    assert.equal(answer['session_id'], 's2');
  });

  it('returns the output after the end, too, by the id of the session that ended', async () => {
    const on = printed();
    for (const key of ['child', 'parent']) on.model.dispatch(ended(key));
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { session_id: 's1' })), [
      'node main.js',
      'one',
      'two',
      'Process exited with code 1',
    ]);
  });

  it('hints at the output that js-debug does not capture if no line matches', async () => {
    const started = (configuration: object): Bench => {
      const on = bench();
      for (const event of launched('a', {
        sessionType: 'pwa-node',
        configuration: { request: 'launch', ...configuration },
      }))
        on.model.dispatch(event);
      print(on, 'a', 'one\n');
      return on;
    };
    assert.match(
      String((await ask(started({}), 'get_debug_output', { pattern: 'progress' }))['hint']),
      /outputCapture/,
    );
    assert.equal((await ask(started({}), 'get_debug_output'))['hint'], undefined);
    assert.equal(
      (await ask(started({ outputCapture: 'std' }), 'get_debug_output', { pattern: 'progress' }))[
        'hint'
      ],
      undefined,
    );
  });

  it('names the session that printed most lines only once', async () => {
    const on = printed();
    print(on, 'child', 'three\n');
    const answer = await ask(on, 'get_debug_output', { session_id: 's1' });
    assert.equal(answer['session_id'], 's2');
    assert.deepEqual(
      linesOf(answer).map((line) => line.session_id),
      ['s1', undefined, undefined, 's1', undefined],
    );
  });

  it('returns only the output of the child that is named, or that of its tree if the child printed nothing', async () => {
    assert.deepEqual(texts(await ask(printed(), 'get_debug_output', { session_id: 's2' })), [
      'one',
      'two',
    ]);
    const on = family(bench());
    print(on, 'parent', 'up\n');
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { session_id: 's2' })), ['up']);
  });

  it('returns the output of the whole tree since a cursor', async () => {
    const on = printed();
    const { cursor } = await ask(on, 'get_debug_output');
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { since: cursor })), []);
    print(on, 'child', 'three\n');
    print(on, 'parent', 'four\nfi');
    const next = await ask(on, 'get_debug_output', { since: cursor });
    assert.deepEqual(texts(next), ['three', 'four', 'fi']);
    print(on, 'parent', 've\n');
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { since: next['cursor'] })), ['five']);
  });

  it('accepts the cursor of the line that wait_for_stop matched', async () => {
    const on = printed();
    const waiting = ask(on, 'wait_for_stop', { session_id: 's2', output_pattern: 'ready' });
    await new Promise((resolve) => setImmediate(resolve));
    print(on, 'parent', 'ready\nafter\n');
    const { cursor } = (await waiting)['matched'] as { cursor: number };
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { since: cursor })), ['after']);
  });
});
