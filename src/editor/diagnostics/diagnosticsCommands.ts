import { homedir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { countOf, fields, listOf } from '../../debugger/protocol';
import type { DebugModel } from '../../debugger/state/debugModel';
import { liveSessions } from '../../debugger/state/state';
import { logLine } from '../../debugger/texts';
import { olderThan, sizeText } from '../../diagnostics/artefacts';
import { redactedProfile } from '../../diagnostics/cpuProfile';
import type { DocumentName, DocumentSources } from '../../diagnostics/documents';
import { NEWEST, type Filter } from '../../diagnostics/filter';
import { MESSAGE_KINDS } from '../../diagnostics/messages';
import { withoutHome } from '../../diagnostics/redaction';
import { makeSystemReport, makeTranscript, reportFiles } from '../../diagnostics/report';
import type { BundleFile } from '../../diagnostics/reportBundle';
import type { SystemFacts } from '../../diagnostics/systemReport';
import { defined } from '../../util/defined';
import { settings } from '../settings';
import { writeChosen, type ArtefactFiles } from './artefactFiles';
import {
  askForCaller,
  askForDay,
  askForSeconds,
  confirmDeletion,
  offerFile,
  showDiagnosticsMenu,
} from './diagnosticsDialogs';
import type { EarlierCalls } from './earlierCalls';
import { cpuProfile } from './profiles';
import { systemFacts, versionLine } from './systemFacts';
import type { VirtualDocuments } from './virtualDocuments';

export interface CommandServices {
  readonly extension: vscode.Extension<unknown>;
  readonly model: DebugModel;
  readonly sources: DocumentSources;
  readonly documents: VirtualDocuments;
  readonly files: ArtefactFiles;
  readonly earlier: EarlierCalls;
}

const SECTION = 'agentDebugger.diagnostics';

/**
 * The commands of the diagnostics. Each command returns its result. Tests pass the choices of the person as arguments.
 */
export class DiagnosticsCommands {
  /** Tests answer in the person's place. */
  confirmDeletion = confirmDeletion;
  private readonly registered: vscode.Disposable;

  constructor(private readonly services: CommandServices) {
    this.registered = this.register();
  }

  dispose(): void {
    this.registered.dispose();
  }

  private register(): vscode.Disposable {
    const { documents, sources } = this.services;
    const inSection: Readonly<Record<string, (...given: unknown[]) => unknown>> = {
      menu: () => showDiagnosticsMenu(SECTION, sources.recording.isOn),
      callLog: () => documents.show('calls'),
      earlierCalls: (day) => this.earlierCalls(day),
      protocolTrace: (session) => this.showRecording('trace', session),
      mcpTraffic: () => this.showRecording('traffic'),
      toggleRecording: () => sources.recording.set(!sources.recording.isOn),
      cpuProfile: (seconds) => this.cpuProfile(seconds),
      heapSnapshot: () => this.heapSnapshot(),
      systemReport: () => this.systemReport(),
      reportBundle: () => this.reportBundle(),
      transcript: (caller) => this.transcript(caller),
      clear: () => this.clear(),
      filter: (uri, filter) => documents.filter(uriOf(uri), filterOf(filter)),
      older: (uri) => documents.showOlder(uriOf(uri)),
    };
    return vscode.Disposable.from(
      ...Object.entries(inSection).map(([name, run]) =>
        vscode.commands.registerCommand(`${SECTION}.${name}`, run),
      ),
      vscode.commands.registerCommand('agentDebugger.timeline.export', (uri: unknown) =>
        this.exportTranscript(uriOf(uri)),
      ),
      vscode.commands.registerCommand('agentDebugger.timeline.clear', () => sources.calls.clear()),
    );
  }

  /** Shows the calls of a day on which agents called tools, in any window. */
  private async earlierCalls(given: unknown): Promise<vscode.TextEditor | undefined> {
    const { documents, earlier } = this.services;
    const days = await earlier.days();
    const chosen = typeof given === 'string' ? { day: given } : await askForDay(days);
    if (chosen === 'delete') await earlier.clear();
    if (chosen === undefined || chosen === 'delete') return undefined;
    const { day } = chosen;
    if (!days.some((each) => each.day === day)) return undefined;
    const title = l10n.t('Agent Debugger: Calls of {0}', day);
    return await documents.showReport(`calls-${day}`, `# ${title}\n\n${await earlier.read(day)}`);
  }

  /** Shows a document whose contents are recorded from now on. */
  private async showRecording(name: DocumentName, session?: unknown): Promise<vscode.TextEditor> {
    const { documents, sources } = this.services;
    sources.recording.set(true);
    const filter = typeof session === 'string' ? { ...NEWEST, sessions: [session] } : NEWEST;
    return await documents.show(name, filter);
  }

  private async cpuProfile(given: unknown): Promise<string | undefined> {
    const seconds = typeof given === 'number' ? given : await askForSeconds();
    if (seconds === undefined) return undefined;
    const profile = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t(
          'Recording a CPU profile for {0} seconds. Cancel keeps what has been recorded.',
          seconds,
        ),
        cancellable: true,
      },
      async (_progress, token) => await profileFor(seconds, token),
    );
    return await this.written('profile', profile);
  }

  private async heapSnapshot(): Promise<string> {
    const { getHeapSnapshot } = await import('node:v8');
    return await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Taking a heap snapshot of the extension host'),
      },
      async () => await this.written('heap', getHeapSnapshot()),
    );
  }

  /** Writes an artefact and opens it in VS Code's own viewer. */
  private async written(
    kind: 'profile' | 'heap',
    content: Parameters<ArtefactFiles['write']>[1],
  ): Promise<string> {
    const file = await this.services.files.write(kind, content);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), {
      preview: false,
    });
    return file;
  }

  private async systemReport(): Promise<vscode.TextEditor> {
    const { documents, sources } = this.services;
    const text = await makeSystemReport(this.facts(), sources.redaction, new Date());
    return await documents.showReport(l10n.t('System Report'), text);
  }

  private async transcript(given?: unknown): Promise<vscode.TextEditor | undefined> {
    const { documents, sources } = this.services;
    const callers = [...new Set(sources.calls.records.map((call) => call.caller))];
    const caller = typeof given === 'string' ? given : await askForCaller(callers);
    if (caller === undefined) return undefined;
    const text = await this.transcriptText(caller === '' ? undefined : caller);
    return await documents.showReport(l10n.t('Agent Transcript'), text);
  }

  private async transcriptText(caller?: string): Promise<string> {
    const { extension, sources } = this.services;
    const versions = versionLine(extension);
    return await makeTranscript(sources.calls, sources.redaction, versions, new Date(), caller);
  }

  private async exportTranscript(given: vscode.Uri | undefined): Promise<void> {
    const uri =
      given ??
      (await vscode.window.showSaveDialog({
        title: l10n.t('Export the Transcript'),
        filters: { Markdown: ['md'] },
      }));
    if (uri === undefined) return;
    await writeChosen(uri, await this.transcriptText());
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  private async reportBundle(): Promise<string> {
    const file = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Making a report'),
      },
      async () => await this.makeBundle(),
    );
    void offerFile(file);
    return file;
  }

  private async makeBundle(): Promise<string> {
    const { extension, sources, files } = this.services;
    const { bundle } = await import(
      /* webpackChunkName: "report" */ '../../diagnostics/reportBundle.js'
    );
    const at = new Date();
    const home = homedir();
    const { profile, notes } = await this.newestProfile();
    const report = await reportFiles(
      {
        documents: sources,
        facts: this.facts(),
        versions: versionLine(extension),
        home,
        profile,
      },
      at,
    );
    const left = [...notes, ...(await this.snapshotNotes(home))];
    return await files.write('report', bundle(report, left, at));
  }

  /** The newest CPU profile, or a note if the profile is incomplete because its window was closed. */
  private async newestProfile(): Promise<{ profile?: BundleFile; notes: readonly string[] }> {
    const { files, sources } = this.services;
    const found = await files.newestProfile();
    if (found === undefined) return { notes: [] };
    const text = await redactedProfile(found.text, (texts) => sources.redaction.lines(texts));
    return text === undefined
      ? { notes: [`not included, because the profile is incomplete: ${found.name}`] }
      : { profile: { name: found.name, text }, notes: [] };
  }

  /**
   * Notes that list the heap snapshots. A heap snapshot contains the whole memory, including credentials, so it is
   * never included.
   */
  private async snapshotNotes(home: string): Promise<readonly string[]> {
    const { files } = this.services;
    const snapshots = (await files.list()).filter(({ kind }) => kind === 'heap');
    return snapshots.map(
      ({ name, bytes }) =>
        `not included, because it contains everything in memory: ${withoutHome(path.join(files.folder, name), home)} (${sizeText(bytes)})`,
    );
  }

  /** Deletes old files after the person has confirmed it. @returns the number of deleted files */
  private async clear(): Promise<number> {
    const { files } = this.services;
    const days = settings.keepDiagnosticsDays;
    const old = olderThan(await files.list(), days, Date.now());
    if (old.length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('There are no diagnostics files that are older than {0} days.', days),
      );
      return 0;
    }
    if (!(await this.confirmDeletion(old, days))) return 0;
    await files.delete(old);
    return old.length;
  }

  private facts(): SystemFacts {
    const { extension, model, sources } = this.services;
    const { calls, trace, traffic, recording } = sources;
    const sessions = [...model.state.sessions.values()];
    const state: [string, string][] = [
      [l10n.t('Debug sessions'), `${liveSessions(model.state).length} / ${sessions.length}`],
      ...sessions.map(({ id, type, lifecycle, name }): [string, string] => [
        id,
        logLine(`${type}, ${lifecycle}, ${name}`),
      ]),
      [l10n.t('Recorded calls'), String(calls.records.length)],
      [l10n.t('Recorded sessions'), String(trace.sessions.length)],
      [l10n.t('Recorded MCP messages'), String(traffic.log.records.length)],
      [l10n.t('Contents are recorded'), String(recording.isOn)],
    ];
    return systemFacts(extension, state);
  }
}

/** Records a profile for the given number of seconds, or until the person cancels. */
async function profileFor(seconds: number, token: vscode.CancellationToken): Promise<string> {
  const cancelled = new AbortController();
  const subscription = token.onCancellationRequested(() => cancelled.abort());
  try {
    return await cpuProfile(seconds, cancelled.signal);
  } finally {
    subscription.dispose();
  }
}

function uriOf(given: unknown): vscode.Uri | undefined {
  return given instanceof vscode.Uri ? given : undefined;
}

/** The filter in the argument of a keybinding or a test. */
function filterOf(given: unknown): Partial<Filter> | undefined {
  // The editor's menus pass other arguments.
  const { sessions, kinds, limit } = fields(given);
  if (sessions === undefined && kinds === undefined && limit === undefined) return undefined;
  return defined({
    sessions: Array.isArray(sessions) ? listOf(sessions).map(String) : undefined,
    kinds: Array.isArray(kinds) ? MESSAGE_KINDS.filter((kind) => kinds.includes(kind)) : undefined,
    limit: countOf(limit),
  });
}
