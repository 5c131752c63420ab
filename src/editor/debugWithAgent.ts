import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asFailure } from '../results/debuggerFailures';
import type { ReportedException } from '../debugger/inspection/exceptionDetails';
import { Superseded } from '../debugger/inspection/inspector';
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

/** VS Code's command that opens its chat; not every product that is made of VS Code has one. */
const OPEN_CHAT = 'workbench.action.chat.open';

/** How long the adapter may take to tell of the exception that a request is about. */
const EXCEPTION_LIMIT_MS = 2000;

/**
 * “Debug with the Agent” where people look for it: on a failed test, a problem, an exception. Each opens the chat with
 * a request that is written and not sent: the person reads it and presses Enter. Each command answers with the request.
 */
export function registerDebugWithAgent(
  services: ToolServices,
  workspace: VsCodeWorkspace,
): vscode.Disposable {
  const here = async (): Promise<string> =>
    (await exceptionHere(services, workspace)) ??
    placeRequest(
      activePlace(),
      liveSessions(services.model.state).some((each) => each.lifecycle === 'stopped'),
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

/** @param here the request about the place that the person looks at */
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

/** Opens the chat in agent mode with the request in its input. Where there is no chat, the request is on the clipboard. */
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

/** The thread that an exception holds: the one that the person looks at, else the newest. */
function exceptionStop(
  state: DebugState,
): { readonly session: SessionState; readonly threadId: number } | undefined {
  const focus = vscode.debug.activeStackItem;
  const held = liveSessions(state).flatMap((session) =>
    stoppedThreads(session).flatMap((thread) =>
      thread.stop?.reason === 'exception'
        ? [{ session, threadId: thread.id, at: thread.stop.at }]
        : [],
    ),
  );
  return (
    held.find(
      (each) => each.session.key === focus?.session.id && each.threadId === focus.threadId,
    ) ?? held.sort((one, other) => other.at - one.at)[0]
  );
}

/** The request about the exception that the program is stopped at; undefined where it is stopped at none. */
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
    inspector.exception(session, place, signal).catch(unlessUntold),
    inspector.frames(session, place, 0, 20, signal).catch(unlessUntold),
  ]);
  const frames = page?.frames ?? [];
  const frame =
    frames.find(
      (each) => !each.subtle && each.path !== undefined && workspace.isOwnCode(each.path),
    ) ?? topFrame(frames);
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

/** What cannot be told now is left out of the request: the agent looks for itself. */
function unlessUntold(error: unknown): undefined {
  const isExpected = error instanceof Superseded || error instanceof Interrupted;
  if (isExpected || asFailure(error) !== undefined) return undefined;
  throw error;
}

/** What VS Code's menus of tests pass: an item, or an item with one of its messages. */
function requestOfTest(given: unknown): string | undefined {
  const { test, message } = fields(given);
  const item = fields(test ?? given);
  const label = textOf(item['label']);
  if (label === undefined) return undefined;
  const { message: words, location } = fields(message);
  const place =
    location instanceof vscode.Location
      ? placeOf(location.uri, location.range.start.line + 1)
      : itemPlace(item);
  return testRequest({
    name: testName(item),
    place,
    message: words instanceof vscode.MarkdownString ? words.value : textOf(words),
  });
}

/** The test's label after those of the suites in its file that hold it. */
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

/** What a problem's quick fix passes on. */
interface ProblemAtLine {
  readonly uri: vscode.Uri;
  readonly line: number;
  readonly message: string;
}

/** One quick fix for the gravest error or warning at the cursor, in the editor and in the Problems view. */
class ProblemActions implements vscode.CodeActionProvider {
  constructor(private readonly workspace: VsCodeWorkspace) {}

  provideCodeActions(
    { uri, languageId }: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (vscode.workspace.getConfiguration('chat').get<boolean>('disableAIFeatures', false))
      return [];
    // What nothing can run, nothing can debug: a settings file, say.
    if (!this.workspace.hasBreakpoints(languageId)) return [];
    const [gravest] = diagnostics
      .filter((each) => each.severity <= vscode.DiagnosticSeverity.Warning)
      .sort((one, other) => one.severity - other.severity);
    if (gravest === undefined) return [];
    const title = l10n.t('Debug with the Agent');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const problem: ProblemAtLine = {
      uri,
      line: gravest.range.start.line + 1,
      message: gravest.message,
    };
    action.diagnostics = [gravest];
    action.command = { command: 'agentDebugger.debugProblem', title, arguments: [problem] };
    return [action];
  }
}
