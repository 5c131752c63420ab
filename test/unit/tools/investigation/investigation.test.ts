import { strict as assert } from 'node:assert';
import { decode } from '../../../../src/investigation/events';
import { ask } from '../../support/asking';
import { begun, chunksOf, isError, meta } from '../../support/begunInvestigation';
import { printing } from '../../support/investigation';

describe('an investigation', () => {
  it('goes from a capture to a proof', async () => {
    const on = await begun();
    const captured = await ask(on, 'capture_run', { sid: on.sid, command: 'npm start' });
    assert.deepEqual(
      [captured.status, captured['captureId'], captured['exitCode'], captured['errors']],
      ['completed', 'c1', 1, 1],
    );
    assert.equal(
      decode(on.investigation.memory.text(on.sid, 'logs/capture.ndjson').split('\n')[1] ?? '')
        .level,
      'error',
    );

    const analysed = await ask(on, 'analyze_capture', { sid: on.sid });
    const [first] = chunksOf(analysed);
    assert.equal(analysed['needClarify'], false);
    assert.equal(first?.title, 'TypeError: board.cells is undefined');
    assert.deepEqual(first.metadata['files'], ['main.js:3']);
    assert.match(on.investigation.memory.text(on.sid, 'analysis/buglens.md'), /TypeError/);

    const clarified = await ask(on, 'clarify', {
      sid: on.sid,
      chunks: [{ id: first.id }],
      answer: { selectedIds: [first.id], notes: 'only on the second move' },
    });
    assert.deepEqual(clarified['selectedIds'], [first.id]);
    assert.match(
      on.investigation.memory.text(on.sid, 'analysis/clarify.md'),
      /only on the second move/,
    );
    const again = await ask(on, 'analyze_capture', { sid: on.sid });
    assert.equal(chunksOf(again)[0]?.metadata['selected'], true);

    const same = await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual(
      [same['verdict'], same['remaining']],
      ['still_failing', ['TypeError: board.cells is undefined']],
    );
    on.investigation.commands = printing(() => 'drawn 225 cells\n');
    const fixed = await ask(on, 'verify_run', { sid: on.sid });
    assert.deepEqual(
      [fixed['verdict'], fixed['gone'], fixed['against']],
      ['fixed', ['TypeError: board.cells is undefined'], 'c1'],
    );

    const ended = await ask(on, 'end_session', {
      sid: on.sid,
      hook: 'The second move broke drawing',
      conclusion: 'cells was never filled',
    });
    for (const part of [
      'The second move broke drawing',
      'cells was never filled',
      'vdt://sessions/',
      'npm start',
      'fixed',
    ])
      assert.ok(String(ended['summary']).includes(part), `${part}\n${String(ended['summary'])}`);
    isError(await ask(on, 'capture_run', { sid: on.sid, command: 'x' }), 'session_ended');
  });

  it('has a proof command that also runs in a folder of any name', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'npm start' });
    await ask(on, 'verify_run', { sid: on.sid });
    await on.services.investigation.investigations.update(on.sid, ({ captures }) => ({
      captures: captures.map((each) => ({ ...each, cwd: "/home/ada/my app's" })),
    }));
    const { summary } = await ask(on, 'end_session', { sid: on.sid });
    assert.ok(String(summary).includes("cd '/home/ada/my app'\\''s'\nnpm start"), String(summary));
  });

  it('keeps errors in its record, in the form that the founding document requires', async () => {
    const on = await begun();
    isError(await ask(on, 'analyze_capture', { sid: on.sid }), 'invalid_input');
    isError(await ask(on, 'capture_run', { sid: on.sid }), 'invalid_input');
    isError(await ask(on, 'capture_run', { sid: on.sid, nonsense: 1 }), 'invalid_input');
    const { errors } = await meta(on);
    assert.deepEqual(
      errors.map(({ tool, isError: is, code }) => [tool, is, code]),
      [
        ['analyze_capture', true, 'invalid_input'],
        ['capture_run', true, 'invalid_input'],
        ['capture_run', true, 'invalid_input'],
      ],
    );
    assert.ok(errors.every(({ message, hint }) => message !== '' && hint !== ''));
  });

  it('is an error for each of its tools after it has expired', async () => {
    const on = await begun();
    await ask(on, 'capture_run', { sid: on.sid, command: 'x' });
    await on.services.investigation.investigations.update(on.sid, () => ({
      expiresAt: '2020-01-01T00:00:00.000Z',
    }));
    for (const [name, input] of [
      ['capture_run', { command: 'x' }],
      ['analyze_capture', {}],
      ['clarify', {}],
      ['reasoner_run', { task: 'propose_patch' }],
      ['verify_run', {}],
      ['end_session', {}],
      ['mcp_end', {}],
    ] as const) {
      const answer = await ask(on, name, { sid: on.sid, ...input });
      isError(answer, 'investigation_not_found');
      assert.match(String(answer['message']), /has expired/);
      assert.ok(String(answer['hint']).includes('start_session'));
    }
  });

  it('is an error that lists the existing investigations if it is unknown', async () => {
    const on = await begun();
    const answer = await ask(on, 'analyze_capture', { sid: '260301-zzzz' });
    isError(answer, 'investigation_not_found');
    assert.deepEqual(answer['investigations'], [on.sid]);
  });

  it('does not mix with another one at the same time', async () => {
    const on = await begun();
    const { sid: other } = await ask(on, 'start_session', { title: 'other' });
    await ask(on, 'capture_run', { sid: on.sid, command: 'a' });
    isError(await ask(on, 'analyze_capture', { sid: String(other) }), 'invalid_input');
  });
});
