import { syntaxFunctions, type SyntaxFunction } from '../../../../syntax/functions';
import type { FunctionGrammar } from '../../../../syntax/languages/language';
import { lineFinder, type SourceBody } from './sourceBody';
import type { SourceFunction } from './sourceFunction';

/** Reads additional data from the body of a function. */
export type BodyReader = (body: SourceBody) => Partial<SourceFunction>;

/** Returns the functions of a text by its syntax tree. Returns undefined if there is no tree. */
export async function grammarFunctions(
  text: string,
  grammar: FunctionGrammar,
  readBody?: BodyReader,
): Promise<readonly SourceFunction[] | undefined> {
  const found = await syntaxFunctions(grammar, text);
  if (found === undefined) return undefined;
  const lineOf = lineFinder(text);
  return found.functions.map((each): SourceFunction => ({
    ...functionOf(each),
    copiesArguments: grammar.copiesArguments,
    ...readBody?.(bodyOf(each, text, found.code, lineOf)),
  }));
}

function functionOf({ name, container, owners, ...each }: SyntaxFunction): SourceFunction {
  return {
    ...{ name, container, start: each.start, end: each.end },
    ...(owners.length > 0 && { owners }),
    entry: { line: each.entry },
    entryRepeats: each.entryRepeats,
    parameters: each.parameters,
  };
}

function bodyOf(
  { at, open, close }: SyntaxFunction,
  text: string,
  code: string,
  lineOf: (at: number) => number,
): SourceBody {
  return {
    header: code.slice(at, open),
    text: text.slice(open + 1, close),
    code: code.slice(open + 1, close),
    lineAt: (offset) => lineOf(open + 1 + offset),
  };
}
