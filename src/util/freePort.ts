import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range of ports. It is below the ports that operating systems assign themselves. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** The maximum number of ports that are tried. */
const MOST_TRIED = 100;

/**
 * Returns a port of 127.0.0.1 at which nothing listens. The same seed gives the same port as long as that port is free.
 * @throws NodeJS.ErrnoException if no port can be used
 */
export async function freePort(seed: string): Promise<number> {
  const hash = createHash('sha256').update(seed).digest().readUInt32BE();
  for (let tried = 0; ; tried += 1) {
    const port = FIRST_PORT + ((hash + tried) % PORTS);
    try {
      await checkFree(port);
      return port;
    } catch (error) {
      if (tried + 1 === MOST_TRIED) throw error;
    }
  }
}

async function checkFree(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
