import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError, type CallToolResult, type Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js';
import { TOOLS } from '../tools/catalog';
import type { Tool } from '../tools/defineTool';
import { inputSchemaOf, outputSchemaOf } from '../tools/jsonSchema';
import { oneLine } from '../tools/question';
import { checkInput, runTool } from '../tools/run';
import type { ToolServices } from '../tools/services';

/** Clients give up after 60 seconds: a wait of ours ends before, with how to go on. */
const MOST_WAIT_SECONDS = 45;

/** How often a client that asked for progress hears that a call goes on. */
const PROGRESS_EVERY_MS = 5000;

const INSTRUCTIONS =
  'Debug programs in VS Code instead of guessing from their code. Typical order: get_debugger_configurations, set_breakpoint, start_debugging (waits for the stop and returns stack and variables), step_execution or continue_debugging, get_variables, evaluate_expression, stop_debugging. ' +
  'Every result has a status; "timeout" means that the program still runs: call wait_for_stop to go on waiting. Ids of frames and variables hold for one stop.';

export interface McpOptions {
  readonly version: string;
  readonly maxChars: () => number;
  readonly log: (call: { readonly tool: string; readonly caller: string; readonly status: string; readonly characters: number; readonly milliseconds: number }) => void;
}

/**
 * One client's MCP server object: the same tools, through the same `runTool`, as VS Code's own agents have. The tools
 * are not registered with `McpServer` but answered beneath it: it would check input in words of its own.
 */
export function serverFor(services: ToolServices, options: McpOptions): McpServer {
  const mcp = new McpServer({ name: 'agent-debugger', title: 'Agent Debugger', version: options.version }, { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS });
  const { server } = mcp;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(definitionOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = TOOLS.find((each) => each.name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const started = performance.now();
    const token = params._meta?.progressToken;
    const progress = token === undefined ? undefined : setInterval(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      extra.sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress: seconds, message: wordsOf(tool, params.arguments) } }).catch(() => undefined);
    }, PROGRESS_EVERY_MS);
    try {
      const result = await runTool(tool, params.arguments, services, { signal: extra.signal, maxWaitSeconds: MOST_WAIT_SECONDS, maxChars: options.maxChars(), personPresent: false });
      const text = JSON.stringify(result);
      options.log({ tool: tool.name, caller: oneLine(server.getClientVersion()?.name ?? 'MCP client', 60), status: result.status, characters: text.length, milliseconds: performance.now() - started });
      return { content: [{ type: 'text', text }], structuredContent: result, ...(result.status === 'error' ? { isError: true } : {}) };
    } finally {
      clearInterval(progress);
    }
  });
  return mcp;
}

/** What is said while the call goes on; nothing of an input that the call itself will refuse. */
function wordsOf(tool: Tool, input: unknown): string {
  try {
    return tool.doing(checkInput(tool, input));
  } catch {
    return tool.title;
  }
}

/** A tool as MCP wants it, with all four annotations: what is not said is taken for the worst. */
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
