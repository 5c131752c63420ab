import * as l10n from '@vscode/l10n';
import { Failure } from '../../debugger/failure';
import { Interrupted } from '../../debugger/requests';
import type { Consent, Tool } from '../../tools/defineTool';
import { isSameQuestion, type Prepared } from '../../tools/preparedCalls';
import type { Question } from '../../tools/question';
import { prepareCall, type Preparation } from '../../tools/run';
import type { ToolServices } from '../../tools/services';
import { Turns } from './turns';

/** `all`: this client's further calls of the same kind need no question. */
export type PersonsAnswer = 'allowed' | 'all' | 'declined';

export interface ConfirmationOptions {
  /** Whether the person wants to be asked in VS Code before such calls of MCP clients. */
  readonly wanted: (consent: Consent) => boolean;
  /** Whether VS Code asks about MCP clients' calls at all: then it does about what lies outside the workspace. */
  readonly asks?: () => boolean;
  /** Asks the person. `signal` is aborted when the answer counts no more. */
  ask: (question: Question, client: string, signal: AbortSignal) => Promise<PersonsAnswer>;
  /** For tests, which do not wait as long. */
  readonly patienceMilliseconds?: number;
}

/** The client that calls: an object that lives as long as its session. */
export interface Caller {
  readonly name: string;
}

/** So long one call waits for the person: clients give up after a minute. */
const PATIENCE_MS = 35_000;

/** So long a question whose call has given up stays open for the same call made again; and so many of one client. */
const KEPT_MS = 120_000;
const MOST_KEPT = 10;

/** So many calls wait while another is asked about: each would be a dialog of its own. */
const MOST_WAITING = 10;

interface Asked {
  readonly question: Question;
  readonly answer: Promise<PersonsAnswer>;
  /** Aborted when the answer counts no more. */
  readonly over: AbortController;
}

interface Kept extends Asked {
  readonly timer: NodeJS.Timeout;
}

/**
 * VS Code's own question before an MCP client's call, where the person wants it: the same question, for the same calls,
 * as VS Code's agents get. Each client asks by its own rules, too.
 */
export class Confirmation {
  /** Questions that no call waits for at the moment. */
  private readonly kept = new WeakMap<Caller, Map<string, Kept>>();
  private readonly allowed = new WeakMap<Caller, Set<Consent>>();
  private readonly turns = new Turns();

  constructor(readonly options: ConfirmationOptions) {}

