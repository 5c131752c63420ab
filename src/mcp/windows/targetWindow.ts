import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { fields, isFields, listOf, textOf } from '../../debugger/protocol';
import type { ClientRequests } from './clientRequests';
import type { Message, MessageChannel, MessageId } from './messageChannel';
import type { WindowEntry } from './registry';
import { pathsOf } from './routing';
import { closed, type NoWindow } from './selectWindow';
import { WindowChooser, type ChooserOptions } from './windowChooser';

/**
 * The time that a client may take to send its roots, in milliseconds. Then it is treated like a client without roots.
 */
const ROOTS_LIMIT_MS = 5000;

/** The window that receives a client's calls. */
export interface Target {
  readonly window: WindowEntry;
  /** The channel to the window. Undefined for this window. */
  readonly channel: MessageChannel | undefined;
}

export interface TargetEvents {
  /** Called when another window has sent a message. `related`: the id of the request in whose stream it arrived. */
  readonly onMessage: (
    channel: MessageChannel,
    message: Message,
    related: MessageId | undefined,
  ) => void;
  /** Called when another window has closed or has dropped the session. */
  readonly onLost: (window: WindowEntry, channel: MessageChannel) => void;
  /** Called when the target has changed to another window. */
  readonly onDidMove: () => void;
}

/** The target of a client's calls. It is chosen at the first call or by the client, and again after it was lost. */
export class TargetWindow {
  current: Target | undefined;
  /** The client's last request for a log level. Windows that are entered later receive it as well. */
  levelRequest: JSONRPCRequest | undefined;
  private readonly chooser: WindowChooser;
  private choosing: Promise<Target | NoWindow> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly options: ChooserOptions,
    private readonly clientRequests: ClientRequests,
    private readonly introduction: () => JSONRPCRequest | undefined,
    private readonly events: TargetEvents,
  ) {
    this.chooser = new WindowChooser(options);
  }

  /** Chooses the target. Concurrent calls wait for the same choice. */
  async choose(request: MessageId): Promise<Target | NoWindow> {
    this.choosing ??= this.chooseNow(request).finally(() => (this.choosing = undefined));
    return await this.choosing;
  }

  /**
   * Called when the client selects a window.
   * @returns the previous target, or the reason why the window cannot be entered
   */
  async select(window: WindowEntry): Promise<{ readonly left: Target | undefined } | NoWindow> {
    const left = this.current;
    if (left?.window.id === window.id) return { left: undefined };
    const entered = await this.enter(window);
    if ('status' in entered) return entered;
    this.chooser.forgetLost();
    this.events.onDidMove();
    return { left };
  }

  /** Called when the target was lost. @param isReported whether an open call has reported it to the client */
  lose(window: WindowEntry, isReported: boolean): void {
    this.current = undefined;
    this.chooser.windowLost({ window, isReported });
    this.events.onDidMove();
  }

  private async chooseNow(request: MessageId): Promise<Target | NoWindow> {
    const choice = await this.chooser.choose(() => this.askRoots(request));
    return 'status' in choice ? choice : await this.enter(choice);
  }

  /** Asks the client for its roots in the stream of a request, which every client reads. */
  private async askRoots(request: MessageId): Promise<readonly string[]> {
    const capabilities = fields(fields(this.introduction()?.params)['capabilities']);
    if (!isFields(capabilities['roots']) && this.options.resumed === undefined) return [];
    let answered: (uris: readonly string[]) => void = () => undefined;
    const answer = new Promise<readonly string[]>((resolve) => (answered = resolve));
    const id = this.clientRequests.expect((message) => answered(rootsIn(message)));
    const timer = setTimeout(() => answered([]), ROOTS_LIMIT_MS);
    try {
      await this.transport.send(
        { jsonrpc: '2.0', id, method: 'roots/list' },
        { relatedRequestId: request },
      );
      return pathsOf(await answer);
    } finally {
      clearTimeout(timer);
      this.clientRequests.forget(id);
    }
  }

  /** Makes a window the target. In another window, it opens a session with the same id. */
  private async enter(window: WindowEntry): Promise<Target | NoWindow> {
    const { windows } = this.options;
    if (window.id === windows.ownId) {
      this.current = { window, channel: undefined };
      return this.current;
    }
    const channel = await this.openChannel(window);
    if (channel === undefined) return closed(window.folders, await windows.list());
    if (this.levelRequest !== undefined)
      channel
        .send({ ...this.levelRequest, id: this.clientRequests.nextId() })
        .catch(() => undefined);
    this.current = { window, channel };
    this.events.onDidMove();
    return this.current;
  }

  private async openChannel(window: WindowEntry): Promise<MessageChannel | undefined> {
    const channel = this.options.windows.channelTo(window);
    channel.onmessage = (message, related) => this.events.onMessage(channel, message, related);
    channel.onlost = () => this.events.onLost(window, channel);
    const params = fields(this.introduction()?.params);
    try {
      await channel.start(
        { jsonrpc: '2.0', id: 'agent-debugger', method: 'initialize', params },
        { listen: true },
      );
      return channel;
    } catch {
      channel.drop();
      return undefined;
    }
  }
}

/** The roots in a response to `roots/list`. Empty for an error. */
function rootsIn(answer: JSONRPCMessage): readonly string[] {
  if (!('result' in answer)) return [];
  return listOf(fields(answer.result)['roots']).flatMap(
    (root) => textOf(fields(root)['uri']) ?? [],
  );
}
