import { setMaxListeners } from 'node:events';
import type { WebSocket } from 'ws';
import { asFailure } from '../../../results/debuggerFailures';
import type { MoveCommand } from '../../../debugger/host';
import { countOf, fields, numberOf, textOf, type Fields } from '../../../debugger/protocol';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../../tools/services';
import { defined } from '../../../util/defined';
import { SerialQueue } from '../../../util/serialQueue';
import { RateLimit } from '../rateLimit';
import { RelayReads } from './reads';

/** The rights of viewers: to read the program's state, or also to move the program. */
export type RelayRights = 'read' | 'control';

const MOVES: Readonly<Record<string, MoveCommand>> = {
  continue: 'continue',
  next: 'next',
  stepIn: 'stepIn',
  stepOut: 'stepOut',
  pause: 'pause',
};

/** The maximum number of unsent bytes of one viewer. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * The maximum number of messages and of characters that wait for redaction. A program may print thousands of short
 * lines at once.
 */
const MAX_PENDING = 5000;
const MAX_PENDING_CHARACTERS = 4 * 1024 * 1024;

/** RFC 6455 close codes. */
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
const TRY_AGAIN_LATER = 1013;

/**
 * One front end that follows a session. It receives the adapter's events as they arrive, and its requests are answered
 * with the adapter's responses. Both are DAP messages in JSON, one per WebSocket message, with sequence numbers per
 * viewer. Credentials are removed as in every result.
 */
export class RelayViewer {
  private seq = 0;
  private pending = 0;
  private pendingCharacters = 0;
  private readonly queue = new SerialQueue();
  private readonly rate = new RateLimit();
  private readonly reads: RelayReads;
  /** Aborted when the front end has disconnected. */
  private readonly gone = new AbortController();

  constructor(
    private readonly socket: WebSocket,
    readonly sessionKey: string,
    private readonly services: Pick<
      ToolServices,
      'model' | 'host' | 'inspector' | 'control' | 'redactor' | 'access'
    >,
    private readonly rights: () => RelayRights,
  ) {
    this.reads = new RelayReads(services.inspector);
    socket.on('message', (data, isBinary) => this.receive(isBinary ? undefined : textIn(data)));
    socket.on('error', () => socket.terminate());
    socket.once('close', () => this.gone.abort());
    // Each waiting request adds a listener.
    setMaxListeners(0, this.gone.signal);
    const session = this.session();
    if (session !== undefined) this.event('agentDebugger', sessionEvent(session, rights()));
  }

  /** Sends an event of the adapter or of the relay itself. */
  event(event: string, body: Fields): void {
    this.send({ type: 'event', event, body });
  }

  /** Disconnects the front end immediately. */
  close(reason: string): void {
    this.socket.close(1000, reason);
  }

  /** Disconnects the front end after all pending messages were sent. */
  end(reason: string): void {
    void this.queue.run(() => {
      this.close(reason);
      return Promise.resolve();
    });
  }

  private session(): SessionState | undefined {
    return this.services.model.state.sessions.get(this.sessionKey);
  }

  private receive(text: string | undefined): void {
    // A disconnected front end may still send.
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (!this.rate.take()) {
      this.socket.close(POLICY_VIOLATION, 'too many requests');
      return;
    }
    const request = parsed(text);
    const [seq, command] = [countOf(request['seq']), textOf(request['command'])];
    if (request['type'] !== 'request' || seq === undefined || command === undefined) {
      this.socket.close(POLICY_VIOLATION, 'not a DAP request');
      return;
    }
    const respond = (response: Fields): void =>
      this.send({ type: 'response', request_seq: seq, command, ...response });
    this.answer(command, fields(request['arguments'])).then(
      (body) => respond({ success: true, body }),
      (error: unknown) => respond({ success: false, message: messageOf(error) }),
    );
  }

  private async answer(command: string, args: Fields): Promise<Fields> {
    // If results cannot be redacted, the request is not executed either.
    await this.services.redactor.check();
    const session = this.session();
    if (session === undefined || session.lifecycle === 'terminated')
      throw new Error('The session has ended.');
    if (RelayReads.has(command))
      return await this.reads.read(session, command, args, this.gone.signal);
    const move = Object.hasOwn(MOVES, command) ? MOVES[command] : undefined;
    if (move === undefined) throw new Error(`The relay does not forward ${command}.`);
    if (this.rights() !== 'control')
      throw new Error('This relay is read-only: the setting agentDebugger.mcp.relay is "read".');
    return await this.move(session, move, args);
  }

  private async move(session: SessionState, command: MoveCommand, args: Fields): Promise<Fields> {
    const { access, control, host } = this.services;
    access.check();
    control.leases.check(session);
    const thread = numberOf(args['threadId']);
    if (thread === undefined) throw new Error('threadId is needed.');
    await host.move(session.key, thread, command);
    return {};
  }

  /** Sends a message in order and without credentials. A viewer that does not read is disconnected. */
  private send(message: Fields): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.isBehind()) {
      this.socket.close(TRY_AGAIN_LATER, 'too slow');
      // A peer that does not read does not answer the closing handshake either.
      this.socket.terminate();
      return;
    }
    const { length } = JSON.stringify(message);
    this.pending += 1;
    this.pendingCharacters += length;
    void this.queue
      .run(async () => {
        if (this.socket.readyState !== this.socket.OPEN) return;
        const shown = await this.services.redactor.redact(message);
        this.seq += 1;
        this.socket.send(JSON.stringify({ seq: this.seq, ...shown }));
      })
      .catch((error: unknown) => this.socket.close(INTERNAL_ERROR, reasonOf(error)))
      .finally(() => {
        this.pending -= 1;
        this.pendingCharacters -= length;
      });
  }

  private isBehind(): boolean {
    return (
      this.socket.bufferedAmount > MAX_UNREAD_BYTES ||
      this.pending >= MAX_PENDING ||
      this.pendingCharacters > MAX_PENDING_CHARACTERS
    );
  }
}

/** The first event. It contains the data that a viewer needs to show the session before further events arrive. */
function sessionEvent(session: SessionState, rights: RelayRights): Fields {
  return {
    session_id: session.id,
    name: session.name,
    type: session.type,
    state: session.lifecycle,
    rights,
    threads: [...session.threads.values()].map(({ id, name, stop }) => ({
      id,
      ...defined({ name }),
      stopped: stop !== undefined,
    })),
  };
}

function textIn(data: unknown): string | undefined {
  return Buffer.isBuffer(data) ? data.toString('utf8') : undefined;
}

function parsed(text: string | undefined): Fields {
  try {
    return fields(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

/** The reason of a close frame. RFC 6455 allows 123 bytes. */
function reasonOf(error: unknown): string {
  return Buffer.from(messageOf(error))
    .subarray(0, MAX_OF_A_REASON)
    .toString('utf8')
    .replace(/(?<!\uFFFD)\uFFFD+$/u, '');
}

const MAX_OF_A_REASON = 120;

function messageOf(error: unknown): string {
  return asFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}
