import type { ToolResult } from '../../tools/defineTool';
import type { ExposedTools } from '../../tools/exposed';
import type { Confirmation } from './confirmation';
import type { RelaySetting } from './relay/relayServer';

/** Records raw messages for diagnostics. It keeps none unless recording is on. */
export interface Traffic {
  readonly isOn: boolean;
  message(direction: 'sent' | 'received', session: string | undefined, body: unknown): void;
  answered(method: string, path: string, status: number, session: string | undefined): void;
}

/** The options of the MCP server for all transports. */
export interface McpOptions {
  readonly version: string;
  readonly maxChars: () => number;
  readonly log: (call: {
    readonly tool: string;
    readonly caller: string;
    readonly status: string;
    readonly characters: number;
    readonly milliseconds: number;
    readonly input?: unknown;
    readonly result?: ToolResult;
    readonly wasAsked?: boolean;
  }) => void;
  /** Records raw messages for the person's diagnostics. */
  readonly traffic?: Traffic;
  readonly tools: ExposedTools;
  readonly confirmation: Confirmation;
  /** Whether front ends may follow sessions over WebSocket, and whether they may control them. Default: off. */
  readonly relay?: () => RelaySetting;
  /** For tests: a shorter time limit of calls. */
  readonly mostSeconds?: number;
  /** For tests: the interval of progress notifications. */
  readonly progressEveryMs?: number;
}
