import { fields, listOf, numberOf } from '../../src/debugger/protocol';
import { watchConnections, type Connection } from './adapterConnections';

/** A message of the Debug Adapter Protocol. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * A raw client of the Debug Adapter Protocol, which writes requests directly to a connection and reads the responses.
 * The connection may be VS Code's own connection to an adapter: VS Code ignores responses to requests that are not its
 * own.
 */
export class RawClient {
  private seq = 1_000_000;
  private rest: Buffer = Buffer.alloc(0);
  private readonly listeners = new Set<(message: Message) => void>();

  constructor(private readonly connection: Connection) {
    connection.output.on('data', (data: Buffer) => this.read(data));
  }

  /** Calls the listener for each message of the adapter. @returns a function that removes the listener */
  listen(listener: (message: Message) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async request(command: string, args: object): Promise<Message> {
    this.seq += 1;
    const seq = this.seq;
    const answered = this.next(
      (message) => message['type'] === 'response' && message['request_seq'] === seq,
    );
    this.send({ seq, type: 'request', command, arguments: args });
    const answer = await answered;
    if (answer['success'] !== true) throw new Error(`${command}: ${JSON.stringify(answer)}`);
    return fields(answer['body']);
  }

  event(name: string): Promise<Message> {
    return this.next((message) => message['type'] === 'event' && message['event'] === name);
  }

  next(expected: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const stop = this.listen((message) => {
        if (!expected(message)) return;
        stop();
        resolve(message);
      });
    });
  }

  /** Resolves when the adapter has sent nothing for this time. */
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

  /** Steps and reads the stop, one request after the other, like a client without cache or parallelism. */
  async stepAndLook(threadId: number): Promise<void> {
    await this.step(threadId);
    await this.look(threadId);
  }

  async look(threadId: number): Promise<void> {
    await readRequest((command, args) => this.request(command, args), threadId);
  }

  async step(threadId: number): Promise<void> {
    const stopped = this.event('stopped');
    await this.request('next', { threadId });
    await stopped;
  }

  /** Makes the same step and reads with requests that are sent another way; the adapter's events arrive here. */
  async stepAndLookBy(request: Request, threadId: number): Promise<void> {
    const stopped = this.event('stopped');
    await request('next', { threadId });
    await stopped;
    await readRequest(request, threadId);
  }

  private send(message: object): void {
    const body = Buffer.from(JSON.stringify(message));
    this.connection.input.write(
      Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]),
    );
  }

  private read(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.rest.subarray(0, end).toString())?.[1],
      );
      const from = end + 4;
      if (this.rest.length < from + length) return;
      const message = fields(JSON.parse(this.rest.subarray(from, from + length).toString()));
      this.rest = this.rest.subarray(from + length);
      for (const listener of [...this.listeners]) listener(message);
    }
  }
}

type Request = (command: string, args: object) => Promise<Message>;

async function readRequest(request: Request, threadId: number): Promise<void> {
  const stack = await request('stackTrace', { threadId, startFrame: 0, levels: 20 });
  const frameId = numberOf(fields(listOf(stack['stackFrames'])[0])['id']);
  const scopes = await request('scopes', { frameId });
  for (const scope of listOf(scopes['scopes'])) {
    const { expensive, presentationHint, variablesReference } = fields(scope);
    if (expensive === true || (presentationHint !== 'locals' && presentationHint !== undefined))
      continue;
    await request('variables', { variablesReference });
  }
}

/** Starts a program and finds the connection that VS Code has to its adapter, by the thread that has stopped. */
export async function withRawClient<T>(
  start: () => Promise<T>,
  threadOf: (started: T) => number,
): Promise<{ readonly started: T; readonly raw: RawClient }> {
  const watched = watchConnections();
  const started = await start();
  watched.restore();
  const threadId = threadOf(started);
  const answers = watched.connections().map(async (connection) => {
    const client = new RawClient(connection);
    const { threads } = await client.request('threads', {});
    if (!listOf(threads).some((thread) => fields(thread)['id'] === threadId))
      throw new Error('another adapter');
    return client;
  });
  return { started, raw: await Promise.any(answers) };
}
