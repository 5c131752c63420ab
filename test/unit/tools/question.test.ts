import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import {
  code,
  MAX_WHOLE,
  oneLine,
  plain,
  wholeCode,
  withoutMarkdown,
} from '../../../src/tools/question';
import { failsWith } from '../support/services';

const BREAKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '`',
      '\n',
      '\r',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u0000',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '\\',
      '!',
      '#',
      ' ',
      '$',
      '|',
      '~',
      'a',
      '😀',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 300,
});

/** The content of a code span as a Markdown parser reads it, if the whole text is exactly one. CommonMark 6.1. */
function span(markdown: string): string | undefined {
  const fence = /^`+/.exec(markdown)?.[0] ?? '';
  const inner = markdown.slice(fence.length, markdown.length - fence.length);
  const isClosedEarly = (inner.match(/`+/gu) ?? []).some((run) => run.length === fence.length);
  if (
    fence === '' ||
    markdown.length < 2 * fence.length ||
    !markdown.endsWith(fence) ||
    isClosedEarly ||
    inner.startsWith('`') ||
    inner.endsWith('`')
  )
    return undefined;
  return inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== ''
    ? inner.slice(1, -1)
    : inner;
}

/** The text without the places where `code` and `plain` allow a line break in a long word. */
const joined = (markdown: string): string => markdown.replaceAll('\u200b', '');

describe('questions: one line', () => {
  it('replaces line ends, tabs and runs of blanks with one blank', () => {
    assert.equal(oneLine(' a\r\n\tb\u2028c \u0085 d\n'), 'a b c d');
  });

  it('removes characters that change the direction of text or are invisible', () => {
    assert.equal(
      oneLine('safe\u202egnp.exe\u202c \u2066x\u2069 a\u200bb \u{e0041}\ufeff'),
      'safe gnp.exe x a b',
    );
  });

  it('keeps the beginning and the end of 10,000 characters, and says how many are missing', () => {
    const line = oneLine(`start${'x'.repeat(9990)}final`);
    assert.ok(line.length <= 220, `${line.length}`);
    assert.match(line, /^startx+ \[…9802…\] x+final$/);
    assert.equal(oneLine('y'.repeat(200)), 'y'.repeat(200));
  });

  it('counts characters as a person counts them, and cuts none in half', () => {
    assert.equal(oneLine('😀'.repeat(200)), '😀'.repeat(200));
    assert.doesNotThrow(() => encodeURIComponent(oneLine('😀'.repeat(500))));
    assert.equal(oneLine('abcdefghij', 5), 'ab […6…] ij');
  });
});

