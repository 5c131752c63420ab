import type { Analysis } from './analysis';
import type { Chunk, ChunkType, NeedClarify } from './chunks';
import { durationText, fenced, inlineCode, plainLine, table, timeText } from './markdown';
import type { CaptureRecord } from './record';

const HEADINGS: Readonly<Record<ChunkType, string>> = {
  error_window: 'Errors',
  rapid_sequence: 'Rapid sequences',
  function: 'Functions',
  module: 'Modules',
};

const ORDER: readonly ChunkType[] = ['error_window', 'rapid_sequence', 'function', 'module'];

export interface BuglensParts {
  readonly capture: CaptureRecord;
  readonly analysis: Analysis;
  readonly chunks: readonly Chunk[];
  readonly clarify: NeedClarify;
}

/** `analysis/buglens.md`: presents the content of a capture to a person. */
export function buglens({ capture, analysis, chunks, clarify }: BuglensParts): string {
  return [
    '# What the capture shows',
    '',
    overview(capture, analysis),
    '',
    headline(analysis, chunks),
    ...(clarify.needed
      ? ['', `> **A choice is needed.** ${plainLine(clarify.reason ?? '', 400)}`]
      : []),
    ...ORDER.flatMap((type) => section(type, chunks)),
    ...(analysis.errors === 0 ? ['', '## The end of the run', '', lastLines(analysis)] : []),
    '',
  ].join('\n');
}

function overview(capture: CaptureRecord, analysis: Analysis): string {
  const duration = analysis.lastTs - analysis.firstTs;
  const rows: readonly (readonly string[])[] = [
    ['Run', inlineCode(capture.what)],
    ['Captured', `${timeText(Date.parse(capture.startedAt))} UTC, ${durationText(duration)}`],
    ['Ended', endOf(capture)],
    ['Events', `${analysis.events} (${analysis.errors} errors, ${analysis.warnings} warnings)`],
    ...(capture.dropped > 0 ? [['Dropped by the size limit', `${capture.dropped} lines`]] : []),
    ['File', `[${capture.file}](../${capture.file})`],
  ];
  return table(['', ''], rows);
}

/** A short text that says how a run ended. */
export function endOf({ endedBy, exitCode, signal }: CaptureRecord): string {
  switch (endedBy) {
    case undefined:
      return 'still running';
    case 'exit':
      return exitCode === undefined ? 'by itself' : `with exit code ${exitCode}`;
    case 'signal':
      return `by signal ${signal ?? ''}`.trim();
    case 'timeout':
      return 'by its time limit; what was captured until then is kept';
    case 'stopped':
      return 'was stopped';
    case 'failed':
      return 'could not be run';
    case 'window_closed':
      return 'when the window was closed';
  }
}

function headline(analysis: Analysis, chunks: readonly Chunk[]): string {
  const [first] = chunks;
  if (analysis.events === 0) return 'Nothing was printed.';
  if (first?.metadata.type !== 'error_window')
    return 'No error was printed. What stands out is below.';
  const where = first.metadata.files?.[0];
  return `**${plainLine(first.title)}**${where === undefined ? '' : ` at ${inlineCode(where)}`}.`;
}

function section(type: ChunkType, chunks: readonly Chunk[]): readonly string[] {
  const own = chunks.filter((chunk) => chunk.metadata.type === type);
  if (own.length === 0) return [];
  if (type === 'function' || type === 'module')
    return ['', `## ${HEADINGS[type]}`, '', clusterTable(own)];
  return ['', `## ${HEADINGS[type]}`, ...own.flatMap((chunk) => ['', ...chunkText(chunk)])];
}

function chunkText({ id, title, excerpt, metadata }: Chunk): readonly string[] {
  const { startIdx, endIdx, errors, again = 0, files = [], selected } = metadata;
  const facts = [
    `lines ${startIdx + 1}–${endIdx + 1}`,
    ...(errors > 0 ? [`${errors} errors`] : []),
    ...(again > 0 ? [`the same ${again} more times`] : []),
  ].join(', ');
  return [
    `### ${inlineCode(id)}${selected === true ? ' ✓' : ''} ${plainLine(title, 100)}`,
    '',
    `${facts}.${files.length > 0 ? ` Own code: ${files.map((file) => inlineCode(file)).join(', ')}.` : ''}`,
    '',
    fenced(excerpt, 'text'),
  ];
}

function clusterTable(chunks: readonly Chunk[]): string {
  return table(
    ['id', 'where', 'events', 'errors', 'first message'],
    chunks.map(({ id, title, excerpt, metadata }) => [
      inlineCode(id),
      plainLine(title, 80),
      String(metadata.count),
      String(metadata.errors),
      plainLine(excerpt, 80),
    ]),
  );
}

function lastLines({ tail }: Analysis): string {
  return fenced(tail.map((line) => line.text).join('\n'), 'text');
}
