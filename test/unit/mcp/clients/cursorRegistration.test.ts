import { strict as assert } from 'node:assert';
import {
  cursorMcpOf,
  CursorRegistration,
  type CursorServer,
} from '../../../../src/mcp/clients/cursorRegistration';

const BRIDGE = {
  kind: 'stdio',
  command: 'node',
  args: ['/h/stdio.js', '--workspace', '/p'],
  env: {},
} as const;

describe('Cursor’s own list of servers', () => {
  const calls: (CursorServer | string)[] = [];
  const cursor = {
    mcp: {
      registerServer: (server: CursorServer) => void calls.push(server),
      unregisterServer: (name: string) => void calls.push(name),
    },
  };
  beforeEach(() => calls.splice(0));

  it('exists in Cursor only', () => {
    assert.equal(cursorMcpOf({ cursor }), cursor.mcp);
    for (const other of [
      undefined,
      {},
      { cursor: undefined },
      { cursor: {} },
      { cursor: { mcp: {} } },
      { cursor: { mcp: { registerServer: () => undefined } } },
    ])
      assert.equal(cursorMcpOf(other), undefined);
  });

  it('contains us once while we are offered, with the latest offer', () => {
    const registration = new CursorRegistration(cursor.mcp);
    registration.offer(undefined);
    assert.deepEqual(calls, []);
    registration.offer(BRIDGE);
    registration.offer({ ...BRIDGE });
    assert.deepEqual(calls.splice(0), [
      {
        name: 'agent-debugger',
        server: { command: 'node', args: ['/h/stdio.js', '--workspace', '/p'], env: {} },
      },
    ]);
    registration.offer({ kind: 'http', url: 'http://127.0.0.1:1/mcp', key: 'k' });
    assert.deepEqual(calls.splice(0), [
      'agent-debugger',
      {
        name: 'agent-debugger',
        server: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer k' } },
      },
    ]);
    registration.offer(undefined);
    registration.offer(undefined);
    assert.deepEqual(calls, ['agent-debugger']);
  });
});
