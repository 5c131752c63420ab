import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { samePath } from '../../../src/debugger/sourcePath';
import { liveSessions } from '../../../src/debugger/state/state';
import { call, cleanUp, errorOf, inWorkspace, stopOf, until, type Answer } from '../support/client';
import { scriptFake, stopped, type FakeAdapter } from '../support/fakeAdapter';

interface View {
  readonly id: number;
  readonly verified: boolean;
  readonly enabled: boolean;
  readonly owner: string;
  readonly source?: { readonly path: string };
  readonly line?: number;
  readonly condition?: string;
  readonly line_content?: string;
  readonly message?: string;
}

const listed = async (): Promise<readonly View[]> =>
  (await call('get_breakpoints', {}))['breakpoints'] as View[];
const viewOf = (answer: Answer): View => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return answer['breakpoint'] as View;
};

/** Resolves when VS Code's list of breakpoints meets the condition. */
async function untilListed(condition: () => boolean, what: string): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`never happened: ${what}`));
    }, 20_000);
    const subscription = vscode.debug.onDidChangeBreakpoints(() => {
      if (!condition()) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    });
  });
}

/** Returns when VS Code's workbench has handled all earlier changes: nobody types while it still adds a breakpoint. */
const reported = async (): Promise<void> => {
  await vscode.commands.executeCommand('setContext', 'agentDebuggerTests.told', true);
};

