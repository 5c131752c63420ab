import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import type { Problems } from './checks';

const MINUTE = 60_000;

/** The properties that Open VSX requires of a package. */
const manifestSchema = z.looseObject({
  publisher: z.string().regex(/^[\w-]+$/),
  name: z.string().regex(/^[\w-]+$/),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  license: z.string().min(1),
  engines: z.looseObject({ vscode: z.string() }),
});

/**
 * Publishes a package with Open VSX's own tool to a registry on this machine. The registry accepts only complete
 * packages with the properties that Open VSX requires.
 * @param ovsx the tool's program
 * @returns the problems
 */
export async function openVsxProblems(ovsx: string, vsix: string): Promise<Problems> {
  const server = createServer((request, response) => {
    void answerTo(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { code, output } = await publish(ovsx, vsix, addressOf(server));
    return code === 0 ? [] : [`ovsx publish ended with ${String(code)}: ${output.trim()}`];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function publish(
  ovsx: string,
  vsix: string,
  address: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(
    process.execPath,
    [ovsx, 'publish', vsix, '--registryUrl', address, '--pat', 'local'],
    { stdio: ['ignore', 'pipe', 'pipe'], signal: AbortSignal.timeout(MINUTE) },
  );
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  return { code, output: `${output}${errors}` };
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

/** Responds like Open VSX. */
async function answerTo(request: IncomingMessage): Promise<Reply> {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  if (request.method !== 'POST' || pathname !== '/api/-/publish')
    return { status: 404, body: { error: `nothing is at ${pathname}` } };
  const parsed = manifestSchema.safeParse(manifestIn(await buffer(request)));
  if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } };
  const { publisher, name, version } = parsed.data;
  return {
    status: 201,
    body: { namespace: publisher, name, version, targetPlatform: 'universal' },
  };
}

/** The manifest of a package. Undefined if the bytes are not a package. */
function manifestIn(bytes: Uint8Array): unknown {
  try {
    const entries = unzipSync(bytes, { filter: ({ name }) => name === 'extension/package.json' });
    const manifest = entries['extension/package.json'];
    return manifest === undefined ? undefined : (JSON.parse(strFromU8(manifest)) as unknown);
  } catch {
    return undefined;
  }
}
