import { SerialQueue } from '../../util/serialQueue';
import {
  idOf,
  MessageChannel,
  requestIdOf,
  type Message,
  type MessageId,
} from '../windows/messageChannel';
import { isSameAs, type WindowEntry, type WindowRegistry } from '../windows/registry';
import { chooseWindow, type Choice, type Wish } from '../windows/routing';
import type { OfflineAnswers } from './offlineAnswers';

export interface BridgeOptions {
  readonly registry: WindowRegistry;
  readonly wish: Wish;
  readonly offline: OfflineAnswers;
  readonly reloadLimitMs: number;
  /** Sends a message to the client. */
  readonly write: (message: Message) => void;
}

interface Connection {
  readonly window: WindowEntry;
  readonly channel: MessageChannel;
}

/**
 * Passes messages between a stdio client and a window. The bridge connects to any matching window, and answers requests
 * itself while there is none. The connected window decides which window the calls are for (`SwitchTransport`), by the
 * same rules for all clients.
 */
export class Bridge {
  private introduction: Message | undefined;
  private connection: Connection | undefined;
  private connecting: Promise<void> | undefined;
  /**
   * The lost window. The next call reports the loss, unless an open call has reported it or the window has returned.
   */
  private lost:
    { readonly window: WindowEntry; isReported: boolean; isAwaited: boolean } | undefined;
  /** The client's open requests, with their methods. */
  private readonly openRequests = new Map<MessageId, string>();
  /** The window's open requests to the client. */
  private readonly windowRequests = new Set<MessageId>();
  private readonly queue = new SerialQueue();
  private watching: { close(): void } | undefined;
  private isAnswered = false;
  private isOver = false;

  constructor(private readonly options: BridgeOptions) {}

  /** Starts watching for windows that open later. */
  async start(): Promise<void> {
    await this.options.registry.prepare();
    this.watching = this.options.registry.watch(() => {
      if (this.introduction === undefined) return;
      if (this.connection === undefined) this.inTurn(() => this.connect());
      else if (this.lost !== undefined) this.inTurn(() => this.goBack());
    });
  }

  /** Handles a message of the client. Messages are handled in order. */
  receive(message: Message): void {
    this.inTurn(() => this.take(message));
  }

  /** Called when the client has exited. */
  async close(): Promise<void> {
    this.isOver = true;
    this.watching?.close();
    await this.connection?.channel.close();
  }

  private inTurn(action: () => Promise<void>): void {
    this.queue.run(action).catch(() => undefined);
  }

  private async take(message: Message): Promise<void> {
    // The window received this notification when the channel was opened.
    if (message.method === 'notifications/initialized') return;
    if (message.method === 'initialize') {
      await this.introduce(message);
      return;
    }
    const request = requestIdOf(message);
    if (this.connection === undefined && request !== undefined) await this.connect();
    const { connection } = this;
    if (connection !== undefined) await this.pass(message, request, connection);
    else if (request !== undefined)
      this.options.write(await this.options.offline.answer(message, await this.whyNone()));
  }

  private async introduce(message: Message): Promise<void> {
    const wasConnected = this.connection !== undefined;
    this.introduction = message;
    await this.connect();
    // Otherwise the window's own response was passed on.
    if (wasConnected || this.connection === undefined)
      this.options.write(await this.options.offline.answer(message, undefined));
    this.isAnswered = true;
  }

  private async pass(
    message: Message,
    request: MessageId | undefined,
    { channel }: Connection,
  ): Promise<void> {
    const { id, method } = message;
    // This is a response to a request that this window has not made.
    if (
      method === undefined &&
      (id === undefined || id === null || !this.windowRequests.delete(id))
    )
      return;
    // The client no longer expects a response, neither from the window nor from us.
    if (method === 'notifications/cancelled')
      this.openRequests.delete(idOf(message.params?.['requestId']));
    if (request !== undefined) {
      const unreported = method === 'tools/call' ? this.takeUnreportedLoss() : undefined;
      if (unreported !== undefined) {
        await this.answerLost([[request, 'tools/call']], unreported);
        return;
      }
      this.openRequests.set(request, method ?? '');
    }
    channel.send(message).catch(() => this.lose(channel));
  }

  /** At the first call after a loss, returns the lost window if the loss was not reported to the client. */
  private takeUnreportedLoss(): WindowEntry | undefined {
    const { lost } = this;
    this.lost = undefined;
    return lost?.isReported === false ? lost.window : undefined;
  }

