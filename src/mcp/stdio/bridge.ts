import { idOf, MessageChannel, type Message, type MessageId } from '../windows/messageChannel';
import { isSameAs, type WindowEntry, type WindowRegistry } from '../windows/registry';
import { chooseWindow, type Wish } from '../windows/routing';
import type { OfflineAnswers } from './offlineAnswers';

export interface BridgeOptions {
  readonly registry: WindowRegistry;
  readonly wish: Wish;
  readonly offline: OfflineAnswers;
  readonly reloadLimitMs: number;
  /** To the client. */
  readonly write: (message: Message) => void;
}

interface Connection {
  readonly window: WindowEntry;
  readonly channel: MessageChannel;
}

/**
 * Passes messages between a client that only speaks stdio and a window. Which window the calls are for is decided in
 * the window (`SwitchTransport`), for all clients by the same rules; the bridge finds one to talk to, says so when
 * there is none, and goes on with the next that appears.
 */
export class Bridge {
  private introduction: Message | undefined;
  private connection: Connection | undefined;
  private connecting: Promise<void> | undefined;
  /** The window that was lost; told with the next call, unless a call of then was told or it came back. */
  private lost: { readonly window: WindowEntry; isTold: boolean; isAwaited: boolean } | undefined;
  private readonly inFlight = new Map<MessageId, string>();
  private readonly asked = new Set<MessageId>();
  private last: Promise<unknown> = Promise.resolve();
  private watching: { close(): void } | undefined;
  private isAnswered = false;
  private isOver = false;

  constructor(private readonly options: BridgeOptions) {}

  /** Makes ready to hear of windows that open later. */
  async start(): Promise<void> {
    await this.options.registry.prepare();
    this.watching = this.options.registry.watch(() => {
      if (this.introduction === undefined) return;
      if (this.connection === undefined) this.inTurn(() => this.connect());
      else if (this.lost !== undefined) this.inTurn(() => this.goBack());
    });
  }

  /** From the client, in the order in which it was said. */
  receive(message: Message): void {
    this.inTurn(() => this.take(message));
  }

  /** The client has gone. */
  async close(): Promise<void> {
    this.isOver = true;
    this.watching?.close();
    await this.connection?.channel.close();
  }

  private inTurn(action: () => Promise<void>): void {
    this.last = this.last.then(action).catch(() => undefined);
  }

  private async take(message: Message): Promise<void> {
    const { id, method } = message;
    // The window has been told when the channel was opened.
    if (method === 'notifications/initialized') return;
    if (method === 'initialize') {
      const wasConnected = this.connection !== undefined;
      this.introduction = message;
      await this.connect();
      if (wasConnected || this.connection === undefined)
        this.options.write(await this.options.offline.answer(message, undefined));
      this.isAnswered = true;
      return;
    }
    const isRequest = method !== undefined && id !== undefined && id !== null;
    if (this.connection === undefined && isRequest) await this.connect();
    const { connection } = this;
    if (connection === undefined) {
      if (isRequest)
        this.options.write(await this.options.offline.answer(message, await this.whyNone()));
      return;
    }
    if (method === undefined && (id === undefined || id === null || !this.asked.delete(id))) return;
    // No answer is expected any more, be it the window's or ours.
    if (method === 'notifications/cancelled')
      this.inFlight.delete(idOf(message.params?.['requestId']));
    if (isRequest) {
      const { lost } = this;
      if (method === 'tools/call') this.lost = undefined;
      if (method === 'tools/call' && lost?.isTold === false) {
        this.options.write(
          await this.options.offline.answer(
            message,
            await this.options.offline.lost(lost.window, await this.options.registry.list()),
          ),
        );
        return;
      }
      this.inFlight.set(id, method);
    }
    connection.channel.send(message).catch(() => this.lose(connection.channel));
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

  /** Whether there is another choice now, because a window of this one turned out to be gone. */
  private async tryChosen(introduction: Message): Promise<boolean> {
    const choice = chooseWindow(await this.options.registry.list(), this.options.wish);
    const windows =
      choice.kind === 'window' ? [choice.window] : choice.kind === 'several' ? choice.windows : [];
    let isAnyGone = false;
    for (const window of windows) {
      if (await this.enter(window, introduction)) return false;
      if (await this.options.registry.removeIfGone(window)) isAnyGone = true;
    }
    return isAnyGone;
  }

  /** The window that was lost is there again before any call went to another. */
  private async goBack(): Promise<void> {
    const { lost, connection, introduction } = this;
    if (
      lost === undefined ||
      lost.isTold ||
      connection === undefined ||
      introduction === undefined ||
      this.inFlight.size > 0
    )
      return;
    const back = (await this.options.registry.list()).find((each) => isSameAs(lost.window, each));
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
      // The client hears one answer; a window that comes later is told what the client had said.
      const isFirst = !this.isAnswered;
      const answer = await channel.start(
        isFirst ? introduction : { ...introduction, id: 'agent-debugger' },
        { listen: true },
      );
      this.isAnswered = true;
      this.connection = { window, channel };
      if (this.lost !== undefined && isSameAs(this.lost.window, window)) this.lost = undefined;
      if (isFirst) this.options.write(answer);
      else this.tellOfLists(answer);
      return true;
    } catch {
      channel.drop();
      return false;
    }
  }

  private tellOfLists(answer: Message): void {
    const capabilities = answer.result?.['capabilities'];
    for (const name of ['tools', 'prompts', 'resources']) {
      if (typeof capabilities === 'object' && capabilities !== null && name in capabilities)
        this.options.write({ jsonrpc: '2.0', method: `notifications/${name}/list_changed` });
    }
  }

  private fromWindow(message: Message): void {
    if (message.id !== undefined && message.id !== null) {
      if (message.method === undefined) {
        if (!this.inFlight.delete(message.id)) return;
      } else this.asked.add(message.id);
    }
    this.options.write(message);
  }

  /** Answers what the window left unanswered. */
  private lose(channel: MessageChannel): void {
    if (this.connection?.channel !== channel) return;
    const { window } = this.connection;
    this.connection = undefined;
    this.asked.clear();
    const calls = [...this.inFlight];
    this.inFlight.clear();
    this.lost = { window, isTold: calls.length > 0, isAwaited: true };
    this.inTurn(async () => {
      if (calls.length > 0) {
        const reason = await this.options.offline.lost(window, await this.options.registry.list());
        for (const [id, method] of calls)
          this.options.write(
            await this.options.offline.answer({ jsonrpc: '2.0', id, method }, reason),
          );
      }
      await this.connect();
    });
  }

  private async whyNone(): Promise<Readonly<Record<string, unknown>>> {
    if (this.lost !== undefined) this.lost.isTold = true;
    return await this.options.offline.none(
      this.options.wish.workspace,
      await this.options.registry.list(),
    );
  }
}
