import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, textOf } from '../../debugger/protocol';
import type { McpOptions } from '../server/mcpOptions';
import { ClientRequests } from './clientRequests';
import { idOf, type Message, type MessageChannel, type MessageId } from './messageChannel';
import { OpenCalls } from './openCalls';
import type { WindowEntry } from './registry';
import {
  closed,
  readSelection,
  SELECT_WINDOW,
  viewsOf,
  type Selection,
  type SelectionResult,
} from './selectWindow';
import { SessionAnswers } from './sessionAnswers';
import { TargetWindow, type Target } from './targetWindow';
import { ToolListing } from './toolListing';
import type { ChooserOptions } from './windowChooser';

export interface SwitchOptions extends ChooserOptions {
  readonly log: McpOptions['log'];
  /** Called when the session has become, or is no longer, a client of another window. */
  readonly onDidMove?: () => void;
  readonly onDidClose?: () => void;
}

/**
 * The requests that concern one window's debugger. Other requests have the same response in all windows and are
 * answered here until a window is chosen.
 */
const NEEDS_WINDOW: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/get',
  'completion/complete',
]);

/**
 * A transport between a client's transport and this window's server object. It passes messages to the window that the
 * client's calls are for. The window is chosen at the first call, because only then can the client be asked for its
 * roots, in the call's stream, or choose a window itself. The choice is kept until that window is lost.
 */
