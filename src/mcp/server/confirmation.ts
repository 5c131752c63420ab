import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { Interrupted } from '../../debugger/requests';
import type { Consent, Tool } from '../../tools/defineTool';
import { isSameQuestion, type Prepared } from '../../tools/preparedCalls';
import type { Question } from '../../tools/question';
import { prepareCall, type Preparation } from '../../tools/run';
import type { ToolServices } from '../../tools/services';
import { SerialQueue } from '../../util/serialQueue';
import { unlessAborted } from '../../util/unlessAborted';

/** The person's answer. `all`: the person is not asked about further calls of the same kind by this client. */
export type PersonsAnswer = 'allowed' | 'all' | 'declined';

export interface ConfirmationOptions {
  /** Whether VS Code must ask before such calls of MCP clients. */
  readonly isRequired: (consent: Consent) => boolean;
  /** Whether VS Code asks about calls of MCP clients at all. If so, it also asks about files outside the workspace. */
  readonly asks?: () => boolean;
  /** Asks the person. `signal` is aborted when the answer no longer counts. */
  ask: (question: Question, client: string, signal: AbortSignal) => Promise<PersonsAnswer>;
  /**
   * The time that a call waits for the person. Default: less than the time limit of MCP clients. `Infinity`: as long as
   * the call.
   */
  readonly patienceMilliseconds?: number;
  /** The queue for questions, if several share one. One question is open at a time. */
  readonly turns?: SerialQueue;
}

/** The client that makes a call. The object lives as long as the client's session. */
export interface Caller {
  readonly name: string;
}

/** The time that a call waits for the person. Clients give up after a minute. */
const PATIENCE_MS = 35_000;

/**
 * The time for which a question stays valid after its call has given up, in case the same call is made again, and the
 * maximum number of such questions per client.
 */
const KEPT_MS = 120_000;
const MAX_KEPT = 10;

/** The maximum number of calls that may wait for another call's question. Each of them will need its own dialog. */
const MAX_WAITING = 10;

interface OpenQuestion {
  readonly question: Question;
  readonly answer: Promise<PersonsAnswer>;
  /** Aborted when the answer no longer counts. */
  readonly withdrawn: AbortController;
}

interface Kept extends OpenQuestion {
  readonly timer: NodeJS.Timeout;
}

/**
 * Asks the person in VS Code before an MCP client's call, if their settings require it. Calls and questions are the
 * same as for VS Code's own agents. Clients may also ask the person by their own rules.
 */
export class Confirmation {
  /** Open questions that no call waits for at the moment. */
  private readonly kept = new WeakMap<Caller, Map<string, Kept>>();
  private readonly allowed = new WeakMap<Caller, Set<Consent>>();
  private readonly turns: SerialQueue;

  constructor(readonly options: ConfirmationOptions) {
    this.turns = options.turns ?? new SerialQueue();
  }

  /**
   * Prepares a call in the same way as VS Code does for its own agents, and asks the person. Resolves when the call may
   * run, or with the reason why it will have no effect.
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
    const milliseconds = this.options.patienceMilliseconds ?? PATIENCE_MS;
    const timer = Number.isFinite(milliseconds)
      ? setTimeout(() => patience.abort(), milliseconds)
      : undefined;
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

  /** Withdraws the open questions of a client that has disconnected. */
  forget(caller: Caller): void {
    for (const key of [...(this.kept.get(caller)?.keys() ?? [])])
      this.take(key, caller)?.withdrawn.abort();
  }

  private allows(consent: Consent, caller: Caller): boolean {
    return !this.options.isRequired(consent) || this.allowed.get(caller)?.has(consent) === true;
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
      // In the meantime, the program may have moved, or the person may have allowed all such calls.
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

  /**
   * Waits until the question may be asked.
   * @returns a function that ends the turn, or undefined if the call was cancelled
   */
  private async turn(
    signal: AbortSignal,
    patience: AbortSignal,
  ): Promise<(() => void) | undefined> {
    if (this.turns.length >= MAX_WAITING)
      throw new Failure(
        'too_many_calls',
        l10n.t('Too many questions are waiting for the person.'),
        'Nothing was done. Make fewer calls at once. Repeat this call when the others have returned.',
      );
    const endTurn = await this.turns.acquire(AbortSignal.any([signal, patience]));
    if (endTurn === undefined && !signal.aborted) {
      throw new Failure(
        'not_confirmed_yet',
        l10n.t(
          'VS Code is asking the person about another call, which they have not answered yet.',
        ),
        'Nothing was done. Repeat the call when that question is answered. The person is then asked about this call.',
      );
    }
    return endTurn;
  }

  private async answered(
    key: string,
    asked: OpenQuestion,
    { prepared }: Preparation,
    caller: Caller,
    signal: AbortSignal,
    patience: AbortSignal,
  ): Promise<Prepared> {
    const answer = await unlessAborted(asked.answer, AbortSignal.any([signal, patience]), () =>
      signal.aborted ? 'cancelled' : 'too late',
    );
    if (answer === 'cancelled') {
      asked.withdrawn.abort();
      return { kind: 'refused', failure: new Interrupted() };
    }
    if (answer === 'too late') {
      this.keep(key, asked, caller);
      throw new Failure(
        'not_confirmed_yet',
        l10n.t('VS Code asked the person, who has not answered yet.'),
        'Nothing was done. Repeat the call: the answer to the open question applies to it.',
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

  /**
   * The open question about the same call. Undefined if there is none, or if the question has changed because the
   * program has moved.
   */
  private stillAsked(key: string, question: Question, caller: Caller): OpenQuestion | undefined {
    const kept = this.take(key, caller);
    if (kept === undefined || isSameQuestion(kept.question, question)) return kept;
    kept.withdrawn.abort();
    return undefined;
  }

  /**
   * Asks the person. VS Code cannot close a dialog, so the turn lasts until the person answers, even if no call waits
   * for the answer.
   */
  private ask(
    question: Question,
    consent: Consent | undefined,
    caller: Caller,
    endTurn: () => void,
  ): OpenQuestion {
    const withdrawn = new AbortController();
    const ask = async (): Promise<PersonsAnswer> => {
      try {
        const answer = await this.options.ask(question, caller.name, withdrawn.signal);
        if (answer === 'all' && consent !== undefined && !withdrawn.signal.aborted)
          this.allowed.set(caller, new Set([...(this.allowed.get(caller) ?? []), consent]));
        return answer;
      } catch {
        return 'declined'; // If the question fails, the call is not allowed.
      } finally {
        endTurn();
      }
    };
    return { question, withdrawn, answer: ask() };
  }

  /** Keeps a question in case the same call is made again. Its answer counts for one call. */
  private keep(key: string, asked: OpenQuestion, caller: Caller): void {
    const kept = this.kept.get(caller) ?? new Map<string, Kept>();
    this.kept.set(caller, kept);
    const [oldest] = kept.keys();
    this.take(key, caller)?.withdrawn.abort();
    if (kept.size >= MAX_KEPT && oldest !== undefined) this.take(oldest, caller)?.withdrawn.abort();
    const timer = setTimeout(() => this.take(key, caller)?.withdrawn.abort(), KEPT_MS);
    timer.unref();
    kept.set(key, { ...asked, timer });
  }

  private take(key: string, caller: Caller): OpenQuestion | undefined {
    const found = this.kept.get(caller)?.get(key);
    clearTimeout(found?.timer);
    this.kept.get(caller)?.delete(key);
    return found;
  }
}
