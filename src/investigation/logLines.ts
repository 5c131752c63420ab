import type { CaptureRecord, InvestigationRecord } from './record';

/** The mark of log entries, as in the founding document. */
const PREFIX = '[VDT]';

/**
 * The log entries for a change of an investigation: one for each capture that began or ended, each analysis, answer,
 * verification, piece of evidence and error. They contain no text of a program.
 * @param before undefined for a new investigation
 */
export function logLines(
  before: InvestigationRecord | undefined,
  after: InvestigationRecord,
): readonly string[] {
  const lines = [
    ...(before === undefined ? [`started, expires ${after.expiresAt}`] : []),
    ...after.captures.flatMap((capture) => captureLines(captureOf(before, capture.id), capture)),
    ...analysisLines(before, after),
    ...added(before, after, 'clarifications').map(
      ({ by, selectedIds }) => `clarified by ${by}: ${selectedIds.length} chunks`,
    ),
    ...added(before, after, 'audit').map(
      ({ task, outcome, characters, redacted }) =>
        `reasoner ${task} ${outcome}, ${characters} characters${redacted ? ', redacted' : ''}`,
    ),
    ...added(before, after, 'reasoning').map(({ file }) => `reasoning written to ${file}`),
    ...added(before, after, 'verifications').map(
      ({ id, verdict, capture, against }) =>
        `verification ${id}: ${verdict} (${capture} against ${against})`,
    ),
    ...added(before, after, 'evidence').map(({ id, tool }) => `evidence ${id} from ${tool}`),
    ...added(before, after, 'errors').map(({ tool, code }) => `${tool} failed: ${code}`),
    ...(before?.endedAt === undefined && after.endedAt !== undefined ? ['ended'] : []),
  ];
  return lines.map((line) => vdtLine(after.sid, line));
}

/** A log entry about an investigation. */
export function vdtLine(sid: string, what: string): string {
  return `${PREFIX} ${sid}: ${what}`;
}

function captureOf(record: InvestigationRecord | undefined, id: string): CaptureRecord | undefined {
  return record?.captures.find((capture) => capture.id === id);
}

function captureLines(before: CaptureRecord | undefined, after: CaptureRecord): string[] {
  const { id, kind, mode, source } = after;
  const began = before === undefined ? [`${kind} ${id} began, ${mode}, ${source}`] : [];
  if (before?.endedAt !== undefined || after.endedAt === undefined) return began;
  return [...began, `${kind} ${id} ended by ${after.endedBy ?? 'unknown'}, ${countsOf(after)}`];
}

function countsOf({ exitCode, events, errors, warnings, dropped }: CaptureRecord): string {
  const counts = `${events} events, ${errors} errors, ${warnings} warnings, ${dropped} dropped`;
  return exitCode === undefined ? counts : `exit code ${exitCode}, ${counts}`;
}

function analysisLines(
  before: InvestigationRecord | undefined,
  { analysis }: InvestigationRecord,
): string[] {
  if (analysis === undefined || analysis.at === before?.analysis?.at) return [];
  return [`analysis of ${analysis.capture}: ${analysis.chunks.length} chunks`];
}

type Growing = 'clarifications' | 'audit' | 'reasoning' | 'verifications' | 'evidence' | 'errors';

/** The added entries. The oldest errors may have been dropped in the meantime. */
function added<K extends Growing>(
  before: InvestigationRecord | undefined,
  after: InvestigationRecord,
  key: K,
): readonly InvestigationRecord[K][number][] {
  const existing = new Set(before?.[key].map((entry) => JSON.stringify(entry)));
  return after[key].filter((entry) => !existing.has(JSON.stringify(entry)));
}