export class SwitchTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly answers: SessionAnswers;
  private readonly target: TargetWindow;
  /** Calls that wait for the choice of a window. */
  private readonly waiting = new Set<MessageId>();
  private readonly openCalls = new OpenCalls();
  private readonly clientRequests = new ClientRequests();
  private readonly listing: ToolListing;
  private readonly subscription: { dispose(): unknown };

  constructor(
    private readonly inner: Transport,
    private readonly options: SwitchOptions,
  ) {
    this.answers = new SessionAnswers(inner, options.log);
    this.target = new TargetWindow(
      inner,
      options,
      this.clientRequests,
      () => this.answers.introduction,
      {
        onMessage: (channel, message, related) =>
          this.inBackground(this.fromWindow(channel, message, related)),
        onLost: (window, channel) => this.lose(window, channel),
        onDidMove: () => options.onDidMove?.(),
      },
    );
    this.listing = new ToolListing(() => options.windows.list());
    this.subscription = options.windows.onDidChange(() => {
      this.notifyOfTools().catch(() => undefined);
    });
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  /** Whether another window answers this client. */
  get isElsewhere(): boolean {
    return this.target.current?.channel !== undefined;
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message, extra) => this.fromClient(message, extra);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      this.subscription.dispose();
      // The other window keeps its session for the next window that serves the client.
      this.target.current?.channel?.drop();
      this.options.onDidClose?.();
      this.onclose?.();
    };
    await this.inner.start();
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  /** Called when the client has ended its session. */
  end(): void {
    void this.target.current?.channel?.close();
  }

  /** Sends a message of this window's server to the client. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    await this.inner.send(await this.listing.complete(message), options);
  }

  // Messages of the client

  private fromClient(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (!this.clientRequests.take(message)) this.toOwnServer(message, extra);
    } else if (isJSONRPCRequest(message)) this.requested(message, extra);
    else this.notified(message, extra);
  }

  private requested(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    if (request.method === 'initialize') this.answers.introduction = request;
    if (request.method === 'logging/setLevel') this.target.levelRequest = request;
    if (request.method === 'tools/list') this.listing.expect(request.id);
    const { current } = this.target;
    if (isSelection(request)) this.workOn(request, this.select(request));
    else if (NEEDS_WINDOW.has(request.method) && current === undefined)
      this.workOn(request, this.deliverWhenChosen(request, extra));
    else this.deliver(current, request, extra);
  }

  private notified(notification: JSONRPCNotification, extra: MessageExtraInfo | undefined): void {
    if (notification.method === 'notifications/cancelled')
      this.cancel(idOf(fields(notification.params)['requestId']), notification, extra);
    // Another window received this notification when its session was opened.
    else if (notification.method === 'notifications/initialized')
      this.toOwnServer(notification, extra);
    else this.deliver(this.target.current, notification, extra);
  }

  /**
   * Cancels a call. The call may still be waiting, may run in another window, which the client may have left, or may
   * run here.
   */
  private cancel(
    id: MessageId,
    notification: JSONRPCNotification,
    extra: MessageExtraInfo | undefined,
  ): void {
    if (this.waiting.delete(id)) return;
    const channel = this.openCalls.channelOf(id);
    if (channel === undefined) {
      this.toOwnServer(notification, extra);
      return;
    }
    // The client no longer expects a response.
    this.openCalls.end(id);
    channel.send(notification).then(
      () => this.closeIfLeft(channel),
      () => undefined,
    );
  }

  private deliver(
    target: Target | undefined,
    message: JSONRPCRequest | JSONRPCNotification,
    extra: MessageExtraInfo | undefined,
  ): void {
    if (target?.channel === undefined) {
      this.toOwnServer(message, extra);
      return;
    }
    const { window, channel } = target;
    if (isJSONRPCRequest(message)) this.openCalls.add(message, channel);
    channel.send(message).catch(() => this.lose(window, channel));
  }

  private toOwnServer(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    this.onmessage?.(message, extra);
  }

  // The choice of a window

  private async deliverWhenChosen(
    request: JSONRPCRequest,
    extra: MessageExtraInfo | undefined,
  ): Promise<void> {
    this.waiting.add(request.id);
    const target = await this.target.choose(request.id);
    // The request was cancelled in the meantime, so the client expects no response.
    if (!this.waiting.delete(request.id)) return;
    if ('status' in target) await this.answers.refuse(request, target);
    else this.deliver(target, request, extra);
  }

  /** Answers `select_window`, which is not a tool of one window. */
  private async select(request: JSONRPCRequest): Promise<void> {
    const windows = await this.options.windows.list();
    const selection = readSelection(fields(fields(request.params)['arguments']), windows);
    const result = await this.selected(selection, windows);
    await this.answers.answerTool(request.id, SELECT_WINDOW, result);
  }

  private async selected(
    selection: Selection,
    windows: readonly WindowEntry[],
  ): Promise<SelectionResult> {
    if (selection !== undefined) {
      if ('status' in selection) return selection;
      const entered = await this.target.select(selection);
      if ('status' in entered) return entered;
      if (entered.left?.channel !== undefined) this.closeIfLeft(entered.left.channel);
    }
    const selected = selection?.id ?? this.target.current?.window.id;
    return { status: 'success', windows: viewsOf(windows, selected) };
  }

  // Messages of another window

  private async fromWindow(
    channel: MessageChannel,
    received: Message,
    related: MessageId | undefined,
  ): Promise<void> {
    const message = JSONRPCMessageSchema.parse(received);
    const isOpen = related !== undefined && this.openCalls.channelOf(related) !== undefined;
    const relatedRequestId = isOpen ? related : undefined;
    if (isJSONRPCRequest(message)) {
      const id = this.clientRequests.expect((answer) => {
        channel.send({ ...answer, id: message.id }).catch(() => undefined);
      });
      await this.inner.send({ ...message, id }, { relatedRequestId });
    } else if (isJSONRPCNotification(message)) await this.inner.send(message, { relatedRequestId });
    else if (message.id !== undefined && this.openCalls.channelOf(message.id) === channel) {
      this.openCalls.end(message.id);
      await this.inner.send(await this.listing.complete(message));
      this.closeIfLeft(channel);
    }
  }

  /**
   * Called when a window has closed or has dropped the session. Answers its open calls. The next call chooses again.
   */
  private lose(window: WindowEntry, channel: MessageChannel): void {
    const calls = this.openCalls.endAllIn(channel);
    if (this.target.current?.channel === channel) this.target.lose(window, calls.length > 0);
    this.inBackground(this.answerLost(window, calls));
  }

  private async answerLost(window: WindowEntry, calls: readonly JSONRPCRequest[]): Promise<void> {
    const reason = closed(window.folders, await this.options.windows.list());
    await Promise.all(calls.map((request) => this.answers.refuse(request, reason)));
  }

  /** Ends the session in a window that the client has left, after the client's last call there was answered. */
  private closeIfLeft(channel: MessageChannel): void {
    const isTarget = this.target.current?.channel === channel;
    if (!isTarget && !this.openCalls.hasAnyIn(channel)) void channel.close();
  }

  private async notifyOfTools(): Promise<void> {
    if (this.answers.introduction === undefined || this.options.isHere === true) return;
    if (!(await this.listing.hasChanged())) return;
    await this.inner.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  private workOn(request: JSONRPCRequest, work: Promise<void>): void {
    this.inBackground(this.answers.answerAlways(request, work));
  }

  /** Runs work that no caller waits for. It fails if the client has disconnected. */
  private inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.onerror?.(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

function isSelection({ method, params }: JSONRPCRequest): boolean {
  return method === 'tools/call' && textOf(fields(params)['name']) === SELECT_WINDOW;
}
