import * as l10n from '@vscode/l10n';
import { inputWait, localProcessOf, type InputWait } from '../../debugger/output/standardInput';
import type { SessionState } from '../../debugger/state/state';

/** Matches Python's error if `input()` finds no input. */
const END_OF_INPUT = /^(?:builtins\.)?EOFError\b/;

/** Returns whether and how the programs of a session tree wait for standard input, as far as this can be determined. */
export async function inputWaitOf(
  members: readonly SessionState[],
): Promise<InputWait | undefined> {
  const pids = members.flatMap((session) =>
    session.lifecycle === 'running' ? (localProcessOf(session) ?? []) : [],
  );
  const waits = await Promise.all(pids.map((pid) => inputWait(pid)));
  return waits.find((wait) => wait === 'blocked') ?? waits.find((wait) => wait !== undefined);
}

/** Returns the message and the hint for a wait that timed out while the program waits for input. */
export function aboutInputWait(
  wait: InputWait,
  members: readonly SessionState[],
  isOpen: boolean,
): { readonly message: string; readonly hint: string } {
  const message =
    wait === 'blocked'
      ? l10n.t('The wait timed out: the program is waiting for input on its standard input.')
      : l10n.t(
          'The wait timed out: the program reads its standard input, and may be waiting for input.',
        );
  const isInTerminal = members.some((session) => session.terminal !== 'none');
  if (isOpen) return { message, hint: 'Call send_input (set live).' };
  return {
    message,
    hint: isInTerminal
      ? 'Ask the person to type into its terminal, then call wait_for_stop.'
      : HOW_TO_PASS_INPUT,
  };
}

/** Returns a hint for a program that asked for input when there was none. Returns undefined for other errors. */
export function aboutMissingInput(
  error: string | undefined,
  session: SessionState,
): string | undefined {
  return error !== undefined && END_OF_INPUT.test(error) && session.terminal === 'none'
    ? HOW_TO_PASS_INPUT
    : undefined;
}

const HOW_TO_PASS_INPUT =
  'Start it with stdin, stdin_file or stdin_open. Nothing can be typed in the debug console. In a configuration set "console": "integratedTerminal" (lldb-dap: "runInTerminal": true): the person types there, or for Node and Python "args": "< input.txt" (one string) reads a file.';
