import { z } from 'zod';
import { isInside } from './paths';

/**
 * A file of the investigation. It is checked, because the record may be in the workspace, where others write as well.
 */
const file = z.string().refine(isInside);

/** The record of a captured run. */
export const captureRecord = z.object({
  id: z.string(),
  kind: z.enum(['capture', 'verify']),
  mode: z.enum(['cli', 'web']),
  /** The command line, the configuration's name or the page's address. */
  what: z.string(),
  /** The kind of run: a command, a debug configuration or a page. */
  source: z.enum(['command', 'configuration', 'page']),
  via: z.enum(['terminal', 'child_process', 'debugger', 'browser']).optional(),
  cwd: z.string().optional(),
  /** The names of the variables that were added to the environment. Their values are not stored. */
  envNames: z.array(z.string()).default([]),
  webRoot: z.string().optional(),
  timeoutSec: z.number().optional(),
  /** The capture that a verification is compared with. */
  against: z.string().optional(),
  /** Whether the person was shown that this run stands for the run of `against`. */
  standsForCapture: z.boolean().optional(),
  file,
  /** The files of further streams of the same run. */
  files: z.array(file).default([]),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  endedBy: z.enum(['exit', 'signal', 'timeout', 'stopped', 'failed', 'window_closed']).optional(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  events: z.int().default(0),
  errors: z.int().default(0),
  warnings: z.int().default(0),
  bytes: z.int().default(0),
  dropped: z.int().default(0),
  note: z.string().optional(),
});
export type CaptureRecord = z.output<typeof captureRecord>;

export const chunkRecord = z.object({
  id: z.string(),
  title: z.string(),
  excerpt: z.string(),
  refs: z.array(z.string()),
  metadata: z.looseObject({
    type: z.enum(['error_window', 'rapid_sequence', 'function', 'module']),
    startIdx: z.int(),
    endIdx: z.int(),
  }),
});

const clarification = z.object({
  at: z.string(),
  selectedIds: z.array(z.string()),
  notes: z.string().optional(),
  /** The ranges of the chosen chunks, because a later analysis may no longer have them. */
  ranges: z.array(z.object({ id: z.string(), startIdx: z.int(), endIdx: z.int() })).default([]),
  by: z.enum(['agent', 'person']),
});

const evidence = z.object({
  id: z.string(),
  at: z.string(),
  tool: z.string(),
  title: z.string(),
  file,
});

const verification = z.object({
  id: z.string(),
  at: z.string(),
  capture: z.string(),
  against: z.string(),
  verdict: z.enum(['fixed', 'still_failing', 'changed', 'inconclusive']),
  file,
});

const failure = z.object({
  at: z.string(),
  tool: z.string(),
  isError: z.literal(true),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
});

const auditLine = z.object({
  at: z.string(),
  to: z.string(),
  task: z.string(),
  characters: z.int(),
  redacted: z.boolean(),
  outcome: z.enum(['sent', 'answered', 'failed']),
});

/** `meta.json`: all data about an investigation except its files. */
export const record = z.object({
  version: z.literal(1),
  sid: z.string(),
  title: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().optional(),
  hook: z.string().optional(),
  captures: z.array(captureRecord).default([]),
  analysis: z
    .object({ at: z.string(), capture: z.string(), file, chunks: z.array(chunkRecord) })
    .optional(),
  /** The chunks of earlier analyses, oldest first, because their ids stay valid. */
  earlierChunks: z.array(chunkRecord).default([]),
  clarifications: z.array(clarification).default([]),
  reasoning: z.array(z.object({ at: z.string(), by: z.string(), file })).default([]),
  verifications: z.array(verification).default([]),
  evidence: z.array(evidence).default([]),
  errors: z.array(failure).default([]),
  audit: z.array(auditLine).default([]),
});

/** All chunks whose ids are valid: those of the last analysis first. */
export function chunksIn({
  analysis,
  earlierChunks,
}: Pick<InvestigationRecord, 'analysis' | 'earlierChunks'>): readonly ChunkRecord[] {
  const newest = analysis?.chunks ?? [];
  const ids = new Set(newest.map(({ id }) => id));
  return [...newest, ...earlierChunks.filter(({ id }) => !ids.has(id))];
}

const MAX_EARLIER = 600;
const MAX_OF_AN_EARLIER_EXCERPT = 300;

/** The chunks of earlier analyses, if another analysis replaces the last one. */
export function earlierChunksOf(
  found: Pick<InvestigationRecord, 'analysis' | 'earlierChunks'>,
): InvestigationRecord['earlierChunks'] {
  const [newest, ids] = [found.analysis?.chunks ?? [], new Set<string>()];
  for (const { id } of newest) ids.add(id);
  return [...found.earlierChunks.filter(({ id }) => !ids.has(id)), ...newest]
    .map((chunk) => ({ ...chunk, excerpt: chunk.excerpt.slice(0, MAX_OF_AN_EARLIER_EXCERPT) }))
    .slice(-MAX_EARLIER);
}

export type InvestigationRecord = z.output<typeof record>;
export type ChunkRecord = z.output<typeof chunkRecord>;
export type FailureRecord = z.output<typeof failure>;
export type AuditLine = z.output<typeof auditLine>;

export const META = 'meta.json';
