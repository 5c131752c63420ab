import { countOf, fields, textOf } from '../debugger/protocol';
import type { DebugEvent } from '../debugger/state/state';
import { Listeners, type Subscription } from '../util/listeners';
import { BOUNDS, type Bounds } from './boundedBuffer';
import { MessageLog, type MessageRecord } from './messages';
import { messageText } from './messageText';
import type { Recording } from './recording';

/** The maximum number of sessions, which equals the number that the model keeps. A Node program has two. */
const MAX_SESSIONS = 20;

/** The maximum number of evaluations whose expressions are remembered until their responses arrive. */
const MAX_PENDING = 50;

/**
 * The DAP messages of each debug session. The kind, name and number of a message are always kept, which costs one small
 * object. Its content is kept only while recording is on.
 */
export class ProtocolTrace {
  private readonly logs = new Map<string, MessageLog>();
  private readonly expressions = new Map<string, string>();
  private readonly listeners = new Listeners();

  constructor(
    private readonly recording: Recording,
    private readonly bounds: Bounds = BOUNDS,
  ) {}

  /** The keys of the sessions, oldest first. */
  get sessions(): readonly string[] {
    return [...this.logs.keys()];
  }

  of(session: string): MessageLog | undefined {
    return this.logs.get(session);
  }

  /** Called synchronously for every event of the model, so it must be fast. */
  observe(event: DebugEvent): void {
    const record = this.recordOf(event);
    if (record === undefined) return;
    this.logOf(event.key).add(record);
    this.listeners.notify();
  }

  onDidChange(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }

  private logOf(session: string): MessageLog {
    const existing = this.logs.get(session);
    if (existing !== undefined) return existing;
    const [oldest] = this.logs.keys();
    if (this.logs.size >= MAX_SESSIONS && oldest !== undefined) this.logs.delete(oldest);
    const log = new MessageLog(this.bounds);
    this.logs.set(session, log);
    return log;
  }

  private recordOf(event: DebugEvent): MessageRecord | undefined {
    const { key: session, at } = event;
    if (event.type === 'toAdapter' || event.type === 'fromAdapter') {
      const direction = event.type === 'toAdapter' ? 'sent' : 'received';
      return this.messageRecord(event.message, at, session, direction);
    }
    if (!LIFECYCLE.has(event.type)) return undefined;
    const { type, key: _key, at: _at, ...facts } = event;
    return {
      at,
      session,
      direction: 'received',
      kind: 'event',
      name: `(${type})`,
      text: this.text(facts),
    };
  }

  private messageRecord(
    value: unknown,
    at: number,
    session: string,
    direction: MessageRecord['direction'],
  ): MessageRecord | undefined {
    const message = fields(value);
    const { type } = message;
    if (type === 'event') {
      const [name, text] = [textOf(message['event']) ?? '', this.text(message['body'])];
      return { at, session, direction, kind: 'event', name, text };
    }
    const name = textOf(message['command']) ?? '';
    if (type === 'request') {
      const [number, text] = [countOf(message['seq']), this.text(message['arguments'])];
      if (name === 'evaluate') this.remember(`${session} ${number}`, message['arguments']);
      return { at, session, direction, kind: 'request', name, number, text };
    }
    if (type !== 'response') return undefined;
    const number = countOf(message['request_seq']);
    const failed = message['success'] !== true;
    const { body } = message;
    const text = this.text(failed ? { message: message['message'], body } : body);
    const subject = name === 'evaluate' ? this.take(`${session} ${number}`) : undefined;
    return { at, session, direction, kind: 'response', name, number, failed, subject, text };
  }

  /** Remembers the expression of an evaluation. Redaction recognizes credentials in the response by it. */
  private remember(request: string, args: unknown): void {
    const expression = textOf(fields(args)['expression']);
    if (expression === undefined || !this.recording.isOn) return;
    const [oldest] = this.expressions.keys();
    if (this.expressions.size >= MAX_PENDING && oldest !== undefined)
      this.expressions.delete(oldest);
    this.expressions.set(request, expression.slice(0, 200));
  }

  private take(request: string): string | undefined {
    const expression = this.expressions.get(request);
    this.expressions.delete(request);
    return expression;
  }

  private text(content: unknown): string {
    return this.recording.isOn && content !== undefined ? messageText(content) : '';
  }
}

/** Events of a session that are not DAP messages. */
const LIFECYCLE: ReadonlySet<string> = new Set([
  'sessionCreated',
  'adapterFailed',
  'adapterExited',
  'sessionEnded',
]);
