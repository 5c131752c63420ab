import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import type { Question } from './question';

/** What came of a call before it runs: what the person was asked, that nothing had to be asked, or why it will do nothing. */
export type Prepared =
  | { readonly kind: 'asked'; readonly question: Question }
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly failure: Error };

/** Calls that were prepared and never came (skipped ones) are forgotten when there are so many newer ones. */
const MOST_KEPT = 100;

interface Waiting {
  readonly key: string;
  readonly chat: string | undefined;
  readonly prepared: Prepared;
}

/**
 * What questions named, until their calls come. VS Code asks first and calls later, and gives the two nothing in common
 * but the tool and its input. So several that wait under one such name have to agree: where they do not, nobody can
 * tell which of them was answered, and the call is refused.
 */
export class PreparedCalls {
  private waiting: Waiting[] = [];

  /** @param chat names the chat that the call is made in, where VS Code tells it: what differs from before in the same chat stands in its place */
  remember(tool: string, input: unknown, prepared: Prepared, chat?: string): void {
    const key = keyOf(tool, input);
    const kept = this.waiting.filter(
      (each) =>
        each.key !== key ||
        chat === undefined ||
        each.chat !== chat ||
        isSame(each.prepared, prepared),
    );
    this.waiting = [...kept, { key, chat, prepared }].slice(-MOST_KEPT);
  }

  /** What was prepared for the call that comes now; undefined where nothing was. */
  take(tool: string, input: unknown): Prepared | undefined {
    const key = keyOf(tool, input);
    const found = this.waiting.filter((each) => each.key === key);
    const [first] = found;
    if (first === undefined) return undefined;
    const agree = found.every((each) => isSame(each.prepared, first.prepared));
    this.waiting = this.waiting.filter((each) => (agree ? each !== first : each.key !== key));
    return agree ? first.prepared : { kind: 'refused', failure: movedMeanwhile() };
  }
}

/** Whether two questions are about the same: what they name beyond their words, else their words. */
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

/** The program, a file or a configuration is not what the person was asked about any more. */
export function movedMeanwhile(): Failure {
  return new Failure(
    'moved_meanwhile',
    l10n.t(
      'What the person was asked about has changed since: the program has moved on, or what was to be done is another.',
    ),
    'Nothing was done. Call get_debug_state to see where the program is, then call again if it still fits: the person is asked anew.',
  );
}
