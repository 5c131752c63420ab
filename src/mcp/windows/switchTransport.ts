import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, isFields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { oneLine } from '../../tools/question';
import type { McpOptions } from '../server/mcpOptions';
import { idOf, type Message, type MessageChannel, type MessageId } from './messageChannel';
import type { WindowEntry } from './registry';
import { chooseWindow, pathsOf, type Wish } from './routing';
import {
  closed,
  noneFor,
  SELECT_WINDOW,
  several,
  toolResult,
  unknownParameters,
  unknownWindow,
  viewsOf,
  type NoWindow,
} from './selectWindow';
import { ToolListing } from './toolListing';

/** The windows as a client's session needs them. */
export interface Windows {
  readonly ownId: string;
  list(): Promise<readonly WindowEntry[]>;
  /** Waits for a window that was lost, a few seconds. */
  comesBack(lost: WindowEntry): Promise<WindowEntry | undefined>;
  /** Opens the client's session in another window as well. */
  channelTo(window: WindowEntry): MessageChannel;
  onDidChange(listener: () => void): { dispose(): unknown };
}

export interface SwitchOptions {
  readonly windows: Windows;
  readonly wish: Wish;
  /** Chosen already, by the window that this session was opened from. */
  readonly isHere?: boolean;
  /** The session is an earlier server's, here or in a window that is gone: what its client can is not known. */
  readonly resumed?: 'here' | 'elsewhere' | undefined;
  /** It is, or is no more, a client of another window. */
  readonly log: McpOptions['log'];
  readonly onDidMove?: () => void;
  readonly onDidClose?: () => void;
}

/** What is about one window's debugger. The lists and the rest are the same in each, and answered here until one is chosen. */
const NEEDS_WINDOW: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/get',
  'completion/complete',
]);

/** A client that says it has roots and does not tell them is as one without. */
const ROOTS_LIMIT_MS = 5000;

interface Place {
  readonly window: WindowEntry;
  /** Undefined: this window. */
  readonly channel: MessageChannel | undefined;
}

/**
 * Stands between a client's transport and this window's server object, and passes messages to the window that the
 * client's calls are for. Which one that is can be told only when the first call is there: roots are asked for in its
 * stream, and a client without them chooses then. Chosen once, it stays.
 */
