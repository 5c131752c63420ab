import { strict as assert } from 'node:assert';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { Connections } from '../../../../src/mcp/server/connections';

const KEY = 'k';
const LIMIT = 256;

function arrived(connections: Connections): Socket {
  const socket = new Socket();
  connections.arrived(socket);
  return socket;
}

describe('the connection limit', () => {
  it('refuses a further connection with the key, and still admits known ones', () => {
    const connections = new Connections();
    const known = Array.from({ length: LIMIT }, () => arrived(connections));
    for (const socket of known) assert.equal(connections.admit(socket, KEY), true);
    const more = arrived(connections);
    assert.equal(connections.admit(more, KEY), false);
    assert.equal(connections.hasShownKey(more), false);
    // The 257th request is from a known connection.
    for (const socket of known) assert.equal(connections.admit(socket, KEY), true);
  });

  it('has room again when a known connection closes', async () => {
    const connections = new Connections();
    const known = Array.from({ length: LIMIT }, () => arrived(connections));
    for (const socket of known) connections.admit(socket, KEY);
    const more = arrived(connections);
    const [first] = known;
    assert.ok(first !== undefined);
    const closed = EventEmitter.once(first, 'close');
    first.destroy();
    await closed;
    assert.equal(connections.admit(more, KEY), true);
  });

  it('closes the oldest connection that has not shown the key, never one that has', () => {
    const connections = new Connections();
    const known = arrived(connections);
    connections.admit(known, KEY);
    const strangers = Array.from({ length: LIMIT + 1 }, () => arrived(connections));
    assert.deepEqual(
      [known.destroyed, strangers[0]?.destroyed, strangers[1]?.destroyed],
      [false, true, false],
    );
  });

  it('closes connections that were admitted with another key', () => {
    const connections = new Connections();
    const [old, current] = [arrived(connections), arrived(connections)];
    connections.admit(old, 'old');
    connections.admit(current, KEY);
    connections.cut([KEY]);
    assert.deepEqual([old.destroyed, current.destroyed], [true, false]);
  });
});
