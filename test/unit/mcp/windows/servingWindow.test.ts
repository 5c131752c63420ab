import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { ServingWindow } from '../../../../src/mcp/windows/servingWindow';
import { TestWindows } from '../../support/mcpWindows';

describe('ServingWindow', () => {
  let all: TestWindows;
  let serving: ServingWindow | undefined;
  let reported: (string | undefined)[];
  let heard: () => void;

  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    reported = [];
    heard = () => undefined;
    serving = new ServingWindow(all.home, (found) => {
      reported.push(found?.holder);
      heard();
    });
  });
  afterEach(async () => {
    serving?.stop();
    await all.end();
  });

  const says = async (name: string | undefined): Promise<void> =>
    await new Promise((resolve) => {
      heard = () => (reported.at(-1) === name ? resolve() : undefined);
      if (reported.length > 0) heard();
    });

  it('reports the serving window after starts, a takeover, a loss and the last stop', async () => {
    const made = all.make('before');
    await made.window.start({ fromOthers: false });
    await made.window.stop();
    await serving?.start();
    assert.deepEqual(reported, [undefined]);
    const [one, two] = [await all.open('one'), await all.open('two')];
    await says('one');
    await two.window.start({ fromOthers: true });
    await says('two');
    two.window.dispose();
    await says('one');
    await one.window.stop();
    await says(undefined);
  });

  it('finds a window that was open before', async () => {
    await all.open('one');
    await serving?.start();
    assert.deepEqual(reported, ['one']);
  });

  it('reports no window if another program has the port', async () => {
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(all.port, '127.0.0.1', resolve));
    await all.open('one');
    await serving?.start();
    assert.deepEqual(reported, [undefined]);
    await new Promise((resolve) => foreign.close(resolve));
  });

  it('writes nothing if the server was never on, and finds the server at the next search', async () => {
    await serving?.start();
    assert.equal(existsSync(all.home), false);
    await all.open('one');
    await serving?.start();
    assert.equal(reported.at(-1), 'one');
  });

  it('reports nothing after it was stopped', async () => {
    const one = await all.open('one');
    await serving?.start();
    serving?.stop();
    await one.window.stop();
    await serving?.start();
    assert.deepEqual(reported, ['one', undefined]);
  });
});
