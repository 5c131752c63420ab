import * as l10n from '@vscode/l10n';
import { hasExited } from '../../debugger/state/sessionEnd';
import { isFailure, treeOf, type SessionEnd, type SessionState } from '../../debugger/state/state';
import type { ReportedOutput } from '../../results/views/reportedOutput';
import { defined } from '../../util/defined';
import type { Call, ToolServices } from '../services';
import { withMissed } from './missed';
import type { RunResult } from '../schemas';
import { aboutMissingInput } from './inputWait';
import { aboutUnseenOutput } from './unseenOutput';

/**
 * Reports a session tree that has ended. If the program ended by itself, the report includes missed breakpoints. For a
 * program in a terminal, the shell reports the exit code a little later.
 */
export async function reportEnd(
  services: ToolServices,
  call: Call,
  rootKey: string,
): Promise<RunResult> {
  await services.control.exitReported(rootKey, call.signal);
  const ended = endResult(services, rootKey);
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined || root.endRequested || ended.status !== 'completed') return ended;
  return await withMissed(services, ended, treeOf(services.model.state, root));
}

export function endResult(services: ToolServices, rootKey: string): RunResult {
  const root = services.model.state.sessions.get(rootKey);
  if (root === undefined)
    return {
      status: 'completed',
      message: l10n.t('The debug session has ended. The exit code of the program is unknown.'),
    };
  const members = treeOf(services.model.state, root);
  const exitCode = exitCodeOf(members);
  const failed = members.find((session) => isFailure(session.end))?.end;
  const tail = tailOf(services.stops.output.takeUnreported(members));
  if (failed !== undefined) return { ...failureResult(root, failed), session_id: root.id, ...tail };
  const signal = members.find((session) => session.exitSignal !== undefined)?.exitSignal;
  const hint = root.endRequested ? undefined : aboutEnd(services, root, members, tail.output ?? []);
  return defined({
    status: 'completed',
    message: endOf(root, exitCode, signal),
    hint,
    session_id: root.id,
    exit_code: exitCode,
    ...tail,
  });
}

function exitCodeOf(members: readonly SessionState[]): number | undefined {
  return members.find((session) => session.exitCode !== undefined)?.exitCode;
}

/** Returns the error for a session that did not end normally. */
function failureResult(root: SessionState, { reason, message }: SessionEnd): RunResult {
  const cause = message ?? l10n.t('no reason given');
  if (reason === 'programLost')
    return {
      status: 'error',
      code: 'adapter_error',
      message: l10n.t(
        'The debugger “{0}” has lost the program, which may still run: {1}',
        root.type,
        cause,
      ),
      hint: 'The session has ended. Check whether the program still runs before you call start_debugging again.',
    };
  if (reason === 'adapterGone')
    return {
      status: 'error',
      code: 'adapter_error',
      message: l10n.t('The debug adapter “{0}” is gone: {1}', root.type, cause),
      hint: 'The session has ended. Call get_debug_output for its last output, then start_debugging.',
    };
  return {
    status: 'error',
    code: 'launch_failed',
    message: l10n.t('“{0}” could not be started: {1}', root.name, cause),
    hint: 'Fix the cause, or change the configuration, then call start_debugging again.',
  };
}

/** Returns a hint if a program failed, or if its exit code is unknown. */
function aboutEnd(
  { model }: ToolServices,
  root: SessionState,
  members: readonly SessionState[],
  output: readonly string[],
): string | undefined {
  if (!members.some(hasExited)) return aboutUnknownExit(root, members);
  const exitCode = exitCodeOf(members);
  if (exitCode === 0) return undefined;
  return (
    aboutMissingInput(
      output.findLast((line) => aboutMissingInput(line, root) !== undefined),
      root,
    ) ?? aboutUnseenOutput(model, root, members, exitCode)
  );
}

/**
 * Returns the message about the end of a session. Without an exit code, it is unknown whether the program succeeded.
 */
function endOf(
  root: SessionState,
  exitCode: number | undefined,
  signal: string | undefined,
): string {
  // Only the root counts, because a detach from a child does not end the program that started it.
  if (root.endRequested) {
    return root.configuration['request'] === 'attach'
      ? l10n.t(
          'The person or stop_debugging ended the debug session. The program that it was attached to may still run.',
        )
      : l10n.t(
          'The person or stop_debugging ended the debug session. The program did not end by itself.',
        );
  }
  if (exitCode === 0) return l10n.t('The debug session ended normally.');
  if (exitCode !== undefined) return l10n.t('The program ended with exit code {0}.', exitCode);
  if (signal !== undefined) return l10n.t('The program was ended by signal {0}.', signal);
  return l10n.t('The debug session has ended. The exit code of the program is unknown.');
}

/** Returns a hint about the place that shows how a program ended. */
function aboutUnknownExit(
  { configuration }: SessionState,
  members: readonly SessionState[],
): string {
  if (configuration['request'] === 'attach')
    return 'A debugger reports the exit code only of programs that it starts. Check where this one was started.';
  if (configuration['console'] === 'externalTerminal')
    return 'Its terminal may show how it ended. With "console": "integratedTerminal" in the configuration the exit code is reported.';
  if (members.some((session) => session.terminal !== 'none'))
    return 'Its terminal in VS Code may show how it ended; VS Code reports exit codes of shells with shell integration only.';
  return 'This debugger does not report it: check what the program printed. With "console": "integratedTerminal" in the configuration, if the debugger supports it, VS Code reports the exit code.';
}

/** Returns output as the fields of a result. */
export function tailOf({ lines, omitted }: ReportedOutput): Pick<RunResult, 'output' | 'omitted'> {
  return defined({
    output: lines.length > 0 ? lines : undefined,
    omitted:
      omitted > 0 ? { output_lines: omitted, fetch_output_lines: 'get_debug_output' } : undefined,
  });
}
