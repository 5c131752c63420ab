import * as vscode from 'vscode';
import { derivedPort } from '../windows/derivedPort';

export const SECTION = 'agentDebugger.mcp';

export const setting = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration(SECTION);

export const settings = {
  get port(): number {
    const value = setting().get<number | null>('port') ?? undefined;
    return value !== undefined && isPort(String(value)) ? value : derivedPort();
  },
  get autoStart(): boolean {
    return setting().get<boolean>('autoStart', false);
  },
};

export function isPort(text: string): boolean {
  return /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535;
}
