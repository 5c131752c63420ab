import * as l10n from '@vscode/l10n';
import { chunksIn, type ChunkRecord, type InvestigationRecord } from '../../investigation/record';
import { Failure } from '../../results/failure';

/**
 * Returns the chunks with these ids. An id stays valid after further analyses.
 * @throws Failure `invalid_input` for an unknown id, or if there is no analysis
 */
export function chosenChunks(
  found: InvestigationRecord,
  ids: readonly string[],
): readonly ChunkRecord[] {
  if (found.analysis === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('Nothing has been analyzed yet, so there are no chunks to choose from.'),
      'Call analyze_capture first.',
    );
  const chunks = chunksIn(found);
  const unknown = ids.filter((id) => !chunks.some((chunk) => chunk.id === id));
  if (unknown.length > 0)
    throw new Failure(
      'invalid_input',
      l10n.t('No analysis has a chunk {0}.', unknown.slice(0, 5).join(', ').slice(0, 300)),
      `Chunks of the last analysis: ${found.analysis.chunks.map((chunk) => chunk.id).join(', ') || 'none'}.`,
    );
  return chunks.filter((chunk) => ids.includes(chunk.id));
}
