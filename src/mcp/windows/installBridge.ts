import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCResultResponse,
  LATEST_PROTOCOL_VERSION,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, textOf } from '../../debugger/protocol';
import { writePrivate } from '../shared/privateFiles';
import { readRegularFile } from '../shared/regularFile';
import { bridgeMessages, offlinePath, type Offline } from './bridgeOffline';

/** The path in clients' configurations. It stays the same when a new version of the extension has a new folder. */
export function bridgePath(home: string): string {
  return path.join(home, 'stdio.js');
}

/**
 * The script that starts the bridge: with the program that runs this editor if it still exists, otherwise with the
 * installed Node.
 * @param execPath the editor on a desktop, the Node of its server in a remote window
 */
export function bridgeLauncher(home: string, execPath: string): string {
  // The folder of a snap is removed with its next version, but the link next to it stays.
  const editor = execPath.replace(/^(\/snap\/[^/]+)\/[^/]+\//, '$1/current/');
  return `#!/bin/sh
# Agent Debugger's stdio bridge. Written when its MCP server starts: do not edit.
export AGENT_DEBUGGER_HOME=${quoted(home)}
editor=${quoted(editor)}
if [ -x "$editor" ]; then
  export ELECTRON_RUN_AS_NODE=1
  exec "$editor" "$AGENT_DEBUGGER_HOME/stdio.js" "$@"
fi
exec node "$AGENT_DEBUGGER_HOME/stdio.js" "$@"
`;
}

/** Quotes a text as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Installs the bridge and its offline answers at the path that clients use. An installed newer version is kept. */
export async function installBridge(
  home: string,
  source: string,
  version: string,
  connect: (transport: Transport) => Promise<void>,
): Promise<void> {
  if (process.platform !== 'win32')
    await writePrivate(path.join(home, 'stdio.sh'), bridgeLauncher(home, process.execPath));
  const text = String(await readRegularFile(await realpath(source)));
  const installed = fields(parsed(await readRegularFile(offlinePath(home)).then(String, () => '')));
  if (isNewer(textOf(installed['version']) ?? '0', version)) return;
  const offline = JSON.stringify({
    version,
    words: bridgeMessages(),
    ...(await offlineAnswersOf(connect)),
  } satisfies Offline);
  if (text !== (await readRegularFile(bridgePath(home)).then(String, () => '')))
    await writePrivate(bridgePath(home), text);
  if (offline !== JSON.stringify(installed)) await writePrivate(offlinePath(home), offline);
}

/** Queries a server object in the same way as a client, so that the bridge returns the same answers as the server. */
async function offlineAnswersOf(
  connect: (transport: Transport) => Promise<void>,
): Promise<Pick<Offline, 'initialize' | 'lists'>> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (message: JSONRPCMessage) => void>();
  client.onmessage = (message) => {
    if ('id' in message && typeof message.id === 'number') waiting.get(message.id)?.(message);
  };
  await Promise.all([client.start(), connect(server)]);
  let id = 0;
  const ask = async (
    method: string,
    params: Record<string, unknown> = {},
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const answer = new Promise<JSONRPCMessage>((resolve) => waiting.set(++id, resolve));
    await client.send({ jsonrpc: '2.0', id, method, params });
    const message = await answer;
    return isJSONRPCResultResponse(message) ? fields(message.result) : undefined;
  };
  try {
    const initialize =
      (await ask('initialize', {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'agent-debugger', version: '' },
      })) ?? {};
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const lists: Record<string, unknown> = {};
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ])
      lists[method] = await ask(method);
    return { initialize, lists };
  } finally {
    await client.close();
  }
}

/** Compares version numbers such as 0.10.2. */
function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
