import * as l10n from '@vscode/l10n';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Fields } from '../../debugger/protocol';
import { isFailure, isLive, type DebugState, type SessionState } from '../../debugger/state/state';
import { fitResult } from '../../results/fit';
import type { ToolServices } from '../../tools/services';

/** One log message, for every client that wants its level. */
export interface News {
  readonly level: LoggingLevel;
  readonly data: Fields;
}

/** Most characters of a log message: it says that something happened; a tool or resource says what. */
const MOST_CHARACTERS = 1000;

/** What is under way to the clients at the most; beyond that, a client reads how it stands. */
const MOST_UNDER_WAY = 200;

/** Tells of what happens in the debugger, whoever caused it: sessions, stops, ends, hand-overs. For all clients at once. */
export class DebuggerNews {
  private readonly listeners = new Set<(news: News) => void>();
  private readonly changed = new Set<() => void>();
  private readonly subscriptions: readonly { dispose(): void }[];
  private before: DebugState;
  private isPaused: boolean;
  private underWay = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly services: Pick<ToolServices, 'model' | 'access' | 'redactor'>) {
    this.before = services.model.state;
    this.isPaused = services.access.paused;
    this.subscriptions = [
      services.model.onDidChange(() => this.look()),
      services.access.onDidChange(() => this.lookAtAccess()),
    ];
  }

  /** Log messages, in the order of what happened. */
  onDidHappen(listener: (news: News) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Anything of the debugger has changed, its output included. Often: what is done here has to be cheap. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.changed.add(listener);
    return { dispose: () => void this.changed.delete(listener) };
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
    this.listeners.clear();
    this.changed.clear();
  }

  private look(): void {
    const { before } = this;
    const { state } = this.services.model;
    this.before = state;
    if (state !== before)
      for (const session of state.sessions.values())
        this.compare(before.sessions.get(session.key), session);
    for (const listener of [...this.changed]) listener();
  }

  private compare(before: SessionState | undefined, now: SessionState): void {
    if (before === now) return;
    const about = { session_id: now.id, name: now.name };
    if (before === undefined)
      this.tell('info', {
        event: 'started',
        message: l10n.t('The debug session {0} has started.', now.id),
        ...about,
      });
    const stop = now.lastStop;
    if (stop !== undefined && now.stopCount > (before?.stopCount ?? 0)) {
      // An agent steps by the hundred: who wants to see that asks for it.
      this.tell(
        stop.reason === 'step' ? 'debug' : stop.reason === 'exception' ? 'warning' : 'info',
        {
          event: 'stopped',
          message: l10n.t('The debug session {0} has stopped.', now.id),
          ...about,
          stop_id: stop.id,
          reason: stop.reason,
          ...(stop.threadId === undefined ? {} : { thread_id: stop.threadId }),
        },
      );
    }
    if (!isLive(now) && (before === undefined || isLive(before))) {
      this.tell(isFailure(now.end) ? 'error' : 'info', {
        event: 'ended',
        message: l10n.t('The debug session {0} has ended.', now.id),
        ...about,
        ...(now.end === undefined
          ? {}
          : {
              end: now.end.reason,
              ...(now.end.message === undefined ? {} : { text: now.end.message }),
            }),
        ...(now.exitCode === undefined ? {} : { exit_code: now.exitCode }),
      });
    }
  }

  private lookAtAccess(): void {
    const { paused } = this.services.access;
    if (paused === this.isPaused) return;
    this.isPaused = paused;
    this.tell(
      'notice',
      paused
        ? { event: 'person_took_over', message: l10n.t('The person has taken over the debugger.') }
        : { event: 'person_gave_back', message: l10n.t('The person has given the debugger back.') },
    );
  }

  /** Credentials are taken out of it, as of every answer. One after the other, as it happened. */
  private tell(level: LoggingLevel, data: Fields): void {
    if (this.listeners.size === 0 || this.underWay >= MOST_UNDER_WAY) return;
    this.underWay += 1;
    this.last = this.last.then(async () => {
      const shown = await this.services.redactor.redact(data).catch(() => undefined);
      this.underWay -= 1;
      if (shown === undefined) return;
      for (const listener of [...this.listeners])
        listener({ level, data: fitResult(shown, MOST_CHARACTERS) });
    });
  }
}
