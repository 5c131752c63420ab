import { strict as assert } from 'node:assert';
import { OtherWindows } from '../../../../src/mcp/ui/otherWindows';
import type { Serving } from '../../../../src/mcp/windows/servingWindow';

const ONE: Serving = { port: 26321, holder: 'one' };

describe('a window that does not take part', () => {
  let kept: Map<string, unknown>;
  let done: string[];
  let shown: (Serving | undefined)[];
  let tell: (serving: Serving | undefined) => void;
  let others: OtherWindows;

  beforeEach(() => {
    kept = new Map();
    done = [];
    shown = [];
    const memory = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    };
    others = new OtherWindows(
      memory,
      (serving) => void shown.push(serving),
      async (reported) => {
        done.push('load');
        tell = reported;
        return { start: async () => void done.push('start'), stop: () => void done.push('stop') };
      },
    );
  });

  it('loads and reads nothing if the person has never switched the server on', async () => {
    await others.observe();
    await others.focused();
    assert.deepEqual([done, kept.size], [[], 0]);
  });

  it('searches on focus once the server has been on in any window', async () => {
    await others.observe();
    const elsewhere = new OtherWindows(
      { get: (key) => kept.get(key), update: async (key, value) => void kept.set(key, value) },
      () => undefined,
    );
    await elsewhere.leave({ isUsed: true });
    await others.focused();
    assert.deepEqual(done, ['load', 'start']);
    tell(ONE);
    tell(undefined);
    assert.deepEqual(shown, [ONE, undefined]);
  });

  it('does not search while it takes part, and searches again afterwards', async () => {
    await others.leave({ isUsed: true });
    await others.observe();
    const leaving = others.leave({ isUsed: true });
    tell(ONE);
    await leaving;
    await others.focused();
    assert.deepEqual([done, shown], [['load', 'start', 'stop'], []]);
    await others.observe();
    assert.deepEqual(done, ['load', 'start', 'stop', 'start']);
  });

  it('continues to search if it stops taking part again at once', async () => {
    const leaving = others.leave({ isUsed: true });
    await others.observe();
    await leaving;
    assert.deepEqual(done, ['load', 'start']);
  });

  it('does not search when it takes part before the search has begun', async () => {
    kept.set('agentDebugger.mcp.used', true);
    const looking = others.observe();
    await others.leave({ isUsed: false });
    await looking;
    assert.equal(done.includes('start'), false);
  });

  it('does not count a failed start as a use of the server', async () => {
    await others.leave({ isUsed: false });
    await others.observe();
    assert.deepEqual(done, []);
  });
});
