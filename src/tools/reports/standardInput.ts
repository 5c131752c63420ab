import * as l10n from '@vscode/l10n';
import { inputWait, localProcessOf, type InputWait } from '../../debugger/output/standardInput';
import type { SessionState } from '../../debugger/state/state';

/** Python's error where `input()` finds no input. */
const END_OF_INPUT = /^(?:builtins\.)?EOFError\b/;

/** What the programs of a session's tree do with their standard input, as far as that can be known. */
export async function inputWaitOf(
  members: readonly SessionState[],
): Promise<InputWait | undefined> {
  const pids = members.flatMap((session) =>
    session.lifecycle === 'running' ? (localProcessOf(session) ?? []) : [],
  );
  const waits = await Promise.all(pids.map((pid) => inputWait(pid)));
  return waits.find((wait) => wait === 'blocked') ?? waits.find((wait) => wait !== undefined);
}

/** What a wait that timed out says of such a program, and what to do. */
export function aboutInputWait(
  wait: InputWait,
  members: readonly SessionState[],
): { readonly message: string; readonly hint: string } {
  const message =
    wait === 'blocked'
      ? l10n.t('The wait timed out: the program is waiting for its standard input.')
      : l10n.t(
          'The wait timed out: the program listens to its standard input, and may be waiting for it.',
        );
  const isInTerminal = members.some((session) => session.terminal !== 'none');
  return {
    message,
    hint: isInTerminal
      ? 'Ask the person to type into its terminal, then call wait_for_stop.'
      : HOW_TO_PASS_INPUT,
  };
}

/** What to do about a program that asked for input where there is none; undefined for any other error. */
export function aboutMissingInput(
  error: string | undefined,
  session: SessionState,
): string | undefined {
  return error !== undefined && END_OF_INPUT.test(error) && session.terminal === 'none'
    ? HOW_TO_PASS_INPUT
    : undefined;
}

const HOW_TO_PASS_INPUT =
  'Nothing can be typed in the debug console. In a configuration set "console": "integratedTerminal" (lldb-dap: "runInTerminal": true): the person types there, or for Node and Python "args": "< input.txt" (one string) reads a file.';
