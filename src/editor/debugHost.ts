import path from 'node:path';
import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import type {
  DebugHost,
  HostBreakpoint,
  MoveCommand,
  RequestedHostBreakpoint,
} from '../debugger/host';
import { fields, textOf, type Fields } from '../debugger/protocol';
import type { SessionRegistry } from './sessionRegistry';

/** VS Code's own commands; with a context argument they act on that thread, whatever has the focus. */
const COMMANDS: Readonly<Record<MoveCommand, string>> = {
  continue: 'workbench.action.debug.continue',
  next: 'workbench.action.debug.stepOver',
  stepIn: 'workbench.action.debug.stepInto',
  stepOut: 'workbench.action.debug.stepOut',
  pause: 'workbench.action.debug.pause',
  stepBack: 'workbench.action.debug.stepBack',
  reverseContinue: 'workbench.action.debug.reverseContinue',
};

/**
 * With a file in front that was never saved, VS Code's own saving before a start (`debug.saveBeforeStart`) opens a
 * dialog that nobody may be there to answer. Then the other files are saved here, as it would.
 * @returns whether VS Code has nothing to save any more
 */
async function savedHere(): Promise<boolean> {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    typeof input === 'object' && input !== null && 'uri' in input && input.uri instanceof vscode.Uri
      ? input.uri
      : undefined;
  if (uri?.scheme !== 'untitled') return false;
  await saveBeforeStart();
  return true;
}

/** Saves the files that were saved before, unless the person's setting says otherwise. */
async function saveBeforeStart(): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId;
  const setting = vscode.workspace
    .getConfiguration('debug', language === undefined ? undefined : { languageId: language })
    .get('saveBeforeStart');
  if (setting !== 'none') await vscode.workspace.saveAll(false);
}

/**
 * A source's path as an address: of a plain path in a request, VS Code's window takes it that it is a file on the
 * window's own machine, which the adapter of a remote window cannot find.
 */
function withAddress(args: object): object {
  const source = fields(fields(args)['source']);
  const file = textOf(source['path']);
  return file === undefined || !path.isAbsolute(file)
    ? args
    : { ...args, source: { ...source, path: vscode.Uri.file(file) } };
}

/** The debugger's port to VS Code. */
export class VsCodeDebugHost implements DebugHost {
  private seq = 0;

  constructor(
    private readonly sessions: SessionRegistry,
    private readonly model: DebugModel,
  ) {}

  async request(sessionKey: string, command: string, args: object): Promise<unknown> {
    const session = this.session(sessionKey);
    if (this.sessions.isTracked(sessionKey))
      return (await session.customRequest(command, withAddress(args))) as unknown;
    return await this.untracked(session, command, args);
  }

  /** No tracker sees this session's messages, so the model is told of ours from here. */
  private async untracked(
    session: vscode.DebugSession,
    command: string,
    args: object,
  ): Promise<unknown> {
    this.seq -= 1;
    const seq = this.seq;
    const tell = (type: 'toAdapter' | 'fromAdapter', message: object): void =>
      this.model.dispatch({ type, key: session.id, at: Date.now(), message });
    tell('toAdapter', { type: 'request', seq, command, arguments: args });
    try {
      const body: unknown = await session.customRequest(command, withAddress(args));
      tell('fromAdapter', { type: 'response', request_seq: seq, command, success: true, body });
      return body;
    } catch (error) {
      tell('fromAdapter', {
        type: 'response',
        request_seq: seq,
        command,
        success: false,
        message: error instanceof Error ? error.message : String(error),
      });
      throw error;
    }
  }

  async move(sessionKey: string, threadId: number, command: MoveCommand): Promise<void> {
    // Without knowing the thread, VS Code's command would move the one that has the focus, of whatever session. VS Code
    // knows it once the adapter has listed it, with its name.
    const isKnown =
      this.model.state.sessions.get(sessionKey)?.threads.get(threadId)?.name !== undefined;
    if (!isKnown || !this.sessions.isTracked(sessionKey)) {
      await this.request(sessionKey, command, { threadId });
      return;
    }
    // VS Code's `CallStackContext`, which its menus pass as the second argument. Its own requests make its views follow adapters that send no `continued`.
    await vscode.commands.executeCommand(COMMANDS[command], undefined, {
      sessionId: sessionKey,
      threadId: `thread:${sessionKey}:${threadId}`,
    });
  }

