import * as vscode from 'vscode';
import type { RelaySetting } from '../server/relay/relayServer';
import { fields, numberOf } from '../../debugger/protocol';
import { derivedPort } from '../windows/derivedPort';

export const SECTION = 'agentDebugger.mcp';

export const setting = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration(SECTION);

/**
 * The final value of a setting with the scope `machine`. In a remote window, only the value of the remote machine counts.
 * Shortly after the start, before VS Code has read the settings of that machine, `get` returns the value of the other
 * machine, so it is not used.
 */
export function ofMachine(name: string): unknown {
  const inspected = fields(setting().inspect(name));
  const isRemote = vscode.env.remoteName !== undefined && 'globalRemoteValue' in inspected;
  return isRemote
    ? (inspected['globalRemoteValue'] ?? inspected['defaultValue'])
    : setting().get<unknown>(name);
}

export const settings = {
  get port(): number {
    const value = numberOf(ofMachine('port'));
    return value !== undefined && isPort(String(value)) ? value : derivedPort();
  },
  /** Whether front ends may follow sessions over WebSocket, and whether they may control them. */
  get relay(): RelaySetting {
    const value = setting().get<unknown>('relay');
    return value === 'read' || value === 'control' ? value : 'off';
  },
  get autoStart(): boolean {
    return ofMachine('autoStart') === true;
  },
};

export function isPort(text: string): boolean {
  return /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535;
}
