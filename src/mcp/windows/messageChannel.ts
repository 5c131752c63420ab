import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { isTooDeep, TOO_DEEP } from '../shared/nesting';
import { requestTo, type WindowAddress } from './windowConnection';

export type MessageId = string | number;

/** A JSON-RPC message, of which only the envelope is looked at. */
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

/** The id of a message that another one names; of none, what no message has. */
export function idOf(value: unknown): MessageId {
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

export interface ChannelOptions {
  readonly window: WindowAddress;
  /** With the wish of whoever connects. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One MCP session with a window, over its private listener, as a channel of messages; for the stdio bridge and between
 * windows. It knows no tools and no schemas: what one side says reaches the other as it is. Each message has a
 * connection of its own, because one that is kept may be closed by the other side just when it is used again; the window
 * proves itself on each.
 */
export class MessageChannel {
  /** A message of the window, and which request's stream it came in. */
  onmessage: (message: Message, related: MessageId | undefined) => void = () => undefined;
  /** The session is no more: the window has closed, or dropped it. Told once, never after `close` or `drop`. */
  onlost: () => void = () => undefined;
  private session: string | undefined;
  private protocol: string | undefined;
  private isOver = false;
  /** What ends each request that is under way, its connection included. */
  private readonly open = new Set<AbortController>();
  /** What tells the window that the session is over. */
  private farewell: AbortController | undefined;
  /** Requests that get no answer: their streams end without one. */
  private readonly cancelled = new Set<unknown>();
  /** Messages leave in the order in which they came: a cancellation must not overtake its request. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ChannelOptions) {}

  /** Introduces a client. @returns the window's answer @throws Error when there is no window */
  async start(initialize: Message, { listen }: { readonly listen: boolean }): Promise<Message> {
    const deliver = this.onmessage;
    const answer = await new Promise<Message>((resolve, reject) => {
      this.onmessage = (message, related) =>
        message.id === initialize.id && message.method === undefined
          ? resolve(message)
          : deliver(message, related);
      this.post(initialize, () => undefined).then(
        () => reject(new Error('the window gave no answer')),
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

  /** Sends one message. @throws Error when the window is gone; then `onlost` has been told */
  async send(message: Message): Promise<void> {
    if (message.method === 'notifications/cancelled')
      this.cancelled.add(message.params?.['requestId']);
    const before = this.last;
    let taken: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => (taken = resolve));
    await before;
    try {
      await this.post(message, taken);
    } catch (error) {
      this.lose();
      throw error;
    } finally {
      taken();
    }
  }

  /** Ends the session. */
  async close(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    if (this.session !== undefined) {
      const farewell = this.exchange('DELETE', undefined);
      // Whoever lets go meanwhile, because its client's session has ended, does not take the goodbye back.
      this.farewell = [...this.open].at(-1);
      await farewell.then(
        (response) => void response.resume(),
        () => undefined,
      );
      this.farewell = undefined;
    }
    this.drop();
  }

  /** Lets go, and leaves the session to the window. */
  drop(): void {
    this.isOver = true;
    for (const each of this.open) if (each !== this.farewell) each.abort();
  }

  private lose(): void {
    if (this.isOver) return;
    this.drop();
    this.onlost();
  }

  /** The stream of what the window says unasked; its end is the end of the window, or of the session. */
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

  /** Resolves when all that belongs to the message has been read. */
  private async post(message: Message, taken: () => void): Promise<void> {
    const response = await this.exchange('POST', JSON.stringify(message));
    taken();
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.session ??= session;
    const isRequest =
      message.method !== undefined && message.id !== undefined && message.id !== null;
    const related = isRequest ? (message.id ?? undefined) : undefined;
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && type.startsWith('text/event-stream')) {
      const isAnswered = await this.readEvents(response, related);
      if (!isAnswered && isRequest && !this.isOver && !this.cancelled.delete(message.id))
        throw new Error('the window broke off');
      return;
    }
    const value = this.taken(parsed(await textOf(response)));
    if (response.statusCode === 200 && value !== undefined) this.onmessage(value, related);
    else if (response.statusCode === 404 || response.statusCode === 401)
      throw new Error('the window does not know this session any more');
    else if ((response.statusCode ?? 500) >= 300) {
      const error = value?.error ?? { code: -32000, message: `HTTP ${response.statusCode ?? 0}` };
      if (related !== undefined) this.onmessage({ jsonrpc: '2.0', id: related, error }, related);
    }
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
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
      ...(this.protocol === undefined ? {} : { 'mcp-protocol-version': this.protocol }),
    };
  }

  /** A message of the window. Of what is nested too deep, an answer becomes an error, and a request gets one. */
  private taken(value: unknown): Message | undefined {
    if (!isMessage(value)) return undefined;
    if (!isTooDeep(value)) return value;
    const { id, method } = value;
    if (id === undefined || id === null) return undefined;
    const error: Message = { jsonrpc: '2.0', id, error: TOO_DEEP };
    if (method === undefined) return error;
    this.send(error).catch(() => undefined);
    return undefined;
  }

  /** @returns whether the answer to the request was among them */
  private async readEvents(
    response: IncomingMessage,
    request: MessageId | undefined,
  ): Promise<boolean> {
    let isAnswered = false;
    const parser = createParser({
      onEvent: ({ data }) => {
        const message = this.taken(parsed(data));
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
