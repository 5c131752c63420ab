import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import type { Question } from './question';

/** The preparation of a call: the person was asked, no question was necessary, or the call will fail. */
export type Prepared =
  | { readonly kind: 'asked'; readonly question: Question }
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly failure: Error };

/**
 * The maximum number of prepared calls that are kept. Older calls that never ran (because they were skipped) are
 * removed.
 */
const MAX_KEPT = 100;

interface Waiting {
  readonly key: string;
  readonly chat: string | undefined;
  readonly prepared: Prepared;
}

/**
 * Keeps each question until its call arrives. VS Code prepares a call first and runs it later. The preparation and the
 * run have only the tool and its input in common. So several questions with the same key have to agree. If they do not
 * agree, it is unclear which question was answered, and the call is refused.
 */
export class PreparedCalls {
  private waiting: Waiting[] = [];

  /**
   * Stores a prepared call.
   * @param chat the chat that makes the call, if VS Code names it. A new question replaces a different question of the
   * same chat.
   */
  remember(tool: string, input: unknown, prepared: Prepared, chat?: string): void {
    const key = keyOf(tool, input);
    const kept = this.waiting.filter(
      (other) =>
        other.key !== key ||
        chat === undefined ||
        other.chat !== chat ||
        isSame(other.prepared, prepared),
    );
    this.waiting = [...kept, { key, chat, prepared }].slice(-MAX_KEPT);
  }

  /** Removes and returns the preparation of the call that arrives now. Returns undefined if there is none. */
  take(tool: string, input: unknown): Prepared | undefined {
    const key = keyOf(tool, input);
    const found = this.waiting.filter((call) => call.key === key);
    const [first] = found;
    if (first === undefined) return undefined;
    const agree = found.every((call) => isSame(call.prepared, first.prepared));
    this.waiting = this.waiting.filter((call) => (agree ? call !== first : call.key !== key));
    return agree ? first.prepared : { kind: 'refused', failure: movedMeanwhile() };
  }
}

/** Whether two questions are about the same target. If they name no target, whether they have the same text. */
export function isSameQuestion(one: Question, other: Question): boolean {
  return (one.about ?? one.message) === (other.about ?? other.message);
}

function isSame(one: Prepared, other: Prepared): boolean {
  if (one.kind === 'asked' && other.kind === 'asked')
    return isSameQuestion(one.question, other.question);
  if (one.kind === 'refused' && other.kind === 'refused')
    return codeOf(one.failure) === codeOf(other.failure);
  return one.kind === other.kind;
}

function codeOf(failure: Error): string {
  return failure instanceof Failure ? failure.code : failure.name;
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}

/** Returns the error if the program, a file or a configuration has changed since the person was asked. */
export function movedMeanwhile(): Failure {
  return new Failure(
    'moved_meanwhile',
    l10n.t(
      'The approved action no longer applies: the program has resumed, or the action would now be a different one.',
    ),
    'Nothing was done. Call get_debug_state to see where the program is, then call again if it still applies. The person is asked again.',
  );
}
