import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { InjectedBreakpoints } from './control/injectedBreakpoints';
import { Leases } from './control/leases';
import { RunControl } from './control/runControl';
import { Triggers } from './control/triggers/triggers';
import { TemporaryBreakpoints } from './control/temporaryBreakpoints';
import { Waits } from './control/waits';
import { AddressBreakpoints } from './debugger/breakpoints/addressBreakpoints';
import { BreakpointBook } from './debugger/breakpoints/breakpointBook';
import { BreakpointViews } from './results/views/breakpointView';
import type { Processes } from './debugger/processes/processes';
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
import { Diagnostics } from './editor/diagnostics/diagnostics';
import { VsCodeDebugHost } from './editor/debugHost';
import { DebuggerOffers } from './editor/debuggerOffers';
import { trackSessions } from './editor/debugTracker';
import { registerDebugWithAgent } from './editor/debugWithAgent';
import { showHandOver } from './editor/handOver';
import { Log, type LoggedCall } from './editor/log';
import { checkPatterns, warnOfPattern } from './editor/patternWarning';
import { makeInvestigation } from './editor/investigation/investigation';
import { registerInvestigation } from './editor/investigation/registerInvestigation';
import { registerLanguageModelTools, type CallLog } from './editor/languageModelTools';
import { TemporaryRecordingFolders } from './editor/recordingFolders';
import { processesOf } from './editor/processTable';
import { settings } from './editor/settings';
import { SessionRegistry } from './editor/sessionRegistry';
import { builtTestPrograms, InstalledCargo } from './editor/cargo';
import { ScratchFolders } from './editor/scratchFolders';
import { RecordedValues } from './editor/recorded/recordedValues';
import { TemporaryInputFiles } from './editor/inputFiles';
import { jdkThreadDumps } from './editor/threadDumps';
import { readTerminals } from './editor/terminalOutput';
import { followToolSets } from './editor/toolSets';
import { VsCodeDisk } from './editor/disk';
import { KnownLinks } from './editor/realFiles';
import { followLinksBy } from './debugger/sourcePath';
import { VsCodeWorkspace } from './editor/workspace';
import { fields } from './debugger/protocol';
import { allowedEnvironment } from './investigation/environment';
import { Recordings } from './recording/recordings';
import { endReading, setReadingFolder } from './syntax/reading';
import { PythonTracer } from './trace/tracers/python/pythonTracer';
import { Confirmation } from './mcp/server/confirmation';
import { OwnCalls } from './mcp/server/ownCalls';
import { askAboutOwnCall, askPerson } from './mcp/ui/askPerson';
import { ClientSetUps } from './mcp/ui/clientSetUps';
import { McpControl } from './mcp/ui/mcpControl';
import { Redactor } from './results/redact';
import { AgentAccess } from './tools/access';
import { ExposedTools } from './tools/exposed';
import { GuardedWorkspace, mayQuote } from './tools/files/fileAccess';
import { LaunchMemory } from './tools/launch/launchMemory';
import { ComingStarts } from './tools/launch/comingStarts';
import { ProgramInputs } from './tools/launch/programInputs';
import { Heaps } from './tools/live/heap/heapSummary';
import { WriterAnswers } from './tools/live/writer/writerAnswers';
import { Collections } from './tools/trace/collect/collections';
import type { ToolServices } from './tools/services';
import type { Recorded } from './tools/trace/recorded';
import { Listeners } from './util/listeners';
import { SerialQueue } from './util/serialQueue';

/** The objects that `activate` returns to tests in the extension host. */
interface ForTests {
  readonly model: DebugModel;
  readonly recordings: Recordings;
  readonly mcp: McpControl;
  /** Lets a test answer in the person's place. */
  readonly confirmation: Confirmation;
  readonly ownCalls: OwnCalls;
  readonly exposed: ExposedTools;
  readonly clientSetUps: ClientSetUps;
  readonly diagnostics: Diagnostics;
  readonly debuggerOffers: DebuggerOffers;
  readonly recordedValues: RecordedValues;
  readonly activationMilliseconds: number;
  /** The folder of the workspace's storage. */
  readonly storage: string;
}

/**
 * Connects the parts of the extension. It only registers them: no file is read, no process is started, and the network
 * is not used.
 */
export function activate(context: vscode.ExtensionContext): ForTests | undefined {
  const started = performance.now();
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const log = new Log();
  setReadingFolder(path.join(context.extensionPath, 'dist'));
  context.subscriptions.push({ dispose: () => void endReading() });
  const parts = makeServices(context, log);
  const front = makeFrontEnds(context, log, parts.services);
  register(context, log, parts, front);
  // Tests wait for events of the model. Other callers receive no API.
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  const { model, recordings } = parts.services;
  const { mcp, exposed, clientSetUps, diagnostics, debuggerOffers, asking, recordedValues } = front;
  const activationMilliseconds = performance.now() - started;
  const own = { model, recordings, mcp, exposed, clientSetUps, diagnostics, debuggerOffers };
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  return { ...own, ...asking, recordedValues, activationMilliseconds, storage };
}

