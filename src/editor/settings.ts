import * as vscode from 'vscode';
import { fields } from '../debugger/protocol';
import type { Consent } from '../tools/defineTool';
import type { RedactionSettings } from '../results/redact';

/** Settings, read when they are needed: a change counts from the next call on. */
export const settings = {
  /** Most characters of one result. */
  get maxResultCharacters(): number {
    const value = vscode.workspace
      .getConfiguration('agentDebugger')
      .get<number>('maxResultCharacters', 7500);
    return Math.min(Math.max(Math.trunc(value), 1000), 100_000);
  },

  /**
   * Whether everything is asked about. A workspace may only make things stricter, so it counts wherever it is switched
   * on: in the person's settings, on this side or theirs, or in the workspace's.
   */
  get requiresConsent(): boolean {
    return Object.values(
      fields(vscode.workspace.getConfiguration('agentDebugger').inspect('requireConsent')),
    ).includes(true);
  },

  /** Whether the person allows such calls without being asked; no workspace can (`scope` in package.json). */
  allows(consent: Consent): boolean {
    return (
      !this.requiresConsent &&
      vscode.workspace.getConfiguration('agentDebugger.consent').get<string>(consent, 'ask') ===
        'allow'
    );
  },

  /** Whether MCP clients' calls are asked about in VS Code, too. */
  get confirmsMcp(): boolean {
    return (
      this.requiresConsent ||
      vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('confirm', false)
    );
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
