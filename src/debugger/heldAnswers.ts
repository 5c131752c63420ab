import path from 'node:path';
import { adapterOf } from './adapters/registry';
import { countOf, fields, listOf, textOf } from './protocol';
import type { DebugModel } from './state/debugModel';
import { messageOf, type DebugEvent } from './state/state';

/** The times after a request, in milliseconds, at which a missing answer is probably held. */
const HELD_MS = [3, 7, 15];

/** The maximum number of requests for one move. js-debug itself makes several steps through skipped files. */
const MAX_OF_A_MOVE = 12;

/** The names of the messages that are observed: a move, what follows it, and the frames of a stop. */
const OBSERVED = [
  ...['next', 'stepIn', 'stepOut', 'continue'],
  ...['continued', 'stopped', 'stackTrace', 'sessionEnded'],
];

/** A line of a script that the program has loaded. */
interface LoadedLine {
  readonly path: string;
  readonly line: number;
}

type Send = (sessionKey: string, command: string, args: object) => PromiseLike<unknown>;

/**
 * Releases answers that a program holds back. The inspector of Node sends several short messages, such as
 * `Debugger.resumed` and `Debugger.paused`, without TCP_NODELAY: the second one waits until the debugger has
 * acknowledged the first one. That takes 40 ms on Linux, unless the debugger sends something (seen in Node 20 and 24).
 * So a small request follows ours: for the locations of breakpoints in one line, which V8 answers at any time and which
 * changes nothing. Requests of the person, and of VS Code for its views, are left alone.
 */
export class HeldAnswers {
  private readonly loaded = new Map<string, LoadedLine>();
  /** The number of further requests for the current move of a session. */
  private readonly moving = new Map<string, number>();

  constructor(
    private readonly model: Pick<DebugModel, 'observe' | 'state'>,
    private readonly send: Send,
  ) {
    model.observe((event) => this.observe(event), OBSERVED);
  }

  /** Sends a request, and releases its answer. */
  async during<T>(sessionKey: string, send: () => PromiseLike<T>): Promise<T> {
    if (!this.isHeldIn(sessionKey)) return await send();
    const timers = HELD_MS.map((delay) => setTimeout(() => this.release(sessionKey), delay));
    try {
      return await send();
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** Releases the messages about a move that is made now, up to its stop. */
  move(sessionKey: string): void {
    if (this.isHeldIn(sessionKey)) this.moving.set(sessionKey, MAX_OF_A_MOVE);
  }

  private isHeldIn(sessionKey: string): boolean {
    const session = this.model.state.sessions.get(sessionKey);
    return session !== undefined && adapterOf(session.type).holdsAnswers === true;
  }

  private observe(event: DebugEvent): void {
    const { key } = event;
    const message = messageOf(event);
    if (message?.type === 'event') {
      if (message.event === 'stopped') this.moving.delete(key);
      else this.releaseMove(key);
    } else if (message?.type === 'response') {
      if (message.command === 'stackTrace') this.noteLine(key, fields(message.body));
      else this.releaseMove(key);
    } else if (message === undefined) {
      this.moving.delete(key);
      this.loaded.delete(key);
    }
  }

  private noteLine(key: string, body: Readonly<Record<string, unknown>>): void {
    if (!this.isHeldIn(key)) return;
    for (const frame of listOf(body['stackFrames']).map(fields)) {
      const file = textOf(fields(frame['source'])['path']);
      const line = countOf(frame['line']);
      if (file === undefined || line === undefined || !path.isAbsolute(file)) continue;
      this.loaded.set(key, { path: file, line });
      return;
    }
  }

  private releaseMove(key: string): void {
    const left = this.moving.get(key) ?? 0;
    if (left === 0) return;
    this.moving.set(key, left - 1);
    this.release(key);
  }

  private release(key: string): void {
    const at = this.loaded.get(key);
    if (at === undefined) return;
    const args = { source: { path: at.path }, line: at.line };
    // Only its arrival matters.
    this.send(key, 'breakpointLocations', args).then(
      () => undefined,
      () => undefined,
    );
  }
}
