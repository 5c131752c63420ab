import * as vscode from 'vscode';
import type { ToolResult } from '../tools/defineTool';
import { fitResult } from '../results/fit';

/** How often a result is made smaller before it is left as it is: tokens are estimated from characters. */
const FITTINGS = 4;

/** A result as VS Code hands it on. */
export interface ResultContent {
  readonly part: vscode.LanguageModelTextPart | vscode.LanguageModelPromptTsxPart;
  /** How much JSON it is. */
  readonly characters: number;
}

/**
 * The result within the tokens that the caller gives it. A caller that counts tokens (`tokenizationOptions`) makes a
 * prompt of it: it receives parts with priorities, so that what matters least goes first when the chat grows long.
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
