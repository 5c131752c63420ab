/**
 * A failure that a caller is told about: a stable code, what happened in the display language, and what to do next.
 * Every error of a tool is one of these; anything else that is thrown is a bug and is reported as `internal_error`.
 */
export class Failure extends Error {
  constructor(
    /** Stable, English, snake_case. */
    readonly code: FailureCode,
    message: string,
    /** English: what to call or change next. */
    readonly hint: string,
    /** Further facts for the result, such as the candidates to choose from. */
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Failure';
  }
}

export type FailureCode =
  | 'adapter_error'
  | 'adapter_timeout'
  | 'ambiguous_configuration'
  | 'ambiguous_session'
  | 'ambiguous_thread'
  | 'breakpoint_not_found'
  | 'call_timeout'
  | 'configuration_not_found'
  | 'debugger_not_installed'
  | 'declined_by_person'
  | 'file_not_found'
  | 'file_not_text'
  | 'file_outside_workspace'
  | 'input_needed'
  | 'internal_error'
  | 'invalid_input'
  | 'launch_failed'
  | 'launch_file_invalid'
  | 'lazy_value'
  | 'line_out_of_range'
  | 'line_not_found'
  | 'moved_meanwhile'
  | 'no_configurations'
  | 'no_folder'
  | 'no_session'
  | 'not_confirmed_yet'
  | 'not_ended'
  | 'not_running'
  | 'not_stopped'
  | 'not_supported'
  | 'person_took_over'
  | 'program_not_found'
  | 'redaction_failed'
  | 'session_busy'
  | 'session_ended'
  | 'session_not_found'
  | 'stale_reference'
  | 'start_cancelled'
  | 'task_failed'
  | 'thread_not_found'
  | 'too_many_calls'
  | 'unknown_reference'
  | 'workspace_not_trusted'
  | 'wrong_session';
