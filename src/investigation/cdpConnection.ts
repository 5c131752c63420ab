import { fields, numberOf, textOf, type Fields } from '../debugger/protocol';
import { NotAnswered, type PageConnection } from './pageConnection';

const SEND_LIMIT_MS = 10_000;

/** The part of `ws` that is used. */
export interface Socket {
  on(event: 'message', listener: (data: unknown) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
  send(text: string): void;
  close(): void;
  /** Closes at once. What has been received but not read is lost. */
  terminate(): void;
}

interface PendingRequest {
  readonly resolve: (result: Fields) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** A connection to a page through js-debug's own connection, the “CDP proxy”. */
export class CdpConnection implements PageConnection {
  /** Called with each event and the number of its characters. */
  onEvent: (method: string, params: Fields, size: number) => void = () => undefined;
  private readonly pending = new Map<number, PendingRequest>();
  private last = 0;
  private isClosed = false;

  constructor(
    private readonly socket: Socket,
    private readonly limitMs = SEND_LIMIT_MS,
  ) {
    socket.on('message', (data) => {
      // A text message arrives as one buffer.
      if (Buffer.isBuffer(data)) this.receive(data.toString('utf8'));
    });
    socket.on('close', () => this.failAll());
    socket.on('error', () => this.failAll());
  }

  async send(method: string, params: Fields = {}): Promise<Fields> {
    if (this.isClosed) throw gone();
    this.last += 1;
    const id = this.last;
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new NotAnswered(method));
      }, this.limitMs);
      this.pending.set(id, { resolve, reject, timer });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.failAll();
    this.socket.close();
  }

  /** Closes at once, without the events that have been received but not read. */
  drop(): void {
    this.onEvent = () => undefined;
    this.failAll();
    this.socket.terminate();
  }

  private receive(text: string): void {
    const message = messageOf(text);
    const [method, id] = [textOf(message['method']), numberOf(message['id'])];
    if (method !== undefined) this.onEvent(method, fields(message['params']), text.length);
    const request = id === undefined ? undefined : this.pending.get(id);
    if (id === undefined || request === undefined) return;
    this.pending.delete(id);
    clearTimeout(request.timer);
    const problem = textOf(fields(message['error'])['message']);
    if (problem === undefined) request.resolve(fields(message['result']));
    else request.reject(new Error(problem));
  }

  private failAll(): void {
    this.isClosed = true;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(gone());
    }
    this.pending.clear();
  }
}

function gone(): Error {
  return new Error('the page is gone');
}

function messageOf(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}
