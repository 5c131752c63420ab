import { z } from 'zod';
import { filePathText, resultFields } from '../schemas';

/**
 * The parameters and results that several investigation tools share. Their names are the names in the founding
 * document.
 */
export const sid = z.string().min(1).max(40).describe('From start_session.');

export const command = z
  .string()
  .min(1)
  .max(8000)
  .describe('Command line, as typed into a terminal.');

export const configurationName = z
  .string()
  .min(1)
  .max(500)
  .describe('Debug configuration to run instead of a command.');

export const cwd = filePathText.describe('Working directory; default: the first workspace folder.');

export const env = z
  .record(z.string(), z.string().max(10_000))
  .describe('Environment variables to add; others pass an allow list.');

export const DEFAULT_SECONDS = 60;

export const seconds = z.number().min(1).max(3600);

export const timeoutSec = seconds
  .default(DEFAULT_SECONDS)
  .describe('Ends the run after this number of seconds (1 to 3600); what was captured is kept.');

/** The first field in the result of an error. */
export const errorShape = { isError: z.literal(true).optional() };

export const links = z.record(z.string(), z.string()).optional();

export const candidateChunk = z.object({
  id: z.string(),
  title: z.string(),
  excerpt: z.string(),
  refs: z.array(z.string()).readonly(),
  metadata: z.looseObject({
    type: z.enum(['error_window', 'rapid_sequence', 'function', 'module']),
    startIdx: z.int(),
    endIdx: z.int(),
  }),
});

/** The result fields about a run that verifies a fix. */
export const verdictShape = {
  verdict: z.enum(['fixed', 'still_failing', 'changed', 'inconclusive']).optional(),
  reason: z.string().optional(),
  against: z.string().optional(),
  gone: z.array(z.string()).readonly().optional(),
  remaining: z.array(z.string()).readonly().optional(),
  appeared: z.array(z.string()).readonly().optional(),
};

/** The result fields about a run. */
export const runShape = {
  captureId: z.string().optional(),
  via: z.enum(['terminal', 'child_process', 'debugger', 'browser']).optional(),
  endedBy: z.string().optional(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  events: z.int().optional(),
  errors: z.int().optional(),
  warnings: z.int().optional(),
  dropped: z.int().optional(),
  firstErrors: z.array(z.string()).readonly().optional(),
  output: resultFields.output.optional(),
  note: z.string().optional(),
  links,
};
