import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ErrorCode,
  McpError,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** One client's end of the protocol. */
export type ProtocolServer = McpServer['server'];

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What is read of a request before its own schema reads it. */
const request = <Method extends string>(method: Method) =>
  z.looseObject({ method: z.literal(method), params: z.unknown().optional() });

/** The SDK's schema of one kind of request, as far as it is needed here. */
interface RequestSchema<Request> {
  readonly shape: { readonly method: { readonly value: string } };
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Request }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

/**
 * Answers one kind of request. What does not fit its schema is `-32602` with the place of the mistake, where the SDK
 * alone would call it an error of the server's own.
 */
export function answering<Request>(
  server: ProtocolServer,
  schema: RequestSchema<Request>,
  answer: (request: Request, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  server.setRequestHandler(request(schema.shape.method.value), (raw, extra) => {
    const parsed = schema.safeParse(raw);
    if (!parsed.success)
      throw invalid(
        parsed.error.issues
          .slice(0, 3)
          .map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`.slice(0, 200))
          .join('; '),
      );
    return answer(parsed.data, extra);
  });
}

/** A request whose parameters are wrong. Nothing was done. */
export function invalid(words: string): McpError {
  return new McpError(ErrorCode.InvalidParams, words);
}

/** All our lists have one page. */
export function onlyPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalid('There is no such cursor: the list has one page.');
}
