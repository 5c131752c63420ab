import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Failure } from '../debugger/failure';
import { TOOLS } from '../tools/catalog';
import type { Tool, ToolResult } from '../tools/defineTool';
import { checkInput, runTool } from '../tools/run';
import type { ToolServices } from '../tools/services';
import { contentOf } from './resultContent';
import { settings } from './settings';

/** VS Code's own tool calls may wait this long. */
const MOST_WAIT_SECONDS = 300;

/** Registers every tool with VS Code (`vscode.lm.registerTool`), where Copilot's agent mode finds it. */
export function registerLanguageModelTools(services: ToolServices, log: CallLog): vscode.Disposable {
  return vscode.Disposable.from(...TOOLS.map((tool) => vscode.lm.registerTool(tool.name, new RegisteredTool(tool, services, log))));
}

/** Told of each call, for the person. */
export type CallLog = (call: { readonly tool: string; readonly caller: string; readonly status: string; readonly characters: number; readonly milliseconds: number }) => void;

class RegisteredTool implements vscode.LanguageModelTool<unknown> {
  constructor(
    private readonly tool: Tool,
    private readonly services: ToolServices,
    private readonly log: CallLog,
  ) {}

  async prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): Promise<vscode.PreparedToolInvocation> {
    try {
      const checked = checkInput(this.tool, input);
      const invocationMessage = this.tool.doing(checked);
      const consent = this.tool.consent(checked, this.services);
      const isAllowed = consent === undefined || (this.services.workspace.trusted && settings.allows(consent));
      const question = isAllowed ? undefined : await this.tool.question(checked, this.services);
      if (question === undefined) return { invocationMessage };
      return { invocationMessage, confirmationMessages: { title: question.title, message: new vscode.MarkdownString(question.message) } };
    } catch (error) {
      // Nothing will be done, so there is nothing to ask: the call itself answers with what is wrong.
      if (error instanceof Failure) return { invocationMessage: l10n.t('Checking the request') };
      throw error;
    }
  }

  async invoke({ input, toolInvocationToken, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<unknown>, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const started = performance.now();
    // In a chat VS Code hands a token on; its type says that stable code cannot make one.
    const chat: unknown = toolInvocationToken;
    const cancelled = new AbortController();
    const subscription = token.onCancellationRequested(() => cancelled.abort());
    if (token.isCancellationRequested) cancelled.abort();
    try {
      const result: ToolResult = await runTool(this.tool, input, this.services, { signal: cancelled.signal, maxWaitSeconds: MOST_WAIT_SECONDS, maxChars: settings.maxResultCharacters, personPresent: chat !== undefined });
      const { part, characters } = await contentOf(result, tokenizationOptions, token);
      this.log({ tool: this.tool.name, caller: 'VS Code', status: result.status, characters, milliseconds: performance.now() - started });
      return new vscode.LanguageModelToolResult([part]);
    } finally {
      subscription.dispose();
    }
  }
}
