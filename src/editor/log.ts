import * as vscode from 'vscode';
import { callLine, logLine } from '../debugger/texts';
import type { ToolResult } from '../tools/defineTool';

/** One call of a tool, whoever made it. */
export interface LoggedCall {
  readonly tool: string;
  readonly caller: string;
  readonly status: string;
  readonly characters: number;
  readonly milliseconds: number;
  /** What was given and returned; not of calls that no tool was run for. */
  readonly input?: unknown;
  readonly result?: ToolResult;
  /** Whether the person was asked in VS Code before it ran. */
  readonly wasAsked?: boolean;
}

/**
 * The output channel “Agent Debugger”, for the person. Names and texts in it come from clients, adapters and programs:
 * each entry is one line of bounded length, so that none can look like several. Nothing else writes to a channel.
 */
export class Log implements vscode.Disposable {
  // eslint-disable-next-line no-restricted-syntax -- here and nowhere else
  private readonly channel = vscode.window.createOutputChannel('Agent Debugger', { log: true });

  call(call: LoggedCall): void {
    this.channel.info(callLine(call));
  }

  line(line: string): void {
    this.channel.info(logLine(line));
  }

  warn(error: unknown): void {
    this.channel.warn(logLine(String(error)));
  }

  dispose(): void {
    this.channel.dispose();
  }
}
