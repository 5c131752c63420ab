import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { remoteMachine, whereItListens } from '../../../../src/mcp/ui/remoteMachine';

describe('the machine on which the MCP server listens', () => {
  it('is not shown in a local window', () => {
    assert.equal(whereItListens(undefined), undefined);
  });

  const names: readonly (readonly [remoteName: string, machine: string])[] = [
    ['wsl', 'the WSL side'],
    ['ssh-remote', `the SSH host ${hostname()}`],
    ['dev-container', 'the container'],
    ['attached-container', 'the container'],
    ['codespaces', 'the codespace'],
    ['tunnel', `the tunnel’s machine ${hostname()}`],
    // code-server and VS Code's own server in a browser. The address is not shown: it is not the MCP server's.
    ['localhost:8080', hostname()],
    ['10.0.0.7:8000', hostname()],
    ['some-other', 'some-other'],
  ];
  for (const [remoteName, machine] of names) {
    it(`${remoteName}: ${machine.replace(hostname(), '…')}`, () => {
      assert.equal(remoteMachine(remoteName), machine);
      assert.equal(
        whereItListens(remoteName),
        `It listens on the machine that has the files (${machine}), so clients have to run there.`,
      );
    });
  }
});
