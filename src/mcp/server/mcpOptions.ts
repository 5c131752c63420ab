import type { ExposedTools } from '../../tools/exposed';
import type { Confirmation } from './confirmation';

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
  }) => void;
  readonly tools: ExposedTools;
  readonly confirmation: Confirmation;
  /** For tests: a shorter time limit of calls. */
  readonly mostSeconds?: number;
  /** For tests: how often a client that asked for progress is told that its call goes on. */
  readonly progressEveryMs?: number;
}
