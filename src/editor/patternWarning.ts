import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { logLine } from '../debugger/texts';
import type { Redactor, UnusablePattern } from '../results/redact';

const SETTING = 'agentDebugger.redactionPatterns';

/** Tells the person which pattern of theirs cannot be used, and why: until it is corrected, agents are shown nothing. */
export function warnOfPattern({ pattern, error }: UnusablePattern): void {
  void offerSettings(
    warning(typeof pattern === 'string' ? pattern : JSON.stringify(pattern), error),
  );
}

/** Checks the patterns when the person changes them, and not only with the next call of an agent. */
export function checkPatterns(redactor: Redactor): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(SETTING)) redactor.check().catch(() => undefined);
  });
}

function warning(pattern: string, { problem, message }: UnusablePattern['error']): string {
  const shown = logLine(pattern);
  switch (problem) {
    case 'look_around':
      return l10n.t(
        'The redaction pattern “{0}” looks ahead or behind, which these patterns cannot. Until it is changed, agents are shown nothing.',
        shown,
      );
    case 'back_reference':
      return l10n.t(
        'The redaction pattern “{0}” refers back to a group, which these patterns cannot. Until it is changed, agents are shown nothing.',
        shown,
      );
    case 'syntax':
    case 'too_slow':
      return l10n.t(
        'The redaction pattern “{0}” cannot be used ({1}). Until it is changed, agents are shown nothing.',
        shown,
        logLine(message),
      );
  }
}

async function offerSettings(words: string): Promise<void> {
  const open = l10n.t('Open Settings');
  if ((await vscode.window.showWarningMessage(words, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', SETTING);
}
