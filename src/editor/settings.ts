import * as vscode from 'vscode';
import type { Consent } from '../tools/defineTool';
import type { RedactionSettings } from '../results/redact';

/** Settings, read when they are needed: a change counts from the next call on. */
export const settings = {
  /** Most characters of one result. */
  get maxResultCharacters(): number {
    const value = vscode.workspace.getConfiguration('agentDebugger').get<number>('maxResultCharacters', 7500);
    return Math.min(Math.max(Math.trunc(value), 1000), 100_000);
  },

  /** Whether the person allows such calls without being asked. Only a trusted workspace's word counts. */
  allows(consent: Consent): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.consent').get<string>(consent, 'ask') === 'allow';
  },

  /** Whether MCP clients' calls are asked about in VS Code, too. */
  get confirmsMcp(): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('confirm', false);
  },

  /** Whether credentials are taken out of results, and the person's own patterns for them. */
  get redaction(): RedactionSettings {
    const configuration = vscode.workspace.getConfiguration('agentDebugger');
    const patterns = configuration.get<unknown>('redactionPatterns', []);
    // What is no list is no pattern either: it is not left out, so that the person hears of it.
    const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [patterns];
    return { enabled: configuration.get('redactSecrets', true), patterns: list };
  },
};
