import { readMessage, textOf } from '../protocol';
import type { DebugEvent } from '../state/state';
import type { Subscription } from '../../util/listeners';
import { BoundedSet } from '../../util/boundedSet';
import { nonceIn, readInjectedLine } from './injectedLines';

/** A line that a logpoint of a call printed. */
export interface InjectedLine {
  /** The key of the session. */
  readonly key: string;
  /** The whole output, including the text that the adapter adds. */
  readonly text: string;
  readonly point: number;
  readonly values: readonly string[];
}

/** The number of past calls whose late lines are recognized. */
const PAST_CALLS = 100;

/**
 * The lines that the logpoints of calls print. They are not the program's, so VS Code does not show them in the debug
 * console, see `isOwn`. A line with the marker and the nonce of no call was printed by something else, and is shown
 * there.
 */
export class InjectedOutput {
  private readonly listeners = new Map<string, (line: InjectedLine) => void>();
  private readonly past = new BoundedSet<string>(PAST_CALLS);
  private readonly own = new WeakSet<object>();
  /** Most windows never have such lines, and a program may print much. */
  private hasHadListener = false;

  /** Calls the listener with the lines that have the nonce. */
  onLine(nonce: string, listener: (line: InjectedLine) => void): Subscription {
    this.listeners.set(nonce, listener);
    this.hasHadListener = true;
    return {
      dispose: () => {
        this.listeners.delete(nonce);
        this.past.add(nonce);
      },
    };
  }

  /** Reads an `output` event. */
  observe({ type, key, ...event }: DebugEvent): void {
    if (!this.hasHadListener || type !== 'fromAdapter' || !('message' in event)) return;
    const { message } = event;
    const read = readMessage(message);
    if (read?.type !== 'event' || read.event !== 'output') return;
    const text = textOf(read.body['output']) ?? '';
    const nonce = nonceIn(text);
    if (nonce === undefined) return;
    const listener = this.listeners.get(nonce);
    if (listener === undefined && !this.past.has(nonce)) return;
    if (typeof message === 'object' && message !== null) this.own.add(message);
    const line = readInjectedLine(nonce, text);
    if (line !== undefined) listener?.({ key, text, ...line });
  }

  /** Whether a message is a line of a running or a past call. */
  isOwn(message: unknown): boolean {
    return typeof message === 'object' && message !== null && this.own.has(message);
  }
}
