import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import type { Verdict } from './verdict';

const MISSING_MODULE = /No module named ['"]?([\w.]+)/;
const RUNNERS: ReadonlySet<string> = new Set(['pytest']);

/** Checks the output for a missing test runner. @throws Failure `runner_not_installed` */
export function checkRunnerInstalled({ test }: Verdict, output: readonly string[]): void {
  if (test !== undefined) return;
  const name = output
    .map((line) => MISSING_MODULE.exec(line)?.[1])
    .find((module) => module !== undefined);
  if (name === undefined || !RUNNERS.has(name)) return;
  throw new Failure(
    'runner_not_installed',
    l10n.t('{0} is not installed in the environment that the debugger uses.', name),
    'Let the person choose the interpreter or install it there, or pass another framework.',
    { package: name },
  );
}
