// @ts-check
'use strict';
const { spawn } = require('node:child_process');
const { existsSync, mkdtempSync, rmSync, statSync } = require('node:fs');
const { tmpdir } = require('node:os');
const vscode = require('vscode');
const path = require('node:path');
const { registerChecks } = require('./checks.js');
const { createFake, fake } = require('./fake.js');
const { JavaServer } = require('./java.js');
const { toolPath } = require('./toolchain.js');

/** @param {string | undefined} program */
function folderOf(program) {
  const isFolder =
    program !== undefined && statSync(program, { throwIfNoEntry: false })?.isDirectory();
  return program === undefined || isFolder ? program : path.dirname(program);
}

/** Starts `dlv dap`, which listens on a port of its choice and serves one session. */
/** @param {import('vscode').DebugSession} session */
function startDelve(session) {
  const child = spawn(toolPath('delve'), ['dap', '--listen=127.0.0.1:0'], {
    // As Go's extension does: the folder of the program, or the folder that it is.
    cwd: folderOf(session.configuration.program),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const match = /listening at: 127\.0\.0\.1:(\d+)/.exec(said);
      if (match) resolve(new vscode.DebugAdapterServer(Number(match[1]), '127.0.0.1'));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`dlv ended with ${code}: ${said}`)));
  });
}

/**
 * The Python of a program: the one that its configuration names, or that of the virtual environment in its folder, as
 * Python's extension finds it. The projects of the campaign have one.
 * @param {import('vscode').DebugConfiguration} configuration
 * @returns {string}
 */
function pythonOf({ cwd = '', python }) {
  const [named] = [python ?? []].flat();
  if (named !== undefined) return named;
  const own = path.join(cwd, '.venv/bin/python');
  return existsSync(own) ? own : toolPath('python');
}

/**
 * Starts Ruby's debugger, which listens at a socket, as its extension does. The program prints to the streams of the
 * debugger.
 * @param {import('vscode').DebugSession} session
 */
function startRdbg({ configuration: { command, script, args, cwd, env } }) {
  const socket = path.join(mkdtempSync(path.join(tmpdir(), 'agent-debugger-rdbg-')), 'socket');
  const child = spawn(
    toolPath('rdbg'),
    ['--open', `--sock-path=${socket}`, '-c', '--', command, script, ...args],
    { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
      if (said.includes('wait for debugger connection'))
        resolve(new vscode.DebugAdapterNamedPipeServer(socket));
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      rmSync(path.dirname(socket), { recursive: true, force: true });
      reject(new Error(`rdbg ended with ${code}: ${said}`));
    });
  });
}

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  const java = new JavaServer();
  /** @type {Record<string, (session: import('vscode').DebugSession) => unknown>} */
  const adapters = {
    // As Python's extension does: whoever listens is an adapter itself.
    debugpy: ({ configuration }) =>
      configuration.connect
        ? new vscode.DebugAdapterServer(configuration.connect.port, configuration.connect.host)
        : new vscode.DebugAdapterExecutable(pythonOf(configuration), ['-m', 'debugpy.adapter'], {
            env: { DEBUGPY_PROCESS_SPAWN_TIMEOUT: '120' },
          }),
    'lldb-dap': () => new vscode.DebugAdapterExecutable(toolPath('lldbDap')),
    fake: createFake,
    broken: (session) =>
      new vscode.DebugAdapterExecutable(process.execPath, [
        path.join(__dirname, 'brokenAdapter.js'),
        session.configuration.how,
      ]),
    // As an attach does to a debugger that is not there.
    unreachable: () => new vscode.DebugAdapterServer(1, '127.0.0.1'),
    go: startDelve,
    rdbg: startRdbg,
    java: async () => new vscode.DebugAdapterServer(await java.startDebugSession(), '127.0.0.1'),
  };
  for (const [type, create] of Object.entries(adapters)) {
    context.subscriptions.push(
      vscode.debug.registerDebugAdapterDescriptorFactory(type, {
        createDebugAdapterDescriptor: create,
      }),
    );
  }
  context.subscriptions.push(
    { dispose: () => java.dispose() },
    registerChecks(),
    // As Python's extension does with the processes that a program starts.
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
      if (event === 'debugpyAttach')
        vscode.debug.startDebugging(
          session.workspaceFolder,
          { ...body, type: 'debugpy' },
          { parentSession: session, lifecycleManagedByParent: true },
        );
    }),
    // As the Java extension does: the language server tells the main class and the class path.
    vscode.debug.registerDebugConfigurationProvider('java', {
      resolveDebugConfigurationWithSubstitutedVariables: async (folder, configuration) =>
        await java.resolve(folder?.uri.fsPath ?? '', configuration),
    }),
    // Where its server does not answer within five seconds, lldb gives the program up, which then runs on to its end:
    // a machine that runs tests may stand still for longer. `?`: without a word in the output.
    vscode.debug.registerDebugConfigurationProvider('lldb-dap', {
      resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) => ({
        ...configuration,
        initCommands: [
          '?settings set plugin.process.gdb-remote.packet-timeout 120',
          ...(configuration.initCommands ?? []),
        ],
      }),
    }),
    vscode.debug.registerDebugConfigurationProvider('debugpy', {
      resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) => ({
        python: [pythonOf(configuration)],
        console: 'internalConsole',
        ...configuration,
      }),
    }),
  );
  return { fake };
};
