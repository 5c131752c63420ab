import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { fields } from '../../../src/debugger/protocol';
import { call, cleanUp, insideExtension } from '../support/client';

/** A page that prints as fast as it can, for minutes. */
const FLOOD = `<script>
const line = 'flood '.repeat(400);
(function print() { for (let i = 0; i < 400; i++) console.log(i, line); setTimeout(print); })();
</script>`;

/** The command lines of all processes that hold a text. */
const processesWith = (text: string): readonly string[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('ps '));

/** Opens the first terminal of the window, which may take a minute on a busy machine, and closes it when it is ready. */
async function firstTerminal(): Promise<void> {
  const terminal = vscode.window.createTerminal({ name: 'first', isTransient: true });
  let listener: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) resolve();
    });
    if (terminal.shellIntegration !== undefined) resolve();
  });
  listener?.dispose();
  terminal.dispose();
}

describe('what a capture promises', function () {
  this.timeout(300_000);
  let sid = '';
  let server: Server;

  before(async () => {
    const everywhere = vscode.ConfigurationTarget.Global;
    const settings = vscode.workspace.getConfiguration('agentDebugger.investigation');
    await settings.update('browser', process.env['CHROME_PATH'] ?? '/usr/bin/chromium', everywhere);
    await settings.update(
      'browserArguments',
      ['--headless=new', '--no-sandbox', '--disable-gpu', '--of-the-flood'],
      everywhere,
    );
    const { exposed } = await insideExtension();
    exposed.use(['core', 'trace', 'investigation']);
    sid = String((await call('start_session', { title: 'Limits' }))['sid']);
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(FLOOD);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await firstTerminal();
  });

  after(async () => {
    server.close();
    await cleanUp();
  });

  it('keeps the environment of VS Code from a command in a terminal', async () => {
    // The extension host has it, and so has the server, whose environment a terminal of a remote window gets.
    assert.notEqual(process.env['AGENT_DEBUGGER_HOST_SETTINGS'], undefined);
    const captured = await call('capture_run', {
      sid,
      command: `echo "[$AGENT_DEBUGGER_HOST_SETTINGS] [$ADDED] [$(tty)]"; env | grep -c AGENT_DEBUGGER_HOME`,
      env: { ADDED: "it's $HOME" },
    });
    assert.equal(captured['via'], 'terminal', JSON.stringify(captured));
    const [first = '', second = ''] = captured['output'] as readonly string[];
    assert.match(first, /^\[\] \[it's \$HOME\] \[\/dev\/pts\/\d+\]$/);
    assert.equal(second, '0');
  });

  it('ends what a command in a terminal leaves behind', async () => {
    const captured = await call('capture_run', {
      sid,
      command:
        '(setsid sleep 4242 > /dev/null 2>&1 &); nohup sleep 4242 > /dev/null 2>&1 & sleep 0.2',
    });
    assert.equal(captured['via'], 'terminal', JSON.stringify(captured));
    assert.match(String(captured['note']), /were ended: .*sleep 4242/);
    assert.deepEqual(processesWith('sleep 4242'), []);
  });

  it('ends a page that prints without end soon after its limit, with its browser', async () => {
    const { port } = server.address() as AddressInfo;
    const began = performance.now();
    const captured = await call('capture_run', {
      sid,
      mode: 'web',
      url: `http://127.0.0.1:${port}/`,
      timeoutSec: 8,
    });
    const seconds = (performance.now() - began) / 1000;
    assert.equal(captured['endedBy'], 'timeout', JSON.stringify(captured));
    console.log(
      `      ended after ${seconds.toFixed(1)} s, ${JSON.stringify(fields(captured)['events'])} events`,
    );
    assert.deepEqual(processesWith('--of-the-flood'), []);
    assert.ok(seconds < 8 + 12, `${seconds} s`);
  });
});
