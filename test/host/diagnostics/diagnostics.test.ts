import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import * as vscode from 'vscode';
import type { Diagnostics } from '../../../src/editor/diagnostics/diagnostics';
import type { TimelineEntry } from '../../../src/diagnostics/timeline';
import { call, cleanUp, inWorkspace, marked, stopOf } from '../support/client';
import { control } from '../support/hostControl';

const ROOT = path.resolve(__dirname, '../../../..');
const SECRET = 'planted7secret';

async function diagnostics(): Promise<Diagnostics> {
  const extension = vscode.extensions.getExtension<{ diagnostics: Diagnostics }>(
    'agent-debugger.agent-debugger',
  );
  assert.ok(extension);
  return (await extension.activate()).diagnostics;
}

async function run<T>(command: string, ...args: unknown[]): Promise<T> {
  return await vscode.commands.executeCommand<T>(`agentDebugger.diagnostics.${command}`, ...args);
}

/** Waits until the text of the open document of this editor matches, and returns the text. */
async function says(editor: vscode.TextEditor, answerText: RegExp): Promise<string> {
  const key = editor.document.uri.toString();
  const text = (): string =>
    vscode.workspace.textDocuments.find((each) => each.uri.toString() === key)?.getText() ?? '';
  for (;;) {
    if (answerText.test(text())) return text();
    await new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() !== key) return;
        subscription.dispose();
        resolve();
      });
    });
  }
}

/**
 * Writes a CPU profile of a second in which this function keeps the extension host busy. So the profile contains it, also
 * on a busy machine.
 */
async function profileOfWork(): Promise<string> {
  let isWritten = false;
  const writing = run<string>('cpuProfile', 1).finally(() => (isWritten = true));
  while (!isWritten) {
    createHash('sha256').update(Buffer.alloc(1_000_000)).digest();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await writing;
}

/** How often an entry is revealed at most. */
const MAX_REVEALS = 5;

/** Shows the timeline, and reveals an entry. A busy window may not have rendered the entry when it is asked to. */
async function reveal(view: vscode.TreeView<TimelineEntry>, entry: TimelineEntry): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await vscode.commands.executeCommand('agentDebugger.timeline.focus');
    try {
      await view.reveal(entry, { expand: true, select: true, focus: false });
      return;
    } catch (error) {
      if (tries === MAX_REVEALS) throw error;
    }
  }
}

