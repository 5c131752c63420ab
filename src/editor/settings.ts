import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { Consent, ToolSet } from '../tools/defineTool';
import type { RedactionSettings } from '../results/redact';

export interface InvestigationSettings {
  readonly folder: 'storage' | 'workspace';
  readonly days: number;
  readonly usesTerminal: boolean;
  readonly environment: readonly string[];
  readonly reasoner: 'off' | 'vscode' | 'mcp' | 'command';
  readonly reasonerCommand: readonly string[];
  /** The path of the browser's executable. Empty for the browser that the debugger finds. */
  readonly browser: string;
  readonly browserArguments: readonly string[];
}

const REASONERS = ['off', 'vscode', 'mcp', 'command'] as const;

/** The strings in a list from a settings file. The list may contain any values. */
function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((entry) => textOf(entry) ?? []);
}

/** The settings. They are read when they are needed, so a change applies from the next call on. */
export const settings = {
  /** The maximum number of characters of one result. */
  get maxResultCharacters(): number {
    const value = vscode.workspace
      .getConfiguration('agentDebugger')
      .get<number>('maxResultCharacters', 7500);
    return Math.min(Math.max(Math.trunc(value), 1000), 100_000);
  },

  /**
   * Whether every call asks the person. The setting is on if any level enables it (the user's, the remote machine's, or
   * the workspace's), because a workspace may only make the rules stricter.
   */
  get requiresConsent(): boolean {
    return Object.values(
      fields(vscode.workspace.getConfiguration('agentDebugger').inspect('requireConsent')),
    ).includes(true);
  },

  /** Whether the person is asked inside each call, regardless of the approval mode of a chat. */
  get asksInCalls(): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.consent').get<boolean>('always', false);
  },

  /**
   * Whether the person allows such calls without being asked. A workspace cannot allow it (`scope` in package.json).
   */
  allows(consent: Consent): boolean {
    return (
      !this.requiresConsent &&
      !this.asksInCalls &&
      vscode.workspace.getConfiguration('agentDebugger.consent').get<string>(consent, 'ask') ===
        'allow'
    );
  },

  /** Whether VS Code also asks about MCP clients' calls. */
  get confirmsMcp(): boolean {
    return (
      this.requiresConsent ||
      this.asksInCalls ||
      vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('confirm', false)
    );
  },

  /** The enabled tool sets: `core` always, `trace` unless it is disabled. */
  get toolSets(): readonly ToolSet[] {
    const configuration = vscode.workspace.getConfiguration('agentDebugger.sets');
    const isOn = (set: ToolSet): boolean => configuration.get<boolean>(set, set === 'trace');
    return ['core', ...(['trace', 'live', 'advanced', 'investigation'] as const).filter(isOn)];
  },

  /**
   * The settings for investigations: their location, the data that is passed to a command, and the data that may be
   * sent to a model.
   */
  get investigation(): InvestigationSettings {
    const configuration = vscode.workspace.getConfiguration('agentDebugger.investigation');
    const reasoner = configuration.get<unknown>('reasoner');
    return {
      folder: configuration.get<unknown>('folder') === 'workspace' ? 'workspace' : 'storage',
      days: Math.min(Math.max(configuration.get<number>('days', 7), 1), 365),
      usesTerminal: configuration.get<boolean>('terminal', true),
      environment: textsOf(configuration.get<unknown>('environment')),
      reasoner: REASONERS.find((kind) => kind === reasoner) ?? 'off',
      reasonerCommand: textsOf(configuration.get<unknown>('reasonerCommand')),
      browser: configuration.get<string>('browser', ''),
      browserArguments: textsOf(configuration.get<unknown>('browserArguments')),
    };
  },

  /** Router mode: whether MCP clients see only two tools, through which all other tools are called. */
  get routesMcp(): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('router', false);
  },

  /** Whether recorded values are shown beside the lines and in their view. */
  get showsRecordedValues(): boolean {
    return vscode.workspace
      .getConfiguration('agentDebugger')
      .get<boolean>('showRecordedValues', true);
  },

  /** The number of days for which the files of diagnostics are kept until the person may delete them. */
  get keepDiagnosticsDays(): number {
    const days = vscode.workspace
      .getConfiguration('agentDebugger.diagnostics')
      .get<number>('keepDays', 30);
    return Number.isFinite(days) ? Math.max(0, days) : 30;
  },

  /** Whether credentials are redacted in results, and the person's own patterns. */
  get redaction(): RedactionSettings {
    const configuration = vscode.workspace.getConfiguration('agentDebugger');
    const patterns = configuration.get<unknown>('redactionPatterns', []);
    // A value that is not a list is kept as an unusable pattern, so that the person receives a warning.
    const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [patterns];
    return { enabled: configuration.get('redactSecrets', true), patterns: list };
  },
};
