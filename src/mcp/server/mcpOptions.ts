import type { ToolResult } from '../../tools/defineTool';
import type { ExposedTools } from '../../tools/exposed';
import type { Confirmation } from './confirmation';
import type { RelaySetting } from './relay/relayServer';

/** What is told of raw messages. It keeps none of them unless it is on. */
export interface Traffic {
  readonly isOn: boolean;
  message(direction: 'sent' | 'received', session: string | undefined, body: unknown): void;
  answered(method: string, path: string, status: number, session: string | undefined): void;
}

/** What the MCP server needs to know, whichever transport a client uses. */
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
  /** Told of raw messages, for the person's diagnostics. */
  readonly traffic?: Traffic;
  readonly tools: ExposedTools;
  readonly confirmation: Confirmation;
  /** Whether front ends may follow sessions over WebSocket, and move them. Default: off. */
  readonly relay?: () => RelaySetting;
  /** For tests: a shorter time limit of calls. */
  readonly mostSeconds?: number;
  /** For tests: how often a client that asked for progress is told that its call goes on. */
  readonly progressEveryMs?: number;
}
