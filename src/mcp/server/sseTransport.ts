import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Traffic } from './mcpOptions';

/** The maximum amount of unread data of a client, in bytes. A client with more unread data counts as disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** The interval of keep-alive comments. Some clients close a stream after five minutes without data. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The predecessor of Streamable HTTP, for older clients: a stream for all messages of the server, and a path to which
 * the client posts its messages. MCP 2024-11-05, "HTTP with SSE". The SDK's own implementation is deprecated.
 */
export class SseTransport implements Transport {
  readonly sessionId = randomUUID();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private keepAlive: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly response: ServerResponse,
    /** The path that the client posts to, without the session's id. */
    private readonly endpoint: string,
    private readonly traffic?: Traffic,
  ) {}

  async start(): Promise<void> {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
    });
    this.response.write(`event: endpoint\ndata: ${this.endpoint}?sessionId=${this.sessionId}\n\n`);
    this.response.once('close', () => this.end());
    this.keepAlive = setInterval(() => this.write(': keepalive\n\n'), KEEP_ALIVE_MS);
    this.keepAlive.unref();
  }

  /** Handles a value that the client has posted. False if it is not a message. */
  receive(value: unknown): boolean {
    this.traffic?.message('received', this.sessionId, value);
    const message = JSONRPCMessageSchema.safeParse(value);
    if (!message.success) return false;
    this.onmessage?.(message.data);
    return true;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.traffic?.message('sent', this.sessionId, message);
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.response.end();
    this.end();
  }

  private write(text: string): void {
    if (this.isClosed) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
  }

  private end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.keepAlive);
    this.onclose?.();
  }
}
