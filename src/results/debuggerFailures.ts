import * as l10n from '@vscode/l10n';
import { DebuggerError, type Problem, type ReferenceKind } from '../debugger/debuggerError';
import { Failure } from './failure';
import { threadList } from './views/threads';
import { defined } from '../util/defined';

/**
 * The failure that a caller receives: a tool's own failure, or the failure for an error of the debugger. Undefined for
 * any other error.
 */
export function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  return error instanceof DebuggerError ? failureOf(error.problem) : undefined;
}

/** The parameters in which callers pass references. */
const PARAMETER: Readonly<Record<ReferenceKind, string>> = {
  frame: 'frame_id',
  variables: 'variables_reference',
};

function failureOf(problem: Problem): Failure {
  switch (problem.kind) {
    case 'adapterRefused':
      return adapterRefused(problem);
    case 'adapterTimeout':
      return adapterTimeout(problem);
    case 'sessionEnded':
      return sessionEnded(problem);
    case 'notStopped':
      return notStopped(problem);
    case 'threadNotFound':
      return threadNotFound(problem);
    case 'staleReference':
    case 'unknownReference':
      return referenceFailure(problem);
    case 'lazyValue':
      return lazyValue(problem);
    case 'placeTaken':
      return placeTaken(problem);
    case 'resumedMeanwhile':
    case 'busy':
    case 'notEnded':
      return controlFailure(problem);
  }
}

type ProblemOf<Kind extends Problem['kind']> = Extract<Problem, { kind: Kind }>;

function adapterRefused({ session, command, message }: ProblemOf<'adapterRefused'>): Failure {
  return new Failure(
    'adapter_error',
    l10n.t(
      'The debug adapter “{0}” refused the request “{1}”: {2}',
      session.type,
      command,
      message,
    ),
    'Change the request, or call get_debug_state to see where the program is.',
  );
}

function sessionEnded({ session, command }: ProblemOf<'sessionEnded'>): Failure {
  return new Failure(
    'session_ended',
    l10n.t(
      'The debug session “{0}” ended before it answered the request “{1}”.',
      session.name,
      command,
    ),
    'Call get_debug_state.',
  );
}

function notStopped({ session, threadId }: ProblemOf<'notStopped'>): Failure {
  return new Failure(
    'not_stopped',
    l10n.t('Thread {0} of the session {1} is running, not stopped.', threadId, session.id),
    'Call wait_for_stop to wait for it, or pause_debugging to stop it.',
  );
}

function placeTaken({ breakpointId }: ProblemOf<'placeTaken'>): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The line has a conditional or disabled breakpoint, so the program cannot run to it.'),
    'Run to a line before or after it, or remove that breakpoint.',
    { breakpoint_id: breakpointId },
  );
}

function adapterTimeout({
  session,
  command,
  seconds,
  isEvaluating,
}: ProblemOf<'adapterTimeout'>): Failure {
  return new Failure(
    'adapter_timeout',
    l10n.t(
      'The debug adapter “{0}” did not answer the request “{1}” within {2} seconds.',
      session.type,
      command,
      seconds,
    ),
    hintAfterTimeout(command, isEvaluating),
  );
}

function hintAfterTimeout(command: string, isEvaluating: boolean): string {
  if (isEvaluating)
    return 'An evaluated expression has not returned: it may still run, and the debugger may not respond until it ends. Wait for it, or call stop_debugging.';
  if (command === 'variables')
    return 'It may still be making the text of a value, such as a __repr__ that takes long, and answer nothing until that is done. Wait, then request fewer (start, count), or call stop_debugging.';
  return 'Call get_debug_state. If the adapter does not respond, call stop_debugging.';
}

function threadNotFound({ session, threadId }: ProblemOf<'threadNotFound'>): Failure {
  const { shown, omitted } = threadList(session);
  return new Failure(
    'thread_not_found',
    l10n.t('The session {0} has no thread {1}.', session.id, threadId),
    'Take thread_id from stop_event_data or get_debug_state.',
    {
      session_id: session.id,
      threads: shown,
      ...defined({ omitted: omitted > 0 ? { threads: omitted } : undefined }),
    },
  );
}

function referenceFailure({
  kind,
  reference,
  number,
}: ProblemOf<'staleReference' | 'unknownReference'>): Failure {
  const parameter = PARAMETER[reference];
  if (kind === 'staleReference')
    return new Failure(
      'stale_reference',
      l10n.t(
        '{0} {1} belongs to an earlier stop. The program has resumed since.',
        parameter,
        number,
      ),
      'Call get_debug_state, then get_call_stack for frame ids of the current stop.',
    );
  return new Failure(
    'unknown_reference',
    l10n.t('There is no {0} {1}.', parameter, number),
    reference === 'frame'
      ? 'Take frame_id from call_stack of the last stop, or call get_call_stack.'
      : 'Take variables_reference from get_scopes, get_variables or evaluate_expression.',
  );
}

function lazyValue({ expression, frame }: ProblemOf<'lazyValue'>): Failure {
  const how = [
    ...(expression === undefined ? [] : [`expression=${JSON.stringify(expression)}`]),
    ...(frame === undefined ? [] : [`frame_id=${frame}`]),
  ].join(' ');
  return new Failure(
    'lazy_value',
    l10n.t(
      'This value has not been read, because reading it would run code of the program (a getter).',
    ),
    `evaluate_expression ${how} reads it; the person is asked first.`,
  );
}

function controlFailure(problem: ProblemOf<'resumedMeanwhile' | 'busy' | 'notEnded'>): Failure {
  const { id } = problem.session;
  switch (problem.kind) {
    case 'resumedMeanwhile':
      return new Failure(
        'moved_meanwhile',
        l10n.t('Another call has just resumed the program from this stop.'),
        'Nothing was done. Call wait_for_stop for the next stop, and continue from there.',
        { session_id: id },
      );
    case 'busy':
      return new Failure(
        'session_busy',
        l10n.t('The session {0} is in use by another call: {1}.', id, problem.holder),
        'Nothing was done. Wait for that call to end, or cancel it, then call again.',
        { session_id: id, held_by: problem.holder },
      );
    case 'notEnded':
      return new Failure(
        'not_ended',
        l10n.t(
          'The debug session {0} was asked to end and has not ended yet; nothing was started.',
          id,
        ),
        'Call stop_debugging with its session_id, then start_debugging again.',
        { session_id: id },
      );
  }
}
