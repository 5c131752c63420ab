import * as vscode from 'vscode';
import type { RelaySetting } from '../server/relay/relayServer';
import { derivedPort } from '../windows/derivedPort';

export const SECTION = 'agentDebugger.mcp';

export const setting = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration(SECTION);

export const settings = {
  get port(): number {
    const value = setting().get<number | null>('port') ?? undefined;
    return value !== undefined && isPort(String(value)) ? value : derivedPort();
  },
  /** Whether front ends may follow sessions over WebSocket, and whether they may control them. */
  get relay(): RelaySetting {
    const value = setting().get<string>('relay', 'off');
    return value === 'read' || value === 'control' ? value : 'off';
  },
  get autoStart(): boolean {
    return setting().get<boolean>('autoStart', false);
  },
};

export function isPort(text: string): boolean {
  return /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535;
}
