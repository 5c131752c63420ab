import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ANSWER_LIMIT_MS,
  askWindow,
  Attendance,
  STOPPED,
  TAKES,
  YIELD_PATH,
  type AttendanceQuestion,
} from './attendance';
import type { WindowEntry, WindowRegistry } from './registry';

/** The number of times that a manual start asks for the port, if other windows are faster each time. */
const MAX_TRIES = 5;

/** Thrown if a program that is not one of this person's windows has the port. */
export class PortTaken extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is in use by another program`);
    this.name = 'PortTaken';
  }
}

export interface PublicPortOptions {
  readonly ownId: string;
  readonly registry: WindowRegistry;
  /** @throws NodeJS.ErrnoException `EADDRINUSE` */
  listen(port: number): Promise<void>;
  /** Stops accepting connections. Open connections continue. */
  unlisten(): void;
  /** Lets clients stay that are connected to the port, until they leave. */
  retire(): void;
  /** Publishes the port that this window has or tries to bind. */
  publish(port: number | undefined): Promise<void>;
  /** Called when the window that had the port has closed or has released it. */
  onFree(how: { readonly isStopped: boolean }): void;
  /** Called when the window that has the port responds again. */
  onAnswer(): void;
  readonly answerLimitMs?: number | undefined;
}

/**
 * The window that has the port. `isSilent`: that window seems to have the port but does not respond, because it is
 * suspended or busy.
 */
export type Holding =
  | { readonly kind: 'own' }
  | { readonly kind: 'elsewhere'; readonly holder: WindowEntry; readonly isSilent: boolean };

/**
 * Decides which window has the clients' port: the window that binds it. The other windows keep a connection to that
 * window, and all of them try again when the connection ends. A window publishes the port in its entry before it tries,
 * so that the others find it. If no window has the port, another program has it, and no connection is made to that
 * program.
 */
export class PublicPort {
  private boundPort: number | undefined;
  private binding: Promise<unknown> = Promise.resolve();
  private attendance: Attendance | undefined;
  private readonly attendants = new Set<ServerResponse>();

  constructor(private readonly options: PublicPortOptions) {}

  /** Whether this window has the port, or is connected to the window that has it. */
  get isSettled(): boolean {
    return this.boundPort !== undefined || this.attendance !== undefined;
  }

  /** @throws PortTaken */
  async take(port: number, { fromOthers }: { readonly fromOthers: boolean }): Promise<Holding> {
    this.forget();
    for (let tries = 1; ; tries += 1) {
      if (await this.bind(port, async () => await this.options.publish(port)))
        return { kind: 'own' };
      const found = await this.findHolder(port);
      if (found === 'gone') continue;
      if (found === undefined) {
        // A closing window removes its entry first, so its port may be free now.
        if (await this.bind(port)) return { kind: 'own' };
        await this.options.publish(undefined);
        throw new PortTaken(port);
      }
      if (fromOthers && !found.isSilent && tries <= MAX_TRIES) {
        this.forget();
        const yielded = await this.askToYield(found.holder, port);
        const isBound = await this.bind(port).finally(() => yielded?.cancel());
        if (isBound) return { kind: 'own' };
      } else {
        await this.options.publish(undefined);
        return { kind: 'elsewhere', ...found };
      }
    }
  }

  /** Releases the port, or stops waiting for it. */
  release({ isStopped }: { readonly isStopped: boolean }): void {
    this.leave(() => this.options.unlisten(), isStopped);
  }

  /** Releases the port because another one is wanted. Clients that are connected to it stay until they leave. */
  change(): void {
    this.leave(() => this.options.retire(), false);
  }

  private leave(unlisten: () => void, isStopped: boolean): void {
    this.forget();
    if (this.boundPort === undefined) return;
    this.boundPort = undefined;
    unlisten();
    this.dismiss(isStopped);
  }

  /**
   * Answers another window's question whether this window has the port. The response stays open until this window
   * releases the port.
   */
  async attend(port: number, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    if (this.boundPort !== port) {
      response.writeHead(409).end();
      return;
    }
    this.attendants.add(response);
    response.once('close', () => this.attendants.delete(response));
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
  }

  /**
   * Handles the request of another window for the port, after the person started the server there. This window watches
   * the other one until it disconnects.
   */
  async yield(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    // A window that asked while this one was suspended may have given up. In that case it does not confirm.
    const isTaken = (await textOf(request)) === TAKES;
    if (this.boundPort !== port || !isTaken || response.closed) {
      response.writeHead(409).end();
      return;
    }
    this.boundPort = undefined;
    this.options.unlisten();
    response.once('close', () => {
      this.dismiss(false);
      this.options.onFree({ isStopped: false });
    });
    response.writeHead(200);
    response.flushHeaders();
  }

  /** Tries to bind the port. Windows that ask in the meantime are answered when the attempt has ended. */
  private async bind(
    port: number,
    before: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    const binding = before()
      .then(async () => await this.options.listen(port))
      .then(() => (this.boundPort = port));
    this.binding = binding;
    try {
      await binding;
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
      await this.options.publish(undefined);
      throw error;
    }
  }

  private dismiss(isStopped: boolean): void {
    for (const response of this.attendants) response.end(isStopped ? STOPPED : undefined);
    this.attendants.clear();
  }

  private forget(): void {
    const { attendance } = this;
    this.attendance = undefined;
    attendance?.close();
  }

  /** @returns `gone` if a window that had published the port has ended, so that another attempt may succeed */
  private async findHolder(
    port: number,
  ): Promise<{ readonly holder: WindowEntry; readonly isSilent: boolean } | 'gone' | undefined> {
    const { registry, ownId, answerLimitMs } = this.options;
    let isGone = false;
    let silent: Attendance | undefined;
    for (const holder of await registry.list()) {
      if (holder.id === ownId || holder.serves !== port) continue;
      const attendance = this.attendTo(holder, port, answerLimitMs);
      const answer = await attendance.answer;
      if (answer === 'attends') {
        silent?.close();
        this.attendance = attendance;
        return { holder, isSilent: false };
      }
      if (answer === 'silent' && silent === undefined) silent = attendance;
      else attendance.close();
      if (answer === 'unreachable' && (await registry.removeIfGone(holder))) isGone = true;
    }
    if (isGone || silent?.state === 'over') {
      silent?.close();
      return 'gone';
    }
    if (silent === undefined) return undefined;
    this.attendance = silent;
    return { holder: silent.window, isSilent: silent.state === 'asking' };
  }

  private attendTo(
    holder: WindowEntry,
    port: number,
    answerLimitMs: number | undefined,
  ): Attendance {
    const attendance: Attendance = new Attendance(holder, port, {
      answerLimitMs,
      onAnswer: () => {
        if (this.attendance === attendance) this.options.onAnswer();
      },
      onEnd: (how) => {
        if (this.attendance !== attendance) return;
        this.attendance = undefined;
        this.options.onFree(how);
      },
    });
    return attendance;
  }

  /** @returns the question, to be cancelled after the port was bound. Undefined if the other window did not yield */
  private async askToYield(
    window: WindowEntry,
    port: number,
  ): Promise<AttendanceQuestion | undefined> {
    const question = askWindow('POST', YIELD_PATH, window, port, { assent: TAKES });
    const limit = setTimeout(
      () => question.cancel(),
      this.options.answerLimitMs ?? ANSWER_LIMIT_MS,
    );
    const response = await question.response.finally(() => clearTimeout(limit));
    response?.on('error', () => undefined).resume();
    if (response?.statusCode === 200) return question;
    question.cancel();
    return undefined;
  }
}

/** The short body of a request. Undefined if the connection is interrupted. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8'))
      text = `${text}${String(chunk)}`.slice(0, 100);
    return text;
  } catch {
    return undefined;
  }
}
