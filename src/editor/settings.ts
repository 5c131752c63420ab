import * as vscode from 'vscode';

/** Settings, read when they are needed: a change counts from the next call on. */
export const settings = {
  /** Most characters of one result. */
  get maxResultCharacters(): number {
    const value = vscode.workspace.getConfiguration('agentDebugger').get<number>('maxResultCharacters', 7500);
    return Math.min(Math.max(Math.trunc(value), 1000), 100_000);
  },
};
