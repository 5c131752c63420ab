import { z } from 'zod';

/** The parameters that several tools share. */
export const sessionId = z
  .string()
  .min(1)
  .max(40)
  .optional()
  .describe('Session, such as "s1". Default: the one that is stopped.');
/** Thread ids may be any integer, including negative ones. */
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
/** The limits for the size of a result, in characters of JSON. */
export const MIN_BUDGET = 1000;
export const MAX_BUDGET = 100_000;
export const maxChars = z
  .int()
  .min(MIN_BUDGET)
  .max(MAX_BUDGET)
  .optional()
  .describe('Maximum characters of the result; default 7500.');
export const lineNumber = z.int().min(1).max(10_000_000);

/** The fields and schemas that the results of several tools share. */
export {
  resultSchema,
  variable,
  frame,
  stackEntry,
  stopEventData,
  chosenFilters,
  resultFields,
  runOutcome,
  matched,
  triggerResult,
  type RunResult,
} from '../results/resultSchemas';
export { addressBreakpoint, breakpoint } from '../results/breakpointSchemas';
