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

/** The server side of the protocol for one client. */
export type ProtocolServer = McpServer['server'];

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A loose schema for the SDK, so that the request's own schema is checked here. */
const request = <Method extends string>(method: Method) =>
  z.looseObject({ method: z.literal(method), params: z.unknown().optional() });

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The part of the SDK's schema of a request that is used here. */
interface RequestSchema<Request> {
  readonly shape: { readonly method: { readonly value: string } };
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Request }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly Issue[] };
      };
}

/**
 * Handles one kind of request. Input that does not match the schema is answered with the error `-32602` and the path of
 * the mistake. The SDK alone would report an internal error.
 */
export function handleRequest<Request>(
  server: ProtocolServer,
  schema: RequestSchema<Request>,
  answer: (request: Request, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  server.setRequestHandler(request(schema.shape.method.value), (raw, extra) => {
    const parsed = schema.safeParse(raw);
    if (!parsed.success) throw invalidParams(describeIssues(parsed.error.issues));
    return answer(parsed.data, extra);
  });
}

/** The first mistakes, each with its path. */
function describeIssues(issues: readonly Issue[]): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`.slice(0, 200))
    .join('; ');
}

/** The error for wrong parameters. Nothing was done. */
export function invalidParams(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}

/** Refuses a cursor, because all lists have one page. */
export function assertFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalidParams('The cursor is invalid: the list has one page.');
}
