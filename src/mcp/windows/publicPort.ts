import { request as httpRequest, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { hostOf, type WindowEntry, type WindowRegistry } from './registry';

export const ATTEND_PATH = '/attend';
export const YIELD_PATH = '/yield';

/** Said to the windows in attendance before they are let go: the person stopped the server, nobody shall take over. */
const STOPPED = 'stopped';

/** How long a window may take to say whether it has the port. */
const ANSWER_LIMIT_MS = 5000;

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
}

export type Holding = { readonly kind: 'held' } | { readonly kind: 'elsewhere'; readonly holder: WindowEntry };

/**
 * Which window has the clients' port. The system decides: one binds it, the others cannot. Those keep a connection to
 * the one that did, whose end they hear at once, and then all try again. Who tries has said so in its entry before, so
 * that who fails finds the window that succeeded; where none of ours did, the port is another program's and left alone.
 */
export class PublicPort {
  private held: number | undefined;
  private binding: Promise<unknown> = Promise.resolve();
  private attendance: ClientRequest | undefined;
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
      await this.options.publish(port);
      if (await this.bind(port)) return { kind: 'held' };
      const found = await this.findHolder(port);
      if (found === 'gone') continue;
      if (found === undefined) {
        await this.options.publish(undefined);
        throw new PortTaken(port);
      }
      if (fromOthers && tries <= MOST_TRIES) {
        this.forget();
        const yielded = await this.askToYield(found, port);
        const isBound = await this.bind(port).finally(() => yielded?.destroy());
        if (isBound) return { kind: 'held' };
      } else {
        await this.options.publish(undefined);
        return { kind: 'elsewhere', holder: found };
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
  async yield(port: number, response: ServerResponse): Promise<void> {
    await this.binding.catch(() => undefined);
    if (this.held !== port) {
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

  private async bind(port: number): Promise<boolean> {
    const binding = this.options.listen(port).then(() => (this.held = port));
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
    attendance?.destroy();
  }

  /** `gone`: a window that said it had the port is no more, so that trying again may succeed. */
  private async findHolder(port: number): Promise<WindowEntry | 'gone' | undefined> {
    const { registry, ownId } = this.options;
    let isGone = false;
    for (const each of await registry.list()) {
      if (each.id === ownId || each.serves !== port) continue;
      const answer = await this.askToAttend(each, port);
      if (answer === 'attends') return each;
      if (answer === 'gone') isGone = true;
    }
    return isGone ? 'gone' : undefined;
  }

  private async askToAttend(window: WindowEntry, port: number): Promise<'attends' | 'no' | 'gone'> {
    const asked = this.ask('GET', ATTEND_PATH, window, port);
    const response = await asked.response;
    if (response === undefined) return (await this.options.registry.removeIfGone(window)) ? 'gone' : 'no';
    if (response.statusCode !== 200) {
      asked.request.destroy();
      return 'no';
    }
    this.attendance = asked.request;
    let said = '';
    response.setEncoding('utf8').on('data', (text: string) => (said += text));
    response.on('error', () => undefined);
    response.once('close', () => {
      if (this.attendance !== asked.request) return;
      this.attendance = undefined;
      this.options.onFree({ isStopped: said === STOPPED });
    });
    return 'attends';
  }

  /** @returns what has to be destroyed when the port was taken; undefined when the other did not yield */
  private async askToYield(window: WindowEntry, port: number): Promise<ClientRequest | undefined> {
    const asked = this.ask('POST', YIELD_PATH, window, port);
    const response = await asked.response;
    response?.on('error', () => undefined).resume();
    return response?.statusCode === 200 ? asked.request : undefined;
  }

  private ask(method: string, path: string, window: WindowEntry, port: number): { readonly request: ClientRequest; readonly response: Promise<IncomingMessage | undefined> } {
    const request = httpRequest({ host: hostOf(window), port: window.port, path: `${path}?port=${port}`, method, agent: false, headers: { authorization: `Bearer ${window.secret}` } });
    const limit = setTimeout(() => request.destroy(), ANSWER_LIMIT_MS);
    const response = new Promise<IncomingMessage | undefined>((resolve) => {
      request.once('response', resolve);
      request.on('error', () => resolve(undefined));
      request.once('close', () => resolve(undefined));
    }).finally(() => clearTimeout(limit));
    request.end();
    return { request, response };
  }
}