type Parts = ReturnType<typeof makeServices>;
type FrontEnds = ReturnType<typeof makeFrontEnds>;

/** Creates the MCP server, and the objects that it shares with VS Code's language model tools. */
function makeFrontEnds(context: vscode.ExtensionContext, log: Log, services: ToolServices) {
  const { model, access } = services;
  const diagnostics = new Diagnostics(context, model, access, () => mcp.loadedKeys);
  const debuggerOffers = new DebuggerOffers(services, context.globalState);
  const callLog = diagnostics.callLog(afterCalls(log, debuggerOffers));
  const asking = makeAsking();
  const exposed = new ExposedTools();
  const mcp: McpControl = new McpControl(
    services,
    context.secrets,
    {
      version: String(fields(context.extension.packageJSON)['version']),
      maxChars: () => settings.maxResultCharacters,
      log: (call) => callLog.ended(call),
      traffic: diagnostics.traffic,
      tools: exposed,
      confirmation: asking.confirmation,
    },
    context.globalState,
    context.asAbsolutePath('dist/stdio.js'),
  );
  const clientSetUps = new ClientSetUps(mcp, context);
  const recordedValues = new RecordedValues(context.extensionUri, services.recorded, (error) =>
    log.warn(error),
  );
  return {
    diagnostics,
    debuggerOffers,
    callLog,
    asking,
    exposed,
    mcp,
    clientSetUps,
    recordedValues,
  };
}

/** Registers all parts with VS Code until the extension is deactivated. */
function register(
  context: vscode.ExtensionContext,
  log: Log,
  { services, sessions, bare, redactor, temporary, scratch }: Parts,
  { diagnostics, debuggerOffers, callLog, asking, exposed, mcp, clientSetUps, ...views }: FrontEnds,
): void {
  const { model, access } = services;
  context.subscriptions.push(
    log,
    diagnostics,
    debuggerOffers,
    temporary,
    scratch,
    services.triggers,
    trackSessions(model, sessions, services.injected.output, services.addressBreakpoints),
    readTerminals(model),
    reportProgramExits(model),
    registerBreakpointCommands(services),
    checkPatterns(redactor),
    clientSetUps,
    followToolSets(exposed),
    mcp,
    showHandOver(access, model),
    registerDebugWithAgent(services, bare),
    registerInvestigation(services.investigation, (error) => log.warn(error)),
    views.recordedValues,
    registerLanguageModelTools(services, exposed, usedBy(callLog, clientSetUps), asking.ownCalls),
  );
}

/**
 * Logs calls of the editor's own chats. After such a call, it is known that the editor receives the tools from the
 * extension itself.
 */
function usedBy(calls: CallLog, setUps: ClientSetUps): CallLog {
  return {
    asked: (call) => calls.asked(call),
    ended: (call) => {
      calls.ended(call);
      setUps.editorUsesTools();
    },
  };
}

function afterCalls(log: Log, offers: DebuggerOffers): (call: LoggedCall) => void {
  return (call) => {
    log.call(call);
    offers.after(call).catch((error: unknown) => log.warn(error));
  };
}

/** Creates the services that the tools use, and the parts that only the extension uses. */
function makeServices(context: vscode.ExtensionContext, log: Log) {
  const model = new DebugModel();
  const files = makeWorkspace(model);
  const processes = processesOf();
  const parts = makeDebugger(model, context.workspaceState);
  const { sessions, requests, ...debugging } = parts;
  const { workspace, bare, named } = files;
  const views = makeViews(parts, files);
  followEnds(model, parts.host, views.stops, log);
  const { temporary, ...running } = makeControl(parts, processes);
  const folders = new TemporaryRecordingFolders();
  const recorders = path.join(context.extensionPath, 'recorders');
  const recordings = new Recordings(
    model,
    running.injected,
    folders,
    requests,
    debugging.addressBreakpoints,
    recorders,
  );
  const { injected } = running;
  const python = new PythonTracer({ model, requests, injected, files: folders }, recorders);
  endRecordings = async () => {
    // VS Code waits only a few seconds, so all begin in the same turn.
    await Promise.allSettled([recordings.dispose(), python.dispose(), injected.dispose()]);
  };
  const redactor = new Redactor(() => settings.redaction, warnOfPattern);
  const scratch = new ScratchFolders();
  const services: ToolServices = {
    ...debugging,
    ...running,
    ...views,
    ...memories(),
    workspace,
    named,
    recordings,
    tracers: { python },
    inputs: new ProgramInputs(model, new TemporaryInputFiles(scratch)),
    redactor,
    investigation: makeInvestigation(context, redactor, (line) => log.line(line)),
    scratch,
    reporters: path.join(context.extensionPath, 'reporters'),
    recorders,
    cargo: new InstalledCargo(),
    go: new InstalledCargo('go'),
    testPrograms: builtTestPrograms,
    processes,
    threadDumps: jdkThreadDumps,
  };
  return { services, sessions, bare, redactor, temporary, scratch };
}

