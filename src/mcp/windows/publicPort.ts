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

/** How often a start by hand asks for the port, if other windows are quicker each time. */
const MAX_TRIES = 5;

/** A program that is not one of this person's windows has the port. */
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
  /** Accepts no more connections; open ones go on. */
  unlisten(): void;
  /** Publishes the port that this window has or tries for. */
  publish(port: number | undefined): Promise<void>;
  /** The window that had the port has closed or has given it up. */
  onFree(how: { readonly isStopped: boolean }): void;
  /** The window that has the port answers again. */
  onAnswer(): void;
  readonly answerLimitMs?: number | undefined;
}

/** `isSilent`: that window seems to have the port, and does not answer: it sleeps or is busy. */
export type Holding =
  | { readonly kind: 'held' }
  | { readonly kind: 'elsewhere'; readonly holder: WindowEntry; readonly isSilent: boolean };

/**
 * Decides which window has the clients' port: the one that binds it. The other windows keep a connection to that window,
 * notice at once when it ends, and then all try again. A window publishes the port in its entry before it tries, so that
 * the others find it. When no window has the port, another program has it, and it is left alone.
 */
export class PublicPort {
  private held: number | undefined;
  private binding: Promise<unknown> = Promise.resolve();
  private attendance: Attendance | undefined;
  private readonly attendants = new Set<ServerResponse>();

  constructor(private readonly options: PublicPortOptions) {}

  /** Whether this window has the port, or is connected to the window that has it. */
  get isSettled(): boolean {
    return this.held !== undefined || this.attendance !== undefined;
  }

  /** @throws PortTaken */
  async take(port: number, { fromOthers }: { readonly fromOthers: boolean }): Promise<Holding> {
    this.forget();
    for (let tries = 1; ; tries += 1) {
      if (await this.bind(port, async () => await this.options.publish(port)))
        return { kind: 'held' };
      const found = await this.findHolder(port);
      if (found === 'gone') continue;
      if (found === undefined) {
        // A window that closes removes its entry first: its port may be free now.
        if (await this.bind(port)) return { kind: 'held' };
        await this.options.publish(undefined);
        throw new PortTaken(port);
      }
      if (fromOthers && !found.isSilent && tries <= MAX_TRIES) {
        this.forget();
        const yielded = await this.askToYield(found.holder, port);
        const isBound = await this.bind(port).finally(() => yielded?.cancel());
        if (isBound) return { kind: 'held' };
      } else {
        await this.options.publish(undefined);
        return { kind: 'elsewhere', ...found };
      }
    }
  }

  /** Gives the port up, or stops waiting for it. */
  release({ isStopped }: { readonly isStopped: boolean }): void {
    this.forget();
    if (this.held === undefined) return;
    this.held = undefined;
    this.options.unlisten();
    this.dismiss(isStopped);
  }

  /** Another window asks whether this one has the port, and waits for its end. */
  async attend(port: number, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    if (this.held !== port) {
      response.writeHead(409).end();
      return;
    }
    this.attendants.add(response);
    response.once('close', () => this.attendants.delete(response));
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
  }

  /** The person started the server in another window, which asks for the port. It stays free until that window hangs up. */
  async yield(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    // A window that asked while this one slept may have given up, and does not confirm then.
    const isTaken = (await textOf(request)) === TAKES;
    if (this.held !== port || !isTaken || response.closed) {
      response.writeHead(409).end();
      return;
    }
    this.held = undefined;
    this.options.unlisten();
    response.once('close', () => {
      this.dismiss(false);
      this.options.onFree({ isStopped: false });
    });
    response.writeHead(200);
    response.flushHeaders();
  }

  /** Tries to bind the port. A window that asks meanwhile gets its answer when the attempt has ended. */
  private async bind(
    port: number,
    before: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    const binding = before()
      .then(async () => await this.options.listen(port))
      .then(() => (this.held = port));
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

  /** `gone`: a window that had published the port has ended, so another attempt may succeed. */
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

  /** @returns the question, to be cancelled when the port was taken; undefined when the other window did not yield */
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

/** The short body of a request; undefined when it breaks off. */
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
