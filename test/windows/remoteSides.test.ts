import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { freePort } from '../support/network';
import { answering, RealWindows } from './realWindows';

/** The workbench treats the window as a remote window of that kind. The extension runs on the side with the files. */
describe('a real VS Code window on a remote side', () => {
  for (const { remote, side } of [
    { remote: 'ssh-remote', side: `the SSH host ${hostname()}` },
    { remote: 'wsl', side: 'the WSL side' },
  ]) {
    it(`${remote}: reports the side that listens, and clients on that side reach its tools`, async () => {
      const port = await freePort();
      const all = new RealWindows(port, { autoStart: true, remote });
      try {
        await all.start();
        const one = all.folder('one');
        await all.open(one);
        await all.says(
          one,
          `is on. Port: ${port}. Clients: 0. It listens on the machine that has the files (${side}), so clients have to run there.`,
        );
        assert.equal(await answering(await all.connect()), 'one');
        assert.equal(await answering(await all.bridge(one)), 'one');
        await all.says(one, `Clients: 2. It listens on the machine that has the files (${side})`);
        assert.equal(await all.menu(one), `Agent Debugger: MCP Server (on ${side})`);
        await all.picture(one, `mcp-menu-${remote}.png`);
        await all.pick(one, 'Set up a client');
        await all.pick(one, 'Claude Code');
        await all.lists(one, `The file is on ${side}, for clients there.`);
        await all.picture(one, `mcp-${remote}.png`);
        await all.pick(one, 'Leave the file as it is');
      } finally {
        await all.end();
      }
    });
  }
});
