import { strict as assert } from 'node:assert';
import { marked, type Token } from 'marked';

/** The Markdown tokens that a question may contain. Text from outside is code or plain text. */
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

/** Characters that break a line, change the text direction or are invisible. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The places where `code` allows a line break in a long word. */
const BREAK = /(?<=\S{24})\u200b(?=\S)/gu;

/**
 * Parses a question's Markdown as VS Code does. Fails if it contains anything except text, emphasis, code and a list.
 * @returns the texts that a person sees, line by line
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

/** Reverts the HTML escapes that Marked adds to its texts. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
