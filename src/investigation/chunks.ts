import type { TraceFrame } from './events';
import {
  overlaps,
  weight,
  type Analysis,
  type Cluster,
  type ErrorWindow,
  type Range,
} from './analysis';
import type { RapidSequence } from './rapidSequences';
import { uriOf } from './paths';
import { defined } from '../util/defined';

export type ChunkType = 'error_window' | 'rapid_sequence' | 'function' | 'module';

/** A part of a capture that may contain the cause. */
export interface Chunk {
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
  readonly refs: readonly string[];
  readonly metadata: {
    readonly type: ChunkType;
    readonly startIdx: number;
    readonly endIdx: number;
    readonly errors: number;
    readonly count: number;
    /** Set if the person has chosen the chunk or a part that overlaps it. */
    readonly selected?: true;
    /** The locations of workspace files in its stack traces. */
    readonly files?: readonly string[];
    /** The number of further occurrences. */
    readonly again?: number;
  };
}

/** The source of the chunks. */
export interface ChunkSource {
  readonly sid: string;
  /** The capture's id, `c1`, and its file. */
  readonly capture: string;
  readonly file: string;
  /** The ranges that the person has chosen. */
  readonly selected: readonly Range[];
  /** The workspace's file for a frame, as `path:line`; undefined for a file outside the workspace. */
  readonly fileOf: (frame: TraceFrame) => string | undefined;
}

/** The maximum number of chunks of each type, most important type first. */
const MOST: Readonly<Record<ChunkType, number>> = {
  error_window: 8,
  rapid_sequence: 4,
  function: 4,
  module: 4,
};

const EXCERPT_LINES = 10;
const MAX_OF_AN_EXCERPT = 800;
const MAX_OF_A_TITLE = 120;
const MAX_FILES = 4;

/**
 * The candidate chunks: error windows, rapid sequences, functions, modules. Within a type, the chosen chunks are first.
 */
export function chunksOf(analysis: Analysis, source: ChunkSource): readonly Chunk[] {
  const errorsFirst = (all: readonly Cluster[]): readonly Cluster[] =>
    all.filter((cluster) => cluster.errors + cluster.warnings > 0 || analysis.errors === 0);
  return [
    ...picked(analysis.windows, source, 'error_window', windowChunk),
    ...picked(analysis.rapid, source, 'rapid_sequence', rapidChunk),
    ...picked(errorsFirst(analysis.functions), source, 'function', clusterChunk),
    ...picked(errorsFirst(analysis.modules), source, 'module', clusterChunk),
  ];
}

function picked<Found extends Range>(
  found: readonly Found[],
  source: ChunkSource,
  type: ChunkType,
  chunkOf: (part: Found, source: ChunkSource) => Chunk,
): readonly Chunk[] {
  const isSelected = (part: Found): boolean =>
    source.selected.some((range) => overlaps(range, part));
  return [...found]
    .sort((one, other) => Number(isSelected(other)) - Number(isSelected(one)))
    .slice(0, MOST[type])
    .map((part) => {
      const chunk = chunkOf(part, source);
      return isSelected(part)
        ? { ...chunk, metadata: { ...chunk.metadata, selected: true as const } }
        : chunk;
    });
}

function windowChunk(window: ErrorWindow, source: ChunkSource): Chunk {
  const files = filesOf(window.frames, source);
  return {
    id: `${source.capture}-e${window.from}-${window.to}`,
    title: short(window.title),
    excerpt: excerpt(window),
    refs: [refOf(window, source), ...window.others.map((range) => refOf(range, source))],
    metadata: {
      type: 'error_window',
      startIdx: window.from,
      endIdx: window.to,
      errors: window.errors,
      count: window.to - window.from + 1,
      ...defined({
        files: files.length > 0 ? files : undefined,
        again: window.again > 0 ? window.again : undefined,
      }),
    },
  };
}

function rapidChunk(run: RapidSequence, source: ChunkSource): Chunk {
  return {
    id: `${source.capture}-r${run.from}-${run.to}`,
    title: short(`${run.count} × ${run.signature}`),
    excerpt: [run.first, run.last].join('\n'),
    refs: [refOf(run, source)],
    metadata: {
      type: 'rapid_sequence',
      startIdx: run.from,
      endIdx: run.to,
      errors: run.level === 'error' ? run.count : 0,
      count: run.count,
    },
  };
}

function clusterChunk(cluster: Cluster, source: ChunkSource): Chunk {
  const { kind, module, func, from, to } = cluster;
  const name = kind === 'module' || module === '' ? module || func : `${module} › ${func}`;
  return {
    id: `${source.capture}-${kind === 'module' ? 'm' : 'f'}${from}-${to}-${hashOf(name)}`,
    title: short(name),
    excerpt: cluster.sample,
    refs: [refOf(cluster, source)],
    metadata: {
      type: kind,
      startIdx: from,
      endIdx: to,
      errors: cluster.errors,
      count: cluster.events,
    },
  };
}

/** A hash of a text, to distinguish clusters with the same range. */
function hashOf(text: string): string {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % 1296).toString(36).padStart(2, '0');
}

function filesOf(frames: readonly TraceFrame[], { fileOf }: ChunkSource): readonly string[] {
  return [...new Set(frames.flatMap((frame) => fileOf(frame) ?? []))].slice(0, MAX_FILES);
}

function excerpt({ lines }: ErrorWindow): string {
  const firstError = lines.findIndex((line) => line.level === 'error');
  const start = Math.max(0, Math.min(firstError - 2, lines.length - EXCERPT_LINES));
  const text = lines
    .slice(start, start + EXCERPT_LINES)
    .map((line) => line.text)
    .join('\n');
  return text.length > MAX_OF_AN_EXCERPT ? `${text.slice(0, MAX_OF_AN_EXCERPT)}…` : text;
}

function refOf({ from, to }: Range, { sid, file }: ChunkSource): string {
  return `${uriOf(sid, file)}#L${from + 1}-L${to + 1}`;
}

function short(text: string): string {
  const line = text.trim();
  return line.length > MAX_OF_A_TITLE ? `${line.slice(0, MAX_OF_A_TITLE)}…` : line;
}

/** Whether the person has to choose the relevant chunks, and the reason. */
export interface NeedClarify {
  readonly needed: boolean;
  readonly reason?: string;
}

const MANY_KINDS = 4;

/**
 * Decides whether the person has to choose. The reason is English, because the model reads it and rephrases it for the
 * person.
 */
export function needClarify(analysis: Analysis, selected: readonly Range[]): NeedClarify {
  if (analysis.events === 0)
    return {
      needed: true,
      reason: 'The capture is empty: ask the person how to reproduce the problem.',
    };
  if (selected.length > 0) return { needed: false };
  if (analysis.errors === 0)
    return {
      needed: true,
      reason: 'No error was captured: ask the person which of the chunks shows the problem.',
    };
  const [first, second] = analysis.windows;
  const isTied =
    first !== undefined &&
    second !== undefined &&
    weight(second) > 0.9 * weight(first) &&
    analysis.windows.length >= 2;
  if (isTied && analysis.windows.length >= MANY_KINDS)
    return {
      needed: true,
      reason: `${analysis.windows.length} different errors were captured and none stands out: ask the person which one matters.`,
    };
  return { needed: false };
}
