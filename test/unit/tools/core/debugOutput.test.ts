import { strict as assert } from 'node:assert';
import { ask, type Answer } from '../../support/asking';
import { created, ended, launched, told } from '../../support/events';
import { bench, family, type Bench } from '../../support/services';

interface Line {
  readonly text: string;
  readonly session_id?: string;
}

const linesOf = (answer: Answer): readonly Line[] => answer['lines'] as Line[];
const texts = (answer: Answer): readonly string[] => linesOf(answer).map((each) => each.text);

it('what a forgotten session printed is not there, and the answer says why', async () => {
  const on = bench();
  for (let each = 0; each < 30; each += 1) {
    on.model.dispatch(created(`short ${each}`));
    on.model.dispatch(ended(`short ${each}`));
  }
  for (const tool of ['get_debug_output', 'get_debug_state', 'wait_for_stop']) {
    const answer = await ask(on, tool, { session_id: 's3' });
    assert.equal(answer['code'], 'session_ended', tool);
    assert.match(String(answer['message']), /s3 has ended and was forgotten/);
  }
});

describe('what was printed', () => {
  const print = (on: Bench, key: string, output: string): void =>
    on.model.dispatch(told('output', { category: 'stdout', output }, key));
  /** As js-debug does it: the parent tells how the program was started and ended, the child what it printed. */
  const printed = (): Bench => {
    const on = family(bench());
    print(on, 'parent', 'node main.js\n');
    print(on, 'child', 'one\ntwo\n');
    print(on, 'parent', 'Process exited with code 1\n');
    return on;
  };

  it('by the whole tree is told in its order, and what another session printed says so', async () => {
    const answer = await ask(printed(), 'get_debug_output');
    assert.deepEqual(texts(answer), ['node main.js', 'one', 'two', 'Process exited with code 1']);
    assert.deepEqual(
      linesOf(answer).map((each) => each.session_id),
      ['s1', undefined, undefined, 's1'],
    );
    assert.equal(answer['session_id'], 's2');
  });

  it('is told after the end, too, by the session that the end named', async () => {
    const on = printed();
    for (const key of ['child', 'parent']) on.model.dispatch(ended(key));
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { session_id: 's1' })), [
      'node main.js',
      'one',
      'two',
      'Process exited with code 1',
    ]);
  });

  it('where nothing is found, says what js-debug does not read', async () => {
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

  it('says once which session printed most', async () => {
    const on = printed();
    print(on, 'child', 'three\n');
    const answer = await ask(on, 'get_debug_output', { session_id: 's1' });
    assert.equal(answer['session_id'], 's2');
    assert.deepEqual(
      linesOf(answer).map((each) => each.session_id),
      ['s1', undefined, undefined, 's1', undefined],
    );
  });

  it("by a child that is named is its own alone; by one that printed nothing, its tree's", async () => {
    assert.deepEqual(texts(await ask(printed(), 'get_debug_output', { session_id: 's2' })), [
      'one',
      'two',
    ]);
    const on = family(bench());
    print(on, 'parent', 'up\n');
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { session_id: 's2' })), ['up']);
  });

  it('since a cursor is what any of them printed since', async () => {
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

  it('and the cursor of a line that was waited for is one of these', async () => {
    const on = printed();
    const waiting = ask(on, 'wait_for_stop', { session_id: 's2', output_pattern: 'ready' });
    await new Promise((resolve) => setImmediate(resolve));
    print(on, 'parent', 'ready\nafter\n');
    const { cursor } = (await waiting)['matched'] as { cursor: number };
    assert.deepEqual(texts(await ask(on, 'get_debug_output', { since: cursor })), ['after']);
  });
});
