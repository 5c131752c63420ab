import { strict as assert } from 'node:assert';
import { Captures } from '../../../src/investigation/captures';
import { kept, removeFolders } from './support';

describe('the log of an investigation', () => {
  afterEach(removeFolders);

  it('has an entry for each event, and no text of the program', async () => {
    const { investigations, log } = kept();
    const { sid } = await investigations.start('The stones are in the wrong place');
    const captures = new Captures(investigations);
    const { id } = await captures.start(sid, {
      ...{ kind: 'capture', mode: 'cli', source: 'command', what: 'npm start', timeoutMs: 5000 },
      run: async ({ sink }) => {
        await sink('stderr', 'Error: a secret of the program\n');
        return { endedBy: 'exit', exitCode: 3, via: 'child_process' };
      },
    });
    await captures.wait(sid, id, 5000, new AbortController().signal);
    const error = { tool: 'analyze_capture', code: 'capture_empty', message: 'm', hint: 'h' };
    await investigations.recordError(sid, error);
    await investigations.recordError(sid, { ...error, code: 'unknown_chunk' });
    await investigations.update(sid, () => ({ endedAt: '2026-03-01T11:00:00Z' }));
    await investigations.remove(sid);
    assert.deepEqual(
      log.map((line) => line.replace(`[VDT] ${sid}: `, '')),
      [
        'started, expires 2026-03-08T10:00:00.000Z',
        `capture ${id} began, cli, command`,
        `capture ${id} ended by exit, exit code 3, 1 events, 1 errors, 0 warnings, 0 dropped`,
        'analyze_capture failed: capture_empty',
        'analyze_capture failed: unknown_chunk',
        'ended',
        'removed',
      ],
    );
  });

  it('adds nothing when a record is changed in any other way', async () => {
    const { investigations, log } = kept();
    const { sid } = await investigations.start('x');
    const before = log.length;
    await investigations.update(sid, () => ({ hook: 'y' }));
    assert.equal(log.length, before);
  });
});
