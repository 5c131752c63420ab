import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { InvestigationServices } from '../../tools/investigation/investigationServices';
import { InvestigationDocuments } from './documents';
import { InvestigationTree, type Node } from './investigationTree';

/** The delay after activation, in milliseconds. It is long, so that the person is no longer waiting for the window. */
const IDLE_MS = 60_000;

/** Shows investigations in VS Code, and removes expired ones. */
export function registerInvestigation(
  { investigations, captures }: InvestigationServices,
  warn: (error: unknown) => void,
): vscode.Disposable {
  const cleanUp = async (): Promise<number> => {
    await investigations.closeAbandoned((sid, id) => captures.isRunning(sid, id));
    return await investigations.purge();
  };
  // Expired investigations are removed even if the tool set is disabled, because it may have been used before.
  const timer = setTimeout(() => void cleanUp().catch(warn), IDLE_MS);
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearTimeout(timer)),
    new vscode.Disposable(() => captures.dispose()),
    InvestigationDocuments.register(investigations),
    InvestigationTree.register(investigations),
    vscode.commands.registerCommand('agentDebugger.purgeInvestigations', async () => {
      const removed = await cleanUp();
      void vscode.window.showInformationMessage(
        l10n.t('Expired investigations removed: {0}', removed),
      );
    }),
    vscode.commands.registerCommand('agentDebugger.deleteInvestigation', async (node?: Node) => {
      if (node?.kind !== 'investigation') return;
      const { sid, title } = node.found;
      const remove = l10n.t('Delete');
      const answer = await vscode.window.showWarningMessage(
        l10n.t('Delete the investigation “{0}” and everything that was captured?', title),
        { modal: true },
        remove,
      );
      if (answer !== remove) return;
      await captures.stop(sid);
      await investigations.remove(sid);
    }),
  );
}
