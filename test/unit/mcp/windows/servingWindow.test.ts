import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { ServingWindow } from '../../../../src/mcp/windows/servingWindow';
import { TestWindows } from '../../support/mcpWindows';

describe('a window that takes no part knows which one serves', () => {
  let all: TestWindows;
  let serving: ServingWindow | undefined;
  let told: (string | undefined)[];
  let heard: () => void;

  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    told = [];
    heard = () => undefined;
    serving = new ServingWindow(all.home, (found) => {
      told.push(found?.holder);
      heard();
    });
  });
  afterEach(async () => {
    serving?.stop();
    await all.end();
  });

  const says = async (name: string | undefined): Promise<void> =>
    await new Promise((resolve) => {
      heard = () => (told.at(-1) === name ? resolve() : undefined);
      if (told.length > 0) heard();
    });

  it('from the first window’s start over a hand-over and a loss to the last one’s stop', async () => {
    const made = all.make('before');
    await made.window.start({ fromOthers: false });
    await made.window.stop();
    await serving?.start();
    assert.deepEqual(told, [undefined]);
    const [one, two] = [await all.open('one'), await all.open('two')];
    await says('one');
    await two.window.start({ fromOthers: true });
    await says('two');
    two.window.dispose();
    await says('one');
    await one.window.stop();
    await says(undefined);
  });

  it('finds a window that was there before', async () => {
    await all.open('one');
    await serving?.start();
    assert.deepEqual(told, ['one']);
  });

  it('reports no window for another program’s port', async () => {
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(all.port, '127.0.0.1', resolve));
    await all.open('one');
    await serving?.start();
    assert.deepEqual(told, [undefined]);
    await new Promise((resolve) => foreign.close(resolve));
  });

  it('writes nothing when the server was never on, and finds it at the next search', async () => {
    await serving?.start();
    assert.equal(existsSync(all.home), false);
    await all.open('one');
    await serving?.start();
    assert.equal(told.at(-1), 'one');
  });

  it('reports nothing after it was stopped', async () => {
    const one = await all.open('one');
    await serving?.start();
    serving?.stop();
    await one.window.stop();
    await serving?.start();
    assert.deepEqual(told, ['one', undefined]);
  });
});