describe('the diagnostics', () => {
  afterEach(async () => {
    await cleanUp();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    (await diagnostics()).recording.set(false);
  });

  const stopAtCall = async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    return stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
  };

  it('updates the protocol trace during a session, and filters it', async () => {
    const editor = await run<vscode.TextEditor>('protocolTrace');
    assert.equal(editor.document.uri.scheme, 'agent-debugger');
    assert.equal(editor.document.languageId, 'log');
    const stop = await stopAtCall();
    // VS Code asks for the stack after the stop.
    const all = await says(editor, /event {5}stopped {2}\{[\s\S]* {2}response {2}stackTrace /);
    assert.match(all, / {2}request {3}initialize #1 {2}\{"clientID":"vscode"/);
    assert.match(all, / {2}response {2}stackTrace /);
    await run('filter', editor.document.uri, { sessions: [stop.session_id], kinds: ['event'] });
    const events = await says(editor, /# Kinds: event/);
    assert.doesNotMatch(events, / {2}request {2}/);
    assert.match(events, new RegExp(` ${stop.session_id} {2}← {2}event {5}stopped`));
    await call('step_execution', { step_type: 'over' });
    assert.equal(
      (await says(editor, /stopped[\s\S]*stopped/)).match(/event {5}stopped/g)?.length,
      2,
      'it follows',
    );
  });

  it('updates the call log after a call', async () => {
    const editor = await run<vscode.TextEditor>('callLog');
    await call('get_debug_state', {});
    await says(editor, /get_debug_state {2}success {2}\d+ characters {2}\d+ ms {2}VS Code/);
  });

  it('opens the MCP traffic, the system report and the transcript', async () => {
    const traffic = await run<vscode.TextEditor>('mcpTraffic');
    await says(traffic, /# Contents of messages are being recorded/);
    const system = await run<vscode.TextEditor>('systemReport');
    const report = system.document.getText();
    assert.match(report, /^# System report of Agent Debugger\n/);
    assert.match(report, /\| `pwa-node` \| .* \| `ms-vscode\.js-debug [\d.]+` \| `node` \|/);
    assert.match(report, /\nPATH=/);
    await call('get_debug_state', {});
    const transcript = await run<vscode.TextEditor>('transcript', '');
    assert.match(transcript.document.getText(), /## \d+\. .*\n\n.* · VS Code · `get_debug_state`/);
  });

  it('writes a CPU profile and a heap snapshot that only their owner can read, and opens them', async () => {
    for (const [file, least] of [
      [await profileOfWork(), 500],
      [await run<string>('heapSnapshot'), 1_000_000],
    ] as const) {
      const { size, mode } = statSync(file);
      assert.ok(size > least, `${file}: ${size}`);
      if (process.platform !== 'win32') assert.equal(mode & 0o077, 0);
      const { tabs } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(
        tabs.some((tab) => tab.label === path.basename(file)),
        tabs.map((tab) => tab.label).join(),
      );
      if (file.endsWith('.cpuprofile')) {
        const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as {
          nodes: { callFrame: { functionName: string } }[];
        };
        const names = nodes.map(({ callFrame }) => callFrame.functionName);
        assert.ok(names.includes(profileOfWork.name), names.join());
      }
    }
  });

  it('writes a report that contains the session and no planted secret', async () => {
    (await diagnostics()).recording.set(true);
    process.env['PLANTED_VARIABLE'] = SECRET;
    await call('start_debugging', {
      program: inWorkspace('src/loop.js'),
      env: { PLANTED: SECRET },
      args: [`--password=${SECRET}`],
      stop_on_entry: true,
    });
    const file = await run<string>('reportBundle');
    delete process.env['PLANTED_VARIABLE'];
    const files = Object.entries(unzipSync(readFileSync(file)));
    const names = files.map(([name]) => name);
    for (const name of [
      'README.txt',
      'system.md',
      'calls.log',
      'last-calls.jsonl',
      'transcript.md',
    ])
      assert.ok(names.includes(name), names.join());
    const traces = files.filter(([name]) => name.startsWith('protocol-'));
    assert.ok(traces.some(([, bytes]) => strFromU8(bytes).includes('--password=[removed]')));
    for (const [name, bytes] of files)
      assert.ok(!strFromU8(bytes).includes(SECRET), `${name} holds the secret`);
  });

  it('deletes only old diagnostics files, and only after a confirmation', async () => {
    const { commands } = await diagnostics();
    const file = await run<string>('cpuProfile', 0.1);
    const folder = path.dirname(file);
    const foreign = path.join(folder, 'notes.md');
    writeFileSync(foreign, 'mine');
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    for (const each of [file, foreign]) utimesSync(each, longAgo, longAgo);
    const asked: string[] = [];
    const answer = commands.confirmDeletion;
    try {
      commands.confirmDeletion = async (old) => {
        asked.push(...old.map((each) => each.name));
        return false;
      };
      assert.equal(await run<number>('clear'), 0);
      assert.deepEqual(asked, [path.basename(file)]);
      statSync(file);
      commands.confirmDeletion = async () => true;
      assert.equal(await run<number>('clear'), 1);
      assert.throws(() => statSync(file));
      statSync(foreign);
    } finally {
      commands.confirmDeletion = answer;
      rmSync(foreign, { force: true });
    }
  });

  it('shows the agent’s calls in the timeline, goes to the line on a click, and exports and clears the timeline', async () => {
    const { timeline, calls } = await diagnostics();
    calls.clear();
    const stop = await stopAtCall();
    await call('step_execution', { step_type: 'over' });
    await call('evaluate_expression', { expression: '6 * 7' });
    await call('get_scopes', { frame_id: 424242 });
    const entries = timeline.getChildren();
    assert.deepEqual(
      entries.map(({ label }) => label),
      ['Show Scopes', 'Evaluate Expression', 'Step', 'Start Debugging', 'Set Breakpoint'],
    );
    const [failed, , step] = entries as [TimelineEntry, TimelineEntry, TimelineEntry];
    assert.match(failed.description, /unknown_reference/);
    const item = timeline.getTreeItem(step);
    assert.match(item.accessibilityInformation?.label ?? '', /^Step, stopped, .*loop\.js:\d+/);
    assert.ok(item.command);
    await vscode.commands.executeCommand(
      item.command.command,
      ...((item.command.arguments ?? []) as unknown[]),
    );
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, stop.source?.path);
    assert.equal(editor?.selection.active.line, (step.place?.line ?? 0) - 1);

    await reveal(timeline.view, step);
    await control('screenshot', {
      path: path.join(ROOT, '.vscode-test/pictures/timeline.png'),
      selector: '[aria-label^="Step, stopped"]',
    });

    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-export-'));
    const target = path.join(folder, 'transcript.md');
    await vscode.commands.executeCommand('agentDebugger.timeline.export', vscode.Uri.file(target));
    assert.match(readFileSync(target, 'utf8'), /## 1\. Set Breakpoint: loop\.js:\d+/);
    rmSync(folder, { recursive: true });
    await vscode.commands.executeCommand('agentDebugger.timeline.clear');
    assert.deepEqual(timeline.getChildren(), []);
  });
});
