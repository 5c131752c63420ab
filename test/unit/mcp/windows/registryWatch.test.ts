import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WindowRegistry } from '../../../../src/mcp/windows/registry';
import { RegistryWatch } from '../../../../src/mcp/windows/registryWatch';

describe('the watch on the registry folder', () => {
  it('exists once at a time: a new watch closes the previous one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
    const registry = new WindowRegistry(folder);
    const open = new Set<number>();
    let count = 0;
    registry.watch = () => {
      const number = (count += 1);
      open.add(number);
      return { close: () => void open.delete(number) };
    };
    const watch = new RegistryWatch(registry);
    watch.forServer(
      () => 1,
      () => Promise.resolve(),
    );
    watch.forChanges(() => undefined);
    assert.deepEqual([...open], [2]);
    watch.forServer(
      () => 1,
      () => Promise.resolve(),
    );
    assert.deepEqual([...open], [3]);
    watch.stop();
    assert.deepEqual([...open], []);
    rmSync(folder, { recursive: true });
  });
});
