import path from 'node:path';
import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import {
  TEST_AT_LINE,
  type DebugHost,
  type HostBreakpoint,
  type MoveCommand,
  type RequestedHostBreakpoint,
} from '../debugger/host';
import { fields, textOf, type Fields } from '../debugger/protocol';
import { asOwnThreadList } from '../debugger/state/ownThreadList';
import { defined } from '../util/defined';
import { KnownThreads } from './knownThreads';
import type { SessionRegistry } from './sessionRegistry';
import { startTestAtLine } from './testAtLine';

/** VS Code's own commands. With a context argument, they act on that thread, regardless of the focus. */
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
 * If the active file was never saved, VS Code's `debug.saveBeforeStart` opens a dialog, and the person may not be
 * present to answer it. In this case, the other files are saved here.
 * @returns whether the files were saved, so that VS Code must not save them
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

/** Saves the files that were saved before, unless the person's setting disables that. */
async function saveBeforeStart(): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId;
  const setting = vscode.workspace
    .getConfiguration('debug', language === undefined ? undefined : { languageId: language })
    .get('saveBeforeStart');
  if (setting !== 'none') await vscode.workspace.saveAll(false);
}

/**
 * Replaces a source's path by a URI. VS Code's window treats a plain path in a request as a file on the window's own
 * machine, which the adapter of a remote window cannot find.
 */
function withSourceUri(args: object): object {
  const source = fields(fields(args)['source']);
  const file = textOf(source['path']);
  return file === undefined || !path.isAbsolute(file)
    ? args
    : { ...args, source: { ...source, path: vscode.Uri.file(file) } };
}

/** Implements the debugger's access to VS Code. */
export class VsCodeDebugHost implements DebugHost {
  private seq = 0;
  private readonly known: KnownThreads;

  constructor(
    private readonly sessions: SessionRegistry,
    private readonly model: DebugModel,
  ) {
    this.known = new KnownThreads(model);
  }

  async request(sessionKey: string, command: string, args: object): Promise<unknown> {
    const session = this.session(sessionKey);
    if (!this.sessions.isTracked(sessionKey)) return await this.untracked(session, command, args);
    const sent = command === 'threads' ? asOwnThreadList(args) : withSourceUri(args);
    return await this.known.during<unknown>(session, () => session.customRequest(command, sent));
  }

  /**
   * Sends a request in a session without a tracker. Its messages are not observed, so our own messages are dispatched
   * to the model here.
   */
  private async untracked(
    session: vscode.DebugSession,
    command: string,
    args: object,
  ): Promise<unknown> {
    this.seq -= 1;
    const seq = this.seq;
    const dispatch = (type: 'toAdapter' | 'fromAdapter', message: object): void =>
      this.model.dispatch({ type, key: session.id, at: Date.now(), message });
    dispatch('toAdapter', { type: 'request', seq, command, arguments: args });
    try {
      const body: unknown = await session.customRequest(command, withSourceUri(args));
      dispatch('fromAdapter', { type: 'response', request_seq: seq, command, success: true, body });
      return body;
    } catch (error) {
      dispatch('fromAdapter', {
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
    // If VS Code does not know the thread, its command moves the focused thread of any session.
    const session = this.session(sessionKey);
    if (this.known.isListed(session, threadId) && !this.known.has(session, threadId))
      await this.request(sessionKey, 'threads', {}).catch(() => undefined);
    if (!this.known.has(session, threadId)) {
      await this.request(sessionKey, command, { threadId });
      return;
    }
    // VS Code's `CallStackContext`, which its menus pass as the second argument. Because VS Code sends the request
    // itself, its views are also updated for adapters that send no `continued` event.
    await vscode.commands.executeCommand(COMMANDS[command], undefined, {
      sessionId: sessionKey,
      threadId: `thread:${sessionKey}:${threadId}`,
    });
  }

  async start(
    folderPath: string | undefined,
    configuration: Fields,
    options: { readonly noDebug: boolean },
  ): Promise<boolean> {
    if (configuration['type'] === TEST_AT_LINE) return await startTestAtLine(configuration);
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folderPath);
    return await vscode.debug.startDebugging(folder, asConfiguration(configuration), {
      noDebug: options.noDebug,
      suppressSaveBeforeStart: await savedHere(),
    });
  }

  async stop(sessionKey: string, { detach }: { readonly detach: boolean }): Promise<void> {
    // `vscode.debug.stopDebugging` asks the adapter to end the program, even in an attached session.
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
    return vscode.debug.breakpoints.flatMap((breakpoint) => toHostBreakpoint(breakpoint) ?? []);
  }

  addBreakpoint(requested: RequestedHostBreakpoint): HostBreakpoint {
    const added = toVsCodeBreakpoint(requested);
    vscode.debug.addBreakpoints([added]);
    return { ...requested, hostId: added.id, enabled: added.enabled };
  }

  removeBreakpoints(hostIds: readonly string[]): void {
    const ids = new Set(hostIds);
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter(({ id }) => ids.has(id)));
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
    const { line, character } = range.start;
    const column = character > 0 ? character + 1 : undefined;
    return { ...common, kind: 'source', path, line: line + 1, ...defined({ column }) };
  }
  if (breakpoint instanceof vscode.FunctionBreakpoint)
    return { ...common, kind: 'function', functionName: breakpoint.functionName };
  return undefined;
}

function toVsCodeBreakpoint(requested: RequestedHostBreakpoint): vscode.Breakpoint {
  const { enabled = true, condition, hitCondition, logMessage } = requested;
  if (requested.kind === 'function')
    return new vscode.FunctionBreakpoint(
      requested.functionName,
      enabled,
      condition,
      hitCondition,
      logMessage,
    );
  const at = new vscode.Position(requested.line - 1, (requested.column ?? 1) - 1);
  return new vscode.SourceBreakpoint(
    new vscode.Location(vscode.Uri.file(requested.path), at),
    enabled,
    condition,
    hitCondition,
    logMessage,
  );
}
