import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ANSWER_LIMIT_MS,
  askWindow,
  Attendance,
  STOPPED,
  TAKES,
  YIELD_PATH,
  type Asked,
} from './attendance';
import type { WindowEntry, WindowRegistry } from './registry';

/** How often a start by hand asks for the port, should other windows be quicker each time. */
const MOST_TRIES = 5;

/** A program that is none of ours has the port. */
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
  /** No new connections; those that are open go on. */
  unlisten(): void;
  /** Tells the others which port this window has or tries for. */
  publish(port: number | undefined): Promise<void>;
  /** The window that had the port has closed, or given it up. */
  onFree(how: { readonly isStopped: boolean }): void;
  /** The window that has the port answers again. */
  onAnswer(): void;
  readonly answerLimitMs?: number | undefined;
}

/** `isSilent`: that window has the port as far as can be told, and does not answer: it sleeps, or is busy. */
export type Holding =
  | { readonly kind: 'held' }
  | { readonly kind: 'elsewhere'; readonly holder: WindowEntry; readonly isSilent: boolean };

/**
 * Which window has the clients' port. The system decides: one binds it, the others cannot. Those keep a connection to
 * the one that did, whose end they hear at once, and then all try again. Who tries has said so in its entry before, so
 * that who fails finds the window that succeeded; where none of ours did, the port is another program's and left alone.
 */
export class PublicPort {
  private held: number | undefined;
  private binding: Promise<unknown> = Promise.resolve();
  private attendance: Attendance | undefined;
  private readonly attendants = new Set<ServerResponse>();

  constructor(private readonly options: PublicPortOptions) {}

  /** Whether this window has the port, or hears the end of the one that has it. */
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
        // A window that closes takes its entry away first: by now its port may be free.
        if (await this.bind(port)) return { kind: 'held' };
        await this.options.publish(undefined);
        throw new PortTaken(port);
      }
      if (fromOthers && !found.isSilent && tries <= MOST_TRIES) {
        this.forget();
        const yielded = await this.askToYield(found.holder, port);
        const isBound = await this.bind(port).finally(() => yielded?.hangUp());
        if (isBound) return { kind: 'held' };
      } else {
        await this.options.publish(undefined);
        return { kind: 'elsewhere', ...found };
      }
    }
  }

  /** Gives the port up, or no longer waits for it. */
  release({ isStopped }: { readonly isStopped: boolean }): void {
    this.forget();
    if (this.held === undefined) return;
    this.held = undefined;
    this.options.unlisten();
    this.dismiss(isStopped);
  }

  /** Another window wants to hear the end of this one. */
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

  /** Another window, in which the person started the server, wants the port: it is free until that window hangs up. */
  async yield(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    // Who asked while this window slept may have given up since, and then does not say that it takes it.
    const isTaken = (await saidIn(request)) === TAKES;
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

  /** Who asks meanwhile whether this window has the port hears it when that is settled. */
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
    for (const each of this.attendants) each.end(isStopped ? STOPPED : undefined);
    this.attendants.clear();
  }

  private forget(): void {
    const { attendance } = this;
    this.attendance = undefined;
    attendance?.close();
  }

  /** `gone`: a window that said it had the port is no more, so that trying again may succeed. */
  private async findHolder(
    port: number,
  ): Promise<{ readonly holder: WindowEntry; readonly isSilent: boolean } | 'gone' | undefined> {
    const { registry, ownId, answerLimitMs } = this.options;
    let isGone = false;
    let silent: Attendance | undefined;
    for (const holder of await registry.list()) {
      if (holder.id === ownId || holder.serves !== port) continue;
      const attendance: Attendance = new Attendance(holder, port, {
        answerLimitMs,
        onAnswer: () => (this.attendance === attendance ? this.options.onAnswer() : undefined),
        onEnd: (how) => {
          if (this.attendance !== attendance) return;
          this.attendance = undefined;
          this.options.onFree(how);
        },
      });
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

  /** @returns what has to be hung up when the port was taken; undefined when the other did not yield */
  private async askToYield(window: WindowEntry, port: number): Promise<Asked | undefined> {
    const asked = askWindow('POST', YIELD_PATH, window, port, { assent: TAKES });
    const limit = setTimeout(() => asked.hangUp(), this.options.answerLimitMs ?? ANSWER_LIMIT_MS);
    const response = await asked.response.finally(() => clearTimeout(limit));
    response?.on('error', () => undefined).resume();
    if (response?.statusCode === 200) return asked;
    asked.hangUp();
    return undefined;
  }
}

/** The few characters that a window says in a request; undefined where it broke off. */
async function saidIn(request: IncomingMessage): Promise<string | undefined> {
  let said = '';
  try {
    for await (const chunk of request.setEncoding('utf8'))
      said = `${said}${String(chunk)}`.slice(0, 100);
    return said;
  } catch {
    return undefined;
  }
}
