import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { Failure } from '../results/failure';

/** The maximum number of faults of an input that are listed. */
const MAX_FAULTS = 5;
const MAX_OF_A_FAULT = 300;
const MAX_OF_A_KEY = 60;

/** Returns the error for an invalid input. It names each invalid parameter and the expected value. */
export function invalidInput(
  tool: string,
  issues: readonly z.core.$ZodIssue[],
  parameters: readonly string[],
): Failure {
  const faults = issues.slice(0, MAX_FAULTS).map(describeIssue).join('; ');
  return new Failure(
    'invalid_input',
    l10n.t('Invalid input for {0}: {1}', tool, faults),
    `Parameters: ${parameters.join(', ') || 'none'}. Nothing was changed.`,
  );
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${placeOf(issue)}: ${issue.message}`.slice(0, MAX_OF_A_FAULT);
}

function placeOf(issue: z.core.$ZodIssue): string {
  if (issue.path.length > 0) return issue.path.map(String).join('.');
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => key.slice(0, MAX_OF_A_KEY)).join(', ')
    : 'input';
}