/** What earlier calls have left for later ones. */
function memories() {
  return {
    collections: new Collections(),
    recorded: new Listeners<Recorded>(),
    heaps: new Heaps(),
    writers: new WriterAnswers(),
    launches: new LaunchMemory(),
    starts: new ComingStarts(),
  };
}

function makeWorkspace(model: DebugModel) {
  const links = new KnownLinks();
  followLinksBy((file) => links.resolve(file));
  model.observe(() => links.forget(), ['sessionCreated']);
  const bare = new VsCodeWorkspace(links);
  const disk = new VsCodeDisk();
  const named = new NamedSources(model, (file) => disk.realPath(file));
  model.observe((event) => named.observe(event), named.observes);
  return { bare, named, workspace: new GuardedWorkspace(bare, disk, (real) => named.has(real)) };
}

/** Creates the views that present breakpoints and stops in results. */
function makeViews(
  { model, requests, inspector, breakpoints }: ReturnType<typeof makeDebugger>,
  { workspace, bare }: ReturnType<typeof makeWorkspace>,
) {
  const breakpointViews = new BreakpointViews(
    breakpoints,
    model,
    requests,
    async (file, type) => await workspace.isForLanguage(file, type),
    async (file) => await mayQuote(workspace, file),
  );
  const stops = new StopReporter(
    model,
    inspector,
    breakpoints,
    (file) => workspace.readSource(file),
    (file) => bare.isOwnCode(file),
  );
  return { breakpointViews, stops };
}

function makeDebugger(model: DebugModel, memory: vscode.Memento) {
  const sessions = new SessionRegistry();
  const host = new VsCodeDebugHost(sessions, model);
  const requests = new AdapterRequests(host, model);
  const inspector = new Inspector(model, requests, new HandleTable(model));
  const prefetch = new StopPrefetch(model, requests);
  model.observe((event) => prefetch.observe(event), prefetch.observes);
  const breakpoints = new BreakpointBook(host, model, {
    read: () => memory.get('breakpoints'),
    write: (marks) => void memory.update('breakpoints', marks),
  });
  model.observe((event) => breakpoints.observe(event), breakpoints.observes);
  const addressBreakpoints = new AddressBreakpoints(host, model, breakpoints);
  model.observe((event) => addressBreakpoints.observe(event), addressBreakpoints.observes);
  const exceptions = new ExceptionBreakpoints(host, model);
  model.observe((event) => exceptions.observe(event), exceptions.observes);
  return {
    model,
    sessions,
    host,
    requests,
    inspector,
    prefetch,
    breakpoints,
    addressBreakpoints,
    exceptions,
  };
}

/** When a session ends, prunes its report state and ends the sessions that depend on it. */
function followEnds(model: DebugModel, host: VsCodeDebugHost, stops: StopReporter, log: Log): void {
  model.observe(
    (event) => {
      const ended = model.state.sessions.get(event.key);
      if (ended !== undefined && ended.lifecycle !== 'terminated') return;
      stops.prune();
      if (ended === undefined) return;
      for (const session of endsWith(model.state, ended))
        host.stop(session.key, { detach: false }).catch((error: unknown) => log.warn(error));
    },
    ['sessionEnded', 'adapterExited'],
  );
}

function makeControl(
  { model, host, prefetch, breakpoints }: ReturnType<typeof makeDebugger>,
  processes: Processes,
) {
  const access = new AgentAccess();
  const leases = new Leases(model);
  model.observe((event) => leases.observe(event), leases.observes);
  access.onDidChange(() => {
    if (access.paused) leases.loseAll('takenOver');
  });
  const temporary = new TemporaryBreakpoints(host, breakpoints);
  const control = new RunControl(
    model,
    host,
    new Waits(model, prefetch),
    leases,
    temporary,
    processes,
  );
  const injected = new InjectedBreakpoints(host, model);
  model.observe((event) => injected.observe(event), injected.observes);
  const triggers = new Triggers(model, () =>
    allowedEnvironment(process.env, settings.investigation.environment),
  );
  return { access, control, injected, temporary, triggers };
}

function makeAsking() {
  const turns = new SerialQueue();
  const confirmation = new Confirmation({
    turns,
    asks: () => settings.confirmsMcp,
    isRequired: (consent) => settings.confirmsMcp && !settings.allows(consent),
    ask: askPerson,
  });
  const ownCalls = new OwnCalls({
    isRequired: () => settings.asksInCalls,
    ask: askAboutOwnCall,
    turns,
  });
  return { confirmation, ownCalls };
}

/** Removes recorders and their breakpoints. This takes longer than the disposal of a subscription may take. */
let endRecordings: () => Promise<void> = () => Promise.resolve();

export async function deactivate(): Promise<void> {
  // All other parts are subscriptions of the context.
  await endRecordings();
}
