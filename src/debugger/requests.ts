import * as l10n from '@vscode/l10n';
import type { DebugModel } from './debugModel';
import { Failure } from './failure';
import type { DebugHost } from './host';
import { fields, type Fields } from './protocol';
import type { SessionState } from './state';

/** The caller went away or cancelled: the call's answer is `interrupted`, and the program goes on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** How long one request to an adapter may take before its caller is told. */
const REQUEST_LIMIT_MS = 15_000;

/** Requests to adapters: each with a time limit and an end when its session ends. */
export class AdapterRequests {
  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    private readonly limitMs: number = REQUEST_LIMIT_MS,
  ) {}

  /** VS Code refuses what is still open when a session ends: that is no word of the adapter's. */
  private isEnding(session: SessionState): boolean {
    const lifecycle = this.model.state.sessions.get(session.key)?.lifecycle ?? 'terminated';
    return lifecycle === 'terminated' || lifecycle === 'terminating';
  }

  /** While another thread runs, it may change what this one sees: a value that was read is no value of now. */
  private mayChange(session: SessionState, command: string): boolean {
    const now = this.model.state.sessions.get(session.key);
    return (command === 'variables' || command === 'scopes') && now !== undefined && [...now.threads.values()].some((thread) => thread.stop === undefined);
  }

  /**
   * The same for requests that only look: what the adapter has already told at this stop, or VS Code is just asking,
   * is taken from there, and an answer counts when the adapter gives it.
   */
  async look(session: SessionState, command: string, args: object, signal: AbortSignal): Promise<Fields> {
    const { answers } = this.model;
    const known = this.mayChange(session, command) ? undefined : answers.known(session.key, command, args);
    if (known !== undefined) return known;
    let stop: () => void = () => undefined;
    const heard = new Promise<Fields>((resolve) => {
      stop = answers.listen(session.key, command, args, resolve);
    });
    try {
      return await Promise.race([heard, this.send(session, command, args, signal)]);
    } finally {
      stop();
    }
  }

  /**
   * @returns the response's body
   * @throws Failure `adapter_error` with the adapter's words, `adapter_timeout`, `session_ended`; Interrupted
   */
  async send(session: SessionState, command: string, args: object, signal: AbortSignal): Promise<Fields> {
    const over = this.model.wait((state) => (state.sessions.get(session.key)?.lifecycle ?? 'terminated') === 'terminated' || undefined, { timeoutMs: this.limitMs, signal });
    const answered = this.host.request(session.key, command, args).then(
      (body) => ({ kind: 'answer', body }) as const,
      (error: unknown) => ({ kind: 'refused', words: error instanceof Error ? error.message : String(error) }) as const,
    );
    const first = await Promise.race([answered, over.settled]);
    over.abandon();
    switch (first.kind) {
      case 'answer':
        return fields(first.body);
      case 'refused':
        throw this.isEnding(session) ? sessionEnded(session, command) : adapterError(session, command, first.words);
      case 'found':
        throw sessionEnded(session, command);
      case 'timeout':
        throw new Failure(
          'adapter_timeout',
          l10n.t('The debug adapter “{0}” did not answer the request “{1}” within {2} seconds.', session.type, command, this.limitMs / 1000),
          'Call get_debug_state; if the adapter stays silent, call stop_debugging.',
        );
      case 'cancelled':
        throw new Interrupted();
    }
  }
}

function sessionEnded(session: SessionState, command: string): Failure {
  return new Failure('session_ended', l10n.t('The debug session “{0}” ended before it answered the request “{1}”.', session.name, command), 'Call get_debug_state.');
}

export function adapterError(session: SessionState, command: string, words: string): Failure {
  return new Failure('adapter_error', l10n.t('The debug adapter “{0}” refused the request “{1}”: {2}', session.type, command, words), 'Change the request, or call get_debug_state to see where the program is.');
}
