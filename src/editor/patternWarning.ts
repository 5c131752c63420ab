import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { logLine } from '../debugger/texts';
import type { Redactor, UnusablePattern } from '../results/redact';

const SETTING = 'agentDebugger.redactionPatterns';

/**
 * Shows the person which of their patterns cannot be used, and the reason. Until the pattern is corrected, agents
 * receive no results.
 */
export function warnOfPattern({ pattern, error }: UnusablePattern): void {
  void offerSettings(
    warning(typeof pattern === 'string' ? pattern : JSON.stringify(pattern), error),
  );
}

/** Checks the patterns when the person changes them, not only at the next call of an agent. */
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
        'The redaction pattern “{0}” uses look-around, which is not supported. Agents get no results until it is changed.',
        shown,
      );
    case 'back_reference':
      return l10n.t(
        'The redaction pattern “{0}” uses a back-reference, which is not supported. Agents get no results until it is changed.',
        shown,
      );
    case 'syntax':
    case 'too_slow':
      return l10n.t(
        'The redaction pattern “{0}” cannot be used ({1}). Agents get no results until it is changed.',
        shown,
        logLine(message),
      );
  }
}

async function offerSettings(message: string): Promise<void> {
  const open = l10n.t('Open Settings');
  if ((await vscode.window.showWarningMessage(message, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', SETTING);
}
