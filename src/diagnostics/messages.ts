import { Listeners, type Subscription } from '../util/listeners';
import { BOUNDS, BoundedBuffer, type Bounds } from './boundedBuffer';

/** The kinds of messages. An MCP notification counts as an event. */
export type MessageKind = 'request' | 'response' | 'event';

export const MESSAGE_KINDS: readonly MessageKind[] = ['request', 'response', 'event'];

/** One message of a protocol. */
export interface MessageRecord {
  readonly at: number;
  /** The session of the message: a debug session's key, or the short id of an MCP session. */
  readonly session: string;
  /** The direction from the extension's point of view, or from VS Code's for a debug session. */
  readonly direction: 'sent' | 'received';
  readonly kind: MessageKind;
  /** The command, the event or the method. */
  readonly name: string;
  /** The number that pairs a request with its response. */
  readonly number?: number | string | undefined;
  readonly failed?: boolean;
  /** For a response: the expression in its request, whose value the response contains. */
  readonly subject?: string | undefined;
  /** The message's content as JSON. Empty while contents are not recorded. */
  readonly text: string;
}

/**
 * The maximum length of a name or id. Names and ids are from other programs and are not counted in the bounds of the
 * buffer.
 */
const MAX_OF_A_NAME = 100;

/** The newest messages of one source. */
export class MessageLog {
  private readonly buffer: BoundedBuffer<MessageRecord>;
  private readonly listeners = new Listeners();

  constructor(bounds: Bounds = BOUNDS) {
    this.buffer = new BoundedBuffer(bounds);
  }

  get records(): readonly MessageRecord[] {
    return this.buffer.items;
  }

  get dropped(): number {
    return this.buffer.dropped;
  }

  get characters(): number {
    return this.buffer.characters;
  }

  add(record: MessageRecord): void {
    this.buffer.add(this.fits(record) ? record : this.fitted(record));
    this.listeners.notify();
  }

  private fits({ name, number, text }: MessageRecord): boolean {
    return (
      name.length <= MAX_OF_A_NAME &&
      (typeof number !== 'string' || number.length <= MAX_OF_A_NAME) &&
      text.length <= this.buffer.bounds.eventCharacters
    );
  }

  private fitted(record: MessageRecord): MessageRecord {
    const { name, number, text } = record;
    return {
      ...record,
      name: name.slice(0, MAX_OF_A_NAME),
      number: typeof number === 'string' ? number.slice(0, MAX_OF_A_NAME) : number,
      text: this.buffer.fit(text),
    };
  }

  clear(): void {
    this.buffer.clear();
    this.listeners.notify();
  }

  onDidChange(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }
}
