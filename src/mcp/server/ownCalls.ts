import type { Tool } from '../../tools/defineTool';
import type { Prepared } from '../../tools/preparedCalls';
import type { ToolServices } from '../../tools/services';
import type { SerialQueue } from '../../util/serialQueue';
import { Confirmation, type Caller, type ConfirmationOptions } from './confirmation';

/** VS Code's own agents are one caller, because a call does not contain its chat. */
const VS_CODE: Caller = { name: 'VS Code' };

export interface OwnCallOptions {
  /** Whether the setting `agentDebugger.consent.always` requires these questions. */
  readonly isRequired: () => boolean;
  readonly ask: ConfirmationOptions['ask'];
  /** The queue for questions, shared with the questions about calls of MCP clients. */
  readonly turns: SerialQueue;
}

/**
 * Asks about calls of VS Code's own agents during the call. A chat may run without its cards (“Allow all”, Autopilot,
 * worktree sessions), but this question is always asked.
 */
export class OwnCalls {
  readonly confirmation: Confirmation;

  constructor(private readonly options: OwnCallOptions) {
    this.confirmation = new Confirmation({
      isRequired: () => true,
      asks: () => true,
      ask: options.ask,
      patienceMilliseconds: Infinity,
      turns: options.turns,
    });
  }

  get areAskedAbout(): boolean {
    return this.options.isRequired();
  }

  /** Asks the person if the call needs it. The reason why a call may not run is part of the result. */
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
