import * as l10n from '@vscode/l10n';
import type { ChunkRecord, InvestigationRecord } from '../../investigation/record';
import { Failure } from '../../results/failure';

/**
 * Returns the chunks of the last analysis with these ids.
 * @throws Failure `invalid_input` for an unknown id, or if there is no analysis
 */
export function chosenChunks(
  { analysis }: InvestigationRecord,
  ids: readonly string[],
): readonly ChunkRecord[] {
  if (analysis === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('Nothing has been analyzed yet, so there are no chunks to choose from.'),
      'Call analyze_capture first.',
    );
  const { chunks } = analysis;
  const unknown = ids.filter((id) => !chunks.some((chunk) => chunk.id === id));
  if (unknown.length > 0)
    throw new Failure(
      'invalid_input',
      l10n.t('The last analysis has no chunk {0}.', unknown.slice(0, 5).join(', ').slice(0, 300)),
      `Its chunks: ${chunks.map((chunk) => chunk.id).join(', ') || 'none'}.`,
    );
  return chunks.filter((chunk) => ids.includes(chunk.id));
}
