import { strict as assert } from 'node:assert';
import path from 'node:path';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { samePath } from '../../../src/debugger/sourcePath';
import { BreakpointFiles, listed, reported, type View } from '../support/breakpointFiles';
import { call, until } from '../support/client';
import type { FakeAdapter } from '../support/fakeAdapter';

/** The actions that may occur in any order: the agent's calls, the person's own changes, and edits. */
const ACTION = fc.oneof(
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

type Action = typeof ACTION extends fc.Arbitrary<infer Value> ? Value : never;

/** A breakpoint of the person. */
interface Theirs {
  readonly file: number;
  readonly line: number;
  readonly enabled: boolean;
  /** The number of edits of its file before it was added. */
  readonly editsBefore: number;
}

const SEQUENCES = fc.sample(fc.array(ACTION, { minLength: 8, maxLength: 14, size: 'max' }), {
  numRuns: 6,
  seed: 20261122,
});

/** Opens a file in an editor, as when a person edits. Without an editor VS Code moves no breakpoints. */
async function shown(file: string, viewColumn: vscode.ViewColumn): Promise<vscode.TextDocument> {
  const options = { viewColumn, preview: false };
  return (await vscode.window.showTextDocument(vscode.Uri.file(file), options)).document;
}

/** Two files, and what has happened to their breakpoints. */
class Sequence {
  private readonly theirs = new Map<string, Theirs>();
  private readonly edits = [0, 0];

  constructor(
    private readonly files: readonly string[],
    private readonly documents: readonly vscode.TextDocument[],
  ) {}

  async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'set': {
        const { file, line: line_number, condition } = action;
        const input = { file_path: this.files[file], line_number };
        await call('set_breakpoint', condition === undefined ? input : { ...input, condition });
        return;
      }
      case 'remove':
        await this.remove(action.which);
        return;
      case 'clear':
        await call('remove_breakpoint', { clear_all: true });
        return;
      case 'person adds':
        await this.personAdds(action);
        return;
      case 'person removes': {
        const id = [...this.theirs.keys()][action.which % Math.max(1, this.theirs.size)];
        vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter((one) => one.id === id));
        this.theirs.delete(id ?? '');
        return;
      }
      case 'edit':
        await this.edit(action.file);
        return;
    }
  }

  private async remove(which: number): Promise<void> {
    const agents = (await listed()).filter(({ owner }) => owner === 'agent');
    const chosen = agents[which % Math.max(1, agents.length)];
    if (chosen !== undefined) await call('remove_breakpoint', { breakpoint_id: chosen.id });
  }

  private async personAdds({
    file,
    line,
    enabled,
  }: Pick<Theirs, 'file' | 'line' | 'enabled'>): Promise<void> {
    const name = this.files[file] ?? '';
    if ((await listed()).some((view) => view.source?.path === name && view.line === line)) return;
    const made = new vscode.SourceBreakpoint(
      new vscode.Location(vscode.Uri.file(name), new vscode.Position(line - 1, 0)),
      enabled,
    );
    vscode.debug.addBreakpoints([made]);
    this.theirs.set(made.id, { file, line, enabled, editsBefore: this.edits[file] ?? 0 });
    await reported();
  }

  /** Inserts a line at the beginning of a file. */
  private async edit(file: number): Promise<void> {
    const document = this.documents[file];
    assert.ok(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'inserted\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    this.edits[file] = (this.edits[file] ?? 0) + 1;
  }

  /** The breakpoints that the adapter received last for each file. */
  inAdapter({ requests }: FakeAdapter): readonly string[] {
    const isFor = (source: unknown, file: string): boolean =>
      samePath((source as { path: string }).path, file);
    return this.files
      .flatMap((file) => {
        const last = requests.findLast(
          ({ command, arguments: args }) =>
            command === 'setBreakpoints' && isFor(args['source'], file),
        );
        const breakpoints = last?.arguments['breakpoints'] ?? [];
        return (breakpoints as { line: number; condition?: string }[]).map(
          ({ line, condition }) => `${path.basename(file)}:${line} ${condition ?? ''}`,
        );
      })
      .sort();
  }

  /** The person's breakpoints are as they left them. */
  assertTheirs(views: readonly View[]): void {
    const left = vscode.debug.breakpoints.filter(({ id }) => this.theirs.has(id));
    assert.deepEqual(
      left.map((one) => [one.id, one.enabled, one.condition]).sort(),
      [...this.theirs].map(([id, { enabled }]) => [id, enabled, undefined]).sort(),
    );
    for (const one of left) {
      const own = this.theirs.get(one.id);
      assert.ok(own && one instanceof vscode.SourceBreakpoint);
      assert.equal(one.location.uri.fsPath, this.files[own.file]);
      // Each later edit inserts one line and moves it by one; VS Code tracks a new one only a little after it is set.
      const moved = one.location.range.start.line + 1 - own.line;
      const most = (this.edits[own.file] ?? 0) - own.editsBefore;
      assert.ok(moved >= 0 && moved <= most, `moved by ${moved} lines`);
    }
    assert.equal(views.filter(({ owner }) => owner === 'user').length, this.theirs.size);
  }
}

/** The enabled breakpoints in VS Code's list. */
function inVsCode(): readonly string[] {
  return vscode.debug.breakpoints
    .flatMap((one) => {
      if (!(one instanceof vscode.SourceBreakpoint) || !one.enabled) return [];
      const { uri, range } = one.location;
      return [`${path.basename(uri.fsPath)}:${range.start.line + 1} ${one.condition ?? ''}`];
    })
    .sort();
}

/** The enabled breakpoints that the agent is told of. */
function inViews(views: readonly View[]): readonly string[] {
  return views
    .filter(({ enabled }) => enabled)
    .map(
      ({ source, line, condition }) =>
        `${path.basename(source?.path ?? '')}:${line} ${condition ?? ''}`,
    )
    .sort();
}

describe('breakpoints after any sequence of actions', () => {
  const workspace = new BreakpointFiles();

  SEQUENCES.forEach((actions, number) => {
    it(`are the person’s as they left them, and the adapter has those that are listed (${number + 1})`, async () => {
      const files = [workspace.write(`p${number}a.txt`), workspace.write(`p${number}b.txt`)];
      const documents: vscode.TextDocument[] = [];
      for (const [index, file] of files.entries())
        documents.push(
          await shown(file, index === 0 ? vscode.ViewColumn.One : vscode.ViewColumn.Two),
        );
      const adapter = await workspace.paused();
      const sequence = new Sequence(files, documents);
      for (const action of actions) await sequence.perform(action);
      const received = (): string => JSON.stringify(sequence.inAdapter(adapter));
      await until(
        () => received() === JSON.stringify(inVsCode()),
        `the adapter has what VS Code shows: ${received()} ${JSON.stringify(inVsCode())}`,
      );
      const views = await listed();
      assert.deepEqual(inViews(views), sequence.inAdapter(adapter));
      assert.ok(
        views.filter(({ enabled }) => enabled).every(({ verified }) => verified),
        JSON.stringify(views),
      );
      sequence.assertTheirs(views);
    });
  });
});
