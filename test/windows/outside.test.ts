import { freePort } from '../support/network';
import { RealWindows } from './realWindows';

describe('real VS Code windows that take no part in the server', () => {
  let port = 0;
  let all: RealWindows;

  beforeEach(async () => {
    port = await freePort();
    all = new RealWindows(port, { autoStart: false });
    await all.start();
  });
  afterEach(async () => await all.end());

  it('they say in which window it is on, whether they were open before or not, and that it is off when that one dies', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => all.folder(name)) as [string, string, string];
    for (const each of [one, two]) {
      await all.show(each);
      await all.says(each, 'is off');
    }
    await all.choose(one, 'Start the MCP server');
    await all.says(one, `is on. Port: ${port}.`);
    await all.show(three);
    await all.says(three, 'in another window (one). Clients do not reach this one');
    await all.focus(two);
    await all.says(two, 'in another window (one)');
    process.kill((await all.entryOf(one)).pid, 'SIGKILL');
    for (const each of [two, three]) await all.says(each, 'is off');
  });
});
