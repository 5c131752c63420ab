import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProofDoor } from '../../../../src/mcp/windows/proofDoor';
import type { WindowEntry } from '../../../../src/mcp/windows/registry';
import { findOwner } from '../../../../src/mcp/windows/windowRequests';

describe('the search for the window that has a session', () => {
  const servers: Server[] = [];

  /** Opens a window whose response to the question is sent by the test. */
  async function open(answer: (response: ServerResponse) => void): Promise<WindowEntry> {
    const id = `0000000${servers.length}`;
    const door = new ProofDoor(id, 's');
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      if (door.enter(request, response, { host: '127.0.0.1', port }) !== 'answered')
        answer(response);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const texts = { machine: '', secret: 's', name: id, editor: '', version: '', startedAt: '' };
    return { ...texts, id, pid: process.pid, port, folders: [] };
  }

  const says =
    (status: number) =>
    (response: ServerResponse): void =>
      void response.writeHead(status).end();

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('does not wait for a suspended window when another one has confirmed it', async () => {
    const left: Promise<unknown>[] = [];
    const suspended = await open((response) => left.push(once(response, 'close')));
    const owner = await open(
      (response) => left.push(once(response, 'close')) && says(200)(response),
    );
    assert.equal((await findOwner([suspended, owner], 'x', 60_000))?.id, owner.id);
    await Promise.all(left);
  });

  it('waits for a busy window when the others do not have it', async () => {
    let asked: (response: ServerResponse) => void = () => undefined;
    const question = new Promise<ServerResponse>((resolve) => (asked = resolve));
    let isRefused: (value: unknown) => void = () => undefined;
    const refusal = new Promise((resolve) => (isRefused = resolve));
    const busy = await open((response) => asked(response));
    const other = await open((response) => {
      response.once('close', isRefused);
      says(404)(response);
    });
    const owner = findOwner([busy, other], 'x');
    const response = await question;
    await refusal;
    says(200)(response);
    assert.equal((await owner)?.id, busy.id);
  });

  it('ends when no window has it, and after its time limit', async () => {
    assert.equal(await findOwner([], 'x'), undefined);
    assert.equal(await findOwner([await open(says(404))], 'x'), undefined);
    assert.equal(await findOwner([await open(() => undefined)], 'x', 20), undefined);
  });
});
