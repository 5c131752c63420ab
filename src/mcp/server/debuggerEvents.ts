import * as l10n from '@vscode/l10n';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Fields } from '../../debugger/protocol';
import {
  isFailure,
  isLive,
  type DebugState,
  type SessionState,
  type StopState,
} from '../../debugger/state/state';
import { fitResult } from '../../results/fit';
import { visible } from '../../results/visible';
import type { ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import { Listeners, type Subscription } from '../../util/listeners';
import { SerialQueue } from '../../util/serialQueue';

/** One log message for every client that requested its level. */
export interface DebuggerEvent {
  readonly level: LoggingLevel;
  readonly data: Fields;
}

/** The maximum length of a log message. It reports that an event occurred. A tool or resource returns the details. */
const MAX_CHARACTERS = 1000;

/**
 * The maximum number of events that wait to be sent. Further events are dropped, because a client can read the state.
 */
const MAX_PENDING = 200;

/**
 * Reports debugger events regardless of their cause: sessions, stops, ends, hand-overs. Each event is created once for
 * all clients.
 */
export class DebuggerEvents {
  private readonly happened = new Listeners<DebuggerEvent>();
  private readonly changed = new Listeners();
  private readonly queue = new SerialQueue();
  private readonly subscriptions: readonly Subscription[];
  private before: DebugState;
  private isPaused: boolean;
  private pending = 0;

  constructor(private readonly services: Pick<ToolServices, 'model' | 'access' | 'redactor'>) {
    this.before = services.model.state;
    this.isPaused = services.access.paused;
    this.subscriptions = [
      services.model.onDidChange(() => this.modelChanged()),
      services.access.onDidChange(() => this.accessChanged()),
    ];
  }

  /** Fires for each log message, in the order of the events. */
  onDidHappen(listener: (event: DebuggerEvent) => void): Subscription {
    return this.happened.add(listener);
  }

  /** Fires when any state of the debugger has changed, including output. It fires often, so listeners must be fast. */
  onDidChange(listener: () => void): Subscription {
    return this.changed.add(listener);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.happened.clear();
    this.changed.clear();
  }

  private modelChanged(): void {
    const { before } = this;
    const { state } = this.services.model;
    this.before = state;
    if (state !== before)
      for (const session of state.sessions.values())
        this.compare(before.sessions.get(session.key), session);
    this.changed.notify();
  }

  private compare(before: SessionState | undefined, now: SessionState): void {
    if (before === now) return;
    if (before === undefined) this.report('info', startedEvent(now));
    const stop = now.lastStop;
    if (stop !== undefined && stop.epoch > (before?.epoch ?? 0))
      this.report(levelOfStop(stop), stoppedEvent(now, stop));
    if (!isLive(now) && (before === undefined || isLive(before)))
      this.report(isFailure(now.end) ? 'error' : 'info', endedEvent(now));
  }

  private accessChanged(): void {
    const { paused } = this.services.access;
    if (paused === this.isPaused) return;
    this.isPaused = paused;
    this.report(
      'notice',
      paused
        ? { event: 'person_took_over', message: l10n.t('The person has taken over the debugger.') }
        : { event: 'person_gave_back', message: l10n.t('The person has given the debugger back.') },
    );
  }

  /** Removes credentials, as in every result, and sends the events one at a time, in order. */
  private report(level: LoggingLevel, data: Fields): void {
    if (this.happened.size === 0 || this.pending >= MAX_PENDING) return;
    this.pending += 1;
    void this.queue.run(async () => {
      const shown = await this.services.redactor.redact(data).catch(() => undefined);
      this.pending -= 1;
      if (shown !== undefined)
        this.happened.notify({ level, data: fitResult(visible(shown), MAX_CHARACTERS) });
    });
  }
}

function startedEvent({ id, name }: SessionState): Fields {
  return {
    event: 'started',
    message: l10n.t('The debug session {0} has started.', id),
    session_id: id,
    name,
  };
}

function stoppedEvent({ id, name }: SessionState, stop: StopState): Fields {
  return defined({
    event: 'stopped',
    message: l10n.t('The debug session {0} has stopped.', id),
    session_id: id,
    name,
    stop_id: stop.id,
    reason: stop.reason,
    thread_id: stop.threadId,
  });
}

function endedEvent({ id, name, end, exitCode }: SessionState): Fields {
  return defined({
    event: 'ended',
    message: l10n.t('The debug session {0} has ended.', id),
    session_id: id,
    name,
    end: end?.reason,
    text: end?.message,
    exit_code: exitCode,
  });
}

/**
 * The log level of a stop. An agent steps hundreds of times, so stops after steps are sent only to clients with the
 * level `debug`.
 */
function levelOfStop({ reason }: StopState): LoggingLevel {
  if (reason === 'step') return 'debug';
  return reason === 'exception' ? 'warning' : 'info';
}
