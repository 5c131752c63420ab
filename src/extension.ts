import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Leases } from './control/leases';
import { RunControl } from './control/runControl';
import { TemporaryBreakpoints } from './control/temporaryBreakpoints';
import { Waits } from './control/waits';
import { BreakpointBook } from './debugger/breakpoints/breakpointBook';
import { BreakpointViews } from './results/views/breakpointView';
import { DebugModel } from './debugger/state/debugModel';
import { ExceptionBreakpoints } from './debugger/breakpoints/exceptionBreakpoints';
import { HandleTable } from './debugger/inspection/handles';
import { Inspector } from './debugger/inspection/inspector';
import { endsWith } from './debugger/state/launchMark';
import { NamedSources } from './debugger/inspection/namedSources';
import { StopPrefetch } from './debugger/inspection/prefetch';
import { reportProgramExits } from './debugger/state/programExits';
import { AdapterRequests } from './debugger/requests';
import { StopReporter } from './results/views/stopReport';
import { registerBreakpointCommands } from './editor/breakpointCommands';
import { VsCodeDebugHost } from './editor/debugHost';
import { trackSessions } from './editor/debugTracker';
import { registerDebugWithAgent } from './editor/debugWithAgent';
import { showHandOver } from './editor/handOver';
import { Log } from './editor/log';
import { checkPatterns, warnOfPattern } from './editor/patternWarning';
import { registerLanguageModelTools, type CallLog } from './editor/languageModelTools';
import { settings } from './editor/settings';
import { SessionRegistry } from './editor/sessionRegistry';
import { readTerminals } from './editor/terminalOutput';
import { VsCodeDisk } from './editor/disk';
import { VsCodeWorkspace } from './editor/workspace';
import { fields } from './debugger/protocol';
import { Confirmation } from './mcp/server/confirmation';
import { askPerson } from './mcp/ui/askPerson';
import { ClientSetUps } from './mcp/ui/clientSetUps';
import { McpControl } from './mcp/ui/mcpControl';
import { Redactor } from './results/redact';
import { AgentAccess } from './tools/access';
import { ExposedTools } from './tools/exposed';
import { GuardedWorkspace, mayTellOf } from './tools/files/fileAccess';
import type { ToolServices } from './tools/services';

interface ForTests {
  readonly model: DebugModel;
  readonly mcp: McpControl;
  /** Whom a test puts in the person's place. */
  readonly confirmation: Confirmation;
  readonly exposed: ExposedTools;
  readonly clientSetUps: ClientSetUps;
  readonly activationMilliseconds: number;
}

/** Wires everything, and does nothing but register: no file is read, no process started, no network touched. */
export function activate(context: vscode.ExtensionContext): ForTests | undefined {
  const started = performance.now();
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const log = new Log();
  const model = new DebugModel();
  const sessions = new SessionRegistry();
  const host = new VsCodeDebugHost(sessions, model);
  const bare = new VsCodeWorkspace();
  const disk = new VsCodeDisk();
  const named = new NamedSources(model, (file) => disk.realPath(file));
  model.observe((event) => named.observe(event), named.observes);
  const workspace = new GuardedWorkspace(bare, disk, (real) => named.has(real));
  const requests = new AdapterRequests(host, model);
  const inspector = new Inspector(model, requests, new HandleTable(model));
  const prefetch = new StopPrefetch(model, requests);
  model.observe((event) => prefetch.observe(event), prefetch.observes);
  const memory = context.workspaceState;
  const breakpoints = new BreakpointBook(host, model, {
    read: () => memory.get('breakpoints'),
    write: (marks) => void memory.update('breakpoints', marks),
  });
  model.observe((event) => breakpoints.observe(event), breakpoints.observes);
  const breakpointViews = new BreakpointViews(
    breakpoints,
    model,
    requests,
    async (file, type) => await workspace.isForLanguage(file, type),
    async (file) => await mayTellOf(workspace, file),
  );
  const stops = new StopReporter(
    model,
    inspector,
    breakpoints,
    (file) => workspace.readSource(file),
    (file) => bare.isOwnCode(file),
  );
  const exceptions = new ExceptionBreakpoints(host, model);
  model.observe((event) => exceptions.observe(event), exceptions.observes);
  model.observe(
    (event) => {
      const ended = model.state.sessions.get(event.key);
      if (ended !== undefined && ended.lifecycle !== 'terminated') return;
      stops.prune();
      if (ended === undefined) return;
      for (const each of endsWith(model.state, ended))
        host.stop(each.key, { detach: false }).catch((error: unknown) => log.warn(error));
    },
    ['sessionEnded', 'adapterExited'],
  );
  const access = new AgentAccess();
  const leases = new Leases(model);
  model.observe((event) => leases.observe(event), leases.observes);
  access.onDidChange(() => {
    if (access.paused) leases.loseAll('takenOver');
  });
  const temporary = new TemporaryBreakpoints(host, breakpoints);
  const control = new RunControl(model, host, new Waits(model, prefetch), leases, temporary);
  const redactor = new Redactor(() => settings.redaction, warnOfPattern);
  const services: ToolServices = {
    model,
    host,
    workspace,
    inspector,
    named,
    breakpoints,
    breakpointViews,
    exceptions,
    stops,
    control,
    redactor,
    access,
  };

  const logCall: CallLog = (call) => log.call(call);
  const confirmation = new Confirmation({
    asks: () => settings.confirmsMcp,
    wanted: (consent) => settings.confirmsMcp && !settings.allows(consent),
    ask: askPerson,
  });
  const exposed = new ExposedTools();
  const mcp = new McpControl(
    services,
    context.secrets,
    {
      version: String(fields(context.extension.packageJSON)['version']),
      maxChars: () => settings.maxResultCharacters,
      log: logCall,
      tools: exposed,
      confirmation,
    },
    context.globalState,
    context.asAbsolutePath('dist/stdio.js'),
  );
  const clientSetUps = new ClientSetUps(mcp, context);
  context.subscriptions.push(
    log,
    temporary,
    trackSessions(model, sessions),
    readTerminals(model),
    reportProgramExits(model),
    registerBreakpointCommands(services),
    checkPatterns(redactor),
    clientSetUps,
    mcp,
    showHandOver(access, model),
    registerDebugWithAgent(services, bare),
    registerLanguageModelTools(services, logCall),
  );
  // Tests look at the model to know when something has happened; nobody else is handed anything.
  return context.extensionMode === vscode.ExtensionMode.Test
    ? {
        model,
        mcp,
        confirmation,
        exposed,
        clientSetUps,
        activationMilliseconds: performance.now() - started,
      }
    : undefined;
}

export function deactivate(): void {
  // Everything is a subscription of the context.
}
