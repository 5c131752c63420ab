import { isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { fields } from '../../debugger/protocol';
import type { MessageId } from './messageChannel';
import type { WindowEntry } from './registry';
import { selectWindowDefinition } from './selectWindow';

/** A client's list of tools, with `select_window` in it while there is a choice. */
export class ToolListing {
  private readonly requested = new Set<MessageId>();
  private wasSeveral = false;

  constructor(private readonly list: () => Promise<readonly WindowEntry[]>) {}

  /** The client has requested the list with this id. */
  expect(id: MessageId): void {
    this.requested.add(id);
  }

  /** Adds `select_window` to the answer to such a request; other messages stay as they are. */
  async complete(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    if (!isJSONRPCResultResponse(message) || !this.requested.delete(message.id)) return message;
    const result = fields(message.result);
    const tools = result['tools'];
    this.wasSeveral = (await this.list()).length > 1;
    if (!this.wasSeveral || !Array.isArray(tools) || result['nextCursor'] !== undefined)
      return message;
    return {
      ...message,
      result: {
        ...result,
        tools: [...tools.map((tool: unknown) => tool), selectWindowDefinition()],
      },
    };
  }

  /** Whether there is a choice now and was none at the last call, or the other way round. */
  async hasChanged(): Promise<boolean> {
    const isSeveral = (await this.list()).length > 1;
    const hasChanged = isSeveral !== this.wasSeveral;
    this.wasSeveral = isSeveral;
    return hasChanged;
  }
}
