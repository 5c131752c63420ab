import type { Tool } from '../../tools/defineTool';
import type { Prepared } from '../../tools/preparedCalls';
import type { ToolServices } from '../../tools/services';
import type { SerialQueue } from '../../util/serialQueue';
import { Confirmation, type Caller, type ConfirmationOptions } from './confirmation';

/** VS Code's own agents: one caller, because a call does not say which chat it comes from. */
const VS_CODE: Caller = { name: 'VS Code' };

export interface OwnCallOptions {
  /** Whether the person wants such questions (`agentDebugger.consent.always`). */
  readonly wanted: () => boolean;
  readonly ask: ConfirmationOptions['ask'];
  /** The turns to ask, shared with the questions about calls of MCP clients. */
  readonly turns: SerialQueue;
}

/**
 * Asks about calls of VS Code's own agents inside the call. A chat may run without its cards (“Allow all”, Autopilot,
 * worktree sessions); this question is asked in any case.
 */
export class OwnCalls {
  readonly confirmation: Confirmation;

  constructor(private readonly options: OwnCallOptions) {
    this.confirmation = new Confirmation({
      wanted: () => true,
      asks: () => true,
      ask: options.ask,
      patienceMilliseconds: Infinity,
      turns: options.turns,
    });
  }

  get areAskedAbout(): boolean {
    return this.options.wanted();
  }

  /** Asks the person where the call needs that. What keeps the call from running is part of the result. */
  async prepare(
    tool: Tool,
    input: unknown,
    services: ToolServices,
    signal: AbortSignal,
  ): Promise<Prepared> {
    try {
      return await this.confirmation.confirm(tool, input, services, VS_CODE, signal);
    } catch (error) {
      return {
        kind: 'refused',
        failure: error instanceof Error ? error : new Error(String(error)),
      };
    }
  }
}
