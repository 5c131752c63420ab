import { readMessage, textOf } from '../protocol';
import type { DebugEvent } from '../state/state';
import type { Subscription } from '../../util/listeners';
import { isInjectedLine, readInjectedLine } from './injectedLines';

/** A line that a logpoint of a call printed. */
export interface InjectedLine {
  /** The key of the session. */
  readonly key: string;
  /** The whole output, including the text that the adapter adds. */
  readonly text: string;
  readonly point: number;
  readonly values: readonly string[];
}

/**
 * The lines that the logpoints of running calls print. They are not the person's, so VS Code does not show them in the
 * debug console, see `isOwn`. Lines with a nonce that no running call has are the program's output.
 */
export class InjectedOutput {
  private readonly listeners = new Map<string, (line: InjectedLine) => void>();
  private readonly own = new WeakSet<object>();

  /** Calls the listener with the lines that have the nonce. */
  onLine(nonce: string, listener: (line: InjectedLine) => void): Subscription {
    this.listeners.set(nonce, listener);
    return { dispose: () => void this.listeners.delete(nonce) };
  }

  /** Reads an `output` event. */
  observe({ type, key, ...event }: DebugEvent): void {
    if (type !== 'fromAdapter' || !('message' in event) || this.listeners.size === 0) return;
    const { message } = event;
    const read = readMessage(message);
    if (read?.type !== 'event' || read.event !== 'output') return;
    const text = textOf(read.body['output']) ?? '';
    if (!isInjectedLine(text)) return;
    for (const [nonce, listener] of [...this.listeners]) {
      const line = readInjectedLine(nonce, text);
      if (line === undefined) continue;
      if (typeof message === 'object' && message !== null) this.own.add(message);
      listener({ key, text, ...line });
    }
  }

  /** Whether a message is a line of a running call. */
  isOwn(message: unknown): boolean {
    return typeof message === 'object' && message !== null && this.own.has(message);
  }
}