  async start(
    folderPath: string | undefined,
    wanted: Fields,
    options: { readonly noDebug: boolean },
  ): Promise<boolean> {
    const folder = vscode.workspace.workspaceFolders?.find(
      (each) => each.uri.fsPath === folderPath,
    );
    return await vscode.debug.startDebugging(folder, asConfiguration(wanted), {
      noDebug: options.noDebug,
      suppressSaveBeforeStart: await savedHere(),
    });
  }

  async stop(sessionKey: string, { detach }: { readonly detach: boolean }): Promise<void> {
    // `vscode.debug.stopDebugging` asks the adapter to end the program, of an attached session too.
    if (detach)
      await vscode.commands.executeCommand('workbench.action.debug.disconnect', undefined, {
        sessionId: sessionKey,
      });
    else await vscode.debug.stopDebugging(this.session(sessionKey));
  }

  async restart(sessionKey: string, configuration: Fields): Promise<void> {
    await saveBeforeStart();
    await this.request(sessionKey, 'restart', { arguments: configuration });
  }

  focusedFrame(sessionKey: string): number | undefined {
    const item = vscode.debug.activeStackItem;
    return item instanceof vscode.DebugStackFrame && item.session.id === sessionKey
      ? item.frameId
      : undefined;
  }

  breakpoints(): readonly HostBreakpoint[] {
    return vscode.debug.breakpoints.flatMap((each) => toHostBreakpoint(each) ?? []);
  }

  addBreakpoint(wanted: RequestedHostBreakpoint): HostBreakpoint {
    const made = fromWanted(wanted);
    vscode.debug.addBreakpoints([made]);
    return { ...wanted, hostId: made.id, enabled: made.enabled };
  }

  removeBreakpoints(hostIds: readonly string[]): void {
    const ids = new Set(hostIds);
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter((each) => ids.has(each.id)));
  }

  private session(key: string): vscode.DebugSession {
    const session = this.sessions.get(key);
    if (session === undefined) throw new Error('the session has ended');
    return session;
  }
}

function asConfiguration(value: Fields): vscode.DebugConfiguration {
  return {
    ...value,
    type: String(value['type']),
    request: String(value['request']),
    name: String(value['name']),
  };
}

function toHostBreakpoint(breakpoint: vscode.Breakpoint): HostBreakpoint | undefined {
  const { id: hostId, enabled, condition, hitCondition, logMessage } = breakpoint;
  const common = { hostId, enabled, condition, hitCondition, logMessage };
  if (breakpoint instanceof vscode.SourceBreakpoint) {
    const { uri, range } = breakpoint.location;
    const path = uri.scheme === 'file' ? uri.fsPath : uri.toString();
    return {
      ...common,
      kind: 'source',
      path,
      line: range.start.line + 1,
      ...(range.start.character > 0 ? { column: range.start.character + 1 } : {}),
    };
  }
  if (breakpoint instanceof vscode.FunctionBreakpoint)
    return { ...common, kind: 'function', functionName: breakpoint.functionName };
  return undefined;
}

function fromWanted(wanted: RequestedHostBreakpoint): vscode.Breakpoint {
  const { condition, hitCondition, logMessage } = wanted;
  if (wanted.kind === 'function')
    return new vscode.FunctionBreakpoint(
      wanted.functionName,
      wanted.enabled ?? true,
      condition,
      hitCondition,
      logMessage,
    );
  const at = new vscode.Position(wanted.line - 1, (wanted.column ?? 1) - 1);
  return new vscode.SourceBreakpoint(
    new vscode.Location(vscode.Uri.file(wanted.path), at),
    wanted.enabled ?? true,
    condition,
    hitCondition,
    logMessage,
  );
}
