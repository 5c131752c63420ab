import { isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { fields } from '../../debugger/protocol';
import type { MessageId } from './messageChannel';
import type { WindowEntry } from './registry';
import { selectWindowDefinition } from './selectWindow';

/** A client's list of tools, which contains `select_window` while there are several windows. */
export class ToolListing {
  private readonly requested = new Set<MessageId>();
  private wasSeveral = false;

  constructor(private readonly list: () => Promise<readonly WindowEntry[]>) {}

  /** Called when the client has requested the list with this id. */
  expect(id: MessageId): void {
    this.requested.add(id);
  }

  /** Adds `select_window` to the response to such a request. Other messages are not changed. */
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

  /** Whether the existence of several windows has changed since the last call. */
  async hasChanged(): Promise<boolean> {
    const isSeveral = (await this.list()).length > 1;
    const hasChanged = isSeveral !== this.wasSeveral;
    this.wasSeveral = isSeveral;
    return hasChanged;
  }
}
