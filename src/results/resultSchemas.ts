import { z } from 'zod';
import { field, type FieldRules } from './fields';

/**
 * The fields of results. A field that several tools return is declared here once, with its rules (`fields.ts`). The
 * tools' schemas, the reference, fitting, the prompt and redaction are derived from them.
 */

const omitted = z.record(z.string(), z.union([z.number(), z.string()]));
const textLines = z.array(z.string()).readonly();
const sessionId = field(z.string(), { whole: true, steers: true });
const reason = field(z.string(), { whole: true, steers: true });
const state = field(z.string(), { steers: true });
const parent = field(z.string(), { steers: true }).optional();
const timestamp = field(z.iso.datetime(), { whole: true });
const path = field(z.string(), { whole: true });

const errorFields = {
  code: field(z.string(), { whole: true, steers: true }).optional(),
  message: z.string().optional(),
  hint: field(z.string(), { whole: true }).optional(),
  omitted: omitted.optional(),
};

/** The schema of a result: `status`, the fields of errors, and the tool's own data. */
export function resultSchema<Status extends string, Shape extends z.ZodRawShape>(
  statuses: readonly [Status, ...Status[]],
  shape: Shape,
) {
  return z.looseObject({
    status: field(z.enum([...statuses, 'error', 'interrupted']), { whole: true, steers: true }),
    ...errorFields,
    ...shape,
  });
}

const valuesByName = field(z.record(z.string(), z.string()).readonly(), { byName: true });

export const variable = z.object({
  name: z.string(),
  value: z.string(),
  type: z.string().nullable(),
  variables_reference: z.int().min(0),
  evaluate_name: z.string().optional(),
  memory_reference: z.string().optional(),
  named_variables: z.int().optional(),
  indexed_variables: z.int().optional(),
  /**
   * Set if the value is not read, because that would run code of the program. evaluate_expression reads it after asking
   * the person.
   */
  lazy: z.boolean().optional(),
  /** The fields of an object whose value does not show them. */
  fields: valuesByName.optional(),
  omitted_fields: z.int().optional(),
  /** The variable's scope, set only if a variable of an inner scope hides it. */
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
  file_path: field(z.string(), { whole: true }),
  line_number: z.int(),
  column_number: z.int(),
});

/** A frame of a stack, or several frames that are shown as one. */
export const stackEntry = frame.extend({
  /** The number of frames that this entry represents. */
  folded: z.int().optional(),
  /** The index of the first of these frames in the stack. */
  start_frame: z.int().optional(),
  /** The frame's variables as short texts, if requested. */
  variables: valuesByName.optional(),
  omitted_variables: z.int().optional(),
});

const stack = z.array(stackEntry).readonly();
/** Frames far from the stop are left out first. */
const FRAMES = { priority: 60, far: { near: 4, priority: 20 } };
const LOCALS = { priority: 70 };
const CHANGES = { priority: 80, byName: true } as const;
const PRINTED = { priority: 50 };

/** The first frame in the person's own code, if it is not the innermost frame. */
const ownFrame = frame.extend({
  variables: field(z.array(variable).readonly(), {
    ...LOCALS,
    byName: true,
    shrinks: {
      steps: [{ order: 5, keep: 2 }],
      from: 'start',
      counted: 'own_frame_variables',
      rest: { call: 'get_scopes of own_frame, then get_variables', start: 'start' },
    },
  }),
});

const cause = z.object({ type: z.string(), message: z.string().optional() });

