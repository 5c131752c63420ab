import { z } from 'zod';
import { breakpointInput } from '../core/requestedBreakpoint';
import { triggerInput } from '../trigger/triggerInput';
import { filePath, filePathText, maxChars, outputPattern, timeoutSeconds } from '../schemas';

/**
 * The parameters of an attach. This schema is part of every agent's context, so its bounds are checked in
 * `attachPlan.ts` instead.
 */
const attachInput = z.strictObject({
  type: z.string().optional().describe('Default: what listens on a port of this machine.'),
  process_id: z.int().optional(),
  host: z.string().optional(),
  port: z.int().optional(),
  path_mappings: z.record(z.string(), z.string()).optional().describe('Remote to local.'),
});

export type AttachInput = z.output<typeof attachInput>;

/** The parameters of `start_debugging`. */
export const startInput = z.strictObject({
  configuration_name: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Name of a configuration or compound from get_debugger_configurations.'),
  no_debug: z
    .boolean()
    .default(false)
    .describe('Run without debugging and wait for the end; breakpoints are not hit.'),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Workspace folder, where several have a configuration of that name.'),
  program: filePath
    .optional()
    .describe(
      'Without a configuration: a file, or a program\'s name such as "pytest", "vitest", "npm".',
    ),
  module: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[\w.]+$/)
    .optional()
    .describe('Without a configuration: a Python module, as in python -m.'),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Debug type for program, such as "node". Default: by its language.'),
  attach: attachInput.optional(),
  args: z
    .array(z.string().max(10_000))
    .max(1000)
    .optional()
    .describe("Arguments; replace a configuration's."),
  cwd: filePath.optional().describe('Working directory.'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe("Environment variables, added to a configuration's."),
  inputs: z
    .record(z.string(), z.string().max(10_000))
    .optional()
    .describe(
      "Values for the configuration's ${input:…} variables by id, and for ${command:…} ones by command.",
    ),
  stop_on_entry: z.boolean().optional().describe('Stop at the first line.'),
  breakpoints: z
    .array(breakpointInput)
    .max(50)
    .optional()
    .describe('Set before the start; each as in set_breakpoint.'),
  output_pattern: outputPattern.describe(
    'Regular expression (RE2); a printed line that matches ends the wait.',
  ),
  replace: z.boolean().optional().describe('First end the session that runs this already.'),
  stdin: z.string().optional().describe('Its standard input, then end of file.'),
  stdin_file: filePathText.optional().describe('Or a file for that.'),
  stdin_open: z.boolean().optional().describe('Keep it open for send_input.'),
  trigger: triggerInput,
  timeout_seconds: timeoutSeconds,
  max_chars: maxChars,
});

export type StartInput = z.output<typeof startInput>;
