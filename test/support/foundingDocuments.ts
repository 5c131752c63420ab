import { z } from 'zod';

/** The structures of the founding documents (seeds 000 and 001), written from them and not from our own schemas. */
const utc = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

const variable = z.looseObject({
  name: z.string(),
  value: z.string(),
  type: z.string().nullish(),
  variables_reference: z.int().min(0),
});

const breakpoint = z.looseObject({
  id: z.int(),
  verified: z.boolean(),
  source: z.looseObject({ path: z.string() }),
  line: z.int().min(1),
  column: z.int().optional(),
  condition: z.string().optional(),
  hit_condition: z.string().optional(),
  log_message: z.string().optional(),
  message: z.string().optional(),
});

/** The founding documents have only line breakpoints. A function breakpoint (`tools.md`) has neither file nor line. */
const functionBreakpoint = breakpoint.omit({ source: true, line: true }).extend({
  function_name: z.string().min(1),
  source: z.never().optional(),
  line: z.never().optional(),
});

const stopEventData = z.looseObject({
  timestamp: utc,
  reason: z.string(),
  thread_id: z.int(),
  description: z.string().nullable(),
  text: z.string().nullable(),
  all_threads_stopped: z.boolean().nullable(),
  source: z.looseObject({ path: z.string(), name: z.string() }).nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  call_stack: z.array(
    z.looseObject({
      frame_id: z.int(),
      function_name: z.string(),
      file_path: z.string(),
      line_number: z.int(),
      column_number: z.int(),
    }),
  ),
  top_frame_variables: z
    .looseObject({ scope_name: z.string(), variables: z.array(variable) })
    .nullable(),
  hit_breakpoint_ids: z.array(z.int()).nullable(),
  session_id: z.string(),
});

const failure = z.looseObject({ status: z.literal('error'), message: z.string().min(1) });
const success = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.looseObject({ status: z.literal('success'), ...shape }), failure]);
const answerText = (status: string) =>
  z.looseObject({ status: z.literal(status), message: z.string().min(1) });
const waiting = z.union([
  z.looseObject({ status: z.literal('stopped'), stop_event_data: stopEventData }),
  answerText('completed'),
  failure,
  answerText('timeout'),
  answerText('interrupted'),
]);

export const FOUNDING: Readonly<Record<string, z.ZodType>> = {
  get_debugger_configurations: success({
    configurations: z.array(
      z.looseObject({ name: z.string(), type: z.string(), request: z.string() }),
    ),
  }),
  set_breakpoint: success({
    breakpoint: z.union([
      breakpoint.extend({ timestamp: utc }),
      functionBreakpoint.extend({ timestamp: utc }),
    ]),
  }),
  remove_breakpoint: success({ message: z.string().optional() }),
  get_breakpoints: success({
    timestamp: utc,
    breakpoints: z.array(
      z.union([
        breakpoint.extend({ timestamp: z.never().optional() }),
        functionBreakpoint.extend({ timestamp: z.never().optional() }),
      ]),
    ),
  }),
  start_debugging: waiting,
  continue_debugging: waiting,
  step_execution: waiting,
  get_scopes: success({
    scopes: z.array(
      z.looseObject({
        name: z.string(),
        variables_reference: z.int().min(0),
        expensive: z.boolean(),
        named_variables: z.int().optional(),
        indexed_variables: z.int().optional(),
      }),
    ),
  }),
  get_variables: success({ variables: z.array(variable) }),
  evaluate_expression: success({
    result: z.string(),
    type: z.string().optional(),
    variables_reference: z.int().min(0),
  }),
  stop_debugging: success({ message: z.string() }),
};
