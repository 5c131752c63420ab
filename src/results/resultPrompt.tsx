import {
  Chunk,
  PromptElement,
  renderElementJSON,
  type BasePromptElementProps,
  type JSONTree,
  type PromptPiece,
} from '@vscode/prompt-tsx';
import type { Fields } from '../debugger/protocol';
import { sectionsOf, type Section } from './sections';

declare global {
  // The library declares its intrinsic elements only; what an expression of JSX makes is this.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- JSX is typed by a namespace
  namespace JSX {
    type Element = PromptPiece;
  }
}

/** Tokens as VS Code counts them for the model that asks (`LanguageModelToolTokenizationOptions`). */
export interface TokenBudget {
  readonly tokenBudget: number;
  countTokens(text: string): Thenable<number>;
}

interface ResultProps extends BasePromptElementProps {
  readonly sections: readonly Section[];
}

/** What must stay is above everything else that a prompt may hold. */
const MUST_STAY = 1000;

/** A result's JSON, in parts that a prompt which grows too long may leave out: whatever is left is valid JSON. */
class ResultPrompt extends PromptElement<ResultProps> {
  override render(): PromptPiece {
    return (
      <>
        {this.props.sections.map(({ text, priority }) => (
          <Chunk priority={priority ?? MUST_STAY}>{text}</Chunk>
        ))}
      </>
    );
  }
}

/** For `LanguageModelPromptTsxPart`. */
export async function renderResult(
  result: Fields,
  budget: TokenBudget,
): Promise<JSONTree.PromptElementJSON> {
  return await renderElementJSON(ResultPrompt, { sections: sectionsOf(result) }, budget);
}