export class SwitchTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private introduction: JSONRPCRequest | undefined;
  private place: Place | undefined;
  private placing: Promise<Place | NoWindow> | undefined;
  /** The window that was lost, and whether the client was told: then the choice is made anew. */
  private lost: { readonly window: WindowEntry; isTold: boolean } | undefined;
  /** Its first window is gone, and the client has not been told. */
  private isMoved: boolean;
  private readonly inFlight = new Map<
    MessageId,
    { readonly request: JSONRPCRequest; readonly channel: MessageChannel }
  >();
  private readonly waiting = new Set<MessageId>();
  private readonly listing: ToolListing;
  /** Requests of other windows under way to the client, by the id that they have there. */
  private readonly asked = new Map<
    MessageId,
    { readonly id: MessageId; readonly channel: MessageChannel }
  >();
  private asks = 0;
  private awaitsRoots:
    { readonly id: MessageId; readonly resolve: (roots: readonly string[]) => void } | undefined;
  private readonly level = new Map<string, JSONRPCRequest>();
  private readonly subscription: { dispose(): unknown };

  constructor(
    private readonly inner: Transport,
    private readonly options: SwitchOptions,
  ) {
    this.listing = new ToolListing(() => options.windows.list());
    this.isMoved = options.resumed === 'elsewhere';
    this.subscription = options.windows.onDidChange(
      () => void this.tellOfTools().catch(() => undefined),
    );
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  /** Whether another window answers this client. */
  get isElsewhere(): boolean {
    return this.place?.channel !== undefined;
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message, extra) => this.fromClient(message, extra);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      this.subscription.dispose();
      // The other window keeps the session, for whoever serves the client next.
      this.place?.channel?.drop();
      this.options.onDidClose?.();
      this.onclose?.();
    };
    await this.inner.start();
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  /** The client said that it is done. */
  end(): void {
    void this.place?.channel?.close();
  }

  /** From this window's server to the client. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    await this.inner.send(await this.listing.completed(message), options);
  }

  private fromClient(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
      this.answered(message, extra);
    else if (isJSONRPCRequest(message)) this.requested(message, extra);
    else {
      if (
        message.method === 'notifications/cancelled' &&
        this.waiting.delete(idOf(fields(message.params)['requestId']))
      )
        return;
      if (message.method === 'notifications/initialized') this.pass(message, extra);
      else if (message.method === 'notifications/cancelled')
        this.cancel(idOf(fields(message.params)['requestId']), message, extra);
      else this.deliver(this.place, message, extra);
    }
  }

  private requested(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    if (request.method === 'initialize') this.introduction = request;
    if (request.method === 'logging/setLevel') this.level.set(request.method, request);
    if (request.method === 'tools/list') this.listing.expect(request.id);
    if (request.method === 'tools/call' && textOf(fields(request.params)['name']) === SELECT_WINDOW)
      this.later(this.inAnyCase(request, this.select(request)));
    else if (NEEDS_WINDOW.has(request.method) && this.place === undefined)
      this.later(this.inAnyCase(request, this.whenPlaced(request, extra)));
    else this.deliver(this.place, request, extra);
  }

  private deliver(
    place: Place | undefined,
    message: JSONRPCMessage,
    extra: MessageExtraInfo | undefined,
  ): void {
    if (place?.channel === undefined) {
      this.pass(message, extra);
      return;
    }
    if (isJSONRPCRequest(message))
      this.inFlight.set(message.id, { request: message, channel: place.channel });
    const { window, channel } = place;
    channel.send(message).catch(() => this.lose(window, channel));
  }

  /** Told to the window that has the request, which may be one that the client has left; no answer is expected any more. */
  private cancel(
    id: MessageId,
    message: JSONRPCMessage,
    extra: MessageExtraInfo | undefined,
  ): void {
    const channel = this.inFlight.get(id)?.channel;
    if (channel === undefined || !this.inFlight.delete(id)) {
      this.pass(message, extra);
      return;
    }
    channel.send(message).then(
      () => this.retire(channel),
      () => undefined,
    );
  }

  private pass(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    this.onmessage?.(message, extra);
  }

  private answered(
    message: JSONRPCMessage & { readonly id?: MessageId },
    extra: MessageExtraInfo | undefined,
  ): void {
    const remote = message.id === undefined ? undefined : this.asked.get(message.id);
    if (message.id !== undefined && message.id === this.awaitsRoots?.id) {
      const roots =
        'result' in message
          ? listOf(fields(message.result)['roots']).flatMap(
              (each) => textOf(fields(each)['uri']) ?? [],
            )
          : [];
      this.awaitsRoots.resolve(roots);
    } else if (remote !== undefined && message.id !== undefined) {
      this.asked.delete(message.id);
      remote.channel.send({ ...message, id: remote.id }).catch(() => undefined);
    } else this.pass(message, extra);
  }

  private async whenPlaced(
    request: JSONRPCRequest,
    extra: MessageExtraInfo | undefined,
  ): Promise<void> {
    this.waiting.add(request.id);
    this.placing ??= this.findPlace(request.id).finally(() => (this.placing = undefined));
    const found = await this.placing;
    // Cancelled meanwhile: no answer is expected.
    if (!this.waiting.delete(request.id)) return;
    if ('status' in found) await this.refuse(request, found);
    else this.deliver(found, request, extra);
  }

  private async findPlace(request: MessageId): Promise<Place | NoWindow> {
    const lost = this.lost;
    this.lost = undefined;
    if (lost !== undefined) {
      const back = await this.options.windows.comesBack(lost.window);
      if (back !== undefined) return await this.enter(back);
      if (!lost.isTold) return closed(lost.window.folders, await this.options.windows.list());
    }
    const windows = await this.options.windows.list();
    const own = windows.find((each) => each.id === this.options.windows.ownId);
    if (this.options.isHere && own !== undefined) return await this.enter(own);
    const { wish } = this.options;
    if (this.isMoved && wish.workspace === undefined) {
      this.isMoved = false;
      return closed(undefined, windows);
    }
    const roots =
      windows.length > 1 && wish.workspace === undefined ? await this.rootsOf(request) : [];
    const choice = chooseWindow(windows, { ...wish, roots });
    if (choice.kind === 'several') return several(choice.windows);
    if (choice.kind === 'none') return noneFor(choice.wanted, windows);
    return await this.enter(choice.window);
  }

  /** Asked in the stream of a request, which every client reads. */
  private async rootsOf(request: MessageId): Promise<readonly string[]> {
    const capabilities = fields(fields(this.introduction?.params)['capabilities']);
    if (!isFields(capabilities['roots']) && this.options.resumed === undefined) return [];
    const id = `agent-debugger-${++this.asks}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<readonly string[]>((resolve) => {
      this.awaitsRoots = { id, resolve };
      timer = setTimeout(() => resolve([]), ROOTS_LIMIT_MS);
    });
    await this.inner.send(
      { jsonrpc: '2.0', id, method: 'roots/list' },
      { relatedRequestId: request },
    );
    const roots = await answer;
    clearTimeout(timer);
    this.awaitsRoots = undefined;
    return pathsOf(roots);
  }

  private async enter(window: WindowEntry): Promise<Place | NoWindow> {
    if (window.id === this.options.windows.ownId) {
      this.place = { window, channel: undefined };
      return this.place;
    }
    const channel = this.options.windows.channelTo(window);
    channel.onmessage = (message, related) =>
      this.later(this.fromWindow(channel, message, related));
    channel.onlost = () => this.lose(window, channel);
    try {
      await channel.start(
        {
          jsonrpc: '2.0',
          id: 'agent-debugger',
          method: 'initialize',
          params: fields(this.introduction?.params),
        },
        { listen: true },
      );
    } catch {
      channel.drop();
      return closed(window.folders, await this.options.windows.list());
    }
    for (const message of this.level.values())
      channel.send({ ...message, id: `agent-debugger-${++this.asks}` }).catch(() => undefined);
    this.place = { window, channel };
    this.options.onDidMove?.();
    return this.place;
  }

  /** From another window to the client. Its requests get ids of their own, because this window's may be the same. */
  private async fromWindow(
    channel: MessageChannel,
    said: Message,
    related: MessageId | undefined,
  ): Promise<void> {
    const message = JSONRPCMessageSchema.parse(said);
    const relatedRequestId =
      related !== undefined && this.inFlight.has(related) ? related : undefined;
    if (isJSONRPCRequest(message)) {
      const id = `agent-debugger-${++this.asks}`;
      this.asked.set(id, { id: message.id, channel });
      await this.inner.send({ ...message, id }, { relatedRequestId });
    } else if (isJSONRPCNotification(message)) await this.inner.send(message, { relatedRequestId });
    else if (message.id !== undefined && this.inFlight.get(message.id)?.channel === channel) {
      this.inFlight.delete(message.id);
      await this.inner.send(await this.listing.completed(message));
      this.retire(channel);
    }
  }

  private lose(window: WindowEntry, channel: MessageChannel): void {
    if (this.place?.channel === channel) {
      this.place = undefined;
      this.lost = {
        window,
        isTold: [...this.inFlight.values()].some((each) => each.channel === channel),
      };
      this.options.onDidMove?.();
    }
    const calls = [...this.inFlight].filter(([, each]) => each.channel === channel);
    for (const [id] of calls) this.inFlight.delete(id);
    this.later(
      this.options.windows
        .list()
        .then((windows) =>
          Promise.all(
            calls.map(([, { request }]) => this.refuse(request, closed(window.folders, windows))),
          ),
        ),
    );
  }

  /** A window that was left is let go when its last answer is there. */
  private retire(channel: MessageChannel): void {
    if (
      this.place?.channel !== channel &&
      [...this.inFlight.values()].every((each) => each.channel !== channel)
    )
      void channel.close();
  }

  private async refuse(request: JSONRPCRequest, reason: NoWindow): Promise<void> {
    const { message, hint, ...data } = reason;
    if (request.method === 'tools/call')
      await this.answer(request.id, textOf(fields(request.params)['name']) ?? '', reason);
    else
      await this.inner.send({
        jsonrpc: '2.0',
        id: request.id,
        error: { code: ErrorCode.InvalidRequest, message: `${message} ${hint}`, data },
      });
  }

  /** The tool that is not any window's. */
  private async select(request: JSONRPCRequest): Promise<void> {
    const windows = await this.options.windows.list();
    await this.answer(
      request.id,
      SELECT_WINDOW,
      await this.selected(fields(fields(request.params)['arguments']), windows),
    );
  }

  private async answer(
    id: MessageId,
    tool: string,
    result: { readonly status: string } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const caller = oneLine(
      textOf(fields(fields(this.introduction?.params)['clientInfo'])['name']) ?? 'MCP client',
      60,
    );
    this.options.log({
      tool,
      caller,
      status: result.status,
      characters: JSON.stringify(result).length,
      milliseconds: 0,
    });
    await this.inner.send({ jsonrpc: '2.0', id, result: toolResult(result) });
  }

  private async selected(
    { window: wanted, ...others }: Fields,
    windows: readonly WindowEntry[],
  ): Promise<{ readonly status: string } & Readonly<Record<string, unknown>>> {
    const unknown = Object.keys(others).map((each) => oneLine(each, 60));
    if (unknown.length > 0) return unknownParameters(unknown.slice(0, 5));
    if (wanted === undefined)
      return { status: 'success', windows: viewsOf(windows, this.place?.window.id) };
    const name = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
    const choice = chooseWindow(windows, { workspace: name });
    if (choice.kind === 'several') return several(choice.windows);
    if (choice.kind === 'none') return unknownWindow(name.slice(0, 200), windows);
    const before = this.place;
    if (before?.window.id !== choice.window.id) {
      const entered = await this.enter(choice.window);
      if ('status' in entered) return entered;
      this.lost = undefined;
      if (before?.channel !== undefined) this.retire(before.channel);
      this.options.onDidMove?.();
    }
    return { status: 'success', windows: viewsOf(windows, choice.window.id) };
  }

  private async tellOfTools(): Promise<void> {
    if (
      this.introduction === undefined ||
      this.options.isHere === true ||
      !(await this.listing.hasChanged())
    )
      return;
    await this.inner.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** A request that cannot be worked on is answered all the same. */
  private async inAnyCase(request: JSONRPCRequest, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      await this.inner.send({
        jsonrpc: '2.0',
        id: request.id,
        error: { code: ErrorCode.InternalError, message: 'Something went wrong.' },
      });
      throw error;
    }
  }

  /** What cannot be delivered, because the client has gone, concerns nobody. */
  private later(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.onerror?.(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
