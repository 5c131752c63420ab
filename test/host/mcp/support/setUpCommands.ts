import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Answers, shownDiffs, WRITE, type AnswerTo } from './answers';
import { withOwnHome, type OwnHome } from './ownHome';

/** The settings file of a client with another server. */
export const MINE = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';

export const OVER_HTTP = '$(key) Show it with the address and the key instead';

/** Runs the commands that set up clients in a home of its own, with a scripted person. */
export class SetUpCommands {
  private own: OwnHome | undefined;

  constructor() {
    withOwnHome((own) => (this.own = own));
  }

  get setUps(): OwnHome['setUps'] {
    return this.inTest.setUps;
  }

  get mcp(): OwnHome['mcp'] {
    return this.inTest.mcp;
  }

  get home(): string {
    return this.inTest.home;
  }

  private get inTest(): OwnHome {
    assert.ok(this.own, 'a test runs');
    return this.own;
  }

  /** The settings file of Cursor, with this text if one is given. */
  cursorFile(text?: string): string {
    const file = path.join(this.home, '.cursor', 'mcp.json');
    if (text === undefined) return file;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async run(command: string, ...answers: AnswerTo[]): Promise<Answers> {
    const person = new Answers(answers);
    this.setUps.person = person;
    await vscode.commands.executeCommand(`agentDebugger.mcp.${command}`);
    await this.setUps.afterwards;
    person.assertDone();
    assert.deepEqual(shownDiffs(), [], 'the preview is gone');
    return person;
  }

  /** The bridge file that a client starts. */
  bridge(): string {
    const isPosix = process.platform !== 'win32';
    return path.join(this.home, '.agent-debugger', isPosix ? 'stdio.sh' : 'stdio.js');
  }

  /** Sets a client up over HTTP, which takes one more choice. */
  async setUpOverHttp(client: string): Promise<Answers> {
    return await this.run(
      'installConfiguration',
      () => client,
      () => OVER_HTTP,
      () => WRITE,
      () => undefined,
    );
  }
}
