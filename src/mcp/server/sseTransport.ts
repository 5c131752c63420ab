import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** So much a client may leave unread before it is taken for gone. */
const MOST_UNREAD = 1024 * 1024;

/** Some clients end a stream on which nothing comes for five minutes. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The transport that came before Streamable HTTP, for clients that know nothing newer: a stream for all that the server
 * says, and an address to which the client posts. MCP 2024-11-05, "HTTP with SSE". (The SDK's own is deprecated.)
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
    /** Where the client posts to, without its session. */
    private readonly endpoint: string,
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

  /** What the client has posted. False where it is no message. */
  receive(value: unknown): boolean {
    const message = JSONRPCMessageSchema.safeParse(value);
    if (!message.success) return false;
    this.onmessage?.(message.data);
    return true;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.response.end();
    this.end();
  }

  private write(text: string): void {
    if (this.isClosed) return;
    this.response.write(text);
    if (this.response.writableLength > MOST_UNREAD) this.response.destroy();
  }

  private end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.keepAlive);
    this.onclose?.();
  }
}
