import * as vscode from 'vscode';
import { callLine, logLine } from '../debugger/texts';
import { withoutKnownForms } from '../results/redact';
import type { ToolResult } from '../tools/defineTool';

/** A call of a tool, from VS Code or through MCP. */
export interface LoggedCall {
  readonly tool: string;
  readonly caller: string;
  readonly status: string;
  readonly characters: number;
  readonly milliseconds: number;
  /** The input and result; undefined for calls for which no tool was run. */
  readonly input?: unknown;
  readonly result?: ToolResult;
  /** Whether the person was asked in VS Code before the call ran. */
  readonly wasAsked?: boolean;
}

/**
 * The output channel “Agent Debugger”, for the person. It contains names and texts from clients, adapters and programs,
 * so each entry is one line of bounded length without credentials, and cannot look like several
 * entries. No other code writes to a channel.
 */
export class Log implements vscode.Disposable {
  // eslint-disable-next-line no-restricted-syntax -- here and nowhere else
  private readonly channel = vscode.window.createOutputChannel('Agent Debugger', { log: true });

  call(call: LoggedCall): void {
    this.channel.info(withoutKnownForms(callLine(call)));
  }

  line(line: string): void {
    this.channel.info(logLine(withoutKnownForms(line)));
  }

  warn(error: unknown): void {
    this.channel.warn(logLine(withoutKnownForms(String(error))));
  }

  dispose(): void {
    this.channel.dispose();
  }
}
