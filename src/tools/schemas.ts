import { z } from 'zod';

/** Parameters that several tools share. */
export const sessionId = z
  .string()
  .min(1)
  .max(40)
  .optional()
  .describe('Session, such as "s1". Default: the one that is stopped.');
/** Adapters may number threads as they like, also below 0. */
export const threadId = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
export const stoppedThreadId = threadId.optional().describe('Default: the thread that stopped.');
export const frameId = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .optional()
  .describe('From call_stack of this stop; default: its first frame.');
export const variablesReference = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('From get_scopes, a stop, get_variables or evaluate_expression; greater than 0.');
export const timeoutSeconds = z
  .number()
  .min(1)
  .max(300)
  .default(30)
  .describe(
    'Longest wait in seconds, 1 to 300 (45 through MCP). Only the wait ends, not the program.',
  );
export const filePathText = z.string().min(1).max(4096);
export const filePath = filePathText.describe('Absolute, or relative to a workspace folder.');
export const outputPattern = z.string().min(1).max(500).optional();
/** A result's size in characters of JSON. */
export const LEAST_BUDGET = 1000;
export const MOST_BUDGET = 100_000;
export const maxChars = z
  .int()
  .min(LEAST_BUDGET)
  .max(MOST_BUDGET)
  .optional()
  .describe('Most characters of the answer; default 7500.');
export const lineNumber = z.int().min(1).max(10_000_000);

const errorFields = {
  code: z.string().optional(),
  message: z.string().optional(),
  hint: z.string().optional(),
  omitted: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
};

/** The schema of a result: `status`, what errors hold, and the tool's own data. */
export function resultSchema<Status extends string, Shape extends z.ZodRawShape>(
  statuses: readonly [Status, ...Status[]],
  shape: Shape,
) {
  return z.looseObject({
    status: z.enum([...statuses, 'error', 'interrupted']),
    ...errorFields,
    ...shape,
  });
}

export const variable = z.object({
  name: z.string(),
  value: z.string(),
  type: z.string().nullable(),
  variables_reference: z.int().min(0),
  evaluate_name: z.string().optional(),
  memory_reference: z.string().optional(),
  named_variables: z.int().optional(),
  indexed_variables: z.int().optional(),
  lazy: z.boolean().optional(),
  fields: z.record(z.string(), z.string()).readonly().optional(),
  omitted_fields: z.int().optional(),
  scope: z.string().optional(),
  omitted_children: z.int().optional(),
  unreadable: z.string().optional(),
  get children() {
    return z.array(variable).readonly().optional();
  },
});

export const frame = z.object({
  frame_id: z.int(),
  function_name: z.string(),
  file_path: z.string(),
  line_number: z.int(),
  column_number: z.int(),
});

/** A frame of a stack, or several that are shown as one. */
export const stackEntry = frame.extend({
  folded: z.int().optional(),
  start_frame: z.int().optional(),
  variables: z.record(z.string(), z.string()).readonly().optional(),
  omitted_variables: z.int().optional(),
});

export const stopEventData = z.object({
  timestamp: z.iso.datetime(),
  session_id: z.string(),
  stop_id: z.int(),
  reason: z.string(),
  thread_id: z.int(),
  description: z.string().nullable(),
  text: z.string().nullable(),
  all_threads_stopped: z.boolean().nullable(),
  source: z.object({ path: z.string(), name: z.string() }).nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  source_lines: z.array(z.string()).readonly().optional(),
  source_changed_since_start: z.literal(true).optional(),
  exception: z
    .object({
      type: z.string(),
      message: z.string().optional(),
      inner: z
        .array(z.object({ type: z.string(), message: z.string().optional() }))
        .readonly()
        .optional(),
      again: z.string().optional(),
      own_frame: frame.extend({ variables: z.array(variable).readonly() }).optional(),
    })
    .optional(),
  changed: z
    .array(z.object({ name: z.string(), before: z.string().nullable(), now: z.string() }))
    .readonly()
    .optional(),
  gone: z.array(z.string()).readonly().optional(),
  same_text: z.record(z.string(), z.int()).readonly().optional(),
  top_frame_variables: z
    .object({ scope_name: z.string(), variables: z.array(variable).readonly() })
    .nullable(),
  call_stack: z.array(stackEntry).readonly(),
  exit_code: z.int().optional(),
  total_frames: z.int().optional(),
  hit_breakpoint_ids: z.array(z.int()).readonly().nullable(),
  moved_breakpoints: z
    .array(z.object({ id: z.int(), asked_line: z.int() }))
    .readonly()
    .optional(),
  unreadable: z.array(z.string()).readonly().optional(),
  output: z.array(z.string()).readonly().optional(),
  omitted: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});

/** Exception filters that were chosen: for a debug type, for one session, or, with neither, for all other types. */
export const chosenFilters = z.object({
  type: z.string().optional(),
  session_id: z.string().optional(),
  filters: z.array(z.string()).readonly(),
  conditions: z.record(z.string(), z.string()).optional(),
  not_offered: z.array(z.string()).readonly().optional(),
});

/** A breakpoint of an agent's that a program which has ended did not hit. */
const missedBreakpoint = z.object({
  id: z.int(),
  at: z.string(),
  why: z.enum(['not_reached', 'not_reached_or_condition_false', 'not_bound', 'not_printed']),
  bound_line: z.int().optional(),
  message: z.string().optional(),
});

/** What every tool that lets the program run answers with. */
export const runOutcome = resultSchema(['stopped', 'completed', 'timeout'], {
  stop_event_data: stopEventData.optional(),
  path: z
    .array(
      z.object({
        line: z.int().nullable(),
        file: z.string().optional(),
        function_name: z.string().optional(),
        changed: z.record(z.string(), z.string()).optional(),
      }),
    )
    .readonly()
    .optional(),
  exit_code: z.int().optional(),
  session_id: z.string().optional(),
  output: z.array(z.string()).readonly().optional(),
  configuration: z.record(z.string(), z.unknown()).optional(),
  exception_filters: z.array(chosenFilters).readonly().optional(),
  members: z
    .array(z.object({ session_id: z.string(), name: z.string(), state: z.string() }))
    .readonly()
    .optional(),
  missed_breakpoints: z.array(missedBreakpoint).readonly().optional(),
});

/** The line that ended a wait. */
export const matched = z.object({ line: z.string(), cursor: z.int() }).optional();

export const breakpoint = z.object({
  id: z.int(),
  verified: z.boolean(),
  source: z.object({ path: z.string() }).optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  function_name: z.string().optional(),
  condition: z.string().optional(),
  hit_condition: z.string().optional(),
  log_message: z.string().optional(),
  enabled: z.boolean(),
  owner: z.enum(['agent', 'user']),
  line_content: z.string().optional(),
  line_text: z.string().optional(),
  hits: z.int().optional(),
  bound: z
    .array(
      z.object({
        session_id: z.string(),
        verified: z.boolean(),
        line: z.int().optional(),
        reason: z
          .enum(['not_loaded', 'no_code', 'column', 'other_language', 'source_map', 'unknown'])
          .optional(),
        message: z.string().optional(),
        nearest_lines: z.array(z.int()).readonly().optional(),
        nearest_columns: z.array(z.int()).readonly().optional(),
      }),
    )
    .readonly()
    .optional(),
  message: z.string().optional(),
  timestamp: z.iso.datetime().optional(),
});

/** What a tool that runs the program answers. */
export type RunResult = z.input<typeof runOutcome>;
