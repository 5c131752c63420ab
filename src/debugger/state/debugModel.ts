import { Answers } from './answers';
import { countOf, fields, textOf, type ProtocolMessage } from '../protocol';
import { isAboutForeignBreakpoint } from '../output/foreignBreakpoints';
import { OutputLog } from '../output/outputLog';
import { keptText, traceLine } from '../texts';
import { isInjectedLine } from '../breakpoints/injectedLines';
import { logpointTest } from '../breakpoints/logpointLines';
import { READ_COMMANDS } from './epochs';
import { reduceRead } from './reducer';
import {
  EMPTY_STATE,
  messageOf,
  type DebugEvent,
  type DebugState,
  type SessionState,
} from './state';

/** How a wait ended. */
export type Settled<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Wait<T> {
  readonly settled: Promise<Settled<T>>;
  /** Ends the wait as cancelled, where it has not ended yet. */
  abandon(): void;
  /** Ends the wait with an error, where it has not ended yet: for when the request that it belongs to failed. */
  fail(error: unknown): void;
}

/** A timer that comes so late tells that the process stood still: the machine slept, or it was held. */
const LATE_MS = 500;
/** What happened while it stood still comes within this. */
const CATCHING_UP_MS = 1000;

/** Categories are words; an adapter may make some up. */
const MOST_OF_A_CATEGORY = 40;

/** Holds the state and nothing else of the debugger: messages go in, changes come out. */
export class DebugModel {
  private current: DebugState = EMPTY_STATE;
  private readonly listeners = new Set<() => void>();
  private readonly settled = new Set<() => void>();
  private settling: NodeJS.Immediate | undefined;
  private readonly logs = new Map<string, OutputLog>();
  private observers: readonly ((event: DebugEvent) => void)[] = [];
  private readonly observersOf = new Map<string, ((event: DebugEvent) => void)[]>();
  private lines = 0;
  private readonly answered = new Answers();
  /** Looks and answers to them that have not been read yet, in their order. */
  private noted: DebugEvent[] = [];

  constructor(private readonly outputCapacity?: number) {}

  get state(): DebugState {
    this.readNoted();
    return this.current;
  }

  /** What adapters answered to looks, whoever asked. */
  get answers(): Answers {
    this.readNoted();
    return this.answered;
  }

  /** How many waits and subscriptions there are: for tests that nothing is left behind. */
  get listenerCount(): number {
    return this.listeners.size;
  }

  /**
   * Never throws: it is called on the path of the adapter's messages. VS Code's looks and their answers change nothing
   * that anybody waits for, so they are read with whatever comes next, or when somebody asks: messages come after
   * pauses, and most of what reading one costs is to have the code for it at hand again.
   */
  dispatch(event: DebugEvent): void {
    if (this.canWait(event) && this.noted.length < MOST_NOTED) {
      this.noted.push(event);
      return;
    }
    this.readNoted();
    this.read(event);
  }

  private canWait(event: DebugEvent): boolean {
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return false;
    const { type, command } = fields(event.message);
    if (!NOTED.has(command)) return false;
    if (type === 'request') return event.type === 'toAdapter';
    // Looks change no state, threads may.
    return (
      type === 'response' &&
      !(command === 'threads'
        ? this.listeners.size > 0
        : this.answered.isAwaited(event.key, String(command)))
    );
  }

  private readNoted(): void {
    if (this.noted.length === 0) return;
    const events = this.noted;
    this.noted = [];
    for (const event of events) this.read(event);
  }

  private read(event: DebugEvent): void {
    const before = this.current;
    const message = messageOf(event);
    this.current = reduceRead(before, event, message);
    const session = this.current.sessions.get(event.key);
    if (session !== undefined) this.answered.observe(event, message, session);
    for (const observer of this.observers) guarded(observer, event);
    for (const observer of this.observersOf.get(nameOf(event, message)) ?? NOBODY)
      guarded(observer, event);
    const printed =
      session !== undefined &&
      event.type !== 'toAdapter' &&
      this.recordOutput(session, event, message);
    if (session === undefined || session.lifecycle === 'terminated') this.forgetLogs();
    if (this.current === before && !printed) return;
    for (const listener of [...this.listeners]) guarded(listener);
    if (this.settled.size > 0 && isElsewhere(before.sessions.get(event.key), session))
      this.settling ??= setImmediate(this.settle);
  }

  output(session: SessionState): OutputLog {
    let log = this.logs.get(session.key);
    if (log === undefined) {
      log = new OutputLog(this.outputCapacity, (lines) => (this.lines += lines));
      this.logs.set(session.key, log);
    }
    return log;
  }