  private async answerLost(
    requests: readonly (readonly [MessageId, string])[],
    window: WindowEntry,
  ): Promise<void> {
    const { offline, registry, write } = this.options;
    const reason = await offline.lost(window, await registry.list());
    for (const [id, method] of requests)
      write(await offline.answer({ jsonrpc: '2.0', id, method }, reason));
  }

  private async connect(): Promise<void> {
    this.connecting ??= this.tryWindows().finally(() => (this.connecting = undefined));
    await this.connecting;
  }

  private async tryWindows(): Promise<void> {
    const { introduction, connection } = this;
    if (introduction === undefined || connection !== undefined || this.isOver) return;
    if (this.lost?.isAwaited === true) {
      this.lost.isAwaited = false;
      const back = await this.options.registry.comesBack(
        this.lost.window,
        this.options.reloadLimitMs,
      );
      if (back !== undefined && (await this.enter(back, introduction))) return;
    }
    while (await this.tryChosen(introduction));
  }

  /** @returns whether to choose again, because one of the windows has closed */
  private async tryChosen(introduction: Message): Promise<boolean> {
    const choice = chooseWindow(await this.options.registry.list(), this.options.wish);
    const windows = windowsOf(choice);
    let isAnyGone = false;
    for (const window of windows) {
      if (await this.enter(window, introduction)) return false;
      if (await this.options.registry.removeIfGone(window)) isAnyGone = true;
    }
    return isAnyGone;
  }

  /** Connects to the lost window if it has returned before a call was sent to another window. */
  private async goBack(): Promise<void> {
    const { lost, connection, introduction } = this;
    if (
      lost === undefined ||
      lost.isReported ||
      connection === undefined ||
      introduction === undefined ||
      this.openRequests.size > 0
    )
      return;
    const back = (await this.options.registry.list()).find((window) =>
      isSameAs(lost.window, window),
    );
    if (
      back !== undefined &&
      back.id !== connection.window.id &&
      (await this.enter(back, introduction))
    )
      await connection.channel.close();
  }

  private async enter(window: WindowEntry, introduction: Message): Promise<boolean> {
    const { wish } = this.options;
    const query = new URLSearchParams(
      wish.workspace === undefined ? { folder: wish.folder ?? '' } : { workspace: wish.workspace },
    );
    const channel = new MessageChannel({ window, path: `/mcp?${query.toString()}` });
    channel.onmessage = (message) => this.fromWindow(message);
    channel.onlost = () => this.lose(channel);
    try {
      // The client receives only one response to initialize. Later windows receive the client's request again.
      const isFirst = !this.isAnswered;
      const answer = await channel.start(
        isFirst ? introduction : { ...introduction, id: 'agent-debugger' },
        { listen: true },
      );
      this.isAnswered = true;
      this.connection = { window, channel };
      if (this.lost !== undefined && isSameAs(this.lost.window, window)) this.lost = undefined;
      if (isFirst) this.options.write(answer);
      else this.notifyOfLists(answer);
      return true;
    } catch {
      channel.drop();
      return false;
    }
  }

  private notifyOfLists(answer: Message): void {
    const capabilities = answer.result?.['capabilities'];
    for (const name of ['tools', 'prompts', 'resources']) {
      if (typeof capabilities === 'object' && capabilities !== null && name in capabilities)
        this.options.write({ jsonrpc: '2.0', method: `notifications/${name}/list_changed` });
    }
  }

  private fromWindow(message: Message): void {
    if (message.id !== undefined && message.id !== null) {
      if (message.method === undefined) {
        if (!this.openRequests.delete(message.id)) return;
      } else this.windowRequests.add(message.id);
    }
    this.options.write(message);
  }

  /** Called when the window has closed. Answers its open requests and searches for another window. */
  private lose(channel: MessageChannel): void {
    if (this.connection?.channel !== channel) return;
    const { window } = this.connection;
    this.connection = undefined;
    this.windowRequests.clear();
    const requests = [...this.openRequests];
    this.openRequests.clear();
    this.lost = { window, isReported: requests.length > 0, isAwaited: true };
    this.inTurn(async () => {
      if (requests.length > 0) await this.answerLost(requests, window);
      await this.connect();
    });
  }

  private async whyNone(): Promise<Readonly<Record<string, unknown>>> {
    if (this.lost !== undefined) this.lost.isReported = true;
    return await this.options.offline.none(
      this.options.wish.workspace,
      await this.options.registry.list(),
    );
  }
}

function windowsOf(choice: Choice<WindowEntry>): readonly WindowEntry[] {
  if (choice.kind === 'window') return [choice.window];
  return choice.kind === 'several' ? choice.windows : [];
}
