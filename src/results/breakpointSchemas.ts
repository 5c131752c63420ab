import { z } from 'zod';

/** One of VS Code's breakpoints. */
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

/** A data or instruction breakpoint. It is not one of VS Code's breakpoints. */
export const addressBreakpoint = z.object({
  id: z.int(),
  kind: z.enum(['data', 'instruction']),
  verified: z.boolean(),
  data_id: z.string().optional(),
  description: z.string().optional(),
  access_type: z.string().optional(),
  instruction_reference: z.string().optional(),
  offset: z.int().optional(),
  bound_to: z.string().optional(),
  condition: z.string().optional(),
  hit_condition: z.string().optional(),
  enabled: z.boolean(),
  owner: z.enum(['agent', 'user']),
  hits: z.int().optional(),
  session_id: z.string().optional(),
  message: z.string().optional(),
  timestamp: z.iso.datetime().optional(),
});
