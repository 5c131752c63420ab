import { strict as assert } from 'node:assert';
import { runTool } from '../../../../src/tools/run';
import { ask, toolNamed } from '../../support/asking';
import { begun, chunksOf, isError, meta } from '../../support/begunInvestigation';
import { printing } from '../../support/investigation';

describe('clarify', () => {
  it('asks the person if no answer is passed', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    on.investigation.choose = async (chunks) => ({
      selectedIds: chunks.slice(0, 1).map(({ id }) => id),
    });
    const answer = await ask(on, 'clarify', { sid: on.sid });
    assert.deepEqual(answer['selectedIds'], [first?.id]);
    assert.equal((await meta(on)).clarifications[0]?.by, 'person');
  });

  it('prefers the client’s own question', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await ask(on, 'analyze_capture', { sid: on.sid });
    const answer = await runTool(toolNamed('clarify'), { sid: on.sid }, on.services, {
      ...on.call,
      client: {
        name: 'c',
        choose: async (chunks) => ({ selectedIds: [chunks[0]?.id ?? ''], notes: 'n' }),
      },
    });
    assert.equal(answer['notes'], 'n');
  });

  it('applies to the capture that it was about, whatever has been analyzed since', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [first?.id] } });
    await ask(on, 'capture_run', { sid: on.sid, command: 'y' });
    assert.equal((await ask(on, 'analyze_capture', { sid: on.sid })).status, 'success');
    const again = await ask(on, 'analyze_capture', { sid: on.sid, captureId: 'c1' });
    assert.equal(again.status, 'success', JSON.stringify(again));
    assert.equal(chunksOf(again)[0]?.metadata['selected'], true);
  });

  it('refuses unknown chunks, and names the existing ones', async () => {
    const on = await begun();
    isError(
      await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: ['c1-e1-2'] } }),
      'invalid_input',
    );
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    const answer = await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: ['c1-e1-2'] } });
    isError(answer, 'invalid_input');
    assert.ok(String(answer['hint']).includes(first?.id ?? '?'));
    const selectedIds = [first?.id, 'c1-e9-9'];
    for (const [name, input] of [
      ['analyze_capture', { selectedIds }],
      ['reasoner_run', { task: 'propose_patch', context: { selectedIds } }],
    ] as const) {
      const refused = await ask(on, name, { sid: on.sid, ...input });
      isError(refused, 'invalid_input');
      assert.match(String(refused['message']), /c1-e9-9/);
    }
    isError(await ask(on, 'clarify', { sid: on.sid }), 'declined_by_person');
  });

  it('keeps the ids of all analyses valid', async () => {
    const on = await begun();
    on.investigation.commands = printing(() =>
      Array.from(
        { length: 30 },
        (_, at) =>
          `Error: kind ${'abcdefghijklmnop'[at % 16]}\nfine\nfine\nfine\nfine\nfine\nfine\nfine\nfine\n`,
      ).join(''),
    );
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const first = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid })).map(({ id }) => id);
    const last = first.at(-1) ?? '';
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [last] } });
    const focused = await ask(on, 'analyze_capture', { sid: on.sid });
    const ids = [...first, ...chunksOf(focused).map(({ id }) => id)];
    await ask(on, 'capture_run', { sid: on.sid, command: 'y' });
    await ask(on, 'analyze_capture', { sid: on.sid });
    for (const id of ids) {
      const answer = await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [id] } });
      assert.equal(answer.status, 'success', `${id} ${JSON.stringify(answer)}`);
      const again = { sid: on.sid, captureId: 'c1', selectedIds: [id] };
      assert.equal((await ask(on, 'analyze_capture', again)).status, 'success', id);
    }
  });

  it('takes the choice back with an empty selectedIds', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    const [first] = chunksOf(await ask(on, 'analyze_capture', { sid: on.sid }));
    await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [first?.id] } });
    const chosen = await ask(on, 'analyze_capture', { sid: on.sid });
    assert.equal(chunksOf(chosen)[0]?.metadata['selected'], true);
    const cleared = await ask(on, 'clarify', { sid: on.sid, answer: { selectedIds: [] } });
    assert.equal(cleared.status, 'success');
    const all = await ask(on, 'analyze_capture', { sid: on.sid });
    assert.equal(chunksOf(all)[0]?.metadata['selected'], undefined);
  });
});