  /**
   * Sees events, after the state has changed with them: those of some names, or all. The name of a message is its event
   * or command, that of anything else its type.
   */
  observe(observer: (event: DebugEvent) => void, names?: readonly string[]): { dispose(): void } {
    if (names === undefined) {
      this.observers = [...this.observers, observer];
      return {
        dispose: () => void (this.observers = this.observers.filter((each) => each !== observer)),
      };
    }
    for (const name of names)
      this.observersOf.set(name, [...(this.observersOf.get(name) ?? []), observer]);
    return {
      dispose: () => {
        for (const [name, observers] of this.observersOf)
          this.observersOf.set(
            name,
            observers.filter((each) => each !== observer),
          );
      },
    };
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /**
   * Calls back when sessions have begun or ended and threads have stopped or gone on, once for all that came together:
   * for what a person is shown, which need not hold up the messages and need not follow each of them.
   */
  onDidSettle(listener: () => void): { dispose(): void } {
    this.settled.add(listener);
    return { dispose: () => void this.settled.delete(listener) };
  }

  /**
   * Waits until `select` finds something in the state; asks it at once and after every change. Armed when this
   * returns, so call it before the request that it waits for. Settles once and leaves no listener behind.
   */
  wait<T>(
    select: (state: DebugState) => T | undefined,
    { timeoutMs, signal }: WaitOptions,
  ): Wait<T> {
    const { promise: settled, resolve, reject } = promiseWithResolvers<Settled<T>>();
    const leave = (): void => {
      subscription.dispose();
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    };
    const settle = (result: Settled<T>): void => {
      leave();
      resolve(result);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const check = (): void => {
      try {
        const value = select(this.state);
        if (value !== undefined) settle({ kind: 'found', value });
      } catch (error) {
        fail(error);
      }
    };
    const abandon = (): void => settle({ kind: 'cancelled' });
    const due = performance.now() + timeoutMs;
    let timer = setTimeout(() => {
      // So late, this process stood still: what happened meanwhile is on its way, and is the truth.
      if (performance.now() - due < LATE_MS) settle({ kind: 'timeout' });
      else timer = setTimeout(() => settle({ kind: 'timeout' }), CATCHING_UP_MS);
    }, timeoutMs);
    const subscription = this.onDidChange(check);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    else check();
    return { settled, abandon, fail };
  }

  private readonly settle = (): void => {
    this.settling = undefined;
    for (const listener of [...this.settled]) guarded(listener);
  };

  private recordOutput(
    session: SessionState,
    event: DebugEvent,
    message: ProtocolMessage | undefined,
  ): boolean {
    if (event.type === 'sessionEnded' || event.type === 'adapterExited')
      this.logs.get(event.key)?.flush();
    if (event.type === 'terminalOutput') {
      this.output(session).append('terminal', event.text);
      return true;
    }
    if (event.type !== 'fromAdapter') return false;
    if (message?.type !== 'event') return false;
    if (message.event === 'stopped' || message.event === 'terminated')
      this.logs.get(event.key)?.flush();
    // java-debug tells of a condition that does not parse in an event of its own, which Java's extension shows to the person.
    if (message.event === 'usernotification') {
      const words = textOf(message.body['message']);
      if (words !== undefined) this.output(session).append('important', `${words}\n`);
      return words !== undefined;
    }
    if (message.event !== 'output') return false;
    const body = fields(message.body);
    const category = keptText(body['category'], MOST_OF_A_CATEGORY) ?? 'console';
    const text = textOf(body['output']);
    if (category === 'telemetry' || text === undefined) return false;
    if (isAboutForeignBreakpoint(session, body) || isInjectedLine(text)) return false;
    const reference = countOf(body['variablesReference']) ?? 0;
    this.output(session).append(category, text, {
      logged: reference > 0 ? { reference, epoch: session.epochOf.resume } : undefined,
      isOfLogpoint: logpointTest(session, body),
    });
    return true;
  }

  private forgetLogs(): void {
    for (const key of this.logs.keys()) if (!this.current.sessions.has(key)) this.logs.delete(key);
  }
}

/** VS Code asks for about ten things at a stop; an answer may be large, and is not held for long. */
const MOST_NOTED = 20;

/** Looks, and the list of threads. */
const NOTED: ReadonlySet<unknown> = new Set([...READ_COMMANDS, 'threads']);

function isElsewhere(before: SessionState | undefined, now: SessionState | undefined): boolean {
  return before?.lifecycle !== now?.lifecycle || before?.threads !== now?.threads;
}

const NOBODY: readonly ((event: DebugEvent) => void)[] = [];

function nameOf(event: DebugEvent, message: ProtocolMessage | undefined): string {
  if (message === undefined) return event.type;
  return message.type === 'event' ? message.event : message.command;
}

/** One that fails stops neither the messages nor the others. */
function guarded<Given extends readonly unknown[]>(
  action: (...given: Given) => void,
  ...given: Given
): void {
  try {
    action(...given);
  } catch (error) {
    console.error('Agent Debugger: a listener failed:', traceLine(error));
  }
}

/** ES2024's `Promise.withResolvers`, which Node 20 does not have. */
function promiseWithResolvers<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
