import * as vscode from 'vscode';
import { fields } from '../debugger/protocol';
import type { Tool, ToolResult } from '../tools/defineTool';
import type { ExposedTools } from '../tools/exposed';
import { movedMeanwhile, PreparedCalls, type Prepared } from '../tools/preparedCalls';
import { prepareCall, runTool } from '../tools/run';
import type { ToolServices } from '../tools/services';
import type { LoggedCall } from './log';
import { contentOf } from './resultContent';
import { settings } from './settings';

/** The maximum wait of a call from VS Code's chat, in seconds. */
const MAX_WAIT_SECONDS = 300;

/**
 * Registers the tools of the enabled sets with VS Code (`vscode.lm.registerTool`), where Copilot's agent mode finds
 * them, and updates the registration when a set is enabled or disabled. Editors based on VS Code may lack this API.
 * They use MCP.
 */
export function registerLanguageModelTools(
  services: ToolServices,
  exposed: ExposedTools,
  log: CallLog,
  inCall: InCallQuestions,
): vscode.Disposable {
  if (!('registerTool' in vscode.lm)) return vscode.Disposable.from();
  const waiting = new PreparedCalls();
  const registered = new Map<string, vscode.Disposable>();
  const follow = (): void => {
    for (const [name, registration] of registered) {
      if (exposed.find(name) !== undefined) continue;
      registration.dispose();
      registered.delete(name);
    }
    for (const tool of exposed.list) {
      if (registered.has(tool.name)) continue;
      const called = new RegisteredTool(tool, services, waiting, log, inCall);
      registered.set(tool.name, vscode.lm.registerTool(tool.name, called));
    }
  };
  follow();
  return vscode.Disposable.from(exposed.onDidChange(follow), {
    dispose: () => {
      for (const registration of registered.values()) registration.dispose();
    },
  });
}

/** Records each call for the person: the question about it, and its end. */
export interface CallLog {
  asked(call: { readonly tool: string; readonly caller: string; readonly input: unknown }): void;
  ended(call: LoggedCall): void;
}

/** Questions that are asked inside the call instead of on cards, if the person has chosen that. */
export interface InCallQuestions {
  readonly areAskedAbout: boolean;
  prepare(
    tool: Tool,
    input: unknown,
    services: ToolServices,
    signal: AbortSignal,
  ): Promise<Prepared>;
}

/** The caller of VS Code's own agents, as the log names it. */
const CALLER = 'VS Code';

class RegisteredTool implements vscode.LanguageModelTool<unknown> {
  constructor(
    private readonly tool: Tool,
    private readonly services: ToolServices,
    private readonly waiting: PreparedCalls,
    private readonly log: CallLog,
    private readonly inCall: InCallQuestions,
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
    if (this.inCall.areAskedAbout) {
      // The call itself asks the person. If the person disables that before the call runs, no question was asked, so
      // the call must have no effect.
      const unasked: Prepared = { kind: 'refused', failure: movedMeanwhile() };
      this.waiting.remember(this.tool.name, options.input, unasked, chatOf(options));
      return { invocationMessage };
    }
    if (this.tool.effect !== 'read' || prepared.kind !== 'allowed')
      this.waiting.remember(this.tool.name, options.input, prepared, chatOf(options));
    if (prepared.kind !== 'asked') return { invocationMessage };
    this.log.asked({ tool: this.tool.name, caller: CALLER, input: options.input });
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
    // In a chat, VS Code passes a token. Its type is `never`, because stable code cannot create one.
    const chat: unknown = toolInvocationToken;
    const { signal, dispose } = signalOf(token);
    const waiting = this.waiting.take(this.tool.name, input);
    try {
      const prepared = this.inCall.areAskedAbout
        ? await this.inCall.prepare(this.tool, input, this.services, signal)
        : waiting;
      const result: ToolResult = await runTool(this.tool, input, this.services, {
        signal,
        maxWaitSeconds: MAX_WAIT_SECONDS,
        maxChars: settings.maxResultCharacters,
        personPresent: chat !== undefined,
        prepared,
      });
      const { part, characters } = await contentOf(result, tokenizationOptions, token);
      this.log.ended({
        tool: this.tool.name,
        caller: CALLER,
        status: result.status,
        characters,
        milliseconds: performance.now() - started,
        input,
        result,
        wasAsked: prepared?.kind === 'asked',
      });
      return new vscode.LanguageModelToolResult([part]);
    } finally {
      dispose();
    }
  }
}

/** A signal that is aborted by VS Code's token, until it is disposed. */
function signalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
} {
  const cancelled = new AbortController();
  const subscription = token.onCancellationRequested(() => cancelled.abort());
  if (token.isCancellationRequested) cancelled.abort();
  return { signal: cancelled.signal, dispose: () => void subscription.dispose() };
}

/** The chat in which a call is prepared. Newer versions of VS Code name it outside the stable API. */
function chatOf(options: object): string | undefined {
  const { chatSessionResource: resource, chatSessionId: id } = fields(options);
  const chat = resource ?? id;
  return chat === undefined ? undefined : JSON.stringify(chat);
}
