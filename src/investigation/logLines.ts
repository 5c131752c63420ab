import type { CaptureRecord, InvestigationRecord } from './record';

/** The founding document's mark of an entry of the log. */
const PREFIX = '[VDT]';

/**
 * What has become of an investigation, as entries of the log: one for each capture that began or ended, each analysis,
 * answer, verification, piece of evidence and error. No text of a program is in them.
 * @param before undefined for an investigation that has begun
 */
export function logLines(
  before: InvestigationRecord | undefined,
  after: InvestigationRecord,
): readonly string[] {
  const lines = [
    ...(before === undefined ? [`started, expires ${after.expiresAt}`] : []),
    ...after.captures.flatMap((each) => captureLines(captureOf(before, each.id), each)),
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

/** An entry of the log about an investigation. */
export function vdtLine(sid: string, what: string): string {
  return `${PREFIX} ${sid}: ${what}`;
}

function captureOf(record: InvestigationRecord | undefined, id: string): CaptureRecord | undefined {
  return record?.captures.find((each) => each.id === id);
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

/** The entries that have been added; the oldest errors may have been dropped meanwhile. */
function added<K extends Growing>(
  before: InvestigationRecord | undefined,
  after: InvestigationRecord,
  key: K,
): readonly InvestigationRecord[K][number][] {
  const known = new Set(before?.[key].map((each) => JSON.stringify(each)));
  return after[key].filter((each) => !known.has(JSON.stringify(each)));
}
