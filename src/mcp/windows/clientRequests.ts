import type { MessageId } from './messageChannel';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Handles a client's answer. */
export type TakeAnswer = (answer: JSONRPCMessage) => void;

/**
 * The requests to the client that this window's server did not make: the session's own and those of other windows. They
 * receive new ids, because an id of another window may equal an id of this window.
 */
export class ClientRequests {
  private count = 0;
  private readonly pending = new Map<MessageId, TakeAnswer>();

  /** An id that no other request of this session has. */
  nextId(): string {
    this.count += 1;
    return `agent-debugger-${this.count}`;
  }

  /** @returns the id to send the request with */
  expect(takeAnswer: TakeAnswer): string {
    const id = this.nextId();
    this.pending.set(id, takeAnswer);
    return id;
  }

  forget(id: MessageId): void {
    this.pending.delete(id);
  }

  /** Passes an answer to its handler. False if it answers another request. */
  take(answer: JSONRPCMessage & { readonly id?: MessageId }): boolean {
    if (answer.id === undefined) return false;
    const takeAnswer = this.pending.get(answer.id);
    if (takeAnswer === undefined) return false;
    this.pending.delete(answer.id);
    takeAnswer(answer);
    return true;
  }
}
