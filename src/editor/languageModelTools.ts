import * as vscode from 'vscode';
import { fields } from '../debugger/protocol';
import { TOOLS } from '../tools/catalog';
import type { Tool, ToolResult } from '../tools/defineTool';
import { PreparedCalls } from '../tools/preparedCalls';
import { prepareCall, runTool } from '../tools/run';
import type { ToolServices } from '../tools/services';
import { contentOf } from './resultContent';
import { settings } from './settings';

/** VS Code's own tool calls may wait this long. */
const MOST_WAIT_SECONDS = 300;

/**
 * Registers every tool with VS Code (`vscode.lm.registerTool`), where Copilot's agent mode finds it. An editor built on
 * VS Code may have left that out: there MCP is the way.
 */
export function registerLanguageModelTools(
  services: ToolServices,
  log: CallLog,
): vscode.Disposable {
  if (!('registerTool' in vscode.lm)) return vscode.Disposable.from();
  const waiting = new PreparedCalls();
  return vscode.Disposable.from(
    ...TOOLS.map((tool) =>
      vscode.lm.registerTool(tool.name, new RegisteredTool(tool, services, waiting, log)),
    ),
  );
}

/** Told of each call, for the person. */
export type CallLog = (call: {
  readonly tool: string;
  readonly caller: string;
  readonly status: string;
  readonly characters: number;
  readonly milliseconds: number;
}) => void;

class RegisteredTool implements vscode.LanguageModelTool<unknown> {
  constructor(
    private readonly tool: Tool,
    private readonly services: ToolServices,
    private readonly waiting: PreparedCalls,
    private readonly log: CallLog,
  ) {}

  async prepareInvocation(
    options: vscode.LanguageModelToolInvocationPrepareOptions<unknown>,
  ): Promise<vscode.PreparedToolInvocation> {
    const { doing: invocationMessage, prepared } = await prepareCall(
      this.tool,
      options.input,
      this.services,
      (consent) => settings.allows(consent),
    );
    if (this.tool.effect !== 'read' || prepared.kind !== 'allowed')
      this.waiting.remember(this.tool.name, options.input, prepared, chatOf(options));
    if (prepared.kind !== 'asked') return { invocationMessage };
    const { title, message } = prepared.question;
    return {
      invocationMessage,
      confirmationMessages: { title, message: new vscode.MarkdownString(message) },
    };
  }

  async invoke(
    {
      input,
      toolInvocationToken,
      tokenizationOptions,
    }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const started = performance.now();
    // In a chat VS Code hands a token on; its type says that stable code cannot make one.
    const chat: unknown = toolInvocationToken;
    const cancelled = new AbortController();
    const subscription = token.onCancellationRequested(() => cancelled.abort());
    if (token.isCancellationRequested) cancelled.abort();
    try {
      const result: ToolResult = await runTool(this.tool, input, this.services, {
        signal: cancelled.signal,
        maxWaitSeconds: MOST_WAIT_SECONDS,
        maxChars: settings.maxResultCharacters,
        personPresent: chat !== undefined,
        prepared: this.waiting.take(this.tool.name, input),
      });
      const { part, characters } = await contentOf(result, tokenizationOptions, token);
      this.log({
        tool: this.tool.name,
        caller: 'VS Code',
        status: result.status,
        characters,
        milliseconds: performance.now() - started,
      });
      return new vscode.LanguageModelToolResult([part]);
    } finally {
      subscription.dispose();
    }
  }
}

/** Which chat a call is prepared in: VS Code tells it beside its stable API, from some version on. */
function chatOf(options: object): string | undefined {
  const { chatSessionResource: resource, chatSessionId: id } = fields(options);
  const chat = resource ?? id;
  return chat === undefined ? undefined : JSON.stringify(chat);
}
