import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { asFailure } from '../../../results/debuggerFailures';
import { isInjectedLine } from '../../../debugger/breakpoints/injectedLines';
import { fields, readMessage, textOf } from '../../../debugger/protocol';
import type { DebugEvent, SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../../tools/services';
import { resolveSession } from '../../../tools/targetSession';
import type { Subscription } from '../../../util/listeners';
import type { Connections } from '../connections';
import { refusalOf } from '../guard';
import { urlOf } from '../httpExchange';
import { RelayViewer, type RelayRights } from './viewer';

/** The path of the relay. */
export const RELAY_PATH = '/dap';

/**
 * WebSocket subprotocols. A page in a browser cannot set headers, so it sends the key as a second subprotocol. RFC
 * 6455, section 1.9.
 */
const SUBPROTOCOL = 'agent-debugger.dap';
const KEY_PREFIX = 'agent-debugger.key.';

const MAX_VIEWERS = 16;

/** The time that a viewer may take to answer the closing handshake, in milliseconds. */
const CLOSING_MS = 1000;

/** The largest message of a viewer, in bytes. Its requests are small. */
const MAX_REQUEST_BYTES = 64 * 1024;

export type RelaySetting = RelayRights | 'off';

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly port: number;
  readonly key: string;
  readonly connections: Connections;
}

interface Refused {
  readonly status: string;
  readonly message: string;
}

/**
 * Relays the Debug Adapter Protocol of one session to front ends outside VS Code, over WebSocket, with the key of the
 * MCP server. It is off unless the person allows it. It serves the sessions of this window.
 */
export class RelayServer {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_REQUEST_BYTES,
    perMessageDeflate: false,
    // A suspended page does not answer the closing handshake. The types of `ws` 8.18 lack the option.
    ...{ closeTimeout: CLOSING_MS },
    // The key is never sent back.
    handleProtocols: () => SUBPROTOCOL,
  });
  private readonly viewers = new Set<RelayViewer>();
  private readonly subscription: Subscription;

  constructor(
    private readonly services: ToolServices,
    private readonly setting: () => RelaySetting,
  ) {
    this.subscription = services.model.observe((event) => this.observe(event));
  }

  /** The number of front ends that follow a session. */
  get count(): number {
    return this.viewers.size;
  }

  get isOn(): boolean {
    return this.setting() !== 'off';
  }

  /** Disconnects the viewers if the person has switched the relay off. */
  settingChanged(): void {
    if (this.isOn) return;
    for (const viewer of this.viewers) viewer.close('the relay was turned off');
  }

  /** Handles a WebSocket request: opens the connection, or answers with the reason of the refusal. */
  upgrade(upgrade: UpgradeRequest): void {
    // Node has removed its own listener, so a connection reset would throw.
    upgrade.socket.on('error', () => upgrade.socket.destroy());
    const admitted = this.admit(upgrade);
    if ('status' in admitted) {
      refuse(upgrade.socket, admitted);
      return;
    }
    const { request, socket, head } = upgrade;
    this.sockets.handleUpgrade(request, socket, head, (connected) => {
      const viewer = new RelayViewer(connected, admitted.key, this.services, () =>
        this.setting() === 'control' ? 'control' : 'read',
      );
      this.viewers.add(viewer);
      connected.once('close', () => this.viewers.delete(viewer));
    });
  }

  close(): void {
    this.subscription.dispose();
    for (const viewer of this.viewers) viewer.close('the server was stopped');
    this.sockets.close();
  }

  /** Checks the key first, so that a response to a request without the key does not reveal whether there is a relay. */
  private admit({ request, port, key, connections }: UpgradeRequest): SessionState | Refused {
    const { host, origin } = request.headers;
    const refusal = refusalOf({ authorization: authorizationOf(request), host, origin }, key, port);
    if (refusal !== undefined)
      return {
        status: refusal.status === 401 ? '401 Unauthorized' : '403 Forbidden',
        message: refusal.message,
      };
    const url = urlOf(request);
    if (url?.pathname !== RELAY_PATH || !this.isOn)
      return {
        status: '404 Not Found',
        message: `The relay is at ${RELAY_PATH}, and off unless the setting agentDebugger.mcp.relay allows it.`,
      };
    if (!connections.admit(request.socket, key) || this.viewers.size >= MAX_VIEWERS)
      return { status: '503 Service Unavailable', message: 'Too many viewers.' };
    try {
      return resolveSession(
        this.services.model.state,
        url.searchParams.get('session') ?? undefined,
      );
    } catch (error) {
      return {
        status: '404 Not Found',
        message: asFailure(error)?.message ?? 'There is no such session in this window.',
      };
    }
  }

  private observe(event: DebugEvent): void {
    if (this.viewers.size === 0) return;
    const followers = [...this.viewers].filter((viewer) => viewer.sessionKey === event.key);
    if (followers.length === 0) return;
    if (event.type === 'sessionEnded') {
      for (const viewer of followers) viewer.end('the session has ended');
      return;
    }
    const message = event.type === 'fromAdapter' ? readMessage(event.message) : undefined;
    if (message?.type !== 'event') return;
    // Lines that the logpoints of calls print are not the program's output.
    if (message.event === 'output' && isInjectedLine(textOf(message.body['output']) ?? '')) return;
    for (const viewer of followers) viewer.event(message.event, fields(message.body));
  }
}

function authorizationOf({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization;
  const offered = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim());
  const key = offered.find((protocol) => protocol.startsWith(KEY_PREFIX));
  return key === undefined ? undefined : `Bearer ${key.slice(KEY_PREFIX.length)}`;
}

function refuse(socket: Duplex, { status, message }: Refused): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: message });
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
