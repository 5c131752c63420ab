import { isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { fields } from '../../debugger/protocol';
import type { MessageId } from './messageChannel';
import type { WindowEntry } from './registry';
import { selectWindowDefinition } from './selectWindow';

/** A client's list of tools, with `select_window` in it while there is a choice. */
export class ToolListing {
  private readonly asked = new Set<MessageId>();
  private wasSeveral = false;

  constructor(private readonly list: () => Promise<readonly WindowEntry[]>) {}

  /** The client asks for the list with this request. */
  expect(id: MessageId): void {
    this.asked.add(id);
  }

  /** The message as the client gets it. */
  async completed(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    if (!isJSONRPCResultResponse(message) || !this.asked.delete(message.id)) return message;
    const result = fields(message.result);
    const tools = result['tools'];
    this.wasSeveral = (await this.list()).length > 1;
    if (!this.wasSeveral || !Array.isArray(tools) || result['nextCursor'] !== undefined)
      return message;
    return {
      ...message,
      result: {
        ...result,
        tools: [...tools.map((each: unknown) => each), selectWindowDefinition()],
      },
    };
  }

  /** Whether a second window has come, or the last but one has gone, since this was asked last. */
  async hasChanged(): Promise<boolean> {
    const isSeveral = (await this.list()).length > 1;
    const hasChanged = isSeveral !== this.wasSeveral;
    this.wasSeveral = isSeveral;
    return hasChanged;
  }
}
