import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asFailure } from '../results/debuggerFailures';
import type { ReportedException } from '../debugger/inspection/exceptionDetails';
import { Superseded } from '../debugger/inspection/stopRequests';
import { fields, numberOf, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import { topFrame } from '../debugger/inspection/stackAndVariables';
import {
  liveSessions,
  stoppedThreads,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import type { ToolServices } from '../tools/services';
import {
  exceptionRequest,
  placeRequest,
  problemRequest,
  testRequest,
  type NamedPlace,
} from './agentPrompts';
import { keepContextKey } from './contextKeys';
import type { VsCodeWorkspace } from './workspace';

/** VS Code's command that opens the chat. Not every product based on VS Code has one. */
const OPEN_CHAT = 'workbench.action.chat.open';

/** The time that the adapter may take to report the exception for a request, in milliseconds. */
const EXCEPTION_LIMIT_MS = 2000;

/**
 * Registers “Debug with the Agent” for failed tests, problems and exceptions. Each command opens the chat with a
 * request in its input. The request is not sent until the person has read it and presses Enter. Each command returns
 * the request.
 */
export function registerDebugWithAgent(
  services: ToolServices,
  workspace: VsCodeWorkspace,
): vscode.Disposable {
  const here = async (): Promise<string> =>
    (await exceptionHere(services, workspace)) ??
    placeRequest(
      activePlace(),
      liveSessions(services.model.state).some(({ lifecycle }) => lifecycle === 'stopped'),
    );
  return vscode.Disposable.from(
    registerRequests(here),
    vscode.commands.registerCommand(
      'agentDebugger.getStarted',
      async () =>
        await vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          'agent-debugger.agent-debugger#start',
          false,
        ),
    ),
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file' },
      new ProblemActions(workspace),
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    keepContextKeys(services),
  );
}

/** @param here creates the request about the place in the editor, or about the current exception */
function registerRequests(here: () => Promise<string>): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(
      'agentDebugger.debugWithAgent',
      async () => await openChat(await here()),
    ),
    vscode.commands.registerCommand(
      'agentDebugger.debugException',
      async () => await openChat(await here()),
    ),
    vscode.commands.registerCommand(
      'agentDebugger.debugTest',
      async (test: unknown) => await openChat(requestOfTest(test) ?? (await here())),
    ),
    vscode.commands.registerCommand(
      'agentDebugger.debugProblem',
      async ({ uri, line, message }: ProblemAtLine) =>
        await openChat(problemRequest({ place: placeOf(uri, line), message })),
    ),
  );
}

function keepContextKeys({ model, access }: ToolServices): vscode.Disposable {
  const set = (key: string, value: boolean): void =>
    void vscode.commands.executeCommand('setContext', key, value);
  return vscode.Disposable.from(
    keepContextKey(
      [{ onDidChange: (listener) => model.onDidSettle(listener) }],
      () => exceptionStop(model.state) !== undefined,
      (value) => set('agentDebugger.atException', value),
    ),
    keepContextKey(
      [access],
      () => access.paused,
      (value) => set('agentDebugger.personDrives', value),
    ),
  );
}

/**
 * Opens the chat in agent mode with the request in its input. Without a chat, the request is copied to the clipboard.
 */
async function openChat(request: string): Promise<string> {
  const isOff = vscode.workspace.getConfiguration('chat').get<boolean>('disableAIFeatures', false);
  const commands = isOff ? [] : await vscode.commands.getCommands(true);
  if (commands.includes(OPEN_CHAT)) {
    await vscode.commands.executeCommand(OPEN_CHAT, {
      query: request,
      mode: 'agent',
      isPartialQuery: true,
    });
    return request;
  }
  await vscode.env.clipboard.writeText(request);
  void vscode.window.showInformationMessage(
    l10n.t(
      'There is no chat in this VS Code. The request is on the clipboard: paste it where your agent is.',
    ),
  );
  return request;
}

/** The thread that is stopped at an exception: the focused thread, otherwise the newest one. */
function exceptionStop(
  state: DebugState,
): { readonly session: SessionState; readonly threadId: number } | undefined {
  const focus = vscode.debug.activeStackItem;
  const stopped = liveSessions(state).flatMap((session) =>
    stoppedThreads(session).flatMap((thread) =>
      thread.stop?.reason === 'exception'
        ? [{ session, threadId: thread.id, at: thread.stop.at }]
        : [],
    ),
  );
  return (
    stopped.find(
      ({ session, threadId }) => session.key === focus?.session.id && threadId === focus.threadId,
    ) ?? stopped.sort((one, other) => other.at - one.at)[0]
  );
}

