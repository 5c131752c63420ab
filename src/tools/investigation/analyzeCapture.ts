import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { Analysis, Range } from '../../investigation/analysis';
import { buglens } from '../../investigation/buglens';
import { chunksOf, needClarify, type Chunk } from '../../investigation/chunks';
import type { TraceFrame } from '../../investigation/events';
import { uriOf } from '../../investigation/paths';
import { analyze } from '../../investigation/readCapture';
import {
  earlierChunksOf,
  type CaptureRecord,
  type InvestigationRecord,
} from '../../investigation/record';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';
import { stillRunning } from './captureRun';
import {
  candidateChunk,
  errorShape,
  links,
  runShape,
  sid,
  verdictShape,
} from './investigationSchemas';
import { runResult } from './runs';
import { chosenChunks } from './selection';
import { compareRuns } from './verification';

const MAX_PLACES = 60;

export const analyzeCapture = defineTool({
  name: 'analyze_capture',
  set: 'investigation',
  effect: 'read',
  title: 'Analyze a Capture',
  userDescription: 'Finds the errors and other parts of a captured run that may contain the cause',
  modelDescription:
    'Read a capture and return candidateChunks, the parts that may contain the cause (errors first), and needClarify with its reason. Writes analysis/buglens.md. After clarify, or with selectedIds, only the chosen parts are looked at, more closely.',
  icon: 'search',
  input: z.strictObject({
    sid,
    captureId: z.string().min(1).max(10).optional().describe('Default: the newest.'),
    selectedIds: z
      .array(z.string().max(60))
      .max(50)
      .optional()
      .describe('Chunks of any analysis; default: those of clarify. Empty: all parts.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success', 'timeout'], {
    ...errorShape,
    ...runShape,
    candidateChunks: z.array(candidateChunk).readonly().optional(),
    ...verdictShape,
    needClarify: z.boolean().optional(),
    link: z.string().optional(),
    links,
  }),
  needs: 'nothing',
  doing: () => l10n.t('Analyzing a capture'),
  run: async ({ input, services, call }) => {
    const { investigations, captures } = services.investigation;
    const found = await investigations.find(input.sid);
    const capture = captureOf(found, input.captureId ?? captureOfChunks(input.selectedIds));
    const waitMs = Math.max(1, call.maxWaitSeconds - 5) * 1000;
    const state = await captures.wait(input.sid, capture.id, waitMs, call.signal);
    if (state.isRunning)
      return {
        status: 'timeout' as const,
        ...runResult(input.sid, state),
        message: stillRunning(),
      };
    const verdict = await verdictOf(services, found, state.record);
    const focus = focusOf(found, capture, input.selectedIds);
    const { analysis, chunks } = await analyzeParts(services, input.sid, state.record, focus);
    const clarify = needClarify(analysis, focus);
    const file = buglensFile(state.record);
    const document = buglens({ capture: state.record, analysis, chunks, clarify });
    await investigations.writeText(input.sid, file, document);
    await investigations.update(input.sid, (current) => ({
      earlierChunks: earlierChunksOf(current),
      analysis: analysisRecord(capture.id, file, chunks),
    }));
    return success({
      ...verdict,
      candidateChunks: chunks,
      needClarify: clarify.needed,
      ...defined({ reason: clarify.reason }),
      captureId: capture.id,
      events: analysis.events,
      errors: analysis.errors,
      warnings: analysis.warnings,
      link: uriOf(input.sid, file),
    });
  },
});

function analysisRecord(
  capture: string,
  file: string,
  chunks: readonly Chunk[],
): InvestigationRecord['analysis'] {
  return {
    at: new Date().toISOString(),
    capture,
    file,
    chunks: chunks.map((chunk) => ({ ...chunk, refs: [...chunk.refs] })),
  };
}

/** Compares the run of a verification whose call ended before the run. */
async function verdictOf(services: ToolServices, found: InvestigationRecord, run: CaptureRecord) {
  const before = found.captures.find((capture) => capture.id === run.against);
  const isCompared = found.verifications.some((verification) => verification.capture === run.id);
  return before === undefined || isCompared
    ? {}
    : await compareRuns(services, found.sid, before, run);
}

async function analyzeParts(
  services: ToolServices,
  id: string,
  capture: CaptureRecord,
  focus: readonly Range[],
): Promise<{ readonly analysis: Analysis; readonly chunks: readonly Chunk[] }> {
  const { files } = services.investigation.investigations;
  const analysis = await analyze(files, id, capture.file, focus);
  const places = await ownPlaces(
    services,
    analysis.windows.slice(0, 12).flatMap((window) => window.frames),
  );
  const chunks = chunksOf(analysis, {
    sid: id,
    capture: capture.id,
    file: capture.file,
    selected: focus,
    fileOf: ({ file, line }) => {
      const own = places.get(file);
      return own === undefined ? undefined : `${own}:${line}`;
    },
  });
  return { analysis, chunks };
}

function captureOf({ captures }: InvestigationRecord, id: string | undefined): CaptureRecord {
  const found = id === undefined ? captures.at(-1) : captures.find((capture) => capture.id === id);
  if (found !== undefined) return found;
  throw new Failure(
    'invalid_input',
    id === undefined
      ? l10n.t('Nothing has been captured yet.')
      : l10n.t('There is no capture {0}.', id),
    `Captures: ${captures.map((capture) => capture.id).join(', ') || 'none; call capture_run'}.`,
  );
}

/** Returns the capture that the first of these chunks belongs to. */
function captureOfChunks(ids: readonly string[] | undefined): string | undefined {
  return /^([^-]+)-/.exec(ids?.[0] ?? '')?.[1];
}

/**
 * Returns the ranges of the chosen chunks. By default, these are the ranges of the last clarification that are in this
 * capture.
 */
function focusOf(
  found: InvestigationRecord,
  capture: CaptureRecord,
  selectedIds: readonly string[] | undefined,
): readonly Range[] {
  if (selectedIds !== undefined) {
    const chosen = chosenChunks(found, selectedIds);
    const other = chosen.find(({ id }) => captureOfChunks([id]) !== capture.id);
    if (other === undefined) return chosen.map(rangeOf);
    throw new Failure(
      'invalid_input',
      l10n.t('The chunk {0} does not belong to the capture {1}.', other.id, capture.id),
      'Pass chunks of one capture, and its captureId.',
    );
  }
  const ranges = found.clarifications.at(-1)?.ranges ?? [];
  // The choice for another capture does not apply to this one.
  return ranges
    .filter(({ id }) => id.startsWith(`${capture.id}-`))
    .map(({ startIdx, endIdx }) => ({ from: startIdx, to: endIdx }));
}

function rangeOf({
  metadata: { startIdx, endIdx },
}: {
  readonly metadata: { readonly startIdx: number; readonly endIdx: number };
}): Range {
  return { from: startIdx, to: endIdx };
}

function buglensFile({ id, kind }: CaptureRecord): string {
  return id === 'c1' && kind === 'capture' ? 'analysis/buglens.md' : `analysis/buglens-${id}.md`;
}

/**
 * Returns the workspace files that stack traces name. It maps the name in the trace to the path relative to the
 * workspace folder.
 */
async function ownPlaces(
  { workspace }: ToolServices,
  frames: readonly TraceFrame[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(frames.map(({ file }) => file))].slice(0, MAX_PLACES);
  const found = new Map<string, string>();
  for (const name of names) {
    const own = await ownFile(workspace, name);
    if (own !== undefined) found.set(name, own);
  }
  return found;
}

async function ownFile(
  workspace: ToolServices['workspace'],
  name: string,
): Promise<string | undefined> {
  if (/[\\/]node_modules[\\/]|^node:|<anonymous>/.test(name)) return undefined;
  const local = /^(?:https?|webpack):\/\//.test(name) ? pathOf(name) : name;
  for (const folder of workspace.folders) {
    const inside = path.isAbsolute(local) && isUnder(folder.path, local) ? local : undefined;
    const file = inside ?? path.join(folder.path, local);
    if (isUnder(folder.path, file) && (await workspace.exists(file)) === true)
      return path.relative(folder.path, file).replaceAll(path.sep, '/');
  }
  if (/[\\/]/.test(name) && !URL.canParse(name)) return undefined;
  // A Java trace contains no folder, and the scripts of a page may be served from any folder.
  const [only, ...others] = await workspace.filesNamed(path.posix.basename(local));
  if (only === undefined || others.length > 0) return undefined;
  const folder = workspace.folders.find((candidate) => isUnder(candidate.path, only));
  return folder === undefined
    ? undefined
    : path.relative(folder.path, only).replaceAll(path.sep, '/');
}

/** Returns the path of a URL. Returns the whole text if it is not a URL. */
function pathOf(address: string): string {
  try {
    return decodeURI(new URL(address).pathname);
  } catch {
    return address;
  }
}

function isUnder(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
