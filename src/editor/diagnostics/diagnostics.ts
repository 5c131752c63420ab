import * as vscode from 'vscode';
import type { DebugModel } from '../../debugger/state/debugModel';
import { fields, listOf, textOf } from '../../debugger/protocol';
import { CallRecords } from '../../diagnostics/calls';
import { followingDocuments, type DocumentSources } from '../../diagnostics/documents';
import { McpTraffic } from '../../diagnostics/mcpTraffic';
import { ProtocolTrace } from '../../diagnostics/protocolTrace';
import { Recording } from '../../diagnostics/recording';
import { DiagnosticsRedaction } from '../../diagnostics/redaction';
import { Redactor } from '../../results/redact';
import type { AgentAccess } from '../../tools/access';
import type { CallLog } from '../languageModelTools';
import type { LoggedCall } from '../log';
import { settings } from '../settings';
import { ArtefactFiles } from './artefactFiles';
import { DiagnosticsCommands } from './diagnosticsCommands';
import { EarlierCalls } from './earlierCalls';
import { TimelineView } from './timelineView';
import { VirtualDocuments } from './virtualDocuments';

/**
 * The records for the person, and the user interface that shows them: records of calls, of the debug protocol and of
 * MCP traffic; documents, the timeline and commands.
 */
export class Diagnostics implements vscode.Disposable {
  readonly recording = new Recording();
  readonly calls = new CallRecords();
  readonly trace = new ProtocolTrace(this.recording);
  readonly traffic = new McpTraffic(this.recording);
  readonly commands: DiagnosticsCommands;
  readonly timeline: TimelineView;
  private readonly documents: VirtualDocuments;
  private readonly earlier: EarlierCalls;
  private readonly titles: ReadonlyMap<string, string>;

  /** @param secrets texts that are never shown, such as the key of the MCP server */
  constructor(
    context: vscode.ExtensionContext,
    model: DebugModel,
    access: AgentAccess,
    secrets: () => readonly string[],
  ) {
    const { calls, trace, traffic, recording } = this;
    this.titles = titlesOf(context.extension);
    model.observe((event) => trace.observe(event));
    const sources: DocumentSources = {
      calls,
      trace,
      traffic,
      recording,
      // Data that may leave the machine is always redacted, regardless of the setting for results.
      redaction: new DiagnosticsRedaction(
        new Redactor(() => ({ ...settings.redaction, enabled: true, isStrict: true })),
        secrets,
      ),
      idOf: (key) => model.state.sessions.get(key)?.id ?? key.slice(0, 8),
    };
    this.earlier = new EarlierCalls(
      vscode.Uri.joinPath(context.globalStorageUri, 'calls').fsPath,
      (record) => sources.redaction.input(record),
    );
    this.documents = new VirtualDocuments(followingDocuments(sources));
    this.timeline = new TimelineView(calls, access);
    const files = new ArtefactFiles(
      vscode.Uri.joinPath(context.globalStorageUri, 'diagnostics').fsPath,
    );
    this.commands = new DiagnosticsCommands({
      extension: context.extension,
      model,
      sources,
      documents: this.documents,
      files,
      earlier: this.earlier,
    });
  }

  /** Records each call and passes it on. */
  callLog(log: (call: LoggedCall) => void): CallLog {
    return {
      asked: (call) => this.calls.asked({ ...call, title: this.titleOf(call.tool) }),
      ended: (call) => {
        log(call);
        const { result = { status: call.status }, wasAsked = false, input } = call;
        const title = this.titleOf(call.tool);
        this.earlier.add(this.calls.ended({ ...call, input, result, wasAsked, title }));
      },
    };
  }

  dispose(): void {
    this.commands.dispose();
    this.timeline.dispose();
    this.documents.dispose();
  }

  private titleOf(tool: string): string {
    return this.titles.get(tool) ?? tool.slice(0, 100);
  }
}

/** The titles of the tools in the display language, from the manifest that VS Code has localized. */
function titlesOf(extension: vscode.Extension<unknown>): ReadonlyMap<string, string> {
  const contributes = fields(fields(extension.packageJSON)['contributes']);
  return new Map(
    listOf(contributes['languageModelTools'])
      .map(fields)
      .map((tool) => {
        const name = textOf(tool['name']) ?? '';
        return [name, textOf(tool['displayName']) ?? name] as const;
      }),
  );
}
