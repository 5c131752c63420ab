import * as l10n from '@vscode/l10n';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { Failure } from '../../results/failure';
import type { Tool, ToolResult } from '../../tools/defineTool';
import type { ExposedTools } from '../../tools/exposed';
import type { Prepared } from '../../tools/preparedCalls';
import { errorResult, runTool } from '../../tools/run';
import type { CallingClient, ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import type { Subscription } from '../../util/listeners';
import { unlessAborted } from '../../util/unlessAborted';
import {
  handleRequest,
  invalidParams,
  assertFirstPage,
  type Extra,
  type ProtocolServer,
} from './requestHandlers';
import type { McpOptions } from './mcpOptions';
import type { Caller } from './confirmation';
import { callingClient } from './callingClient';
import { ROUTER_TOOLS, routeCall, type RoutedCall } from './router';
import { definitionsOf } from './toolDefinitions';

/**
 * The maximum duration of a wait. Clients give up after 60 seconds. A wait ends before that, and its result says how to
 * continue.
 */
const MAX_WAIT_SECONDS = 45;

/**
 * The time limit of all calls. In addition to its wait, a call describes a stop or reads the program's state for a
 * question, and a debugger, a task or VS Code itself may not respond.
 */
const MAX_SECONDS = 50;

/** The time between two progress notifications, in milliseconds. */
const PROGRESS_EVERY_MS = 5000;

/** The maximum number of concurrent calls of one client. */
const MAX_CALLS = 64;

/** Cline passes the whole result to its model as JSON, and removes the middle of longer results. */
const CLINE = { name: '@cline/core', maxCharacters: 8000 };

/**
 * Serves `tools/list` and `tools/call` on the level below `McpServer`, which would check input with its own messages.
 */
export function serveTools(
  server: ProtocolServer,
  services: ToolServices,
  options: McpOptions,
  caller: Caller,
): Subscription {
  const { tools } = options;
  let calls = 0;
  handleRequest(server, ListToolsRequestSchema, ({ params }) => {
    assertFirstPage(params?.cursor);
    return { tools: tools.isRouted ? ROUTER_TOOLS : definitionsOf(tools.list) };
  });
  handleRequest(server, CallToolRequestSchema, async ({ params }, extra) => {
    const routed = route(tools, params.name, params.arguments);
    if (routed.kind === 'answer') return toCallResult(routed.result, caller);
    if (calls >= MAX_CALLS) return toCallResult(errorResult(tooManyCalls()), caller);
    const { tool, input } = routed;
    const { signal } = extra;
    const client = callingClient(server, caller, extra);
    const call: ClientCall = { tool, input, services, options, caller, signal, client };
    calls += 1;
    try {
      return toCallResult(await callWithProgress(call, extra), caller);
    } finally {
      calls -= 1;
    }
  });
  return tools.onDidChange(() => {
    // A client that has disconnected needs no notification.
    server.sendToolListChanged().catch(() => undefined);
  });
}

/** Runs a call, and sends progress notifications if the client has requested them. */
async function callWithProgress(call: ClientCall, extra: Extra): Promise<ToolResult> {
  const everyMs = call.options.progressEveryMs ?? PROGRESS_EVERY_MS;
  const progress = reportProgress(extra, call.tool, call.input, everyMs);
  try {
    return await callTool({ ...call, progress: (doing) => progress.update(doing) });
  } finally {
    progress.stop();
  }
}

/** @throws McpError if there is no such tool */
function route(tools: ExposedTools, name: string, input: unknown): RoutedCall {
  try {
    const routed = routeCall(tools, name, input);
    if (routed !== undefined) return routed;
  } catch (error) {
    return { kind: 'answer', result: errorResult(error) };
  }
  throw invalidParams(`There is no tool ${name.slice(0, 100)}.`);
}

/** A call of a client. */
export interface ClientCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly services: ToolServices;
  readonly options: McpOptions;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly progress?: (doing: string) => void;
  readonly client?: CallingClient;
}

