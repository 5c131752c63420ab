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
  /** Ends the wait as cancelled if it has not ended yet. */
  abandon(): void;
  /** Ends the wait with an error if it has not ended yet. Called if the request failed. */
  fail(error: unknown): void;
}

/**
 * The delay of a timer, in milliseconds, from which the process is assumed to have been suspended, for example because
 * the machine slept.
 */
const LATE_MS = 500;
/** The time during which events from before the suspension may still arrive, in milliseconds. */
const CATCHING_UP_MS = 3000;

/** The maximum length of an output category. Categories are short words, but an adapter may send any text. */
const MAX_OF_A_CATEGORY = 40;

/** Stores the debugger's state. It receives messages and notifies listeners of changes. */
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
  /** The read-only requests and responses that have not been processed yet, in order. */
  private deferred: DebugEvent[] = [];

  constructor(private readonly outputCapacity?: number) {}

  get state(): DebugState {
    this.processDeferred();
    return this.current;
  }

  /** The answers of adapters to read-only requests, regardless of who sent them. */
  get answers(): Answers {
    this.processDeferred();
    return this.answered;
  }

  /** The number of waits and subscriptions. Tests use it to check that none is left behind. */
  get listenerCount(): number {
    return this.listeners.size;
  }

  /**
   * Processes an event. Never throws, because it is called on the path of the adapter's messages. Read-only requests
   * and responses that no caller waits for are processed lazily: with the next message that changes the state, or when
   * the state is read. After a pause, most of the cost of processing a message is loading the code into the CPU caches,
   * so batches are cheaper.
   */
  dispatch(event: DebugEvent): void {
    if (this.canDefer(event) && this.deferred.length < MAX_DEFERRED) {
      this.deferred.push(event);
      return;
    }
    this.processDeferred();
    this.process(event);
  }

  private canDefer(event: DebugEvent): boolean {
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return false;
    const { type, command } = fields(event.message);
    if (!DEFERRABLE.has(command)) return false;
    if (type === 'request') return event.type === 'toAdapter';
    // Read-only requests do not change the state. A list of threads may.
    return (
      type === 'response' &&
      !(command === 'threads'
        ? this.listeners.size > 0
        : this.answered.isAwaited(event.key, String(command)))
    );
  }

  private processDeferred(): void {
    if (this.deferred.length === 0) return;
    const events = this.deferred;
    this.deferred = [];
    for (const event of events) this.process(event);
  }

  private process(event: DebugEvent): void {
    const before = this.current;
    const message = messageOf(event);
    this.current = reduceRead(before, event, message);
    const session = this.current.sessions.get(event.key);
    if (session !== undefined) this.answered.observe(event, message, session);
    for (const observer of this.observers) guarded(observer, event);
    for (const observer of this.observersOf.get(nameOf(event, message)) ?? NO_OBSERVERS)
      guarded(observer, event);
    const printed =
      session !== undefined &&
      event.type !== 'toAdapter' &&
      this.recordOutput(session, event, message);
    if (session === undefined || session.lifecycle === 'terminated') this.forgetLogs();
    if (this.current === before && !printed) return;
    for (const listener of [...this.listeners]) guarded(listener);
    if (this.settled.size > 0 && hasMoved(before.sessions.get(event.key), session))
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
   * Calls the observer with events after the state has been updated: with the events that have one of the names, or
   * with all events. The name of a message is its event or command. The name of any other event is its type.
   */
  observe(observer: (event: DebugEvent) => void, names?: readonly string[]): { dispose(): void } {
    if (names === undefined) {
      this.observers = [...this.observers, observer];
      return {
        dispose: () => {
          this.observers = this.observers.filter((other) => other !== observer);
        },
      };
    }
    for (const name of names)
      this.observersOf.set(name, [...(this.observersOf.get(name) ?? []), observer]);
    return {
      dispose: () => {
        for (const [name, observers] of this.observersOf)
          this.observersOf.set(
            name,
            observers.filter((other) => other !== observer),
          );
      },
    };
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /**
   * Calls the listener once after sessions have started or ended, or threads have stopped or continued. Several such
   * changes in one turn cause one call. It is intended for the user interface, so that the user interface does not
   * delay messages.
   */
  onDidSettle(listener: () => void): { dispose(): void } {
    this.settled.add(listener);
    return { dispose: () => void this.settled.delete(listener) };
  }

  /**
   * Waits until `select` returns a value. `select` is called immediately and after every change. The wait is active
   * when this method returns, so call it before sending the request. It settles once and leaves no listener behind.
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
      // If the timer is late, the process was suspended. Events that occurred in the meantime are still on their way
      // and count.
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
    // java-debug reports a condition that does not parse in its own kind of event, which the Java extension shows to
    // the person.
    if (message.event === 'usernotification') {
      const notification = textOf(message.body['message']);
      if (notification === undefined) return false;
      this.output(session).append('important', `${notification}\n`);
      return true;
    }
    if (message.event !== 'output') return false;
    const body = fields(message.body);
    const category = keptText(body['category'], MAX_OF_A_CATEGORY) ?? 'console';
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

/**
 * The maximum number of deferred events. VS Code sends about ten requests at a stop. Answers may be large, so they are
 * not deferred for long.
 */
const MAX_DEFERRED = 20;

/** The commands that can be deferred: read-only requests, and the list of threads. */
const DEFERRABLE: ReadonlySet<unknown> = new Set([...READ_COMMANDS, 'threads']);

/** Whether the session started, ended, stopped or continued. */
function hasMoved(before: SessionState | undefined, now: SessionState | undefined): boolean {
  return before?.lifecycle !== now?.lifecycle || before?.threads !== now?.threads;
}

const NO_OBSERVERS: readonly ((event: DebugEvent) => void)[] = [];

function nameOf(event: DebugEvent, message: ProtocolMessage | undefined): string {
  if (message === undefined) return event.type;
  return message.type === 'event' ? message.event : message.command;
}

/** Calls an action and catches its error. A listener that fails stops neither the messages nor the other listeners. */
function guarded<Args extends readonly unknown[]>(
  action: (...args: Args) => void,
  ...args: Args
): void {
  try {
    action(...args);
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
