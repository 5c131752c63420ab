import { strict as assert } from 'node:assert';
import { fields } from '../../../../src/debugger/protocol';
import { cpuProfile } from '../../../../src/editor/diagnostics/profiles';

/** Records a profile, and blocks the process before the profiler starts. @returns its length in seconds */
async function recorded(seconds: number, cancelled: AbortSignal): Promise<number> {
  const profile = cpuProfile(seconds, cancelled);
  const blocked = performance.now() + 300;
  while (performance.now() < blocked);
  const { startTime, endTime } = fields(JSON.parse(await profile));
  return (Number(endTime) - Number(startTime)) / 1e6;
}

describe('a CPU profile', () => {
  it('has its full length if the process was busy before the profiler started', async () => {
    const { signal } = new AbortController();
    assert.ok((await recorded(0.2, signal)) >= 0.19);
  });

  it('ends when it is cancelled', async () => {
    const cancelled = AbortSignal.timeout(350);
    assert.ok((await recorded(20, cancelled)) < 10);
  });

  it('ends at once if it was cancelled before it started', async () => {
    assert.ok((await recorded(20, AbortSignal.abort())) < 10);
  });
});
