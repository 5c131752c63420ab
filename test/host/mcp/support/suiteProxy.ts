import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '../../../support/network';

/** The suite's names for the items that a server must have, and the names of our items that replace them. */
export interface Fixtures {
  readonly tools: Readonly<Partial<Record<string, string>>>;
  readonly resources: Readonly<Partial<Record<string, string>>>;
  readonly prompts: Readonly<Partial<Record<string, string>>>;
  readonly arguments: Readonly<Partial<Record<string, string>>>;
}

interface Message {
  readonly method?: string;
  readonly params?: {
    name?: string;
    uri?: string;
    arguments?: Record<string, string>;
    ref?: { name?: string };
    argument?: { name?: string };
  };
}

/**
 * A proxy between the conformance suite and the server. It adds the key, which the suite cannot send, and replaces the
 * names of the suite's fixtures with our names. Everything else passes unchanged, including foreign hosts and origins.
 */
export async function startSuiteProxy(
  target: URL,
  key: string,
  fixtures: Fixtures,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { 'content-length': _length, ...headers } = incoming.headers;
      const passed = body === '' ? '' : withOurNames(body, fixtures);
      const outgoing = httpRequest(target, {
        method: incoming.method,
        agent: false,
        headers: {
          ...headers,
          host: headers.host === own ? target.host : headers.host,
          authorization: `Bearer ${key}`,
          ...(passed === '' ? {} : { 'content-length': Buffer.byteLength(passed) }),
        },
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      outgoing.end(passed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function withOurNames(
  body: string,
  { tools, resources, prompts, arguments: names }: Fixtures,
): string {
  const message = JSON.parse(body) as Message;
  const { method, params } = message;
  if (params === undefined) return body;
  if (method === 'tools/call') params.name = tools[params.name ?? ''] ?? params.name;
  if (method?.startsWith('resources/') === true)
    params.uri = resources[params.uri ?? ''] ?? params.uri;
  if (method === 'prompts/get') {
    params.name = prompts[params.name ?? ''] ?? params.name;
    // explain-exception takes none of the arguments of the suite's prompts.
    params.arguments =
      params.name === 'explain-exception'
        ? {}
        : Object.fromEntries(
            Object.entries(params.arguments ?? {}).map(([name, value]) => [
              names[name] ?? name,
              value,
            ]),
          );
  }
  if (
    method === 'completion/complete' &&
    params.ref !== undefined &&
    params.argument !== undefined
  ) {
    params.ref.name = prompts[params.ref.name ?? ''] ?? params.ref.name;
    params.argument.name = names[params.argument.name ?? ''] ?? params.argument.name;
  }
  return JSON.stringify(message);
}
