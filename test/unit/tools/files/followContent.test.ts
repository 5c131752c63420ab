import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../../src/debugger/protocol';
import { binding, call, only, places, set, theirs } from '../../support/breakpointCalls';
import { bench, FILE, LINES, running, type Bench } from '../../support/services';

describe('breakpoints that follow the text of their line', () => {
  /** One line more above, written from elsewhere. */
  const shift = (on: Bench): void =>
    void on.workspace.files.set(FILE, ['zero', ...LINES].join('\r\n'));
  const look = async (on: Bench): Promise<Fields[]> => {
    const { breakpoints } = await call(on, 'get_breakpoints', {});
    assert.ok(Array.isArray(breakpoints));
    return breakpoints.map(fields);
  };

  it('are where it is, with their numbers and conditions', async () => {
    const on = bench();
    await set(on, { line_content: 'five', condition: 'x', hit_condition: '> 5' });
    shift(on);
    const [view] = await look(on);
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

  it('stay where a program holds them', async () => {
    const on = binding(running(bench()));
    await set(on, { line_content: 'five' });
    shift(on);
    await look(on);
    assert.deepEqual(places(on), [5]);
  });

  it('stay where the text is still, is gone, or is on several lines', async () => {
    for (const lines of [
      [...LINES, 'five'],
      ['five', ...LINES.slice(1)],
      LINES.map((each) => (each === 'five' ? '5' : each)),
      ['five', 'five', ...LINES.filter((each) => each !== 'five')],
    ]) {
      const on = bench();
      await set(on, { line_content: 'five' });
      const { hostId } = only(on);
      on.workspace.files.set(FILE, lines.join('\n'));
      await look(on);
      assert.deepEqual([only(on).hostId, places(on)], [hostId, [5]]);
    }
  });

  it('stay where the file cannot be read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.workspace.files.clear();
    assert.equal((await look(on)).length, 1);
    assert.deepEqual(places(on), [5]);
  });

  it('are those alone that were set by it and are the agent’s still', async () => {
    const on = bench();
    await set(on, { line_number: 1 });
    await set(on, { line_content: 'two' });
    await set(on, { line_content: 'three' });
    on.services.breakpoints.giveToPerson(on.services.breakpoints.at(FILE, 2));
    theirs(on, 9);
    shift(on);
    await look(on);
    assert.deepEqual(places(on).sort(), [1, 2, 4, 9]);
  });

  it('are not brought back when they are removed while their file is read', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const text = on.workspace.files.get(FILE) ?? '';
    on.workspace.readText = () => {
      on.host.removeBreakpoints([only(on).hostId]);
      return Promise.resolve(text);
    };
    assert.deepEqual(await look(on), []);
  });

  it('move once, though several look at once', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    shift(on);
    const looks = await Promise.all([look(on), look(on), look(on)]);
    assert.deepEqual(
      looks.map((each) => each.map((view) => [view['id'], view['line']])),
      [[[1, 6]], [[1, 6]], [[1, 6]]],
    );
    assert.deepEqual(places(on), [6]);
  });

  it('that the person disabled stay disabled', async () => {
    const on = bench();
    await set(on, { line_content: 'five' });
    on.host.setEnabled(only(on).hostId, false);
    shift(on);
    await look(on);
    assert.equal(only(on).enabled, false);
  });

  it('go nowhere where another is already: VS Code keeps one a place', async () => {
    // What is added where one is, VS Code drops.
    const on = bench();
    await set(on, { line_content: 'five' });
    theirs(on, 6, { condition: 'mine' });
    shift(on);
    await look(on);
    assert.deepEqual(places(on), [5, 6]);
  });
});
