import { fields, listOf, textOf } from '../debugger/protocol';
import { BOUNDS, type Bounds } from './boundedBuffer';
import { subjectOf } from './callFacts';
import { MessageLog, type MessageRecord } from './messages';
import { messageText } from './messageText';
import type { Recording } from './recording';

/** The maximum number of calls that are remembered until their responses arrive. */
const MAX_PENDING = 50;

/**
 * The messages that the MCP server's clients send and receive. While recording is off, no message is kept or converted
 * to text.
 */
export class McpTraffic {
  readonly log: MessageLog;
  private readonly subjects = new Map<string, string>();

  constructor(
    private readonly recording: Recording,
    bounds: Bounds = BOUNDS,
    private readonly now: () => number = Date.now,
  ) {
    this.log = new MessageLog(bounds);
  }

  get isOn(): boolean {
    return this.recording.isOn;
  }

  /** Records a message, or a batch of messages, of one MCP session. */
  message(direction: 'sent' | 'received', session: string | undefined, body: unknown): void {
    if (!this.recording.isOn) return;
    const messages = Array.isArray(body) ? listOf(body) : [body];
    for (const message of messages) this.log.add(this.recordOf(direction, session, message));
  }

  /** Records the response to an HTTP request, without its headers, because they contain the key. */
  answered(method: string, path: string, status: number, session: string | undefined): void {
    if (!this.recording.isOn) return;
    this.log.add({
      at: this.now(),
      session: shortSession(session),
      direction: 'sent',
      kind: 'response',
      name: `HTTP ${method} ${path.slice(0, 200)}`,
      number: status,
      failed: status >= 400,
      text: '',
    });
  }

  private recordOf(
    direction: 'sent' | 'received',
    session: string | undefined,
    value: unknown,
  ): MessageRecord {
    const message = fields(value);
    const method = textOf(message['method']);
    const { id } = message;
    const number = typeof id === 'string' || typeof id === 'number' ? id : undefined;
    const params = method === 'tools/call' ? fields(message['params']) : {};
    const tool = textOf(params['name']);
    const key = `${session} ${number}`;
    if (method !== undefined) this.remember(key, subjectOf(params['arguments']));
    return {
      at: this.now(),
      session: shortSession(session),
      direction,
      kind: kindOf(method, number),
      name: [method ?? '', ...(tool === undefined ? [] : [tool.slice(0, 100)])].join(' '),
      number,
      failed: message['error'] !== undefined,
      subject: method === undefined ? this.take(key) : undefined,
      text: messageText(value),
    };
  }

  /** Remembers the expression or variable that a call requests until its response arrives. */
  private remember(request: string, subject: string | undefined): void {
    if (subject === undefined) return;
    const [oldest] = this.subjects.keys();
    if (this.subjects.size >= MAX_PENDING && oldest !== undefined) this.subjects.delete(oldest);
    this.subjects.set(request, subject);
  }

  private take(request: string): string | undefined {
    const subject = this.subjects.get(request);
    this.subjects.delete(request);
    return subject;
  }
}

function kindOf(
  method: string | undefined,
  id: string | number | undefined,
): MessageRecord['kind'] {
  if (method === undefined) return 'response';
  return id === undefined ? 'event' : 'request';
}

/** The end of a session's id, which is sufficient to distinguish sessions. The whole id is known only to its client. */
function shortSession(session: string | undefined): string {
  return session === undefined || session === '' ? '-' : session.slice(-6);
}