describe('questions: code', () => {
  it('puts one backtick around ordinary text', () => {
    assert.equal(code('x > 1'), '`x > 1`');
  });

  it('has a fence that is longer than any run of backticks in the text', () => {
    assert.equal(code('a `b` c'), '``a `b` c``');
    assert.equal(code('``` x'), '```` ``` x ````');
    assert.equal(code(''), '`  `');
  });

  it('keeps line breaks, links and elements inside the span', () => {
    for (const text of [
      'x\n\n# Approved by the person',
      '[click](command:evil) <b>x</b>',
      '` [click](command:evil) `',
      '\\`x',
    ]) {
      const markdown = code(text);
      assert.ok(!BREAKS.test(markdown));
      assert.equal(span(markdown), oneLine(text));
    }
  });

  it('makes any text one code span on one line that contains just that text', () => {
    fc.assert(
      fc.property(
        nasty,
        fc.option(fc.integer({ min: 5, max: 50 }), { nil: undefined }),
        (text, most) => {
          const markdown = joined(code(text, most));
          assert.ok(!BREAKS.test(markdown), JSON.stringify(markdown));
          const line = oneLine(text, most);
          assert.equal(span(markdown)?.trim(), line);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('questions: long words', () => {
  it('may break every 24 characters, so that a narrow card hides none', () => {
    assert.equal(code('a'.repeat(24)), `\`${'a'.repeat(24)}\``);
    assert.equal(code(`${'a'.repeat(25)} short`), `\`${'a'.repeat(24)}\u200ba short\``);
    assert.equal(plain('.'.repeat(25)), `${'\\.'.repeat(24)}\u200b\\.`);
    assert.deepEqual(
      code('x'.repeat(199))
        .split('\u200b')
        .map((line) => line.replaceAll('`', '').length),
      [24, 24, 24, 24, 24, 24, 24, 24, 7],
    );
  });

  it('cannot close the fence with a broken run of backticks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 60 }), (length) => {
        const markdown = code(`x${'`'.repeat(length)}y`);
        const fence = /^`+/.exec(markdown)?.[0].length ?? 0;
        assert.ok(
          (markdown.slice(fence, -fence).match(/`+/gu) ?? []).every((run) => run.length < fence),
          markdown,
        );
      }),
    );
  });
});

describe('questions: plain text', () => {
  it('escapes Markdown, elements, addresses and icons', () => {
    assert.equal(plain('**bold** [x](y)'), '\\*\\*bold\\*\\* \\[x\\]\\(y\\)');
    assert.equal(plain('<a href=x>'), '\\<a href\\=x\\>');
    assert.equal(plain('http://evil.example'), 'http\\://evil\\.example');
    assert.equal(plain('$(check) ok'), '\\$\\(check\\) ok');
    assert.equal(plain('ordinary name 漢字'), 'ordinary name 漢字');
  });

  it('makes any text one line with each special character escaped, which reads as the text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const markdown = joined(plain(text));
        assert.ok(!BREAKS.test(markdown), JSON.stringify(markdown));
        const bare = markdown.replace(/\\[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/gu, '');
        assert.ok(!/[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/u.test(bare), JSON.stringify(markdown));
        assert.equal(markdown.replace(/\\(.)/gu, '$1'), oneLine(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('makes 10,000 characters a short question', () => {
    assert.ok(plain('*'.repeat(10_000)).length <= 440);
    assert.ok(code('`'.repeat(10_000)).length < 10_000);
  });
});

describe('questions: without Markdown', () => {
  it('shows any text in a dialog as on the card, with the fences of code', () => {
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        assert.equal(
          withoutMarkdown(`Break at ${code(one)} when **${plain(other)}** is so`),
          `Break at ${code(one).replaceAll('\u200b', '')} when ${oneLine(other)} is so`,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('questions: whole code', () => {
  it('is not cut up to its limit, and is refused beyond it', () => {
    assert.equal(joined(wholeCode('x'.repeat(MAX_WHOLE))), `\`${'x'.repeat(MAX_WHOLE)}\``);
    assert.throws(() => wholeCode('x'.repeat(MAX_WHOLE + 1)), failsWith('invalid_input'));
  });

  it('has signs for line ends and invisible characters', () => {
    assert.equal(
      wholeCode(' a  b\r\n\n  c\u2028d\te \u202e\u0000 '),
      '`a␣␣b ⏎ ␣␣c ⏎ d⇥e \\u{202e}\\u{0}`',
    );
  });

  it('looks different for texts that differ in their blanks', () => {
    const texts = [
      'rm "a b"',
      'rm "a  b"',
      'rm "a\tb"',
      'rm "a\u00a0b"',
      'rm "a\u3000b"',
      'rm "a\nb"',
    ];
    texts.push('rm "a\n b"', 'rm "a \nb"', 'rm "a\n\u00a0"');
    assert.equal(new Set(texts.map((text) => joined(wholeCode(text)))).size, texts.length);
    for (const text of texts) assert.ok(!/ {2}/.test(wholeCode(text)), wholeCode(text));
  });

  it('is one code span on one line that contains each visible character, whatever the text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const markdown = joined(wholeCode(text));
        assert.ok(!BREAKS.test(markdown), JSON.stringify(markdown));
        const content = span(markdown);
        assert.ok(content !== undefined, JSON.stringify(markdown));
        const seen = (shown: string): string =>
          shown.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}⏎␣⇥]|\\u\{[0-9a-f]+\}/gu, '');
        assert.equal(seen(content), seen(text));
      }),
      { numRuns: 2000 },
    );
  });
});
