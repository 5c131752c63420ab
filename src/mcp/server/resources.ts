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
import { getDebugOutput } from '../../tools/core/debugOutput';
import { getDebugState } from '../../tools/core/overview';
import type { ToolServices } from '../../tools/services';
import {
  handleRequest,
  invalidParams,
  assertFirstPage,
  type ProtocolServer,
} from './requestHandlers';
import { Subscriptions, type Schedule } from './subscriptions';
import type { DebuggerEvents } from './debuggerEvents';
import {
  investigationResources,
  investigationTemplates,
  isInvestigationFile,
  isInvestigationUri,
  readInvestigation,
} from './investigationResources';
import type { Subscription } from '../../util/listeners';

export const SESSIONS_URI = 'debug://sessions';
export const STOP_URI = 'debug://stop';
const OUTPUT_TEMPLATE = 'debug://sessions/{id}/output';
const JSON_TYPE = 'application/json';

/** MCP "Resources", error handling. */
const NOT_FOUND = -32002;

const outputUri = (id: string): string => OUTPUT_TEMPLATE.replace('{id}', id);

/**
 * Runs a read in the same way as any other call: credentials are removed, and the result is fitted to the budget and
 * logged.
 */
export type Read = (tool: Tool, input: object, signal: AbortSignal) => Promise<ToolResult>;

/** A resource that currently exists. */
interface Readable {
  readonly tool: Tool;
  readonly input: object;
  /** A text that differs when the resource has changed. It is called often, so it sends no requests to the adapter. */
  readonly version: () => string;
}

export interface ResourceServices {
  readonly services: ToolServices;
  readonly read: Read;
  readonly events: DebuggerEvents;
  readonly schedule?: Schedule;
}

/** Serves the debugger's state as resources, with subscriptions. A resource has the content of its tool's result. */
export function serveResources(
  server: ProtocolServer,
  { services, read, events, schedule }: ResourceServices,
): Subscription {
  const find = (uri: string): Readable => {
    const found = readable(services, uri);
    if (found === undefined) throw notFound(uri);
    return found;
  };
  const subscriptions = new Subscriptions(
    (uri) => versionOf(services, uri),
    (uri) => server.sendResourceUpdated({ uri }),
    schedule,
  );
  serveLists(server, services);
  handleRequest(server, ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    if (isInvestigationUri(uri)) return { contents: [await readInvestigation(services, uri)] };
    const { tool, input } = find(uri);
    return { contents: [contentOf(uri, await read(tool, input, extra.signal))] };
  });
  serveSubscriptions(server, subscriptions, find);
  const list = subscriptionToList(server, services, schedule);
  return watch(services, events, [subscriptions, list]);
}

/** Notifies every client of changes of the list, because MCP has no subscription for it. */
function subscriptionToList(
  server: ProtocolServer,
  services: ToolServices,
  schedule: Schedule | undefined,
): Subscriptions {
  const { investigations } = services.investigation;
  const list = new Subscriptions(
    () => [...sessionIdsOf(services), investigations.version].join(),
    () => server.sendResourceListChanged(),
    schedule,
  );
  list.add('resources');
  return list;
}

/** Checks subscriptions when the debugger or an investigation changes. */
function watch(
  { investigation }: ToolServices,
  events: DebuggerEvents,
  all: readonly Subscriptions[],
): Subscription {
  const check = (): void => {
    for (const subscription of all) subscription.check();
  };
  const watching = [events.onDidChange(check), investigation.investigations.onDidChange(check)];
  return {
    dispose: () => {
      for (const subscription of [...watching, ...all]) subscription.dispose();
    },
  };
}

function versionOf(services: ToolServices, uri: string): string {
  return isInvestigationUri(uri)
    ? String(services.investigation.investigations.version)
    : (readable(services, uri)?.version() ?? '');
}

function serveSubscriptions(
  server: ProtocolServer,
  subscriptions: Subscriptions,
  find: (uri: string) => Readable,
): void {
  handleRequest(server, SubscribeRequestSchema, ({ params: { uri } }) => {
    if (!isInvestigationFile(uri)) find(uri);
    if (!subscriptions.add(uri)) throw invalidParams('Too many subscriptions.');
    return {};
  });
  handleRequest(server, UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.remove(uri);
    return {};
  });
}

function serveLists(server: ProtocolServer, services: ToolServices): void {
  handleRequest(server, ListResourcesRequestSchema, async ({ params }) => {
    assertFirstPage(params?.cursor);
    return {
      resources: [...resourcesOf(services), ...(await investigationResources(services))],
    };
  });
  handleRequest(server, ListResourceTemplatesRequestSchema, ({ params }) => {
    assertFirstPage(params?.cursor);
    return {
      resourceTemplates: [
        {
          uriTemplate: OUTPUT_TEMPLATE,
          name: 'output',
          title: l10n.t('Output of a debug session'),
          description: l10n.t('What the program and its debugger printed.'),
          mimeType: JSON_TYPE,
        },
        ...investigationTemplates(),
      ],
    };
  });
}

/** A result as the content of a resource. @throws McpError if the result is an error */
export function contentOf(
  uri: string,
  result: ToolResult,
): { uri: string; mimeType: string; text: string } {
  if (result.status === 'error') {
    const { code, message, hint } = result;
    if (code === 'session_not_found' || code === 'session_ended') throw notFound(uri);
    throw new McpError(ErrorCode.InternalError, String(message), { code, hint });
  }
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(result) };
}

/** The ids of the debug sessions, newest first. */
export function sessionIdsOf({ model }: ToolServices): readonly string[] {
  return [...model.state.sessions.values()].map((session) => session.id).reverse();
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
  const sessions = (): readonly SessionState[] => [...model.state.sessions.values()];
  if (uri === SESSIONS_URI) {
    const version = (): string =>
      sessions()
        .map((session) => [runVersion(session), session.threads.size].join())
        .join(';');
    return { tool: getDebugState, input: {}, version };
  }
  if (uri === STOP_URI) {
    const version = (): string =>
      sessions()
        .filter((session) => session.lifecycle === 'stopped')
        .map(runVersion)
        .join(';');
    return { tool: currentStop, input: {}, version };
  }
  const id = /^debug:\/\/sessions\/([\w-]{1,40})\/output$/.exec(uri)?.[1];
  const session = id === undefined ? undefined : sessionById(model.state, id);
  if (session === undefined) return undefined;
  return {
    tool: getDebugOutput,
    input: { session_id: session.id, max_lines: 5000 },
    version: () => outputVersion(model, session.key),
  };
}

/** A text that differs when the session has stopped, continued or ended, or when its values have become invalid. */
function runVersion(session: SessionState): string {
  const { id, lifecycle, lastStop, epochOf } = session;
  return [id, lifecycle, lastStop?.epoch, epochOf.resume, epochOf.invalidation].join();
}

/**
 * A text that differs when a session or one of its children has printed output. A child may print through its parent.
 */
function outputVersion(model: ToolServices['model'], key: string): string {
  const session = model.state.sessions.get(key);
  if (session === undefined) return 'gone';
  return treeOf(model.state, rootOf(model.state, session))
    .map((member) => model.output(member).cursor)
    .join();
}

function notFound(uri: string): McpError {
  return new McpError(NOT_FOUND, 'There is no such resource.', { uri });
}
