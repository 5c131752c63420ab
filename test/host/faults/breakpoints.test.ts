import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { samePath } from '../../../src/debugger/sourcePath';
import { liveSessions } from '../../../src/debugger/state/state';
import { call, errorOf, inWorkspace, until } from '../support/client';
import { BreakpointFiles, listed, untilListed, viewOf } from '../support/breakpointFiles';

describe('breakpoints', () => {
  const workspace = new BreakpointFiles();

  it('sets and removes them outside the workspace, in paths with spaces, quotes, Chinese and emoji, and in node_modules', async () => {
    await workspace.paused();
    for (const name of [
      "it's “quoted”.txt",
      '源代码.txt',
      '🐞 bug.txt',
      'node_modules/left pad/index.txt',
      'a#b%20c.txt',
    ]) {
      const file = workspace.write(name);
      const view = viewOf(await call('set_breakpoint', { file_path: file, line_number: 3 }));
      assert.equal(view.verified, true, JSON.stringify(view));
      assert.equal(view.source?.path, file);
      assert.deepEqual(
        (await call('remove_breakpoint', { location: { file_path: file, line_number: 3 } }))[
          'removed'
        ],
        [view.id],
      );
    }
  });

  it('refuses one in a workspace.folder, a notebook or an unsaved file, on line 0, beyond the end, or by an unknown text, and changes nothing', async () => {
    const file = workspace.write('few.txt');
    const twice = workspace.write('twice.txt', ['same', 'same', 'other']);
    errorOf(
      await call('set_breakpoint', { file_path: workspace.folder, line_number: 1 }),
      'file_not_text',
    );
    errorOf(
      await call('set_breakpoint', {
        file_path: workspace.write('n.ipynb', ['{}']),
        line_number: 1,
      }),
      'not_supported',
    );
    // Shown, so that it is closed after this test. VS Code shows a hidden one by itself some 700 ms later, and a start at
    // that moment waits for it to be saved.
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: 'not saved' }),
    );
    errorOf(
      await call('set_breakpoint', { file_path: 'Untitled-1', line_number: 1 }),
      'file_not_found',
    );
    errorOf(await call('set_breakpoint', { file_path: file, line_number: 0 }), 'invalid_input');
    errorOf(
      await call('set_breakpoint', { file_path: file, line_number: 500 }),
      'line_out_of_range',
    );
    errorOf(
      await call('set_breakpoint', { file_path: file, line_content: 'nowhere' }),
      'line_not_found',
    );
    const several = errorOf(
      await call('set_breakpoint', { file_path: twice, line_content: 'same' }),
      'line_not_found',
    );
    assert.deepEqual(several['candidates'], [
      { line: 1, text: 'same' },
      { line: 2, text: 'same' },
    ]);
    errorOf(
      await call('set_breakpoint', { file_path: file, line_number: 1, hit_condition: 'often' }),
      'invalid_input',
    );
    errorOf(
      await call('remove_breakpoint', { breakpoint_id: 1, clear_all: true }),
      'invalid_input',
    );
    errorOf(await call('remove_breakpoint', {}), 'invalid_input');
    assert.deepEqual(await listed(), []);
  });

  it('keeps one breakpoint when the same place is set twice, and reports what changed', async () => {
    const file = workspace.write('same.txt');
    const first = viewOf(
      await call('set_breakpoint', { file_path: file, line_number: 2, condition: 'a > 1' }),
    );
    const again = await call('set_breakpoint', {
      file_path: file,
      line_number: 2,
      condition: 'a > 2',
      hit_condition: '3',
    });
    assert.equal(viewOf(again).id, first.id);
    assert.deepEqual(again['changed'], {
      condition: ['a > 1', 'a > 2'],
      hit_condition: [null, '== 3'],
    });
    assert.deepEqual(
      (
        await call('set_breakpoint', {
          file_path: file,
          line_number: 2,
          condition: 'a > 2',
          hit_condition: '3',
        })
      )['changed'],
      {},
    );
    assert.deepEqual(
      (await listed()).map((each) => each.id),
      [first.id],
    );
    await untilListed(() => vscode.debug.breakpoints.length === 1, 'VS Code has one');
  });

  it('loses none that are set concurrently, and keeps one of two in the same place', async () => {
    const file = workspace.write('many.txt');
    await workspace.paused();
    await Promise.all(
      [...Array(10).keys()].flatMap((index) =>
        [0, 1].map(() => call('set_breakpoint', { file_path: file, line_number: index + 1 })),
      ),
    );
    const views = await listed();
    assert.deepEqual(
      views.map((each) => each.line).sort((one, other) => (one ?? 0) - (other ?? 0)),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.equal(new Set(views.map((each) => each.id)).size, 10);
    assert.ok(
      views.every((each) => each.verified),
      JSON.stringify(views),
    );
  });

  it('moves one set by its text with its line when the file is rewritten, also before a program starts', async () => {
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1} of moving.txt`);
    // Outside the workspace the person has not allowed the search for the new line of the text.
    const [file, outside] = [inWorkspace('moving.txt'), workspace.write('moving.txt', lines)];
    try {
      writeFileSync(file, lines.join('\n'));
      const set = viewOf(
        await call('set_breakpoint', { file_path: file, line_content: '  line 4 of moving.txt ' }),
      );
      const staying = viewOf(
        await call('set_breakpoint', { file_path: outside, line_content: 'line 4 of moving.txt' }),
      );
      assert.deepEqual([set.line, set.line_content, staying.line], [4, 'line 4 of moving.txt', 4]);
      for (const each of [file, outside])
        writeFileSync(each, ['new', 'new too', ...lines].join('\n'));
      assert.deepEqual((await listed()).map((each) => [each.id, each.line]).sort(), [
        [set.id, 6],
        [staying.id, 4],
      ]);
      writeFileSync(file, 'line 4 of moving.txt\nrest');
      const adapter = await workspace.paused();
      const sent = adapter.requests
        .filter(
          (each) =>
            each.command === 'setBreakpoints' &&
            JSON.stringify(each.arguments).includes('faults/moving.txt'),
        )
        .at(-1);
      assert.deepEqual(
        (sent?.arguments['breakpoints'] as { line: number }[]).map((each) => each.line),
        [1],
      );
    } finally {
      rmSync(file);
    }
  });

  it('treats a breakpoint that the adapter moved and the requested one as the same breakpoint', async () => {
    const file = workspace.write('moved.txt');
    await workspace.paused((adapter) =>
      adapter.on('setBreakpoints', (request) =>
        adapter.reply(request, {
          breakpoints: (request.arguments['breakpoints'] as { line: number }[]).map(
            ({ line }, index) => ({ id: index, verified: true, line: line === 3 ? 5 : line }),
          ),
        }),
      ),
    );
    const first = viewOf(await call('set_breakpoint', { file_path: file, line_number: 3 }));
    assert.deepEqual(
      (first as { bound?: { line?: number }[] }).bound?.map((each) => each.line),
      [5],
    );
    const again = await call('set_breakpoint', { file_path: file, line_number: 3, condition: 'x' });
    assert.equal(viewOf(again).id, first.id, JSON.stringify(again));
    assert.equal((await listed()).length, 1);
  });

  it('report the adapter’s message if the adapter refuses them', async () => {
    const file = workspace.write('refused.txt');
    await workspace.paused((adapter) =>
      adapter.on('setBreakpoints', (request) =>
        adapter.reply(request, {
          breakpoints: (request.arguments['breakpoints'] as object[]).map((_, index) => ({
            id: index,
            verified: false,
            message: 'unexpected token',
          })),
        }),
      ),
    );
    const view = viewOf(
      await call('set_breakpoint', { file_path: file, line_number: 3, condition: '((' }),
    );
    assert.equal(view.verified, false);
    assert.match(view.message ?? '', /unexpected token/);
  });

  it('are reported as deactivated while the person has deactivated all breakpoints', async () => {
    const file = workspace.write('off.txt');
    await workspace.paused();
    viewOf(await call('set_breakpoint', { file_path: file, line_number: 3 }));
    await vscode.commands.executeCommand(
      'workbench.debug.viewlet.action.toggleBreakpointsActivatedAction',
    );
    await until(
      (model) =>
        liveSessions(model.state).some((each) =>
          [...each.sourceBreakpoints].some(
            ([name, answer]) => samePath(name, file) && answer.breakpoints.length === 0,
          ),
        ),
      'the adapter has none',
    );
    const [view] = await listed();
    assert.equal(view?.verified, false);
    assert.match(view.message ?? '', /deactivated/);
    await vscode.commands.executeCommand(
      'workbench.debug.viewlet.action.toggleBreakpointsActivatedAction',
    );
    await until(
      (model) =>
        liveSessions(model.state).some((each) =>
          [...each.sourceBreakpoints].some(
            ([name, answer]) => samePath(name, file) && answer.breakpoints.length === 1,
          ),
        ),
      'the adapter has it again',
    );
    assert.equal((await listed())[0]?.verified, true);
  });

  it('are removed or kept by the person’s commands for the agent’s breakpoints', async () => {
    const file = workspace.write('commands.txt');
    const theirs = new vscode.SourceBreakpoint(
      new vscode.Location(vscode.Uri.file(file), new vscode.Position(8, 0)),
    );
    vscode.debug.addBreakpoints([theirs]);
    const kept = viewOf(await call('set_breakpoint', { file_path: file, line_number: 1 }));
    await vscode.commands.executeCommand('agentDebugger.keepAgentBreakpoints');
    assert.deepEqual(
      (await listed()).map((each) => each.owner),
      ['user', 'user'],
    );
    assert.deepEqual((await call('remove_breakpoint', { clear_all: true }))['removed'], []);
    viewOf(await call('set_breakpoint', { file_path: file, line_number: 2 }));
    await vscode.commands.executeCommand('agentDebugger.removeAgentBreakpoints');
    assert.deepEqual((await listed()).map((each) => each.line).sort(), [1, 9]);
    assert.ok((await listed()).some((each) => each.id === kept.id));
  });
});
