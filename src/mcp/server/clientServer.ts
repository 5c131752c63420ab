import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SetLevelRequestSchema, type LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { oneLine } from '../../tools/question';
import type { ToolServices } from '../../tools/services';
import { answering, type ProtocolServer } from './requestHandlers';
import type { DebuggerNews } from './debuggerEvents';
import type { McpOptions } from './mcpOptions';
import { servePrompts } from './prompts';
import { serveResources } from './resources';
import { serveTools, use } from './toolCalls';

const INSTRUCTIONS =
  'Debug programs in VS Code instead of guessing from their code. Typical order: get_debugger_configurations, set_breakpoint, start_debugging (waits for the stop and returns stack and variables), step_execution or continue_debugging, get_variables, evaluate_expression, stop_debugging. ' +
  'Every result has a status; "timeout" means that the program still runs: call wait_for_stop to go on waiting. Ids of frames and variables hold for one stop.';

/**
 * One client's MCP server object: the same tools, through the same `runTool`, as VS Code's own agents have, and the same
 * truth as resources, prompts and log messages.
 */
export function serverFor(
  services: ToolServices,
  options: McpOptions,
  news: DebuggerNews,
): McpServer {
  const capabilities = {
    tools: { listChanged: true },
    prompts: {},
    resources: { subscribe: true, listChanged: true },
    logging: {},
    completions: {},
  };
  const mcp = new McpServer(
    { name: 'agent-debugger', title: 'Agent Debugger', version: options.version },
    { capabilities, instructions: INSTRUCTIONS },
  );
  const { server } = mcp;
  const caller = {
    get name(): string {
      return oneLine(server.getClientVersion()?.name || 'MCP client', 60);
    },
  };
  const read = async (
    ...[tool, input, signal]: Parameters<Parameters<typeof serveResources>[1]['read']>
  ) => await use(tool, input, services, options, caller, signal);
  const served = [
    serveTools(server, services, options, caller),
    serveResources(server, { services, read, news }),
    serveLog(server, news),
  ];
  servePrompts(server, services, read);
  server.onclose = () => {
    for (const each of served) each.dispose();
    options.confirmation.forget(caller);
  };
  return mcp;
}

/** In the order of their severity. RFC 5424. */
const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Log messages from the level on that the client has set: `info` until it does. */
function serveLog(server: ProtocolServer, news: DebuggerNews): { dispose(): void } {
  let least: LoggingLevel = 'info';
  answering(server, SetLevelRequestSchema, ({ params }) => {
    least = params.level;
    return {};
  });
  return news.onDidHappen(({ level, data }) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return;
    server
      .notification({
        method: 'notifications/message',
        params: { level, logger: 'debugger', data },
      })
      .catch(() => undefined);
  });
}
