import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChunkRecord } from '../../investigation/record';
import { oneLine } from '../../tools/question';
import type { PersonsChoice } from '../../tools/investigation/investigationServices';

interface ChunkItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Asks the person which chunks matter. Undefined if the person did not answer, or the call that asked has ended. */
export async function chooseChunks(
  chunks: readonly ChunkRecord[],
  signal: AbortSignal,
): Promise<PersonsChoice | undefined> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const chosen = await vscode.window.showQuickPick(
      chunks.map(itemOf),
      {
        canPickMany: true,
        ignoreFocusOut: true,
        matchOnDetail: true,
        title: l10n.t('Which part of the capture shows the problem?'),
        placeHolder: l10n.t('An agent asks. Choose one or several.'),
      },
      source.token,
    );
    if (chosen === undefined || chosen.length === 0) return undefined;
    return { selectedIds: chosen.map(({ id }) => id) };
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

function itemOf({ id, title, excerpt, metadata }: ChunkRecord): ChunkItem {
  return {
    id,
    label: `$(${ICONS[metadata.type]}) ${oneLine(title, 100)}`,
    description: id,
    detail: oneLine(excerpt, 160),
  };
}

export const ICONS: Readonly<Record<ChunkRecord['metadata']['type'], string>> = {
  error_window: 'error',
  rapid_sequence: 'flame',
  function: 'symbol-method',
  module: 'symbol-module',
};
