import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { stepExecution } from '../../../../src/tools/core/stepExecution';
import { runTool } from '../../../../src/tools/run';
import { step, stopOf, stops } from '../../support/runCalls';
import { bench, paused } from '../../support/services';

describe('run control: several steps', () => {
  it('are as many as requested', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on, { count: 5 }))['stop_id'], 6);
    assert.equal(on.host.moves.length, 5);
  });

  it('report their progress to the person and to the caller', async () => {
    const on = paused(bench());
    const { access } = on.services;
    const shown: (string | undefined)[] = [];
    on.host.on('next', () => {
      shown.push(access.calls[0]?.doing);
      stops(on);
      return {};
    });
    const said: string[] = [];
    const input = { thread_id: 1, step_type: 'over', count: 2 };
    await runTool(stepExecution, input, on.services, {
      ...on.call,
      progress: (doing) => said.push(doing),
    });
    assert.deepEqual(said, ['Stepping, 1 of 2', 'Stepping, 2 of 2']);
    assert.deepEqual([shown, access.calls], [said, []]);
  });

  it('end early at a stop for another reason, or in another thread', async () => {
    for (const [reason, threadId] of [
      ['breakpoint', 1],
      ['exception', 1],
      ['step', 2],
    ] as const) {
      const on = paused(bench());
      on.host.on('next', () => {
        stops(
          on,
          on.host.moves.length < 3 ? 'step' : reason,
          on.host.moves.length < 3 ? 1 : threadId,
        );
        return {};
      });
      assert.equal(stopOf(await step(on, { count: 10 }))['reason'], reason);
      assert.equal(on.host.moves.length, 3);
    }
  });

  it('begin no further step after the timeout', async () => {
    const on = paused(bench());
    let now = performance.now();
    const clock = mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      on.host.on('next', () => {
        now += 600;
        mock.timers.tick(600);
        stops(on);
        return {};
      });
      const result = await step(on, { count: 10, timeout_seconds: 1 });
      // The second step has 0.4 s left.
      assert.deepEqual([result.status, on.host.moves.length], ['timeout', 2]);
    } finally {
      mock.timers.reset();
      clock.mock.restore();
    }
  });

  it('begin no further step if reading a stop took longer than the deadline', async () => {
    const on = paused(bench());
    let late = 0;
    const began = performance.now();
    const clock = mock.method(performance, 'now', () => began + late);
    try {
      on.host.on('next', () => {
        stops(on);
        return {};
      });
      on.host.on('scopes', () => {
        late = 2000;
        return { scopes: [] };
      });
      assert.equal(stopOf(await step(on, { count: 5, timeout_seconds: 1 }))['stop_id'], 2);
      assert.equal(on.host.moves.length, 1);
    } finally {
      clock.mock.restore();
    }
  });

  for (const hours of [-1, 1]) {
    it(`keep their timeout if the system clock is set by ${hours} h in the meantime`, async () => {
      const on = paused(bench());
      let offset = 0;
      const { now } = Date;
      const clock = mock.method(Date, 'now', () => now() + offset);
      try {
        on.host.on('next', () => {
          offset = hours * 3_600_000;
          if (on.host.moves.length < 3) stops(on);
          return {};
        });
        const began = performance.now();
        const result = await step(on, { count: 10 }, { maxWaitSeconds: 0.1 });
        assert.deepEqual([result.status, on.host.moves.length], ['timeout', 3]);
        assert.ok(performance.now() - began >= 90);
      } finally {
        clock.mock.restore();
      }
    });
  }
});
