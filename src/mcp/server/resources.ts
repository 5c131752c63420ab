import * as l10n from '@vscode/l10n';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { rootOf, sessionById, treeOf, type SessionState } from '../../debugger/state/state';
import { currentStop } from '../../tools/core/currentStop';
import type { Tool, ToolResult } from '../../tools/defineTool';
import { getDebugOutput, getDebugState } from '../../tools/core/overview';
import type { ToolServices } from '../../tools/services';
import { answering, invalid, onlyPage, type ProtocolServer } from './requestHandlers';
import { Subscriptions, type Later } from './subscriptions';
import type { DebuggerNews } from './debuggerEvents';

export const SESSIONS_URI = 'debug://sessions';
export const STOP_URI = 'debug://stop';
const OUTPUT_TEMPLATE = 'debug://sessions/{id}/output';
const JSON_TYPE = 'application/json';

/** MCP "Resources", error handling. */
const NOT_FOUND = -32002;

const outputUri = (id: string): string => OUTPUT_TEMPLATE.replace('{id}', id);

/** Runs a read the way that every call goes: credentials out of it, fitted to its budget, in the log. */
export type Read = (tool: Tool, input: object, signal: AbortSignal) => Promise<ToolResult>;

/** A resource that can be read now. */
interface Readable {
  readonly tool: Tool;
  readonly input: object;
  /** Another text when what the resource shows has changed. Asked often, so nothing is read for it. */
  readonly version: () => string;
}

export interface ResourceServices {
  readonly services: ToolServices;
  readonly read: Read;
  readonly news: DebuggerNews;
  readonly later?: Later;
}

/** The debugger's truth as resources, with subscriptions. What a tool may not tell, no resource tells. */
export function serveResources(
  server: ProtocolServer,
  { services, read, news, later }: ResourceServices,
): { dispose(): void } {
  const { model } = services;
  const find = (uri: string): Readable => {
    const found = readable(services, uri);
    if (found === undefined) throw notFound(uri);
    return found;
  };
  const subscriptions = new Subscriptions(
    (uri) => readable(services, uri)?.version() ?? '',
    (uri) => server.sendResourceUpdated({ uri }),
    later,
  );
  const list = new Subscriptions(
    () => [...model.state.sessions.values()].map((each) => each.id).join(),
    () => server.sendResourceListChanged(),
    later,
  );
  list.add('resources');
  answering(server, ListResourcesRequestSchema, ({ params }) => {
    onlyPage(params?.cursor);
    return { resources: resourcesOf(services) };
  });
  answering(server, ListResourceTemplatesRequestSchema, ({ params }) => {
    onlyPage(params?.cursor);
    return {
      resourceTemplates: [
        {
          uriTemplate: OUTPUT_TEMPLATE,
          name: 'output',
          title: l10n.t('Output of a debug session'),
          description: l10n.t('What the program and its debugger printed.'),
          mimeType: JSON_TYPE,
        },
      ],
    };
  });
  answering(server, ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const { tool, input } = find(uri);
    return { contents: [contentOf(uri, await read(tool, input, extra.signal))] };
  });
  answering(server, SubscribeRequestSchema, ({ params: { uri } }) => {
    find(uri);
    if (!subscriptions.add(uri)) throw invalid('Too many subscriptions.');
    return {};
  });
  answering(server, UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.remove(uri);
    return {};
  });
  const watching = news.onDidChange(() => {
    subscriptions.look();
    list.look();
  });
  return {
    dispose: () => {
      watching.dispose();
      subscriptions.dispose();
      list.dispose();
    },
  };
}

/** A result as a resource's content. @throws McpError where it is an error */
export function contentOf(
  uri: string,
  result: ToolResult,
): { uri: string; mimeType: string; text: string } {
  if (result.status === 'error') {
    const { code, message, hint } = result;
    if (code === 'session_not_found') throw notFound(uri);
    throw new McpError(ErrorCode.InternalError, String(message), { code, hint });
  }
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(result) };
}

/** The ids of the sessions there are, newest first. */
export function sessionIdsOf({ model }: ToolServices): readonly string[] {
  return [...model.state.sessions.values()].map((each) => each.id).reverse();
}

function resourcesOf(services: ToolServices): Resource[] {
  return [
    {
      uri: SESSIONS_URI,
      name: 'sessions',
      title: l10n.t('Debug sessions'),
      description: l10n.t('The debug sessions, their threads, and where they are stopped.'),
      mimeType: JSON_TYPE,
    },
    {
      uri: STOP_URI,
      name: 'stop',
      title: l10n.t('Current stop'),
      description: l10n.t('Where the program is stopped now: stack, variables and source.'),
      mimeType: JSON_TYPE,
    },
    ...sessionIdsOf(services).map((id) => ({
      uri: outputUri(id),
      name: `output-${id}`,
      title: l10n.t('Output of {0}', id),
      description: l10n.t('What the program and its debugger printed.'),
      mimeType: JSON_TYPE,
    })),
  ];
}

function readable({ model }: ToolServices, uri: string): Readable | undefined {
  const all = (): readonly SessionState[] => [...model.state.sessions.values()];
  const moves = (each: SessionState): string =>
    [each.id, each.lifecycle, each.stopCount, each.resumeCount, each.invalidations].join();
  if (uri === SESSIONS_URI)
    return {
      tool: getDebugState,
      input: {},
      version: () =>
        all()
          .map((each) => [moves(each), each.threads.size].join())
          .join(';'),
    };
  if (uri === STOP_URI)
    return {
      tool: currentStop,
      input: {},
      version: () =>
        all()
          .filter((each) => each.lifecycle === 'stopped')
          .map(moves)
          .join(';'),
    };
  const id = /^debug:\/\/sessions\/([\w-]{1,40})\/output$/.exec(uri)?.[1];
  const session = id === undefined ? undefined : sessionById(model.state, id);
  if (session === undefined) return undefined;
  const printed = (): string => {
    const now = model.state.sessions.get(session.key);
    // A child may print through its parent.
    return now === undefined
      ? 'gone'
      : treeOf(model.state, rootOf(model.state, now))
          .map((each) => model.output(each).cursor)
          .join();
  };
  return {
    tool: getDebugOutput,
    input: { session_id: session.id, max_lines: 5000 },
    version: printed,
  };
}

function notFound(uri: string): McpError {
  return new McpError(NOT_FOUND, 'There is no such resource.', { uri });
}
