import * as vscode from 'vscode';
import type { DebugHost, HostBreakpoint, MoveCommand, WantedBreakpoint } from '../debugger/host';
import type { Fields } from '../debugger/protocol';
import type { SessionRegistry } from './sessionRegistry';

/** VS Code's own commands; with a context argument they act on that thread, whatever has the focus. */
const COMMANDS: Readonly<Record<MoveCommand, string>> = {
  continue: 'workbench.action.debug.continue',
  next: 'workbench.action.debug.stepOver',
  stepIn: 'workbench.action.debug.stepInto',
  stepOut: 'workbench.action.debug.stepOut',
  pause: 'workbench.action.debug.pause',
};

/** The debugger's port to VS Code. */
export class VsCodeDebugHost implements DebugHost {
  constructor(private readonly sessions: SessionRegistry) {}

  async request(sessionKey: string, command: string, args: object): Promise<unknown> {
    const body: unknown = await this.session(sessionKey).customRequest(command, args);
    return body;
  }

  async move(sessionKey: string, threadId: number, command: MoveCommand): Promise<void> {
    // VS Code's `CallStackContext`; its own requests make its views follow adapters that send no `continued`.
    await vscode.commands.executeCommand(COMMANDS[command], { sessionId: sessionKey, threadId: `thread:${sessionKey}:${threadId}` });
  }

  async start(folderPath: string | undefined, nameOrConfiguration: string | Fields, options: { readonly noDebug: boolean }): Promise<boolean> {
    const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.fsPath === folderPath);
    const configuration = typeof nameOrConfiguration === 'string' ? nameOrConfiguration : asConfiguration(nameOrConfiguration);
    return await vscode.debug.startDebugging(folder, configuration, { noDebug: options.noDebug });
  }

  async stop(sessionKey: string): Promise<void> {
    await vscode.debug.stopDebugging(this.session(sessionKey));
  }

  breakpoints(): readonly HostBreakpoint[] {
    return vscode.debug.breakpoints.flatMap((each) => toHostBreakpoint(each) ?? []);
  }

  addBreakpoint(wanted: WantedBreakpoint): HostBreakpoint {
    const made = fromWanted(wanted);
    vscode.debug.addBreakpoints([made]);
    return { ...wanted, hostId: made.id, enabled: true };
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
  return { ...value, type: String(value['type']), request: String(value['request']), name: String(value['name']) };
}

function toHostBreakpoint(breakpoint: vscode.Breakpoint): HostBreakpoint | undefined {
  const { id: hostId, enabled, condition, hitCondition, logMessage } = breakpoint;
  const common = { hostId, enabled, condition, hitCondition, logMessage };
  if (breakpoint instanceof vscode.SourceBreakpoint) {
    const { uri, range } = breakpoint.location;
    const path = uri.scheme === 'file' ? uri.fsPath : uri.toString();
    return { ...common, kind: 'source', path, line: range.start.line + 1, ...(range.start.character > 0 ? { column: range.start.character + 1 } : {}) };
  }
  if (breakpoint instanceof vscode.FunctionBreakpoint) return { ...common, kind: 'function', functionName: breakpoint.functionName };
  return undefined;
}

function fromWanted(wanted: WantedBreakpoint): vscode.Breakpoint {
  const { condition, hitCondition, logMessage } = wanted;
  if (wanted.kind === 'function') return new vscode.FunctionBreakpoint(wanted.functionName, true, condition, hitCondition, logMessage);
  const at = new vscode.Position(wanted.line - 1, (wanted.column ?? 1) - 1);
  return new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(wanted.path), at), true, condition, hitCondition, logMessage);
}
