import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';

/** Ports below the ephemeral ones (Linux: from 32768), so that the system gives a port that a test frees to nobody. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** Finds a port on loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** A request's body as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
