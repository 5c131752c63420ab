import { strict as assert } from 'node:assert';
import { marked, type Token } from 'marked';

/** What a question may be made of; foreign text is in code or in plain text. */
const HARMLESS: ReadonlySet<string> = new Set([
  'paragraph',
  'text',
  'codespan',
  'strong',
  'em',
  'escape',
  'list',
  'list_item',
  'space',
]);

/** Characters that break a line, turn the direction of text, or hide in it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Where `code` lets a long word go on in the next line. */
const BREAK = /(?<=\S{24})\u200b(?=\S)/gu;

/**
 * A question's Markdown as VS Code's own reader of Markdown understands it: the texts that a person sees, line by line.
 * Fails where there is more in it than words, emphasis, code and one list.
 */
export function readCard(card: string): readonly string[] {
  const markdown = card.replace(BREAK, '');
  for (const line of markdown.split('\n')) assert.ok(!INVISIBLE.test(line), JSON.stringify(line));
  const tokens = marked.lexer(markdown);
  void marked.walkTokens(tokens, (token) =>
    assert.ok(HARMLESS.has(token.type), `${token.type}: ${token.raw}`),
  );
  return tokens.flatMap((token) =>
    token.type === 'list'
      ? (token as { items: Token[] }).items.map(textOf)
      : token.type === 'space'
        ? []
        : [textOf(token)],
  );
}

function textOf(token: Token): string {
  const inner = 'tokens' in token ? token.tokens : undefined;
  return inner === undefined
    ? unescaped('text' in token ? String(token.text) : token.raw)
    : inner.map(textOf).join('');
}

/** Marked leaves its words ready for HTML. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