describe('breakpoints', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent debugger ’断点’ 🐞 '));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await cleanUp();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Writes a file of ten lines, each with a different text. */
  function write(
    name: string,
    lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1} of ${name}`),
  ): string {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  async function paused(
    script: (adapter: FakeAdapter) => void = () => undefined,
  ): Promise<FakeAdapter> {
    const adapters = await scriptFake((adapter) => {
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      });
      script(adapter);
    });
    stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    const [adapter] = adapters;
    assert.ok(adapter);
    return adapter;
  }

  it('sets and removes them outside the workspace, in paths with spaces, quotes, Chinese and emoji, and in node_modules', async () => {
    await paused();
    for (const name of [
      "it's “quoted”.txt",
      '源代码.txt',
      '🐞 bug.txt',
      'node_modules/left pad/index.txt',
      'a#b%20c.txt',
    ]) {
      const file = write(name);
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

  it('refuses one in a folder, a notebook or an unsaved file, on line 0, beyond the end, or by an unknown text, and changes nothing', async () => {
    const file = write('few.txt');
    const twice = write('twice.txt', ['same', 'same', 'other']);
    errorOf(await call('set_breakpoint', { file_path: folder, line_number: 1 }), 'file_not_text');
    errorOf(
      await call('set_breakpoint', { file_path: write('n.ipynb', ['{}']), line_number: 1 }),
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
    const file = write('same.txt');
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
    const file = write('many.txt');
    await paused();
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
    const [file, outside] = [inWorkspace('moving.txt'), write('moving.txt', lines)];
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
      const adapter = await paused();
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
    const file = write('moved.txt');
    await paused((adapter) =>
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
    const file = write('refused.txt');
    await paused((adapter) =>
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
    const file = write('off.txt');
    await paused();
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
    const file = write('commands.txt');
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

  /** The actions that may occur in any order: the agent's calls, the person's own changes, and edits. */
  const action = fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      file: fc.nat(1),
      line: fc.integer({ min: 1, max: 10 }),
      condition: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('clear' as const) }),
    fc.record({
      kind: fc.constant('person adds' as const),
      file: fc.nat(1),
      line: fc.integer({ min: 1, max: 10 }),
      enabled: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('person removes' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('edit' as const), file: fc.nat(1) }),
  );
  const sequences = fc.sample(fc.array(action, { minLength: 8, maxLength: 14, size: 'max' }), {
    numRuns: 6,
    seed: 20261122,
  });

  sequences.forEach((sequence, number) => {
    it(`after any sequence (${number + 1}): the person’s breakpoints are as they left them, and the adapter has those that are listed`, async () => {
      const files = [write(`p${number}a.txt`), write(`p${number}b.txt`)];
      // The files are open in editors, as when a person edits: without an editor VS Code moves no breakpoints.
      const documents: vscode.TextDocument[] = [];
      for (const [index, file] of files.entries())
        documents.push(
          (
            await vscode.window.showTextDocument(vscode.Uri.file(file), {
              viewColumn: index === 0 ? vscode.ViewColumn.One : vscode.ViewColumn.Two,
              preview: false,
            })
          ).document,
        );
      const adapter = await paused();
      const theirs = new Map<
        string,
        { file: number; line: number; enabled: boolean; editsBefore: number }
      >();
      const edits = [0, 0];
      for (const each of sequence) {
        if (each.kind === 'set')
          await call('set_breakpoint', {
            file_path: files[each.file],
            line_number: each.line,
            ...(each.condition === undefined ? {} : { condition: each.condition }),
          });
        else if (each.kind === 'clear') await call('remove_breakpoint', { clear_all: true });
        else if (each.kind === 'remove') {
          const agents = (await listed()).filter((one) => one.owner === 'agent');
          const chosen = agents[each.which % Math.max(1, agents.length)];
          if (chosen !== undefined) await call('remove_breakpoint', { breakpoint_id: chosen.id });
        } else if (each.kind === 'person adds') {
          const file = files[each.file] ?? '';
          if ((await listed()).some((one) => one.source?.path === file && one.line === each.line))
            continue;
          const made = new vscode.SourceBreakpoint(
            new vscode.Location(vscode.Uri.file(file), new vscode.Position(each.line - 1, 0)),
            each.enabled,
          );
          vscode.debug.addBreakpoints([made]);
          theirs.set(made.id, {
            file: each.file,
            line: each.line,
            enabled: each.enabled,
            editsBefore: edits[each.file] ?? 0,
          });
          await reported();
        } else if (each.kind === 'person removes') {
          const id = [...theirs.keys()][each.which % Math.max(1, theirs.size)];
          vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter((one) => one.id === id));
          theirs.delete(id ?? '');
        } else {
          const document = documents[each.file];
          assert.ok(document);
          const edit = new vscode.WorkspaceEdit();
          edit.insert(document.uri, new vscode.Position(0, 0), 'inserted\n');
          await vscode.workspace.applyEdit(edit);
          await document.save();
          edits[each.file] = (edits[each.file] ?? 0) + 1;
        }
      }
      /** The breakpoints that the adapter received last for each file. */
      const held = (): string[] =>
        files
          .flatMap((file) => {
            const last = adapter.requests
              .filter(
                (one) =>
                  one.command === 'setBreakpoints' &&
                  samePath((one.arguments['source'] as { path: string }).path, file),
              )
              .at(-1);
            return (
              (last?.arguments['breakpoints'] ?? []) as { line: number; condition?: string }[]
            ).map(({ line, condition }) => `${path.basename(file)}:${line} ${condition ?? ''}`);
          })
          .sort();
      const inVsCode = (): string[] =>
        vscode.debug.breakpoints
          .flatMap((one) =>
            one instanceof vscode.SourceBreakpoint && one.enabled
              ? [
                  `${path.basename(one.location.uri.fsPath)}:${one.location.range.start.line + 1} ${one.condition ?? ''}`,
                ]
              : [],
          )
          .sort();
      await until(
        () => JSON.stringify(held()) === JSON.stringify(inVsCode()),
        `the adapter holds what VS Code shows: ${JSON.stringify([held(), inVsCode()])}`,
      );
      const views = await listed();
      assert.deepEqual(
        views
          .filter((one) => one.enabled)
          .map(
            (one) => `${path.basename(one.source?.path ?? '')}:${one.line} ${one.condition ?? ''}`,
          )
          .sort(),
        held(),
      );
      assert.ok(
        views.filter((one) => one.enabled).every((one) => one.verified),
        JSON.stringify(views),
      );
      const left = vscode.debug.breakpoints.filter((one) => theirs.has(one.id));
      assert.deepEqual(
        left.map((one) => [one.id, one.enabled, one.condition]).sort(),
        [...theirs].map(([id, one]) => [id, one.enabled, undefined]).sort(),
      );
      for (const one of left) {
        const own = theirs.get(one.id);
        assert.ok(own && one instanceof vscode.SourceBreakpoint);
        assert.equal(one.location.uri.fsPath, files[own.file]);
        // Each later edit inserts one line and moves it by one; VS Code tracks a new one only a little after it is set.
        const moved = one.location.range.start.line + 1 - own.line;
        assert.ok(
          moved >= 0 && moved <= (edits[own.file] ?? 0) - own.editsBefore,
          `moved by ${moved} lines`,
        );
      }
      assert.equal(views.filter((one) => one.owner === 'user').length, theirs.size);
    });
  });
});
