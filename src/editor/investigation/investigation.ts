import path from 'node:path';
import * as vscode from 'vscode';
import { Captures } from '../../investigation/captures';
import { ChildProcessRunner } from '../../investigation/childProcess';
import { allowedEnvironment } from '../../investigation/environment';
import { Investigations } from '../../investigation/investigations';
import { scrubWith } from '../../investigation/scrub';
import { TerminalRunner } from '../../investigation/terminalRunner';
import { Redactor } from '../../results/redact';
import type { InvestigationServices } from '../../tools/investigation/investigationServices';
import { settings } from '../settings';
import { ChromeBrowser } from './chromeBrowser';
import { chooseChunks } from './chooseChunks';
import { processTable } from './terminalProcesses';
import { ChosenReasoner } from './reasoners';
import { SessionFolder } from './sessionFolder';
import { openTerminal } from './terminal';

/** Creates the services of the investigation tools. No file is read or created before it is needed. */
export function makeInvestigation(
  context: vscode.ExtensionContext,
  redactor: Redactor,
  log: (line: string) => void,
): InvestigationServices {
  const investigations = new Investigations(
    new SessionFolder(
      () => path.join(baseOf(context), ...(isInWorkspace() ? IN_WORKSPACE : IN_STORAGE)),
      () => baseOf(context),
    ),
    scrubWith(redactor, () => settings.redaction.enabled),
    { timeToLiveDays: () => settings.investigation.days, log },
  );
  const captures = new Captures(investigations);
  return {
    investigations,
    captures,
    outgoing: scrubWith(
      new Redactor(() => ({ ...settings.redaction, enabled: true, isStrict: true })),
      () => true,
    ),
    commands: new TerminalRunner(
      new ChildProcessRunner(processTable),
      () => settings.investigation.usesTerminal,
      openTerminal,
      processTable,
    ),
    browser: new ChromeBrowser(),
    environment: (added) =>
      allowedEnvironment(process.env, settings.investigation.environment, added),
    reasoner: new ChosenReasoner(),
    choose: chooseChunks,
  };
}

const IN_WORKSPACE = ['.agent-debugger', 'sessions'] as const;
const IN_STORAGE = ['sessions'] as const;

/**
 * The base folder: the workspace's storage, the workspace itself if the person chose it, or the global storage without
 * a workspace.
 */
function baseOf(context: vscode.ExtensionContext): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (isInWorkspace() && first !== undefined) return first.uri.fsPath;
  return (context.storageUri ?? context.globalStorageUri).fsPath;
}

function isInWorkspace(): boolean {
  const hasFolder = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  return hasFolder && settings.investigation.folder === 'workspace';
}
