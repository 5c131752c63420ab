import * as vscode from 'vscode';

export const SECTION = 'agentDebugger.mcp';

export const setting = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration(SECTION);

/** Below the ports that systems give to any connection by themselves (Linux: from 32768 on, macOS and Windows: from 49152 on), as package.json says, too. */
const DEFAULT_PORT = 26_321;

export const settings = {
  get port(): number {
    const value = setting().get<number>('port', DEFAULT_PORT);
    return isPort(String(value)) ? value : DEFAULT_PORT;
  },
  get autoStart(): boolean {
    return setting().get<boolean>('autoStart', false);
  },
};

export function isPort(text: string): boolean {
  return /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535;
}
