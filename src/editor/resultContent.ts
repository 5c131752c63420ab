import * as vscode from 'vscode';
import type { ToolResult } from '../tools/defineTool';
import { fitResult } from '../results/fit';

/**
 * The maximum number of times that a result is shortened. Several attempts are needed, because tokens are estimated
 * from characters.
 */
const FITTINGS = 4;

/** A result in the form in which VS Code passes it to the model. */
export interface ResultContent {
  readonly part: vscode.LanguageModelTextPart | vscode.LanguageModelPromptTsxPart;
  /** The length of its JSON. */
  readonly characters: number;
}

/**
 * The result within the caller's token budget. A caller that counts tokens (`tokenizationOptions`) renders the result
 * into a prompt, so it receives parts with priorities: the least important parts are left out first when the chat
 * becomes long.
 */
export async function contentOf(
  result: ToolResult,
  options: vscode.LanguageModelToolTokenizationOptions | undefined,
  token: vscode.CancellationToken,
): Promise<ResultContent> {
  if (options === undefined) {
    const text = JSON.stringify(result);
    return { part: new vscode.LanguageModelTextPart(text), characters: text.length };
  }
  let fitted = result;
  for (let fitting = 0; fitting < FITTINGS; fitting += 1) {
    const text = JSON.stringify(fitted);
    const tokens = await options.countTokens(text, token);
    if (tokens <= options.tokenBudget) break;
    fitted = fitResult(result, Math.floor(text.length * (options.tokenBudget / tokens) * 0.95));
  }
  const { renderResult } = await import(
    /* webpackChunkName: "prompt" */ '../results/resultPrompt.js'
  );
  const json = await renderResult(fitted, {
    tokenBudget: options.tokenBudget,
    countTokens: (text) => options.countTokens(text, token),
  });
  return {
    part: new vscode.LanguageModelPromptTsxPart(json),
    characters: JSON.stringify(fitted).length,
  };
}