  /**
   * Prepares a call as VS Code prepares those of its own agents, and asks the person. Resolves when the call may be
   * made, or with why it will do nothing.
   * @throws Failure `declined_by_person`, `not_confirmed_yet`, `too_many_calls`
   */
  async confirm(
    tool: Tool,
    input: unknown,
    services: ToolServices,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const prepare = async (): Promise<Preparation> =>
      await prepareCall(
        tool,
        input,
        services,
        (consent) => this.allows(consent, caller),
        this.options.asks?.() === true,
      );
    const patience = new AbortController();
    const timer = setTimeout(
      () => patience.abort(),
      this.options.patienceMilliseconds ?? PATIENCE_MS,
    );
    try {
      return await this.asked(
        JSON.stringify([tool.name, input]),
        prepare,
        caller,
        signal,
        patience.signal,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** The client is gone: nobody waits for what is still asked. */
  forget(caller: Caller): void {
    for (const key of [...(this.kept.get(caller)?.keys() ?? [])])
      this.take(key, caller)?.over.abort();
  }

  private allows(consent: Consent, caller: Caller): boolean {
    return !this.options.wanted(consent) || this.allowed.get(caller)?.has(consent) === true;
  }

  private async asked(
    key: string,
    prepare: () => Promise<Preparation>,
    caller: Caller,
    signal: AbortSignal,
    patience: AbortSignal,
  ): Promise<Prepared> {
    const first = await prepare();
    if (first.prepared.kind !== 'asked') return first.prepared;
    const kept = this.stillAsked(key, first.prepared.question, caller);
    if (kept !== undefined) return await this.answered(key, kept, first, caller, signal, patience);
    const hasToWait = this.turns.isBusy;
    const endTurn = await this.turn(signal, patience);
    if (endTurn === undefined) return { kind: 'refused', failure: new Interrupted() };
    let isAsked = false;
    try {
      // While others were asked, the program may have moved on, or the person may have allowed all such calls.
      const now =
        hasToWait || (first.consent !== undefined && this.allows(first.consent, caller))
          ? await prepare()
          : first;
      if (now.prepared.kind !== 'asked' || signal.aborted) return now.prepared;
      isAsked = true;
      const asked = this.ask(now.prepared.question, now.consent, caller, endTurn);
      return await this.answered(key, asked, now, caller, signal, patience);
    } finally {
      if (!isAsked) endTurn();
    }
  }

  /** One question at a time: the others wait. @returns what ends the turn; undefined where the call was cancelled */
  private async turn(
    signal: AbortSignal,
    patience: AbortSignal,
  ): Promise<(() => void) | undefined> {
    if (this.turns.length >= MOST_WAITING)
      throw new Failure(
        'too_many_calls',
        l10n.t('Too many questions wait for the person.'),
        'Nothing was done. Make fewer calls at once, and this one again when the others are answered.',
      );
    const endTurn = await this.turns.take(AbortSignal.any([signal, patience]));
    if (endTurn === undefined && !signal.aborted) {
      throw new Failure(
        'not_confirmed_yet',
        l10n.t(
          'VS Code is asking the person about another call, which they have not answered yet.',
        ),
        'Nothing was done. Make the same call again when that one is answered: then the person is asked about it.',
      );
    }
    return endTurn;
  }

  private async answered(
    key: string,
    asked: Asked,
    { prepared }: Preparation,
    caller: Caller,
    signal: AbortSignal,
    patience: AbortSignal,
  ): Promise<Prepared> {
    const answer = await unlessAborted(asked.answer, AbortSignal.any([signal, patience]), () =>
      signal.aborted ? 'cancelled' : 'too late',
    );
    if (answer === 'cancelled') {
      asked.over.abort();
      return { kind: 'refused', failure: new Interrupted() };
    }
    if (answer === 'too late') {
      this.keep(key, asked, caller);
      throw new Failure(
        'not_confirmed_yet',
        l10n.t('VS Code has asked the person, who has not answered yet.'),
        'Nothing was done. Make the same call again: the answer to the question that is open counts for it.',
      );
    }
    if (answer === 'declined')
      throw new Failure(
        'declined_by_person',
        l10n.t('The person declined the call.'),
        'Nothing was done. Do not repeat it: ask the person what they want instead.',
      );
    return prepared;
  }

  /** What is still asked about the same call, unless the program has moved since and the question is another now. */
  private stillAsked(key: string, question: Question, caller: Caller): Asked | undefined {
    const kept = this.take(key, caller);
    if (kept === undefined || isSameQuestion(kept.question, question)) return kept;
    kept.over.abort();
    return undefined;
  }

  /** VS Code cannot close a dialog: the turn lasts until the person has answered, whoever still waits for it. */
  private ask(
    question: Question,
    consent: Consent | undefined,
    caller: Caller,
    endTurn: () => void,
  ): Asked {
    const over = new AbortController();
    const ask = async (): Promise<PersonsAnswer> => {
      try {
        const answer = await this.options.ask(question, caller.name, over.signal);
        if (answer === 'all' && consent !== undefined && !over.signal.aborted)
          this.allowed.set(caller, new Set([...(this.allowed.get(caller) ?? []), consent]));
        return answer;
      } catch {
        return 'declined'; // whatever goes wrong in asking, nothing was allowed
      } finally {
        endTurn();
      }
    };
    return { question, over, answer: ask() };
  }

  /** For the same call made again. An answer counts for one call. */
  private keep(key: string, asked: Asked, caller: Caller): void {
    const kept = this.kept.get(caller) ?? new Map<string, Kept>();
    this.kept.set(caller, kept);
    const [oldest] = kept.keys();
    this.take(key, caller)?.over.abort();
    if (kept.size >= MOST_KEPT && oldest !== undefined) this.take(oldest, caller)?.over.abort();
    const timer = setTimeout(() => this.take(key, caller)?.over.abort(), KEPT_MS);
    timer.unref();
    kept.set(key, { ...asked, timer });
  }

  private take(key: string, caller: Caller): Asked | undefined {
    const found = this.kept.get(caller)?.get(key);
    clearTimeout(found?.timer);
    this.kept.get(caller)?.delete(key);
    return found;
  }
}

async function unlessAborted<T, Other>(
  promise: Promise<T>,
  signal: AbortSignal,
  otherwise: () => Other,
): Promise<T | Other> {
  let leave: () => void = () => undefined;
  const aborted = new Promise<Other>((resolve) => {
    leave = () => resolve(otherwise());
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  return await Promise.race([promise, aborted]).finally(() =>
    signal.removeEventListener('abort', leave),
  );
}
