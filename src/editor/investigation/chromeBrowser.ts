import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fields, numberOf, textOf } from '../../debugger/protocol';
import { reasonOf, type Recorder } from '../../investigation/captureRecorder';
import { CdpConnection } from '../../investigation/cdpConnection';
import { PAGE_EVENTS, PageRecorder } from '../../investigation/pageRecorder';
import { PageSessions, type SessionHost } from '../../investigation/pageSessions';
import { leftNote, StartedProcesses } from '../../investigation/startedProcesses';
import type { RunEnd } from '../../investigation/runs';
import type { Browser, PagePlan } from '../../tools/investigation/investigationServices';
import { unlessAborted } from '../../util/unlessAborted';
import { GRACE_MS } from '../../investigation/childProcess';
import { processTable } from './terminalProcesses';
import { settings } from '../settings';

/** The property that marks the configuration of one capture, to recognize its sessions. */
const MARK = '__agentDebuggerCapture';

const BLANK = 'about:blank';

/**
 * The time that requests to the page for more data, such as the body of a response, may take after the end, in
 * milliseconds.
 */
const SETTLE_MS = 5000;

/** The time in which events are still written after a page was stopped, in milliseconds. */
const STOPPED_MS = 2000;

/** Captures a page in a Chrome or Chromium browser that VS Code's own JavaScript debugger starts. */
export class ChromeBrowser implements Browser {
  async capture(plan: PagePlan, recorder: Recorder, stop: AbortSignal): Promise<RunEnd> {
    const started = new StartedProcesses(processTable, randomUUID(), GRACE_MS);
    const sessions = new PageSessions(sessionHost(plan, started.environment), stop);
    const end = await captured(sessions, plan, recorder);
    // The debugger may be busy with what the page prints.
    await unlessAborted(sessions.dispose(), AbortSignal.timeout(SETTLE_MS), () => undefined);
    const { left } = await started.end();
    const note = left.length === 0 ? end.note : leftNote({ found: left, left });
    return note === undefined ? end : { ...end, note };
  }
}

async function captured(
  sessions: PageSessions<vscode.DebugSession>,
  plan: PagePlan,
  recorder: Recorder,
): Promise<RunEnd> {
  try {
    const page = await sessions.start();
    if (page === undefined) return sessions.end ?? { via: 'browser', endedBy: 'stopped' };
    return await record(page, plan, recorder, sessions);
  } catch (error) {
    // A closed page refuses all further requests.
    if (sessions.end !== undefined) return sessions.end;
    return { via: 'browser', endedBy: 'failed', note: reasonOf(error) };
  }
}

async function record(
  page: vscode.DebugSession,
  plan: PagePlan,
  recorder: Recorder,
  sessions: PageSessions<vscode.DebugSession>,
): Promise<RunEnd> {
  const connecting = connected(page);
  const connection = await Promise.race([connecting, sessions.ended()]);
  if (!(connection instanceof CdpConnection)) {
    connecting.then((late) => late.close()).catch(() => undefined);
    return connection;
  }
  const writer = new PageRecorder(connection, recorder, plan.hasScreenshots);
  connection.onEvent = (method, params, size) => writer.event(method, params, size);
  try {
    // The capture may end before the page has been opened.
    return await Promise.race([sessions.ended(), opened(connection, writer, plan, sessions)]);
  } finally {
    // A page that is stopped must not go on while its events are written.
    const isStopped = sessions.end?.endedBy === 'stopped';
    if (isStopped) {
      connection.drop();
      sessions.dispose().catch(() => undefined);
    }
    const settled = writer.settle().catch(() => undefined);
    const late = AbortSignal.timeout(isStopped ? STOPPED_MS : SETTLE_MS);
    await unlessAborted(settled, late, () => undefined);
    // Pending requests to the page fail now, and what still waits is dropped.
    connection.drop();
    writer.abandon();
    await writer.settle();
  }
}

async function opened(
  connection: CdpConnection,
  writer: PageRecorder,
  { url }: PagePlan,
  sessions: PageSessions<vscode.DebugSession>,
): Promise<RunEnd> {
  await connection.send('JsDebug.subscribe', { events: PAGE_EVENTS });
  await writer.open(url);
  return await sessions.ended();
}

async function connected(page: vscode.DebugSession): Promise<CdpConnection> {
  const address = fields(await page.customRequest('requestCDPProxy'));
  const [host, port, path] = [
    textOf(address['host']) ?? '127.0.0.1',
    numberOf(address['port']) ?? 0,
    textOf(address['path']) ?? '',
  ];
  const { WebSocket } = await import(/* webpackChunkName: "ws" */ 'ws');
  const socket = new WebSocket(`ws://${host}:${port}${path}`, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return new CdpConnection(socket);
}

function sessionHost(
  plan: PagePlan,
  env: Readonly<Record<string, string>>,
): SessionHost<vscode.DebugSession> {
  const mark = randomUUID();
  return {
    start: () => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      return vscode.debug.startDebugging(folder, {
        ...configurationOf(plan),
        env,
        [MARK]: mark,
      });
    },
    onDidStart: (listener) => vscode.debug.onDidStartDebugSession(listener),
    onDidEnd: (listener) => vscode.debug.onDidTerminateDebugSession(listener),
    isRoot: ({ configuration, parentSession }) =>
      parentSession === undefined && configuration[MARK] === mark,
    isChild: ({ parentSession }, root) => parentSession?.id === root.id,
    isSame: (session, other) => session.id === other.id,
    stop: (session) => vscode.debug.stopDebugging(session),
  };
}

function configurationOf({ webRoot }: PagePlan): vscode.DebugConfiguration {
  const { browser, browserArguments } = settings.investigation;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return {
    type: 'chrome',
    request: 'launch',
    name: l10n.t('Capture of a page'),
    // The page is opened after recording has started.
    url: BLANK,
    webRoot: webRoot ?? folder?.uri.fsPath,
    internalConsoleOptions: 'neverOpen',
    // In a remote window, the debugger prefers the browser on the local side, but the path is on this side.
    ...(browser === '' ? {} : { runtimeExecutable: browser, browserLaunchLocation: 'workspace' }),
    ...(browserArguments.length === 0 ? {} : { runtimeArgs: [...browserArguments] }),
  };
}
