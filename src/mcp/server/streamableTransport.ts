import type { ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  isInitializeRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, listOf } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import type { Traffic } from './mcpOptions';
import type { Introduction } from './sessionIds';

export interface SessionEvents {
  /** Called when the session has its id, before the first response is sent. */
  readonly onDidBegin: (id: string) => void;
  /** Called when the client has ended the session. */
  readonly onDidLeave: (id: string) => void;
  readonly traffic?: Traffic | undefined;
}

/** The SDK's transport, extended by limits, the end of cancelled calls, and resumption after a restart. */
export class StreamableTransport extends WebStandardStreamableHTTPServerTransport {
  /** The client's notification stream, while it is open. */
  private notifications: ServerResponse | undefined;
  /** The ids of requests that share their stream with others. */
  private readonly batched = new Set<RequestId>();

  private readonly traffic: Traffic | undefined;

  constructor(id: string, { onDidBegin, onDidLeave, traffic }: SessionEvents) {
    super({
      sessionIdGenerator: () => id,
      onsessioninitialized: onDidBegin,
      onsessionclosed: onDidLeave,
    });
    this.traffic = traffic;
  }

  /**
   * Sends a message. Drops a notification if the client does not read. Notifications are only hints, so they are not
   * kept in memory.
   */
  override async send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId },
  ): Promise<void> {
    if (
      'method' in message &&
      options?.relatedRequestId === undefined &&
      this.notifications?.writableNeedDrain === true
    )
      return;
    this.traffic?.message('sent', this.sessionId, message);
    await super.send(message, options);
  }

  /** @param response the HTTP response that will be sent */
  async take(request: Request, body: unknown, response: ServerResponse): Promise<Response> {
    const messages = Array.isArray(body) ? listOf(body).map(fields) : [fields(body)];
    if (messages.length > 1) this.rememberBatch(messages);
    if (body !== undefined) this.traffic?.message('received', this.sessionId, body);
    const answer = await this.handleRequest(request, defined({ parsedBody: body }));
    if (request.method === 'GET' && answer.ok) this.notifications = response;
    if (answer.ok) for (const message of messages) this.endCancelled(message);
    return answer;
  }

  /**
   * Resumes a session of an earlier run of the server with the introduction in its id. The session is the same as
   * before, but without its subscriptions.
   */
  async resume({ name, version, protocolVersion, hasRoots }: Introduction): Promise<void> {
    await this.post({
      jsonrpc: '2.0',
      id: 'resumed',
      method: 'initialize',
      params: {
        protocolVersion,
        capabilities: hasRoots ? { roots: {} } : {},
        clientInfo: { name, version },
      },
    });
    await this.post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-session-id': this.sessionId ?? '' },
    );
  }

  /** Handles a message as if the client had posted it. The response is discarded. */
  private async post(body: object, headers: Record<string, string> = {}): Promise<void> {
    const answer = await this.handleRequest(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      }),
      { parsedBody: body },
    );
    await answer.text();
  }

  private rememberBatch(batch: readonly { readonly id?: unknown }[]): void {
    if (this.batched.size > 1000) this.batched.clear();
    for (const { id } of batch) if (isId(id)) this.batched.add(id);
  }

  /** Closes the stream of a cancelled call, which receives no response. The SDK leaves it open. */
  private endCancelled({
    method,
    params,
  }: {
    readonly method?: unknown;
    readonly params?: unknown;
  }): void {
    if (method !== 'notifications/cancelled') return;
    const { requestId } = fields(params);
    if (isId(requestId) && !this.batched.has(requestId)) this.closeSSEStream(requestId);
  }
}

/** The introduction in an initialize request. Undefined for any other message. */
export function introductionOf(body: unknown): Introduction | undefined {
  const [message, second] = Array.isArray(body) ? listOf(body) : [body];
  if (second !== undefined || !isInitializeRequest(message)) return undefined;
  const { clientInfo, protocolVersion, capabilities } = message.params;
  return {
    name: clientInfo.name,
    version: clientInfo.version,
    protocolVersion,
    hasRoots: capabilities.roots !== undefined,
  };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
