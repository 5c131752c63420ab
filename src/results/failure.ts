/**
 * An error that a caller receives: a stable code, a message in the display language, and a hint about what to do next.
 * Every expected error of a tool is a `Failure`. Anything else that is thrown is a bug and is reported as
 * `internal_error`.
 */
export class Failure extends Error {
  constructor(
    /** The stable error code, in English and in snake_case. */
    readonly code: FailureCode,
    message: string,
    /** The hint: the next call or change, in English. */
    readonly hint: string,
    /** More data for the result, such as candidates. */
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
  | 'ambiguous_function'
  | 'ambiguous_session'
  | 'ambiguous_target'
  | 'ambiguous_test'
  | 'ambiguous_thread'
  | 'breakpoint_not_found'
  | 'call_timeout'
  | 'configuration_not_found'
  | 'debugger_not_installed'
  | 'declined_by_person'
  | 'file_not_found'
  | 'file_not_text'
  | 'file_outside_workspace'
  | 'framework_not_found'
  | 'function_not_found'
  | 'input_closed'
  | 'input_full'
  | 'input_needed'
  | 'input_not_open'
  | 'internal_error'
  | 'investigation_not_found'
  | 'invalid_input'
  | 'launch_failed'
  | 'launch_file_invalid'
  | 'lazy_value'
  | 'line_out_of_range'
  | 'line_not_found'
  | 'trigger_pending'
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
  | 'process_not_found'
  | 'process_not_permitted'
  | 'program_not_found'
  | 'reasoner_failed'
  | 'redaction_failed'
  | 'runner_not_installed'
  | 'build_failed'
  | 'session_busy'
  | 'session_ended'
  | 'session_not_found'
  | 'stale_reference'
  | 'start_cancelled'
  | 'task_failed'
  | 'test_not_found'
  | 'thread_not_found'
  | 'too_many_calls'
  | 'tool_not_found'
  | 'unknown_reference'
  | 'variable_not_found'
  | 'workspace_not_trusted'
  | 'wrong_session';