/** The request about the exception at which a program is stopped; undefined if there is none. */
async function exceptionHere(
  { model, inspector }: ToolServices,
  workspace: VsCodeWorkspace,
): Promise<string | undefined> {
  const found = exceptionStop(model.state);
  if (found === undefined) return undefined;
  const { session, threadId } = found;
  const signal = AbortSignal.timeout(EXCEPTION_LIMIT_MS);
  const place = inspector.placeOf(session, threadId);
  const [exception, page] = await Promise.all([
    inspector.exception(session, place, signal).catch(unlessUnreadable),
    inspector.frames(session, place, 0, 20, signal).catch(unlessUnreadable),
  ]);
  const frames = page?.frames ?? [];
  const frame =
    frames.find(({ subtle, path }) => !subtle && path !== undefined && workspace.isOwnCode(path)) ??
    topFrame(frames);
  const what =
    exception === undefined
      ? (place.stop.text ?? place.stop.description)
      : textOfException(exception);
  return exceptionRequest({
    what,
    place: frame?.path === undefined ? undefined : placeOf(vscode.Uri.file(frame.path), frame.line),
  });
}

function textOfException({ type, message = type }: ReportedException): string {
  return message.startsWith(type) ? message : `${type}: ${message}`;
}

/**
 * Ignores the error if data cannot be read now. The data is left out of the request, and the agent can read it later.
 */
function unlessUnreadable(error: unknown): undefined {
  const isExpected = error instanceof Superseded || error instanceof Interrupted;
  if (isExpected || asFailure(error) !== undefined) return undefined;
  throw error;
}

/** The request about a test from the argument of VS Code's test menus: an item, or an item with one of its messages. */
function requestOfTest(given: unknown): string | undefined {
  const { test, message } = fields(given);
  const item = fields(test ?? given);
  const label = textOf(item['label']);
  if (label === undefined) return undefined;
  const { message: text, location } = fields(message);
  const place =
    location instanceof vscode.Location
      ? placeOf(location.uri, location.range.start.line + 1)
      : itemPlace(item);
  return testRequest({
    name: testName(item),
    place,
    message: text instanceof vscode.MarkdownString ? text.value : textOf(text),
  });
}

/** The test's label, after the labels of the suites in its file. */
function testName(item: Readonly<Record<string, unknown>>): string {
  const parent = fields(item['parent']);
  const label = textOf(item['label']) ?? '';
  return parent['range'] instanceof vscode.Range ? `${testName(parent)} › ${label}` : label;
}

function itemPlace({ uri, range }: Readonly<Record<string, unknown>>): NamedPlace | undefined {
  if (!(uri instanceof vscode.Uri)) return undefined;
  return placeOf(uri, range instanceof vscode.Range ? range.start.line + 1 : undefined);
}

function activePlace(): NamedPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined || editor.document.isUntitled
    ? undefined
    : placeOf(editor.document.uri, editor.selection.active.line + 1);
}

function placeOf(uri: vscode.Uri, line: unknown): NamedPlace {
  return { file: vscode.workspace.asRelativePath(uri), line: numberOf(line) };
}

/** The argument of the quick fix for a problem. */
interface ProblemAtLine {
  readonly uri: vscode.Uri;
  readonly line: number;
  readonly message: string;
}

/** A quick fix for the most severe error or warning at the cursor, in the editor and the Problems view. */
class ProblemActions implements vscode.CodeActionProvider {
  constructor(private readonly workspace: VsCodeWorkspace) {}

  provideCodeActions(
    { uri, languageId }: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (vscode.workspace.getConfiguration('chat').get<boolean>('disableAIFeatures', false))
      return [];
    // Files that cannot be run cannot be debugged, for example settings files.
    if (!this.workspace.hasBreakpoints(languageId)) return [];
    const [worst] = diagnostics
      .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
      .sort((one, other) => one.severity - other.severity);
    if (worst === undefined) return [];
    const title = l10n.t('Debug with the Agent');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const problem: ProblemAtLine = {
      uri,
      line: worst.range.start.line + 1,
      message: worst.message,
    };
    action.diagnostics = [worst];
    action.command = { command: 'agentDebugger.debugProblem', title, arguments: [problem] };
    return [action];
  }
}
