import * as l10n from '@vscode/l10n';
import { Failure } from '../debugger/failure';
import type { Consent, Tool } from '../tools/defineTool';
import { isSameQuestion, type Prepared } from '../tools/preparedCalls';
import type { Question } from '../tools/question';
import { checkInput } from '../tools/run';
import type { ToolServices } from '../tools/services';

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

  constructor(readonly options: ConfirmationOptions) {}

  /**
   * Resolves when the call may be made, with what the person allowed; with undefined when there is nothing to ask.
   * @throws Failure `declined_by_person`, `not_confirmed_yet`
   */
  async confirm(tool: Tool, input: unknown, services: ToolServices, caller: Caller, signal: AbortSignal): Promise<Prepared | undefined> {
    const wanted = await this.questionOf(tool, input, services, caller);
    if (wanted === undefined || signal.aborted) return undefined;
    const answer = await this.answerTo(JSON.stringify([tool.name, input]), wanted.question, caller, signal);
    if (answer === 'cancelled') return undefined;
    if (answer === 'too late') {
      throw new Failure('not_confirmed_yet', l10n.t('VS Code has asked the person, who has not answered yet.'), 'Nothing was done. Make the same call again: the answer to the question that is open counts for it.');
    }
    if (answer === 'declined') throw new Failure('declined_by_person', l10n.t('The person declined the call.'), 'Nothing was done. Do not repeat it: ask the person what they want instead.');
    if (answer === 'all' && wanted.consent !== undefined) this.allowed.set(caller, new Set([...(this.allowed.get(caller) ?? []), wanted.consent]));
    return { kind: 'asked', question: wanted.question };
  }

  /** The client is gone: nobody waits for what is still asked. */
  forget(caller: Caller): void {
    for (const key of [...(this.kept.get(caller)?.keys() ?? [])]) this.take(key, caller)?.over.abort();
  }

  /** Undefined where there is nothing to ask: also for a call that will be refused anyway. */
  private async questionOf(tool: Tool, input: unknown, services: ToolServices, caller: Caller): Promise<{ question: Question; consent: Consent | undefined } | undefined> {
    if (!services.workspace.trusted || services.access.paused) return undefined;
    try {
      const checked = checkInput(tool, input);
      const consent = tool.consent(checked, services);
      const isWanted = consent !== undefined && this.options.wanted(consent) && this.allowed.get(caller)?.has(consent) !== true;
      const isOutside = !isWanted && this.options.asks?.() === true && (await tool.outside(checked, services)).length > 0;
      if (!isWanted && !isOutside) return undefined;
      const question = await tool.question(checked, services);
      return question === undefined ? undefined : { question, consent };
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  private async answerTo(key: string, question: Question, caller: Caller, signal: AbortSignal): Promise<PersonsAnswer | 'too late' | 'cancelled'> {
    const asked = this.stillAsked(key, question, caller) ?? this.ask(question, caller);
    const { promise: ended, resolve } = settable<'too late' | 'cancelled'>();
    const timer = setTimeout(() => resolve('too late'), this.options.patienceMilliseconds ?? PATIENCE_MS);
    const cancel = (): void => resolve('cancelled');
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await Promise.race([asked.answer, ended]);
      if (answer === 'cancelled') asked.over.abort();
      if (answer === 'too late') this.keep(key, asked, caller);
      return answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** What is still asked about the same call, unless the program has moved since and the question is another now. */
  private stillAsked(key: string, question: Question, caller: Caller): Asked | undefined {
    const kept = this.take(key, caller);
    if (kept === undefined || isSameQuestion(kept.question, question)) return kept;
    kept.over.abort();
    return undefined;
  }

  private ask(question: Question, caller: Caller): Asked {
    const over = new AbortController();
    // Whatever goes wrong in asking, nothing was allowed.
    return { question, over, answer: this.options.ask(question, caller.name, over.signal).catch((): PersonsAnswer => 'declined') };
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

function settable<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
