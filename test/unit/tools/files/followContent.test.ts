import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../../src/debugger/protocol';
import { binding, call, only, places, set, theirs } from '../../support/breakpointCalls';
import { bench, FILE, LINES, running, type Bench } from '../../support/services';

describe('breakpoints that follow the text of their line', () => {
  /** Inserts a line at the beginning of the file, as another program would. */
  const shift = (on: Bench): void =>
    void on.workspace.files.set(FILE, ['zero', ...LINES].join('\r\n'));
  const read = async (on: Bench): Promise<Fields[]> => {
    const { breakpoints } = await call(on, 'get_breakpoints', {});
    assert.ok(Array.isArray(breakpoints));
    return breakpoints.map(fields);
  };

  it('move with the text, and keep their ids and conditions', async () => {
    const on = bench();
    await set(on, { line_content: 'five', condition: 'x', hit_condition: '> 5' });
    shift(on);
    const [view] = await read(on);
    assert.deepEqual(
      [
        view?.['id'],
        view?.['line'],
        view?.['condition'],
        view?.['hit_condition'],
        view?.['line_content'],
        view?.['owner'],
      ],
      [1, 6, 'x', '> 5', 'five', 'agent'],
    );
    assert.deepEqual(places(on), [6]);
  });

  it('stay on their line while a running program has them', async () => {
    const on = binding(running(bench()));
    await set(on, { line_content: 'five' });
    shift(on);
    await read(on);
    assert.deepEqual(places(on), [5]);
  });

  it('stay on their line if the text is still there, is missing, or is on several lines', async () => {
    for (const lines of [
      [...LINES, 'five'],
      ['five', ...LINES.slice(1)],
      LINES.map((line) => (line === 'five' ? '5' : line)),
      ['five', 'five', ...LINES.filter((line) => line !== 'five')],
    ]) {
      const on = bench();
      await set(on, { line_content: 'five' });
      const { hostId } = only(on);
      on.workspace.files.set(FILE, lines.join('\n'));
      await read(on);
      assert.deepEqual([only(on).hostId, places(on)], [hostId, [5]]);
    }
  });

  it('stay on their line if the file cannot be read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.workspace.files.clear();
    assert.equal((await read(on)).length, 1);
    assert.deepEqual(places(on), [5]);
  });

  it('are only those that were set by text and still belong to the agent', async () => {
    const on = bench();
    await set(on, { line_number: 1 });
    await set(on, { line_content: 'two' });
    await set(on, { line_content: 'three' });
    on.services.breakpoints.giveToPerson(on.services.breakpoints.at(FILE, 2));
    theirs(on, 9);
    shift(on);
    await read(on);
    assert.deepEqual(places(on).sort(), [1, 2, 4, 9]);
  });

  it('are not restored if they are removed while their file is read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const text = on.workspace.files.get(FILE) ?? '';
    on.workspace.readText = () => {
      on.host.removeBreakpoints([only(on).hostId]);
      return Promise.resolve(text);
    };
    assert.deepEqual(await read(on), []);
  });

  it('move once, even with several reads at the same time', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const reads = await Promise.all([read(on), read(on), read(on)]);
    assert.deepEqual(
      reads.map((views) => views.map((view) => [view['id'], view['line']])),
      [[[1, 6]], [[1, 6]], [[1, 6]]],
    );
    assert.deepEqual(places(on), [6]);
  });

  it('stay disabled if the person disabled them', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.host.setEnabled(only(on).hostId, false);
    shift(on);
    await read(on);
    assert.equal(only(on).enabled, false);
  });

  it('do not move to a line that has another breakpoint: VS Code keeps one per place', async () => {
    // VS Code drops a breakpoint that is added where one exists.
    const on = bench();
    await set(on, { line_content: 'five' });
    theirs(on, 6, { condition: 'mine' });
    shift(on);
    await read(on);
    assert.deepEqual(places(on), [5, 6]);
  });
});
