import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sizeText, type Artefact } from '../../diagnostics/artefacts';
import { DAYS_KEPT, type DayOfCalls } from './earlierCalls';

type MenuEntry = vscode.QuickPickItem & { readonly command?: string };

/** The menu “Agent Debugger: Diagnostics”. */
export async function showDiagnosticsMenu(section: string, isRecording: boolean): Promise<void> {
  const chosen = await vscode.window.showQuickPick<MenuEntry>(
    [...viewEntries(), ...recordEntries(isRecording), ...reportEntries()],
    { title: l10n.t('Agent Debugger: Diagnostics'), matchOnDetail: true },
  );
  if (chosen?.command !== undefined)
    await vscode.commands.executeCommand(`${section}.${chosen.command}`);
}

function separator(label: string): MenuEntry {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function viewEntries(): readonly MenuEntry[] {
  return [
    separator(l10n.t('Look')),
    {
      label: `$(list-flat) ${l10n.t('Call log')}`,
      detail: l10n.t('Each call of an agent, with its input'),
      command: 'callLog',
    },
    {
      label: `$(history) ${l10n.t('Earlier calls')}`,
      detail: l10n.t('The calls of the last {0} days in all windows', DAYS_KEPT),
      command: 'earlierCalls',
    },
    {
      label: `$(debug-console) ${l10n.t('Protocol trace')}`,
      detail: l10n.t('Messages between VS Code and the debug adapters; contents from now on'),
      command: 'protocolTrace',
    },
    {
      label: `$(server-process) ${l10n.t('MCP traffic')}`,
      detail: l10n.t('Messages between clients and the MCP server, from now on'),
      command: 'mcpTraffic',
    },
    {
      label: `$(notebook) ${l10n.t('Transcript')}`,
      detail: l10n.t('What an agent did, as Markdown'),
      command: 'transcript',
    },
    {
      label: `$(info) ${l10n.t('System report')}`,
      detail: l10n.t('Versions, debug adapters, settings and environment, without secrets'),
      command: 'systemReport',
    },
  ];
}

function recordEntries(isRecording: boolean): readonly MenuEntry[] {
  return [
    separator(l10n.t('Record')),
    {
      label: isRecording
        ? `$(stop-circle) ${l10n.t('Stop recording contents of messages')}`
        : `$(record) ${l10n.t('Record contents of messages')}`,
      description: isRecording ? l10n.t('now on') : l10n.t('now off'),
      command: 'toggleRecording',
    },
    {
      label: `$(dashboard) ${l10n.t('CPU profile of the extension host')}`,
      command: 'cpuProfile',
    },
    {
      label: `$(graph) ${l10n.t('Heap snapshot of the extension host')}`,
      detail: l10n.t(
        'Contains everything in memory, including credentials. It is never part of a report.',
      ),
      command: 'heapSnapshot',
    },
  ];
}

function reportEntries(): readonly MenuEntry[] {
  return [
    separator(l10n.t('Files')),
    {
      label: `$(file-zip) ${l10n.t('Report as a zip file')}`,
      detail: l10n.t('All of the above without credentials, to attach to an issue'),
      command: 'reportBundle',
    },
    { label: `$(trash) ${l10n.t('Delete old diagnostics files')}`, command: 'clear' },
  ];
}

const DURATIONS = [5, 10, 30, 60] as const;

/** Asks for the duration of a profile, in seconds; undefined if the person cancels. */
export async function askForSeconds(): Promise<number | undefined> {
  const chosen = await vscode.window.showQuickPick(
    DURATIONS.map((seconds) => ({ label: l10n.t('{0} seconds', seconds), seconds })),
    { title: l10n.t('Record a CPU profile for') },
  );
  return chosen?.seconds;
}

/** Asks for a caller; empty for all callers, undefined if the person cancels. */
export async function askForCaller(callers: readonly string[]): Promise<string | undefined> {
  if (callers.length < 2) return '';
  const chosen = await vscode.window.showQuickPick(
    [
      { label: l10n.t('All agents'), caller: '' },
      ...callers.map((caller) => ({ label: caller, caller })),
    ],
    { title: l10n.t('Which client’s calls?') },
  );
  return chosen?.caller;
}

/** Asks for one of the days with calls, or for all to be deleted; undefined if there are none, or if the person cancels. */
export async function askForDay(
  days: readonly DayOfCalls[],
): Promise<{ readonly day: string } | 'delete' | undefined> {
  if (days.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('No agent has called a tool in the last {0} days.', DAYS_KEPT),
    );
    return undefined;
  }
  const all = `$(trash) ${l10n.t('Delete the calls of all days')}`;
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem>(
    [
      ...days.map(({ day, bytes }) => ({ label: day, description: sizeText(bytes) })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: all },
    ],
    { title: l10n.t('The calls of which day?') },
  );
  if (chosen === undefined) return undefined;
  return chosen.label === all ? 'delete' : { day: chosen.label };
}

/** Asks in a modal dialog before files are deleted. */
export async function confirmDeletion(old: readonly Artefact[], days: number): Promise<boolean> {
  const bytes = old.reduce((sum, artefact) => sum + artefact.bytes, 0);
  const remove = l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Delete {0} diagnostics files that are older than {1} days?', old.length, days),
    { modal: true, detail: l10n.t('Profiles, heap snapshots and reports: {0}.', sizeText(bytes)) },
    remove,
  );
  return answer === remove;
}

/** Shows the path of a report, and offers to reveal it in the system's file manager or to copy the path. */
export async function offerFile(file: string): Promise<void> {
  const show = l10n.t('Show the File');
  const copy = l10n.t('Copy the Path');
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const answer = await vscode.window.showInformationMessage(
    l10n.t('The report is in {0}. Look through it before you attach it to an issue.', file),
    ...(isHere ? [show] : []),
    copy,
  );
  if (answer === copy) await vscode.env.clipboard.writeText(file);
  if (answer === show)
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
}
