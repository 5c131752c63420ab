import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isSourceFile } from '../../investigation/sourceFiles';
import type { ChunkRecord, InvestigationRecord } from '../../investigation/record';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';

const MAX_SOURCES = 6;
const LINES_AROUND = 20;

/** Lines of a source file of the workspace. */
export interface QuotedSource {
  /** `file:line`, relative to its workspace folder. */
  readonly place: string;
  readonly text: string;
}

/** What a reasoner gets in addition to the instructions. All of it is on the card. */
export interface ReasonerMaterial {
  readonly chunks: readonly ChunkRecord[];
  readonly sources: readonly QuotedSource[];
  readonly notes: string | undefined;
}

/**
 * Reads what is sent about these chunks. The program has printed the stack traces, so it has chosen the files: only
 * source code of the workspace is quoted.
 */
export async function materialOf(
  { workspace }: ToolServices,
  chunks: readonly ChunkRecord[],
  notes: string | undefined,
): Promise<ReasonerMaterial> {
  const places = chunks
    .flatMap(({ metadata }) => z.array(z.string()).safeParse(metadata['files']).data ?? [])
    .filter((place, index, all) => all.indexOf(place) === index);
  const sources: QuotedSource[] = [];
  for (const place of places) {
    if (sources.length === MAX_SOURCES) break;
    const text = await sourceAt(workspace, place);
    if (text !== undefined) sources.push({ place, text });
  }
  return { chunks, sources, notes };
}

/** The card: what is sent, and where to. Texts of the agent are shown in full. */
export function materialMessage(
  found: InvestigationRecord,
  { chunks, sources, notes }: ReasonerMaterial,
  reasoner: string,
): string {
  const clarified = found.clarifications.at(-1);
  const items = [
    ...chunks.map(({ id }) => l10n.t('Part of the capture: {0}', wholeCode(id))),
    ...sources.map(({ place }) => l10n.t('Source lines around {0}', wholeCode(place))),
    l10n.t('Title: {0}', wholeCode(found.title)),
    ...(found.hook === undefined ? [] : [l10n.t('Observation: {0}', wholeCode(found.hook))]),
    ...(clarified?.notes === undefined
      ? []
      : [
          clarified.by === 'person'
            ? l10n.t('Your notes: {0}', wholeCode(clarified.notes))
            : l10n.t('Notes of the agent: {0}', wholeCode(clarified.notes)),
        ]),
    ...(notes === undefined ? [] : [l10n.t('Notes of the agent: {0}', wholeCode(notes))]),
  ];
  return [
    l10n.t('Send the following to {0}. Credentials are removed first.', wholeCode(reasoner)),
    ...items.map((item) => `- ${item}`),
  ].join('\n');
}

/** Undefined for what is not source code of the workspace, or cannot be read. */
async function sourceAt(
  workspace: ToolServices['workspace'],
  place: string,
): Promise<string | undefined> {
  const [, file = '', line = '0'] = /^(.{1,1000}):(\d{1,7})$/.exec(place) ?? [];
  if (!isSourceFile(file) || path.isAbsolute(file)) return undefined;
  for (const folder of workspace.folders) {
    const whole = path.join(folder.path, file);
    // The record may be in the workspace, where a project can write another path into it.
    if (!whole.startsWith(folder.path + path.sep)) continue;
    if ((await workspace.outside(whole)) !== undefined) continue;
    const text = await workspace.readText(whole).catch(() => undefined);
    if (text !== undefined) return linesAround(text, Number(line));
  }
  return undefined;
}

function linesAround(text: string, line: number): string | undefined {
  const first = Math.max(0, line - 1 - LINES_AROUND);
  const lines = text.split('\n').slice(first, line + LINES_AROUND);
  return lines.length === 0
    ? undefined
    : lines.map((content, index) => `${first + index + 1}: ${content}`).join('\n');
}
