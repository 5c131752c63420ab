import type { CaptureEvent } from './events';
import type { CaptureRecord } from './record';
import { signatureOf } from './signature';

/** The errors of one run by their kind. */
export interface ErrorKinds {
  readonly kinds: ReadonlyMap<string, { readonly count: number; readonly sample: string }>;
  /** Whether there were more kinds than are stored. */
  readonly isCut: boolean;
}

const MAX_KINDS = 2000;
const MAX_OF_A_SAMPLE = 300;

/** Collects the kinds of errors of a run. */
export class ErrorCollector {
  private readonly kinds = new Map<string, { count: number; readonly sample: string }>();
  private isCut = false;

  add(event: CaptureEvent): void {
    if (event.level !== 'error' || event.kv['trace'] === true) return;
    const signature = signatureOf(event.msg);
    const existing = this.kinds.get(signature);
    if (existing !== undefined) existing.count += 1;
    else if (this.kinds.size >= MAX_KINDS) this.isCut = true;
    else this.kinds.set(signature, { count: 1, sample: event.msg.slice(0, MAX_OF_A_SAMPLE) });
  }

  finish(): ErrorKinds {
    return { kinds: this.kinds, isCut: this.isCut };
  }
}

export type Verdict = 'fixed' | 'still_failing' | 'changed' | 'inconclusive';

/** The differences between a capture and the run that verifies the fix. */
export interface Comparison {
  readonly verdict: Verdict;
  /** The reason, in English for the model. */
  readonly reason: string;
  readonly gone: readonly string[];
  readonly remaining: readonly string[];
  readonly appeared: readonly string[];
}

export interface ComparedRun {
  readonly record: Pick<CaptureRecord, 'exitCode' | 'endedBy' | 'events' | 'source' | 'dropped'>;
  readonly errors: ErrorKinds;
}

const SHOWN = 10;

/**
 * Compares the run of a verification with the capture before the fix.
 * @param isOther whether it is another run than the captured one, and the person was not shown that it stands for it
 */
export function compare(before: ComparedRun, after: ComparedRun, isOther = false): Comparison {
  const samples = (
    from: ErrorKinds,
    isIncluded: (signature: string) => boolean,
  ): readonly string[] =>
    [...from.kinds].flatMap(([signature, { sample }]) => (isIncluded(signature) ? [sample] : []));
  const gone = samples(before.errors, (signature) => !after.errors.kinds.has(signature));
  const remaining = samples(after.errors, (signature) => before.errors.kinds.has(signature));
  const appeared = samples(after.errors, (signature) => !before.errors.kinds.has(signature));
  const counts = { gone: gone.length, remaining: remaining.length, appeared: appeared.length };
  // The same errors prove that the problem remains, whatever was run.
  const [verdict, reason] =
    isOther && remaining.length === 0 ? OTHER_RUN : verdictOf(before, after, counts);
  return {
    verdict,
    reason,
    gone: gone.slice(0, SHOWN),
    remaining: remaining.slice(0, SHOWN),
    appeared: appeared.slice(0, SHOWN),
  };
}

const OTHER_RUN = [
  'inconclusive',
  'This is not the captured run, so it proves nothing about its errors. Omit command to repeat the captured run, or pass standsForCapture if the person has named this run as its equal.',
] as const;

interface Counts {
  readonly gone: number;
  readonly remaining: number;
  readonly appeared: number;
}

function verdictOf(
  before: ComparedRun,
  after: ComparedRun,
  { gone, remaining, appeared }: Counts,
): readonly [Verdict, string] {
  // Errors that remain count even if the run was recorded only in part.
  if (remaining > 0) return ['still_failing', `${remaining} kinds of errors remain.`];
  if (hasNotEnded(before, after)) return ['still_failing', 'The run did not end within its time.'];
  if (appeared > 0 && isIncomplete(before))
    return [
      'inconclusive',
      `The earlier capture is incomplete, so it is unknown whether ${appeared} kinds of errors are new.`,
    ];
  if (appeared > 0) return ['changed', `${appeared} kinds of errors are new; ${gone} are gone.`];
  const crash = crashOf(after);
  if (crash !== undefined) return ['still_failing', crash];
  const doubt = doubtOf(before, after);
  return doubt === undefined
    ? ['fixed', `None of the ${gone} kinds of errors of the capture occurred again.`]
    : ['inconclusive', doubt];
}

/**
 * Whether a run that ended by itself before the fix did not end now. A page is excluded, because it ends when the
 * person closes it.
 */
function hasNotEnded(before: ComparedRun, { record }: ComparedRun): boolean {
  const endedItself = before.record.endedBy === 'exit' || before.record.endedBy === 'signal';
  return record.endedBy === 'timeout' && record.source !== 'page' && endedItself;
}

/** The failure of a run that printed no error. */
function crashOf({ record: { endedBy, exitCode = 0 } }: ComparedRun): string | undefined {
  if (endedBy === 'signal') return 'The run ended with a crash.';
  return endedBy === 'exit' && exitCode !== 0
    ? `The run ended with exit code ${exitCode}.`
    : undefined;
}

/** The reason why a run without errors does not prove the fix; undefined if it does. */
function doubtOf(before: ComparedRun, after: ComparedRun): string | undefined {
  const cut = CUT_SHORT[after.record.endedBy ?? 'unknown'];
  if (cut !== undefined) return cut;
  const isPage = after.record.source === 'page';
  if (after.record.endedBy === 'timeout' && !isPage && before.record.endedBy !== 'timeout')
    return 'The run was ended by its time limit, so its further errors are unknown.';
  if (isIncomplete(after))
    return 'The size limit dropped lines of the run, which may have contained errors.';
  if (after.record.events === 0 && before.record.events > 0)
    return 'The run printed nothing, so nothing shows that the fix was reached.';
  if (!wasFailing(before))
    return 'The earlier capture had no error and did not fail, so no error could have been fixed.';
  return undefined;
}

const CUT_SHORT: Readonly<Record<string, string>> = {
  stopped: 'The run was stopped before it ended, so its further errors are unknown.',
  window_closed: 'The window was closed before the run ended.',
  failed: 'The run could not be completed or recorded.',
  unknown: 'It is unknown how the run ended.',
};

function wasFailing({ record, errors }: ComparedRun): boolean {
  if (errors.kinds.size > 0 || record.endedBy === 'signal') return true;
  return record.endedBy === 'exit' && (record.exitCode ?? 0) !== 0;
}

function isIncomplete({ record, errors }: ComparedRun): boolean {
  return record.dropped > 0 || errors.isCut;
}
