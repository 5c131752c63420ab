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
  /** The browser's executable; empty: the one that the debugger finds. */
  readonly browser: string;
  readonly browserArguments: readonly string[];
}

const REASONERS = ['off', 'vscode', 'mcp', 'command'] as const;

/** The texts of a list from a settings file, which may hold anything. */
function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

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

  /** Whether the person wants to be asked inside each call, whatever approval mode a chat has. */
  get asksInCalls(): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.consent').get<boolean>('always', false);
  },

  /** Whether the person allows such calls without being asked; no workspace can (`scope` in package.json). */
  allows(consent: Consent): boolean {
    return (
      !this.requiresConsent &&
      !this.asksInCalls &&
      vscode.workspace.getConfiguration('agentDebugger.consent').get<string>(consent, 'ask') ===
        'allow'
    );
  },

  /** Whether MCP clients' calls are asked about in VS Code, too. */
  get confirmsMcp(): boolean {
    return (
      this.requiresConsent ||
      this.asksInCalls ||
      vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('confirm', false)
    );
  },

  /** The sets of tools that are on: `core` always, `trace` unless it is switched off. */
  get toolSets(): readonly ToolSet[] {
    const configuration = vscode.workspace.getConfiguration('agentDebugger.sets');
    const isOn = (set: ToolSet): boolean => configuration.get<boolean>(set, set === 'trace');
    return ['core', ...(['trace', 'advanced', 'investigation'] as const).filter(isOn)];
  },

  /** What an investigation keeps where, gives to a command, and may send to a model. */
  get investigation(): InvestigationSettings {
    const configuration = vscode.workspace.getConfiguration('agentDebugger.investigation');
    const reasoner = configuration.get<unknown>('reasoner');
    return {
      folder: configuration.get<unknown>('folder') === 'workspace' ? 'workspace' : 'storage',
      days: Math.min(Math.max(configuration.get<number>('days', 7), 1), 365),
      usesTerminal: configuration.get<boolean>('terminal', true),
      environment: textsOf(configuration.get<unknown>('environment')),
      reasoner: REASONERS.find((each) => each === reasoner) ?? 'off',
      reasonerCommand: textsOf(configuration.get<unknown>('reasonerCommand')),
      browser: configuration.get<string>('browser', ''),
      browserArguments: textsOf(configuration.get<unknown>('browserArguments')),
    };
  },

  /** Whether MCP clients are shown two tools that lead to all others. */
  get routesMcp(): boolean {
    return vscode.workspace.getConfiguration('agentDebugger.mcp').get<boolean>('router', false);
  },

  /** How many days the files of diagnostics are kept until the person may clear them. */
  get keepDiagnosticsDays(): number {
    const days = vscode.workspace
      .getConfiguration('agentDebugger.diagnostics')
      .get<number>('keepDays', 30);
    return Number.isFinite(days) ? Math.max(0, days) : 30;
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