/** The fields of the founding documents' "Stop Event Data", and our own. */
export const stopEventData = z.object({
  timestamp,
  session_id: sessionId,
  stop_id: z.int(),
  reason,
  thread_id: z.int(),
  description: z.string().nullable(),
  text: z.string().nullable(),
  all_threads_stopped: z.boolean().nullable(),
  source: z.object({ path, name: z.string() }).nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  source_lines: field(textLines, { priority: 55 }).optional(),
  /** Set if the file was changed since the session began, so the program may not run these lines. */
  source_changed_since_start: z.literal(true).optional(),
  exception: field(
    z.object({
      type: z.string(),
      message: z.string().optional(),
      inner: z.array(cause).readonly().optional(),
      /** A text which says that the previous stop was at the same exception. */
      again: z.string().optional(),
      own_frame: ownFrame.optional(),
    }),
    { priority: 90 },
  ).optional(),
  /** Why the condition of the breakpoint there could not be evaluated. The debugger stops at each hit then. */
  condition_error: z.string().optional(),
  /** The differences from the previous stop in the same frame. */
  changed: field(
    z
      .array(z.object({ name: z.string(), before: z.string().nullable(), now: z.string() }))
      .readonly(),
    {
      ...CHANGES,
      shrinks: { steps: [{ order: 6, keep: 3 }], from: 'start', counted: 'changed' },
    },
  ).optional(),
  /** Variables that were shown for this frame earlier and no longer exist. */
  gone: textLines.optional(),
  /** Variables with the same text as before whose contents may have changed, with their references. */
  same_text: z.record(z.string(), z.int()).readonly().optional(),
  top_frame_variables: field(
    z.object({
      scope_name: z.string(),
      variables: field(z.array(variable).readonly(), {
        ...LOCALS,
        byName: true,
        shrinks: {
          steps: [{ order: 4, keep: 1 }],
          from: 'start',
          counted: 'variables',
          rest: { call: 'get_scopes, then get_variables', start: 'start' },
        },
      }),
    }),
    LOCALS,
  ).nullable(),
  call_stack: field(stack, {
    ...FRAMES,
    shrinks: {
      steps: [
        { order: 1, keep: 8 },
        { order: 3, keep: 3 },
      ],
      from: 'start',
      counted: 'frames',
      rest: { call: 'get_call_stack', start: 'start_frame' },
    },
  }),
  /** The exit code of a program that is about to end with `SystemExit`. */
  exit_code: z.int().optional(),
  total_frames: z.int().optional(),
  hit_breakpoint_ids: z.array(z.int()).readonly().nullable(),
  /** The hit breakpoints that were requested on another line. */
  moved_breakpoints: z
    .array(z.object({ id: z.int(), asked_line: z.int() }))
    .readonly()
    .optional(),
  /** Messages about requests that the adapter refused or did not answer. */
  unreadable: textLines.optional(),
  output: field(textLines, {
    ...PRINTED,
    shrinks: {
      steps: [{ order: 2, keep: 2 }],
      from: 'end',
      counted: 'output_lines',
      rest: { call: 'get_debug_output' },
    },
  }).optional(),
  omitted: omitted.optional(),
});

/** Chosen exception filters: for a debug type, for one session, or for all other types if neither is set. */
export const chosenFilters = z.object({
  type: z.string().optional(),
  session_id: z.string().optional(),
  filters: z.array(z.string()).readonly(),
  conditions: z.record(z.string(), z.string()).optional(),
  not_offered: z.array(z.string()).readonly().optional(),
});

/** An agent's breakpoint that an ended program did not hit. */
const missedBreakpoint = z.object({
  id: z.int(),
  at: z.string(),
  why: z.enum([
    'not_reached',
    'not_reached_or_condition_false',
    'not_bound',
    'not_printed',
    'unknown',
  ]),
  bound_line: z.int().optional(),
  message: z.string().optional(),
});

/** The location after a step, and the values that the step changed. */
const step = z.object({
  line: z.int().nullable(),
  file: z.string().optional(),
  function_name: z.string().optional(),
  changed: field(z.record(z.string(), z.string()), CHANGES).optional(),
});

export const outputLine = z.object({
  text: z.string(),
  times: z.int().optional(),
  category: z.string().optional(),
  session_id: z.string().optional(),
  variables_reference: z.int().optional(),
});

