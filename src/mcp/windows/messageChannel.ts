import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { defined } from '../../util/defined';
import { SerialQueue } from '../../util/serialQueue';
import { isTooDeep, TOO_DEEP } from '../shared/nesting';
import { requestTo, type WindowAddress } from './windowConnection';

export type MessageId = string | number;

/** A JSON-RPC message. Only its envelope is typed. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: MessageId | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export function isMessage(value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  );
}

/** The id in another message's parameters. If there is none, a value that no message has as its id. */
export function idOf(value: unknown): MessageId {
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

export interface ChannelOptions {
  readonly window: WindowAddress;
  /** The path, with the client's requested window in its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One MCP session with a window, over the window's own port. The stdio bridge and other windows use it. It has no
 * knowledge of tools and schemas, and passes messages unchanged. Each message has its own connection, because the other
 * side might close a reused connection just before the next message. The window authenticates itself on each
 * connection.
 */
export class MessageChannel {
  /** Called with a message of the window and the id of the request in whose stream it arrived. */
  onmessage: (message: Message, related: MessageId | undefined) => void = () => undefined;
  /** Called once when the window has closed or has dropped the session, but never after `close` or `drop`. */
  onlost: () => void = () => undefined;
  private session: string | undefined;
  private protocol: string | undefined;
  private isOver = false;
  /** Aborts the requests in progress, with their connections. */
  private readonly open = new Set<AbortController>();
  /** The request that ends the session in the window. */
  private closing: AbortController | undefined;
  /** The ids of cancelled requests, whose streams end without a response. */
  private readonly cancelled = new Set<unknown>();
  /** Messages are sent in order, because a cancellation must not overtake its request. */
  private readonly order = new SerialQueue();

  constructor(private readonly options: ChannelOptions) {}

  /** Sends the initialize request. @returns the window's response @throws Error if there is no window */
  async start(initialize: Message, { listen }: { readonly listen: boolean }): Promise<Message> {
    const deliver = this.onmessage;
    const answer = await new Promise<Message>((resolve, reject) => {
      this.onmessage = (message, related) =>
        message.id === initialize.id && message.method === undefined
          ? resolve(message)
          : deliver(message, related);
      this.post(initialize, () => undefined).then(
        () => reject(new Error('the window did not respond')),
        reject,
      );
    }).finally(() => (this.onmessage = deliver));
    if (answer.error !== undefined) return answer;
    const version = answer.result?.['protocolVersion'];
    this.protocol = typeof version === 'string' ? version : undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, () => undefined);
    if (listen) this.listen();
    return answer;
  }

  /** Sends one message. @throws Error if the window has closed, after `onlost` was called */
  async send(message: Message): Promise<void> {
    if (message.method === 'notifications/cancelled')
      this.cancelled.add(message.params?.['requestId']);
    const release = await this.order.acquire();
    try {
      await this.post(message, release);
    } catch (error) {
      this.lose();
      throw error;
    } finally {
      release();
    }
  }

  /** Ends the session. */
  async close(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    if (this.session !== undefined) {
      const ended = this.exchange('DELETE', undefined);
      // If `drop` is called in the meantime because the client's session has ended, it must not abort this request.
      this.closing = [...this.open].at(-1);
      await ended.then(
        (response) => void response.resume(),
        () => undefined,
      );
      this.closing = undefined;
    }
    this.drop();
  }

  /** Ends all requests, but keeps the session in the window. */
  drop(): void {
    this.isOver = true;
    for (const request of this.open) if (request !== this.closing) request.abort();
  }

  private lose(): void {
    if (this.isOver) return;
    this.drop();
    this.onlost();
  }

  /** Opens the notification stream. Its end means that the window has closed or the session has ended. */
  private listen(): void {
    this.exchange('GET', undefined).then(
      async (response) => {
        if (response.statusCode === 405) return void response.resume();
        if (response.statusCode === 200)
          await this.readEvents(response, undefined).catch(() => undefined);
        else response.resume();
        this.lose();
      },
      () => this.lose(),
    );
  }

  /**
   * Posts a message. Resolves when the response was read.
   * @param onAccepted called when the window begins to respond
   */
  private async post(message: Message, onAccepted: () => void): Promise<void> {
    const response = await this.exchange('POST', JSON.stringify(message));
    onAccepted();
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.session ??= session;
    const request = requestIdOf(message);
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && type.startsWith('text/event-stream'))
      await this.readAnswer(response, request);
    else this.takeBody(response, this.checked(parsed(await textOf(response))), request);
  }

  /** @throws Error if the stream ends without the response to a request */
  private async readAnswer(
    response: IncomingMessage,
    request: MessageId | undefined,
  ): Promise<void> {
    const isAnswered = await this.readEvents(response, request);
    if (isAnswered || request === undefined || this.isOver) return;
    if (!this.cancelled.delete(request)) throw new Error('the window closed the connection');
  }

  /** @throws Error if the window does not know the session */
  private takeBody(
    { statusCode = 500 }: IncomingMessage,
    message: Message | undefined,
    request: MessageId | undefined,
  ): void {
    if (statusCode === 200 && message !== undefined) {
      this.onmessage(message, request);
      return;
    }
    if (statusCode === 404 || statusCode === 401)
      throw new Error('the window no longer has this session');
    if (statusCode < 300 || request === undefined) return;
    const error = message?.error ?? { code: -32000, message: `HTTP ${statusCode}` };
    this.onmessage({ jsonrpc: '2.0', id: request, error }, request);
  }

  private async exchange(method: string, body: string | undefined): Promise<IncomingMessage> {
    const end = new AbortController();
    this.open.add(end);
    try {
      const outgoing = await requestTo(this.options.window, {
        method,
        path: this.options.path,
        headers: this.headersOf(method, body),
        signal: end.signal,
      });
      outgoing.once('close', () => this.open.delete(end));
      return await new Promise((resolve, reject) =>
        outgoing.on('error', reject).once('response', resolve).end(body),
      );
    } catch (error) {
      this.open.delete(end);
      throw error;
    }
  }

  private headersOf(
    method: string,
    body: string | undefined,
  ): Readonly<Record<string, string | number>> {
    return {
      ...this.options.headers,
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...defined({ 'mcp-session-id': this.session, 'mcp-protocol-version': this.protocol }),
    };
  }

  /**
   * Checks a message of the window. A response that is nested too deeply is replaced by an error. A request that is
   * nested too deeply is answered with an error.
   */
  private checked(value: unknown): Message | undefined {
    if (!isMessage(value)) return undefined;
    if (!isTooDeep(value)) return value;
    const { id, method } = value;
    if (id === undefined || id === null) return undefined;
    const error: Message = { jsonrpc: '2.0', id, error: TOO_DEEP };
    if (method === undefined) return error;
    this.send(error).catch(() => undefined);
    return undefined;
  }

  /** @returns whether the request was answered */
  private async readEvents(
    response: IncomingMessage,
    request: MessageId | undefined,
  ): Promise<boolean> {
    let isAnswered = false;
    const parser = createParser({
      onEvent: ({ data }) => {
        const message = this.checked(parsed(data));
        if (message === undefined) return;
        if (request !== undefined && message.id === request && message.method === undefined)
          isAnswered = true;
        this.onmessage(message, request);
      },
    });
    response.setEncoding('utf8');
    for await (const chunk of response) parser.feed(String(chunk));
    return isAnswered;
  }
}

/** The id of a request. Undefined for other messages. */
export function requestIdOf({ id, method }: Message): MessageId | undefined {
  return method === undefined ? undefined : (id ?? undefined);
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
