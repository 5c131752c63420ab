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
  // The library declares only its intrinsic elements. This is the type of a JSX expression.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- JSX is typed by a namespace
  namespace JSX {
    type Element = PromptPiece;
  }
}

/** VS Code's token counter for the calling model (`LanguageModelToolTokenizationOptions`). */
export interface TokenBudget {
  readonly tokenBudget: number;
  countTokens(text: string): Thenable<number>;
}

interface ResultProps extends BasePromptElementProps {
  readonly sections: readonly Section[];
}

/** A priority above everything else in a prompt, for parts that must stay. */
const MUST_STAY = 1000;

/** A result's JSON in parts that can be left out when a prompt grows too long. The rest is still valid JSON. */
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

/** Renders a result for `LanguageModelPromptTsxPart`. */
export async function renderResult(
  result: Fields,
  budget: TokenBudget,
): Promise<JSONTree.PromptElementJSON> {
  return await renderElementJSON(ResultPrompt, { sections: sectionsOf(result) }, budget);
}
