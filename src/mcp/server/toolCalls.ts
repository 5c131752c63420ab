import * as l10n from '@vscode/l10n';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool as ToolDefinition,
} from '@modelcontextprotocol/sdk/types.js';
import { Failure } from '../../debugger/failure';
import type { Tool, ToolResult } from '../../tools/defineTool';
import { inputSchemaOf, outputSchemaOf } from '../../tools/jsonSchema';
import type { Prepared } from '../../tools/preparedCalls';
import { checkInput, errorResult, runTool } from '../../tools/run';
import type { ToolServices } from '../../tools/services';
import { answering, invalid, onlyPage, type Extra, type ProtocolServer } from './requestHandlers';
import type { McpOptions } from './mcpOptions';
import type { Caller } from './confirmation';

/** Clients give up after 60 seconds: a wait of ours ends before, with how to go on. */
const MOST_WAIT_SECONDS = 45;

/**
 * So long any call may take: a stop is described after the wait for it, a question looks at the program before it is
 * asked, and a debugger, a task or VS Code itself may answer nothing.
 */
const MOST_SECONDS = 50;

/** How often a client that asked for progress hears that a call goes on. */
const PROGRESS_EVERY_MS = 5000;

/** Calls of one client that are under way at once. */
const MOST_CALLS = 64;

/** Cline gives its model the whole result as JSON, and cuts the middle out of one that is longer. */
const CLINE = { name: '@cline/core', most: 8000 };

/** Answers `tools/list` and `tools/call`: beneath `McpServer`, which would check input in words of its own. */
export function serveTools(
  server: ProtocolServer,
  services: ToolServices,
  options: McpOptions,
  caller: Caller,
): { dispose(): void } {
  const { tools } = options;
  let calls = 0;
  answering(server, ListToolsRequestSchema, ({ params }) => {
    onlyPage(params?.cursor);
    return { tools: definitionsOf(tools.list) };
  });
  answering(server, CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = tools.find(params.name);
    if (tool === undefined) throw invalid(`There is no tool ${params.name.slice(0, 100)}.`);
    calls += 1;
    const stop = reportProgress(
      extra,
      tool,
      params.arguments,
      options.progressEveryMs ?? PROGRESS_EVERY_MS,
    );
    try {
      if (calls > MOST_CALLS)
        return resultOf(
          errorResult(
            new Failure(
              'too_many_calls',
              l10n.t('Too many calls are under way.'),
              'Wait for their answers. Nothing was done.',
            ),
          ),
          caller,
        );
      return resultOf(
        await use(tool, params.arguments, services, options, caller, extra.signal),
        caller,
      );
    } finally {
      stop();
      calls -= 1;
    }
  });
  return tools.onDidChange(() => {
    // A client that is gone needs not hear it.
    server.sendToolListChanged().catch(() => undefined);
  });
}

/** One call, whatever it is for: asked about where the person wants that, run, answered in time, and written into the log. */
export async function use(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  options: McpOptions,
  caller: Caller,
  signal: AbortSignal,
): Promise<ToolResult> {
  const started = performance.now();
  const maxChars = options.maxChars();
  const result = await inTime(signal, options.mostSeconds ?? MOST_SECONDS, async (signal) => {
    let prepared: Prepared;
    try {
      prepared = await options.confirmation.confirm(tool, input, services, caller, signal);
    } catch (error) {
      return errorResult(error);
    }
    // The person's time to think is part of the wait.
    const left = MOST_WAIT_SECONDS - (performance.now() - started) / 1000;
    return await runTool(tool, input, services, {
      signal,
      maxWaitSeconds: Math.max(1, left),
      maxChars,
      personPresent: false,
      prepared,
    });
  });
  options.log({
    tool: tool.name,
    caller: caller.name,
    status: result.status,
    characters: JSON.stringify(result).length,
    milliseconds: performance.now() - started,
  });
  return result;
}

/** Answers when the call does, or when its time is up: then what it waits for is let go. */
async function inTime(
  signal: AbortSignal,
  mostSeconds: number,
  call: (signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolResult> {
  const timeIsUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ToolResult>((resolve) => {
    timer = setTimeout(() => {
      resolve(errorResult(unanswered(mostSeconds)));
      timeIsUp.abort();
    }, mostSeconds * 1000);
  });
  try {
    return await Promise.race([call(AbortSignal.any([signal, timeIsUp.signal])), late]);
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(seconds: number): Failure {
  return new Failure(
    'call_timeout',
    l10n.t(
      'The call was not done after {0} seconds: a debugger, a task or VS Code has not answered.',
      seconds,
    ),
    'What was asked for may still happen. Call get_debug_state to see where the program is before you repeat it; if the debugger stays silent, call stop_debugging.',
  );
}

/** The same as text and as structured content; only the latter for a client that would cut both together. */
function resultOf(result: ToolResult, caller: Caller): CallToolResult {
  const structured: CallToolResult = {
    content: [],
    structuredContent: result,
    ...(result.status === 'error' ? { isError: true } : {}),
  };
  const both: CallToolResult = {
    ...structured,
    content: [{ type: 'text', text: JSON.stringify(result) }],
  };
  return caller.name === CLINE.name && JSON.stringify(both).length > CLINE.most ? structured : both;
}

/** @returns what ends it */
function reportProgress(extra: Extra, tool: Tool, input: unknown, everyMs: number): () => void {
  const token = extra._meta?.progressToken;
  if (token === undefined) return () => undefined;
  const started = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    extra
      .sendNotification({
        method: 'notifications/progress',
        params: { progressToken: token, progress: seconds, message: wordsOf(tool, input) },
      })
      .catch(() => undefined);
  }, everyMs);
  return () => clearInterval(timer);
}

/** What is said while the call goes on; nothing of an input that the call itself will refuse. */
function wordsOf(tool: Tool, input: unknown): string {
  try {
    return tool.doing(checkInput(tool, input));
  } catch {
    return tool.title;
  }
}

/** The definitions of each set of tools that was shown: making their schemas takes longer than most calls. */
const made = new WeakMap<readonly Tool[], ToolDefinition[]>();

/** Made once for each list. */
export function definitionsOf(list: readonly Tool[]): ToolDefinition[] {
  const known = made.get(list) ?? list.map(definitionOf);
  made.set(list, known);
  return known;
}

/**
 * A tool as MCP wants it, with all four annotations: what is not said is taken for the worst. A move of the program is
 * no destruction and stays within it; an expression or a condition may do anything.
 */
function definitionOf(tool: Tool): ToolDefinition {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.modelDescription,
    inputSchema: { ...inputSchemaOf(tool), type: 'object' },
    outputSchema: { ...outputSchemaOf(tool), type: 'object' },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'change',
      idempotentHint: tool.effect === 'read',
      openWorldHint: tool.effect === 'change',
    },
  };
}
