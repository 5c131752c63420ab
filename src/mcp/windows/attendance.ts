import type { IncomingMessage } from 'node:http';
import { defined } from '../../util/defined';
import type { WindowEntry } from './registry';
import { isAlive, requestTo, type WindowAddress } from './windowConnection';

export const ATTEND_PATH = '/attend';
export const YIELD_PATH = '/yield';

/**
 * Sent to the attending windows before their connections end if the person stopped the server, so that no window takes
 * over.
 */
export const STOPPED = 'stopped';

/** Sent by a window that asked for the port, after the holder's answer. It confirms that the window takes the port. */
export const TAKES = 'takes';

/** The time that a window may take to answer whether it has the port, before it counts as silent, in milliseconds. */
export const ANSWER_LIMIT_MS = 5000;

export interface AttendanceOptions {
  readonly answerLimitMs?: number | undefined;
  /** Called when a silent window responds again and has the port. */
  readonly onAnswer: () => void;
  /**
   * Called after `attends` or `silent`, when the window has closed, has released the port, or has answered that it does
   * not have it.
   */
  readonly onEnd: (how: { readonly isStopped: boolean }) => void;
}

/** A window's answer to the question whether it has the clients' port. */
export type AttendanceAnswer = 'attends' | 'no' | 'silent' | 'unreachable';

/**
 * A connection to a window that may have the clients' port. It reports whether the window has the port, and when the
 * window no longer has it. A window that does not answer in time may be suspended. It keeps the port until it resumes,
 * so the connection stays open.
 */
export class Attendance {
  readonly answer: Promise<AttendanceAnswer>;
  /** The current state. A window that was silent may have answered since. */
  state: 'asking' | 'attends' | 'over' = 'asking';
  private readonly question: AttendanceQuestion;
  private isClosed = false;
  private isSilent = false;
  private isConnected = false;

  constructor(
    readonly window: WindowEntry,
    port: number,
    private readonly options: AttendanceOptions,
  ) {
    this.question = askWindow('GET', ATTEND_PATH, window, port, {
      onConnected: () => (this.isConnected = true),
    });
    this.answer = this.waitForAnswer(options.answerLimitMs ?? ANSWER_LIMIT_MS);
  }

  /** Ends the connection. Nothing is reported after that. */
  close(): void {
    this.isClosed = true;
    this.question.cancel();
  }

  private async waitForAnswer(limitMs: number): Promise<AttendanceAnswer> {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        // A closed window refuses the connection, and a process that has ended is not suspended.
        this.isSilent = this.isConnected && isAlive(this.window.pid);
        if (this.isSilent) resolve('silent');
        else this.question.cancel();
      }, limitMs);
      void this.question.response.then((response) => {
        clearTimeout(timer);
        resolve(this.answered(response));
      });
    });
  }

  private answered(response: IncomingMessage | undefined): 'attends' | 'no' | 'unreachable' {
    if (response?.statusCode !== 200) {
      this.question.cancel();
      this.state = 'over';
      if (this.isSilent) this.end(false);
      return response === undefined ? 'unreachable' : 'no';
    }
    this.state = 'attends';
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', () => undefined);
    response.once('close', () => this.end(text === STOPPED));
    if (this.isSilent && !this.isClosed) this.options.onAnswer();
    return 'attends';
  }

  private end(isStopped: boolean): void {
    this.state = 'over';
    if (!this.isClosed) this.options.onEnd({ isStopped });
  }
}

/** A question to another window. */
export interface AttendanceQuestion {
  /** The window's response. Undefined if the window has closed or the question was cancelled. */
  readonly response: Promise<IncomingMessage | undefined>;
  cancel(): void;
}

export interface QuestionOptions {
  /** The body of the request. It is sent only when the other window begins to answer (`Expect: 100-continue`). */
  readonly assent?: string;
  /** Called when the connection was accepted. */
  readonly onConnected?: () => void;
}

/** Asks another window about the clients' port, after both sides have authenticated each other. */
export function askWindow(
  method: string,
  path: string,
  window: WindowAddress,
  port: number,
  { assent, onConnected }: QuestionOptions = {},
): AttendanceQuestion {
  const cancellation = new AbortController();
  const headers =
    assent === undefined
      ? {}
      : { expect: '100-continue', 'content-length': Buffer.byteLength(assent) };
  const ask = async (): Promise<IncomingMessage | undefined> => {
    const request = await requestTo(window, {
      method,
      path: `${path}?port=${port}`,
      headers,
      signal: cancellation.signal,
      ...defined({ onConnected }),
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
  return { response: ask().catch(() => undefined), cancel: () => cancellation.abort() };
}
