import type { IncomingMessage } from 'node:http';
import type { WindowEntry } from './registry';
import { isAlive, requestTo, type WindowAddress } from './windowConnection';

export const ATTEND_PATH = '/attend';
export const YIELD_PATH = '/yield';

/** Said to the windows in attendance before they are let go: the person stopped the server, nobody shall take over. */
export const STOPPED = 'stopped';

/** What who asks for the port says once the holder has answered: it is still there and takes it. */
export const TAKES = 'takes';

/** How long a window may take to say whether it has the port, before it counts as silent. */
export const ANSWER_LIMIT_MS = 5000;

export interface AttendanceOptions {
  readonly answerLimitMs?: number | undefined;
  /** A window that was silent has the port, and answers again. */
  readonly onAnswer: () => void;
  /** After `attends` or `silent`: the window has closed, given the port up, or said that it has it not. */
  readonly onEnd: (how: { readonly isStopped: boolean }) => void;
}

/**
 * A connection to a window that said it had the clients' port: whether it has, and when that ends. One that does not
 * answer in time is waited for all the same: it may sleep, and its port stays taken until it wakes.
 */
export class Attendance {
  readonly answer: Promise<'attends' | 'no' | 'silent' | 'unreachable'>;
  /** Where it stands now: a window that was silent may have answered since. */
  state: 'asking' | 'attends' | 'over' = 'asking';
  private readonly asked: Asked;
  private isClosed = false;
  private isSilent = false;

  constructor(
    readonly window: WindowEntry,
    port: number,
    private readonly options: AttendanceOptions,
  ) {
    // A window that is gone refuses the connection: only one that took it is silent.
    let isTaken = false;
    this.asked = askWindow('GET', ATTEND_PATH, window, port, { onTaken: () => (isTaken = true) });
    let limit: NodeJS.Timeout | undefined;
    const silence = new Promise<'silent'>((resolve) => {
      limit = setTimeout(() => {
        // Whoever took it: a window whose process is no more does not sleep.
        this.isSilent = isTaken && isAlive(window.pid);
        if (this.isSilent) resolve('silent');
        else this.asked.hangUp();
      }, options.answerLimitMs ?? ANSWER_LIMIT_MS);
    });
    const answered = this.asked.response
      .then((found) => this.answered(found))
      .finally(() => clearTimeout(limit));
    this.answer = Promise.race([answered, silence]);
  }

  /** Nothing is told any more. */
  close(): void {
    this.isClosed = true;
    this.asked.hangUp();
  }

  private answered(response: IncomingMessage | undefined): 'attends' | 'no' | 'unreachable' {
    if (response?.statusCode !== 200) {
      this.asked.hangUp();
      this.state = 'over';
      if (this.isSilent) this.end(false);
      return response === undefined ? 'unreachable' : 'no';
    }
    this.state = 'attends';
    let said = '';
    response.setEncoding('utf8').on('data', (text: string) => (said += text));
    response.on('error', () => undefined);
    response.once('close', () => this.end(said === STOPPED));
    if (this.isSilent && !this.isClosed) this.options.onAnswer();
    return 'attends';
  }

  private end(isStopped: boolean): void {
    this.state = 'over';
    if (!this.isClosed) this.options.onEnd({ isStopped });
  }
}

/** A question to another window. */
export interface Asked {
  /** Undefined: the window is gone, or was hung up on. */
  readonly response: Promise<IncomingMessage | undefined>;
  hangUp(): void;
}

export interface AskOptions {
  /** Said when the other window has begun to answer, and not before (`Expect: 100-continue`). */
  readonly assent?: string;
  /** Somebody took the connection. */
  readonly onTaken?: () => void;
}

/** Asks another window, with the proof of its secret, about the clients' port. */
export function askWindow(
  method: string,
  path: string,
  window: WindowAddress,
  port: number,
  { assent, onTaken }: AskOptions = {},
): Asked {
  const end = new AbortController();
  const headers =
    assent === undefined
      ? {}
      : { expect: '100-continue', 'content-length': Buffer.byteLength(assent) };
  const ask = async (): Promise<IncomingMessage | undefined> => {
    const request = await requestTo(window, {
      method,
      path: `${path}?port=${port}`,
      headers,
      signal: end.signal,
      ...(onTaken === undefined ? {} : { onTaken }),
    });
    const response = new Promise<IncomingMessage | undefined>((resolve) => {
      request.once('response', resolve);
      request.on('error', () => resolve(undefined));
      request.once('close', () => resolve(undefined));
    });
    if (assent === undefined) request.end();
    else request.once('continue', () => request.end(assent)).flushHeaders();
    return await response;
  };
  return { response: ask().catch(() => undefined), hangUp: () => end.abort() };
}
