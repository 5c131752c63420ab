import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { MessageChannel, MessageId } from './messageChannel';

/** The client's open requests in other windows. */
export class OpenCalls {
  private readonly calls = new Map<
    MessageId,
    { readonly request: JSONRPCRequest; readonly channel: MessageChannel }
  >();

  add(request: JSONRPCRequest, channel: MessageChannel): void {
    this.calls.set(request.id, { request, channel });
  }

  channelOf(id: MessageId): MessageChannel | undefined {
    return this.calls.get(id)?.channel;
  }

  end(id: MessageId): void {
    this.calls.delete(id);
  }

  hasAnyIn(channel: MessageChannel): boolean {
    return [...this.calls.values()].some((call) => call.channel === channel);
  }

  /** Ends all calls in a window. @returns their requests */
  endAllIn(channel: MessageChannel): readonly JSONRPCRequest[] {
    const ended = [...this.calls.values()].filter((call) => call.channel === channel);
    for (const { request } of ended) this.calls.delete(request.id);
    return ended.map(({ request }) => request);
  }
}
