import type { ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  isInitializeRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, listOf } from '../../debugger/protocol';
import type { Introduction } from './sessionIds';

export interface SessionEvents {
  /** Given its id; before the first answer leaves. */
  readonly began: (id: string) => void;
  /** The client has said that it is over. */
  readonly left: (id: string) => void;
}

/** The SDK's transport, with what it leaves to others: bounds, cancelled calls, and going on after a restart. */
export class StreamableTransport extends WebStandardStreamableHTTPServerTransport {
  /** The client's stream for what is no answer, while it is open. */
  private listening: ServerResponse | undefined;
  /** Requests that share their stream with others. */
  private readonly batched = new Set<RequestId>();

  constructor(id: string, { began, left }: SessionEvents) {
    super({ sessionIdGenerator: () => id, onsessioninitialized: began, onsessionclosed: left });
  }

  /** Notifications are hints: a client that does not read them misses them, and no memory is kept for them. */
  override async send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId },
  ): Promise<void> {
    if (
      'method' in message &&
      options?.relatedRequestId === undefined &&
      this.listening?.writableNeedDrain === true
    )
      return;
    await super.send(message, options);
  }

  /** @param response where the answer goes */
  async take(request: Request, body: unknown, response: ServerResponse): Promise<Response> {
    const messages = Array.isArray(body) ? listOf(body).map(fields) : [fields(body)];
    if (messages.length > 1) this.remember(messages);
    const answer = await this.handleRequest(
      request,
      body === undefined ? {} : { parsedBody: body },
    );
    if (request.method === 'GET' && answer.ok) this.listening = response;
    if (answer.ok) for (const message of messages) this.cancelled(message);
    return answer;
  }

  /**
   * Goes on with a client that an earlier run of the server knew: introduces it in its place, with what its id says.
   * Then its session is as it was, but for what it had subscribed to.
   */
  async goOn({ name, version, protocolVersion, hasRoots }: Introduction): Promise<void> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const post = async (body: object, session: Record<string, string> = {}): Promise<void> => {
      const answer = await this.handleRequest(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: { ...headers, ...session },
        }),
        { parsedBody: body },
      );
      await answer.text();
    };
    await post({
      jsonrpc: '2.0',
      id: 'went-on',
      method: 'initialize',
      params: {
        protocolVersion,
        capabilities: hasRoots ? { roots: {} } : {},
        clientInfo: { name, version },
      },
    });
    await post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-session-id': this.sessionId ?? '' },
    );
  }

  private remember(batch: readonly { readonly id?: unknown }[]): void {
    if (this.batched.size > 1000) this.batched.clear();
    for (const { id } of batch) if (isId(id)) this.batched.add(id);
  }

  /** A call that was cancelled gets no answer, so its stream is at its end. One that has been answered has none. */
  private cancelled({
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

/** What a client says of itself; undefined where the message is another. */
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