/** Runs one call of a client: asks the person if required, responds in time, and logs the call. */
export async function callTool(call: ClientCall): Promise<ToolResult> {
  const { tool, input, services, options, caller, progress, client } = call;
  const started = performance.now();
  const maxChars = options.maxChars();
  let wasAsked = false;
  const askAndRun = async (signal: AbortSignal): Promise<ToolResult> => {
    let prepared: Prepared;
    try {
      prepared = await options.confirmation.confirm(tool, input, services, caller, signal);
    } catch (error) {
      return errorResult(error);
    }
    wasAsked = prepared.kind === 'asked';
    // The time that the person takes to answer is part of the wait.
    const left = MAX_WAIT_SECONDS - (performance.now() - started) / 1000;
    return await runTool(tool, input, services, {
      signal,
      maxWaitSeconds: Math.max(1, left),
      maxChars,
      personPresent: false,
      prepared,
      progress,
      client,
    });
  };
  const result = await withTimeLimit(call.signal, options.mostSeconds ?? MAX_SECONDS, askAndRun);
  options.log({
    tool: tool.name,
    caller: caller.name,
    status: result.status,
    characters: JSON.stringify(result).length,
    milliseconds: performance.now() - started,
    input,
    result,
    wasAsked,
  });
  return result;
}

/** The call's result, or an error if its time is up. In that case the call is aborted. */
async function withTimeLimit(
  signal: AbortSignal,
  maxSeconds: number,
  call: (signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolResult> {
  const timeIsUp = new AbortController();
  const timer = setTimeout(() => timeIsUp.abort(), maxSeconds * 1000);
  try {
    return await unlessAborted(
      call(AbortSignal.any([signal, timeIsUp.signal])),
      timeIsUp.signal,
      () => errorResult(unanswered(maxSeconds)),
    );
  } finally {
    clearTimeout(timer);
  }
}

function tooManyCalls(): Failure {
  return new Failure(
    'too_many_calls',
    l10n.t('Too many calls are running.'),
    'Wait for their answers. Nothing was done.',
  );
}

function unanswered(seconds: number): Failure {
  return new Failure(
    'call_timeout',
    l10n.t(
      'The call was not finished after {0} seconds: a debugger, a task or VS Code has not responded.',
      seconds,
    ),
    'The request may still take effect. Call get_debug_state to see where the program is before you repeat it. If the debugger does not respond, call stop_debugging.',
  );
}

/** The result as text and as structured content, or only the latter if the client would cut both together. */
function toCallResult(result: ToolResult, caller: Caller): CallToolResult {
  const content: CallToolResult['content'] = [];
  const structured: CallToolResult = defined({
    content,
    structuredContent: result,
    isError: result.status === 'error' ? true : undefined,
  });
  const both: CallToolResult = {
    ...structured,
    content: [{ type: 'text', text: JSON.stringify(result) }],
  };
  return caller.name === CLINE.name && JSON.stringify(both).length > CLINE.maxCharacters
    ? structured
    : both;
}

interface CallProgress {
  /** Sets the message of the next notification. */
  update(doing: string): void;
  stop(): void;
}

/** Reports progress to a client that sent a progress token: that its call is still running, and its current action. */
function reportProgress(extra: Extra, tool: Tool, input: unknown, everyMs: number): CallProgress {
  const token = extra._meta?.progressToken;
  if (token === undefined) return { update: () => undefined, stop: () => undefined };
  let message: string | undefined;
  const started = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    extra
      .sendNotification({
        method: 'notifications/progress',
        params: {
          progressToken: token,
          progress: seconds,
          message: message ?? progressMessage(tool, input),
        },
      })
      .catch(() => undefined);
  }, everyMs);
  return {
    update: (doing) => {
      message = doing;
    },
    stop: () => clearInterval(timer),
  };
}

/** A description of the call with its input. If the input is invalid, only the tool's title. */
function progressMessage(tool: Tool, input: unknown): string {
  try {
    return tool.check(input).doing;
  } catch {
    return tool.title;
  }
}
