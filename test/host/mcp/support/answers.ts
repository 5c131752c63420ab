import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

/** An answer: the label of a row or a button; undefined if nothing is chosen. */
export type AnswerTo = (
  labels: readonly string[],
) => string | undefined | Promise<string | undefined>;

/** Gives the person's answers in order; a question without an answer is an error. */
export class Answers {
  readonly told: string[] = [];
  /** The rows of every choice, with their labels, descriptions and details. */
  readonly shown: string[] = [];
  private readonly failures: unknown[] = [];
  constructor(
    private readonly answers: AnswerTo[],
    /** Called for each message after it was answered. */
    private readonly onDidTell: (message: string) => void = () => undefined,
  ) {}

  readonly choose = async <T extends vscode.QuickPickItem>(
    items: readonly T[],
  ): Promise<T | undefined> => {
    this.shown.push(
      ...items.map(({ label, description, detail }) => [label, description, detail].join(' | ')),
    );
    const label = await this.next(items.map((each) => each.label));
    const found = items.find((each) => each.label === label);
    assert.ok(
      label === undefined || found !== undefined,
      `${String(label)} is among ${items.map((each) => each.label).join(', ')}`,
    );
    return found;
  };
  readonly inform = async (
    message: string,
    ...buttons: readonly string[]
  ): Promise<string | undefined> => {
    this.told.push(message);
    const answer = buttons.length === 0 ? undefined : await this.next(buttons);
    this.onDidTell(message);
    return answer;
  };
  readonly warn = this.inform;

  /** The extension reports an error in an answer to the person like any other error, so it is checked here. */
  assertDone(): void {
    assert.deepEqual(this.failures, []);
    assert.equal(this.answers.length, 0, `not asked: ${this.answers.length}`);
  }

  private async next(labels: readonly string[]): Promise<string | undefined> {
    try {
      const answer = this.answers.shift();
      assert.ok(answer !== undefined, `asked too much: ${labels.join(', ')}`);
      return await answer(labels);
    } catch (error) {
      this.failures.push(error);
      throw error;
    }
  }
}

export const WRITE = '$(check) Write it';
export const LEAVE = '$(close) Leave the file as it is';

export function shownDiffs(): vscode.TabInputTextDiff[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs.map(({ input }) => input))
    .filter((input) => input instanceof vscode.TabInputTextDiff);
}

export async function shownTexts(): Promise<{ before: string; after: string }> {
  const [diff, second] = shownDiffs();
  assert.ok(diff !== undefined && second === undefined, 'one change is shown');
  const text = async (uri: vscode.Uri): Promise<string> =>
    (await vscode.workspace.openTextDocument(uri)).getText();
  return { before: await text(diff.original), after: await text(diff.modified) };
}
