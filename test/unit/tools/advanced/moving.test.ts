import { strict as assert } from 'node:assert';
import { stopped } from '../../support/events';
import { capable } from '../../support/advancedInputs';
import { ask, toolNamed } from '../../support/asking';
import { readCard } from '../../support/card';
import { never } from '../../support/fakeHost';
import { bench, FILE, paused, type Bench } from '../../support/services';

/** A stopped program whose adapter answers this command with another stop, for this reason. */
function stopping(command: string, reason: string): Bench {
  const on = capable(paused(bench()));
  on.host.on(command, () => {
    on.model.dispatch(stopped(1, { reason }));
    return {};
  });
  return on;
}

const target = (id: number, column?: number): object => ({
  id,
  label: `place ${id}`,
  line: 5,
  ...(column === undefined ? {} : { column }),
});

describe('goto_line', () => {
  const there = { file_path: FILE, line_number: 5 };

  it('requests the targets and goes to the only one', async () => {
    const on = stopping('goto', 'goto');
    on.host.on('gotoTargets', () => ({ targets: [target(8)] }));
    const answer = await ask(on, 'goto_line', { ...there, column_number: 3 });
    assert.equal(answer.status, 'stopped', JSON.stringify(answer));
    assert.deepEqual(on.host.sent('gotoTargets'), [{ source: { path: FILE }, line: 5, column: 3 }]);
    assert.deepEqual(on.host.sent('goto'), [{ threadId: 1, targetId: 8 }]);
  });

  it('lists several targets, and goes to the one that target_id selects', async () => {
    const on = stopping('goto', 'goto');
    on.host.on('gotoTargets', () => ({ targets: [target(8, 1), target(9, 20), { no: 'id' }] }));
    const answer = await ask(on, 'goto_line', there);
    assert.equal(answer['code'], 'ambiguous_target');
    assert.deepEqual(answer['targets'], [
      { target_id: 8, label: 'place 8', line: 5, column: 1 },
      { target_id: 9, label: 'place 9', line: 5, column: 20 },
    ]);
    const wrong = await ask(on, 'goto_line', { ...there, target_id: 7 });
    assert.equal(wrong['code'], 'ambiguous_target');
    assert.deepEqual(on.host.sent('goto'), []);
    await ask(on, 'goto_line', { ...there, target_id: 9 });
    assert.deepEqual(on.host.sent('goto'), [{ threadId: 1, targetId: 9 }]);
  });

  it('moves nothing if there is no target or no such line', async () => {
    const on = stopping('goto', 'goto');
    on.host.on('gotoTargets', () => ({ targets: [] }));
    assert.equal((await ask(on, 'goto_line', there))['code'], 'line_not_found');
    const beyond = { file_path: FILE, line_number: 99 };
    assert.equal((await ask(on, 'goto_line', beyond))['code'], 'line_out_of_range');
    assert.deepEqual(on.host.sent('goto'), []);
  });

  it('reports the adapter’s refusal', async () => {
    const on = capable(paused(bench()));
    on.host
      .on('gotoTargets', () => ({ targets: [target(8)] }))
      .on('goto', () => {
        throw new Error('cannot jump into a loop');
      });
    const answer = await ask(on, 'goto_line', there);
    assert.equal(answer['code'], 'adapter_error');
    assert.match(String(answer['message']), /into a loop/);
    assert.equal(on.session().lifecycle, 'stopped');
  });

  it('names both locations in its question', async () => {
    const on = capable(paused(bench()));
    const question = await toolNamed('goto_line').check(there).question(on.services);
    const [line] = readCard(question?.message ?? '');
    assert.match(String(line), /^Go from main\.js:3 to main\.js:5 without running/);
  });
});

describe('restart_frame', () => {
  it('goes back to the start of the frame and answers with the stop', async () => {
    const on = stopping('restartFrame', 'frame_entry');
    const answer = await ask(on, 'restart_frame');
    assert.equal(answer.status, 'stopped', JSON.stringify(answer));
    assert.deepEqual(on.host.sent('restartFrame'), [{ frameId: 10 }]);
  });

  it('refuses a second call from the same stop', async () => {
    const on = capable(paused(bench()));
    on.host.on('restartFrame', never);
    const first = ask(on, 'restart_frame', { timeout_seconds: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    const second = await ask(on, 'restart_frame');
    assert.equal(second['code'], 'moved_meanwhile');
    assert.equal((await first).status, 'timeout');
  });
});

describe('step_back and reverse_continue', () => {
  for (const [name, command] of [
    ['step_back', 'stepBack'],
    ['reverse_continue', 'reverseContinue'],
  ] as const) {
    it(`${name} moves by VS Code’s own command and answers with the stop`, async () => {
      const on = stopping(command, 'step');
      const answer = await ask(on, name);
      assert.equal(answer.status, 'stopped', JSON.stringify(answer));
      assert.deepEqual(on.host.moves, [{ sessionKey: 'a', threadId: 1, command }]);
      const question = await toolNamed(name).check({}).question(on.services);
      assert.match(readCard(question?.message ?? '').join(), /main\.js:3/);
    });
  }
});
