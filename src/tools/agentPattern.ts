import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import type { TextTest } from '../debugger/texts';
import { LinearPattern, PatternClock, PatternError } from '../results/linearPattern';

/** A regular expression from a call's input, for output lines or names. */
export interface AgentPattern extends TextTest {
  readonly source: string;
}

/**
 * The number of milliseconds that a pattern may take in one call. An ordinary pattern takes a few milliseconds for a
 * megabyte.
 */
const MAX_MILLISECONDS = 1000;

/**
 * The limit for one test: the number of characters times the size of the pattern. At this limit, the worst pattern
 * takes half a second.
 */
const MAX_WORK = 30_000_000;

/**
 * Compiles a pattern that an agent passed. Its `test` is bounded too, because the program determines the text.
 * @throws Failure `invalid_input`
 */
export async function readPattern(source: string): Promise<AgentPattern> {
  const pattern = await LinearPattern.of(source).catch(refuse);
  const clock = new PatternClock(MAX_MILLISECONDS);
  return {
    source,
    test: (text) => {
      if (pattern.size * text.length > MAX_WORK) throw tooSlow();
      try {
        return clock.run(() => pattern.test(text));
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof PatternError)) throw error;
  switch (error.problem) {
    case 'look_around':
      throw new Failure(
        'invalid_input',
        l10n.t('Look-around is not supported in regular expressions: {0}', error.message),
        'Match the text around it as well, or filter the result yourself. Nothing was changed.',
      );
    case 'back_reference':
      throw new Failure(
        'invalid_input',
        l10n.t('Back-references are not supported in regular expressions: {0}', error.message),
        'Write the repeated part out, or filter the result yourself. Nothing was changed.',
      );
    case 'too_slow':
      throw tooSlow();
    case 'syntax':
      throw new Failure(
        'invalid_input',
        l10n.t('Not a regular expression: {0}', error.message),
        'Pass a regular expression in RE2 syntax, without slashes. Nothing was changed.',
      );
  }
}

function tooSlow(): Failure {
  return new Failure(
    'invalid_input',
    l10n.t('The regular expression takes too long on this text.'),
    'Pass a simpler one, with fewer and shorter repetitions. Nothing was changed.',
  );
}
