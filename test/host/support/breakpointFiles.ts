import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, stopOf, type Answer } from './client';
import { scriptFake, stopped, type FakeAdapter } from './fakeAdapter';

/** A breakpoint as `get_breakpoints` returns it. */
export interface View {
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

export const listed = async (): Promise<readonly View[]> =>
  (await call('get_breakpoints', {}))['breakpoints'] as View[];
export const viewOf = (answer: Answer): View => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return answer['breakpoint'] as View;
};

/** Resolves when VS Code's list of breakpoints meets the condition. */
export async function untilListed(condition: () => boolean, what: string): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`never happened: ${what}`));
    }, 90_000);
    const subscription = vscode.debug.onDidChangeBreakpoints(() => {
      if (!condition()) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    });
  });
}

/** Returns when VS Code's workbench has handled all earlier changes: nobody types while it still adds a breakpoint. */
export const reported = async (): Promise<void> => {
  await vscode.commands.executeCommand('setContext', 'agentDebuggerTests.told', true);
};

/** Files outside the workspace for one suite, and programs of the fake adapter. */
export class BreakpointFiles {
  folder = '';

  constructor() {
    before(() => {
      this.folder = mkdtempSync(path.join(tmpdir(), 'agent debugger ’断点’ 🐞 '));
    });
    after(() => rmSync(this.folder, { recursive: true }));
    afterEach(async () => {
      await cleanUp();
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  /** Writes a file of ten lines, each with a different text. */
  write(
    name: string,
    lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1} of ${name}`),
  ): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  /** Starts a program that stops at its entry. */
  async paused(script: (adapter: FakeAdapter) => void = () => undefined): Promise<FakeAdapter> {
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
}
