import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { fields, textOf } from '../../debugger/protocol';
import { oneLine } from '../../tools/question';
import type { McpOptions } from '../server/mcpOptions';
import type { MessageId } from './messageChannel';
import { toolResult, type NoWindow, type SelectionResult } from './selectWindow';

/** The responses that a session sends itself, because no window's server can send them. */
export class SessionAnswers {
  /** The client's initialize request. */
  introduction: JSONRPCRequest | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly log: McpOptions['log'],
  ) {}

  /** Answers a request for which there is no window. */
  async refuse(request: JSONRPCRequest, reason: NoWindow): Promise<void> {
    if (request.method === 'tools/call') {
      await this.answerTool(request.id, textOf(fields(request.params)['name']) ?? '', reason);
      return;
    }
    const { message, hint, ...data } = reason;
    await this.transport.send({
      jsonrpc: '2.0',
      id: request.id,
      error: { code: ErrorCode.InvalidRequest, message: `${message} ${hint}`, data },
    });
  }

  async answerTool(id: MessageId, tool: string, result: SelectionResult): Promise<void> {
    const { name } = fields(fields(this.introduction?.params)['clientInfo']);
    this.log({
      tool,
      caller: oneLine(textOf(name) ?? 'MCP client', 60),
      status: result.status,
      characters: JSON.stringify(result).length,
      milliseconds: 0,
    });
    await this.transport.send({ jsonrpc: '2.0', id, result: toolResult(result) });
  }

  /** Answers a request with an internal error if its handling fails. */
  async answerAlways(request: JSONRPCRequest, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      await this.transport.send({
        jsonrpc: '2.0',
        id: request.id,
        error: { code: ErrorCode.InternalError, message: 'Something went wrong.' },
      });
      throw error;
    }
  }
}
