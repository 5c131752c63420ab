import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { hostOf, type WindowEntry } from './registry';

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
  private readonly request: ClientRequest;
  private isClosed = false;
  private isSilent = false;

  constructor(
    readonly window: WindowEntry,
    port: number,
    private readonly options: AttendanceOptions,
  ) {
    const { request, response } = askWindow('GET', ATTEND_PATH, window, port);
    this.request = request;
    // A window that is gone refuses the connection: only one that took it is silent.
    let isConnected = false;
    request.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
    let limit: NodeJS.Timeout | undefined;
    const silence = new Promise<'silent'>((resolve) => {
      limit = setTimeout(() => {
        this.isSilent = isConnected;
        if (isConnected) resolve('silent');
        else request.destroy();
      }, options.answerLimitMs ?? ANSWER_LIMIT_MS);
    });
    const answered = response.then((found) => this.answered(found)).finally(() => clearTimeout(limit));
    this.answer = Promise.race([answered, silence]);
  }

  /** Nothing is told any more. */
  close(): void {
    this.isClosed = true;
    this.request.destroy();
  }

  private answered(response: IncomingMessage | undefined): 'attends' | 'no' | 'unreachable' {
    if (response?.statusCode !== 200) {
      this.request.destroy();
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

/**
 * Asks another window, with its own secret, about the clients' port. No response: it is gone, or the request was destroyed.
 * @param assent said when the other window has begun to answer, and not before (`Expect: 100-continue`)
 */
export function askWindow(method: string, path: string, window: WindowEntry, port: number, assent?: string): { readonly request: ClientRequest; readonly response: Promise<IncomingMessage | undefined> } {
  const expecting = assent === undefined ? {} : { expect: '100-continue', 'content-length': Buffer.byteLength(assent) };
  const request = httpRequest({ host: hostOf(window), port: window.port, path: `${path}?port=${port}`, method, agent: false, headers: { authorization: `Bearer ${window.secret}`, ...expecting } });
  const response = new Promise<IncomingMessage | undefined>((resolve) => {
    request.once('response', resolve);
    request.on('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined));
  });
  if (assent === undefined) request.end();
  else request.once('continue', () => request.end(assent)).flushHeaders();
  return { request, response };
}