export const loadedModule = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string().optional(),
  version: z.string().optional(),
  symbols: z.string().optional(),
  symbol_file: z.string().optional(),
  address_range: z.string().optional(),
  optimized: z.boolean().optional(),
  user_code: z.boolean().optional(),
});

export const loadedSource = z.object({
  name: z.string(),
  path: z.string().optional(),
  origin: z.string().optional(),
});

/** The rules for a page of a list. The tool's parameter `start` requests the next page. */
const page = (order: number, counted: string, start = 'start'): FieldRules => ({
  shrinks: { steps: [{ order, keep: 1 }], from: 'start', counted, rest: { start } },
});

/** Fields that several tools return. A name has the same rules in all results. */
export const resultFields = {
  stop_event_data: stopEventData,
  path: field(z.array(step).readonly(), {
    priority: 70,
    shrinks: { steps: [{ order: 7, keep: 3 }], from: 'end', counted: 'steps' },
  }),
  call_stack: field(stack, { ...FRAMES, ...page(8, 'frames', 'start_frame') }),
  variables: field(z.array(variable), { ...LOCALS, byName: true, ...page(9, 'variables') }),
  modules: field(z.array(loadedModule).readonly(), page(10, 'modules')),
  sources: field(z.array(loadedSource).readonly(), page(11, 'sources')),
  lines: field(z.array(outputLine), {
    ...PRINTED,
    shrinks: {
      steps: [{ order: 12, keep: 1 }],
      from: 'end',
      counted: 'lines',
      rest: { call: 'since, max_lines' },
    },
  }),
  output: field(textLines, {
    ...PRINTED,
    shrinks: {
      steps: [{ order: 13, keep: 1 }],
      from: 'end',
      counted: 'output_lines',
      rest: { call: 'get_debug_output' },
    },
  }),
  configuration: field(z.record(z.string(), z.unknown()), { priority: 30 }),
  /** A program's environment, by variable name. */
  env: field(z.record(z.string(), z.string()), { byName: true }),
  members: field(z.array(z.object({ session_id: sessionId, name: z.string(), state })).readonly(), {
    priority: 40,
  }),
};

/** Top-level fields of any result, including errors and log messages. */
export const anyResult = z.object({
  status: field(z.string(), { whole: true, steers: true }),
  code: field(z.string(), { whole: true, steers: true }),
  reason,
  event: field(z.string(), { steers: true }),
  end: field(z.string(), { steers: true }),
  session_id: sessionId,
  timestamp,
  sessions: z.array(z.object({ session_id: sessionId, parent, name: z.string(), state })),
  threads: z.array(z.object({ id: z.int(), name: z.string(), state })),
});

/** What became of a request or command that a call has sent to the program. */
export const triggerResult = z.object({
  state: field(z.enum(['completed', 'pending', 'failed', 'not_sent']), { steers: true }),
  http_status: z.int().optional(),
  headers: valuesByName.optional(),
  body: z.string().optional(),
  exit_code: z.int().optional(),
  output: z.string().optional(),
  duration_ms: z.int().optional(),
  message: z.string().optional(),
});

/** The result schema of all tools that let the program run. */
export const runOutcome = resultSchema(['stopped', 'completed', 'timeout'], {
  stop_event_data: stopEventData.optional(),
  path: resultFields.path.optional(),
  exit_code: z.int().optional(),
  session_id: z.string().optional(),
  output: resultFields.output.optional(),
  configuration: resultFields.configuration.optional(),
  exception_filters: z.array(chosenFilters).readonly().optional(),
  members: resultFields.members.optional(),
  missed_breakpoints: z.array(missedBreakpoint).readonly().optional(),
  trigger: triggerResult.optional(),
});

/** The line that ended a wait. */
export const matched = z.object({ line: z.string(), cursor: z.int() }).optional();

/** The result of a tool that lets the program run. */
export type RunResult = z.input<typeof runOutcome>;
