import * as net from 'node:net';
import { fields, listOf, numberOf } from '../../src/debugger/protocol';

/** What VS Code's connection to an adapter carries, seen and used from beside it. */
type Message = Readonly<Record<string, unknown>>;

/**
 * A raw client of the Debug Adapter Protocol on the very connection that VS Code has to an adapter: it writes requests
 * into the socket and reads answers from it, with nothing between. VS Code ignores answers to requests that are not
 * its own.
 */
export class RawClient {
  private seq = 1_000_000;
  private rest: Buffer = Buffer.alloc(0);
  private readonly listeners = new Set<(message: Message) => void>();

  constructor(private readonly socket: net.Socket) {
    socket.on('data', (data: Buffer) => this.read(data));
  }

  /** Sees the messages that the adapter sends. */
  listen(listener: (message: Message) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async request(command: string, args: object): Promise<Message> {
    this.seq += 1;
    const seq = this.seq;
    const answered = this.next((message) => message['type'] === 'response' && message['request_seq'] === seq);
    const body = Buffer.from(JSON.stringify({ seq, type: 'request', command, arguments: args }));
    this.socket.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    const answer = await answered;
    if (answer['success'] !== true) throw new Error(`${command}: ${JSON.stringify(answer)}`);
    return fields(answer['body']);
  }

  next(wanted: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const stop = this.listen((message) => {
        if (!wanted(message)) return;
        stop();
        resolve(message);
      });
    });
  }

  /** Resolves when the adapter has sent nothing for so long. */
  quiet(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const rested = (): void => {
        stop();
        resolve();
      };
      let timer = setTimeout(rested, milliseconds);
      const stop = this.listen(() => {
        clearTimeout(timer);
        timer = setTimeout(rested, milliseconds);
      });
    });
  }

  /** One step and a look, one request after the other: what a client without cache or parallelism does. */
  async stepAndLook(threadId: number): Promise<void> {
    await this.step(threadId);
    const stack = await this.request('stackTrace', { threadId, startFrame: 0, levels: 20 });
    const frameId = numberOf(fields(listOf(stack['stackFrames'])[0])['id']);
    const scopes = await this.request('scopes', { frameId });
    for (const scope of listOf(scopes['scopes'])) {
      const { expensive, presentationHint, variablesReference } = fields(scope);
      if (expensive === true || (presentationHint !== 'locals' && presentationHint !== undefined)) continue;
      await this.request('variables', { variablesReference });
    }
  }

  async step(threadId: number): Promise<void> {
    const stopped = this.next((message) => message['type'] === 'event' && message['event'] === 'stopped');
    await this.request('next', { threadId });
    await stopped;
  }

  private read(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.rest.subarray(0, end).toString())?.[1]);
      const from = end + 4;
      if (this.rest.length < from + length) return;
      const message = fields(JSON.parse(this.rest.subarray(from, from + length).toString()));
      this.rest = this.rest.subarray(from + length);
      for (const listener of [...this.listeners]) listener(message);
    }
  }
}

/** Notes every connection that is made from now on: VS Code's to the adapters are among them. */
export function watchConnections(): { sockets: net.Socket[]; restore: () => void } {
  const sockets: net.Socket[] = [];
  const descriptor = Object.getOwnPropertyDescriptor(net.Socket.prototype, 'connect');
  const connect: unknown = descriptor?.value;
  if (descriptor === undefined || typeof connect !== 'function') throw new Error('net.Socket has no connect');
  Object.defineProperty(net.Socket.prototype, 'connect', {
    ...descriptor,
    value: function (this: net.Socket, ...args: unknown[]): unknown {
      sockets.push(this);
      return Reflect.apply(connect, this, args);
    },
  });
  return { sockets, restore: () => Object.defineProperty(net.Socket.prototype, 'connect', descriptor) };
}
