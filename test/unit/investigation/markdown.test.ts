import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { marked, type Token } from 'marked';
import { plainLine } from '../../../src/investigation/markdown';

/** The kinds of the tokens of a text, including those within others. */
function kindsIn(text: string): readonly string[] {
  const kinds: string[] = [];
  void marked.walkTokens(marked.lexer(text), ({ type }: Token) => void kinds.push(type));
  return kinds;
}

describe('a line of plain text in a document of an investigation', () => {
  it('contains no link, whatever the text', () => {
    const address = fc.constantFrom(
      ...['https://a.example/x', 'http://b', 'www.c.example', 'WWW.d.example', 'ftp://e.example'],
      ...['me@f.example', 'mailto:g@h.example', '[i](j)', '<https://k.example>', '![l](m)'],
    );
    const text = fc.array(fc.oneof(address, fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(text, (parts) => {
        const kinds = kindsIn(`- ${plainLine(parts.join(' '))}`);
        assert.ok(!kinds.some((kind) => ['link', 'image', 'html'].includes(kind)), parts.join(' '));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads as the text', () => {
    const text = 'GET https://a.example/x?y=1 by me@www.b.example';
    assert.equal(plainLine(text).replaceAll('\\', ''), text);
  });
});
