import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import {
  code,
  MOST_WHOLE,
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

/** What a Markdown reader takes as the content of a code span, where the whole text is exactly one. CommonMark 6.1. */
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

/** Without the places at which `code` and `plain` let a long word go on in the next line. */
const joined = (markdown: string): string => markdown.replaceAll('\u200b', '');

describe('questions: one line', () => {
  it('line ends, tabs and runs of blanks become one blank', () => {
    assert.equal(oneLine(' a\r\n\tb\u2028c \u0085 d\n'), 'a b c d');
  });

  it('what turns the direction of text or hides in it is gone', () => {
    assert.equal(
      oneLine('safe\u202egnp.exe\u202c \u2066x\u2069 a\u200bb \u{e0041}\ufeff'),
      'safe gnp.exe x a b',
    );
  });

  it('a text of 10,000 characters keeps its beginning and its end, and says how much is missing', () => {
    const line = oneLine(`start${'x'.repeat(9990)}final`);
    assert.ok(line.length <= 220, `${line.length}`);
    assert.match(line, /^startx+ \[…9802…\] x+final$/);
    assert.equal(oneLine('y'.repeat(200)), 'y'.repeat(200));
  });

  it('characters are counted as a person counts them, and none is cut in half', () => {
    assert.equal(oneLine('😀'.repeat(200)), '😀'.repeat(200));
    assert.doesNotThrow(() => encodeURIComponent(oneLine('😀'.repeat(500))));
    assert.equal(oneLine('abcdefghij', 5), 'ab […6…] ij');
  });
});

describe('questions: code', () => {
  it('ordinary text has one backtick around it', () => {
    assert.equal(code('x > 1'), '`x > 1`');
  });

  it('the fence is longer than any run of backticks in the text', () => {
    assert.equal(code('a `b` c'), '``a `b` c``');
    assert.equal(code('``` x'), '```` ``` x ````');
    assert.equal(code(''), '`  `');
  });

  it('line breaks, links and elements stay inside', () => {
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

  it('whatever the text is, it is one code span on one line that holds just that text', () => {
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
  it('may go on in the next line every 24 characters, so that a narrow card hides none', () => {
    assert.equal(code('a'.repeat(24)), `\`${'a'.repeat(24)}\``);
    assert.equal(code(`${'a'.repeat(25)} short`), `\`${'a'.repeat(24)}\u200ba short\``);
    assert.equal(plain('.'.repeat(25)), `${'\\.'.repeat(24)}\u200b\\.`);
    assert.deepEqual(
      code('x'.repeat(199))
        .split('\u200b')
        .map((each) => each.replaceAll('`', '').length),
      [24, 24, 24, 24, 24, 24, 24, 24, 7],
    );
  });

  it('a run of backticks that is let go on cannot close the fence', () => {
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
  it('Markdown, elements, addresses and icons in it mean nothing', () => {
    assert.equal(plain('**bold** [x](y)'), '\\*\\*bold\\*\\* \\[x\\]\\(y\\)');
    assert.equal(plain('<a href=x>'), '\\<a href\\=x\\>');
    assert.equal(plain('http://evil.example'), 'http\\://evil\\.example');
    assert.equal(plain('$(check) ok'), '\\$\\(check\\) ok');
    assert.equal(plain('ordinary name 漢字'), 'ordinary name 漢字');
  });

  it('whatever the text is, it is one line, each special character is escaped, and it reads as the text', () => {
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

  it('10,000 characters become a short question', () => {
    assert.ok(plain('*'.repeat(10_000)).length <= 440);
    assert.ok(code('`'.repeat(10_000)).length < 10_000);
  });
});

describe('questions: without Markdown', () => {
  it('whatever the text is, a dialog shows what the card shows, with the fences of code', () => {
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

describe('questions: what is shown whole', () => {
  it('is not cut, up to its limit; beyond, it is refused', () => {
    assert.equal(joined(wholeCode('x'.repeat(MOST_WHOLE))), `\`${'x'.repeat(MOST_WHOLE)}\``);
    assert.throws(() => wholeCode('x'.repeat(MOST_WHOLE + 1)), failsWith('invalid_input'));
  });

  it('has signs for line ends and for what cannot be seen', () => {
    assert.equal(
      wholeCode(' a  b\r\n\n  c\u2028d\te \u202e\u0000 '),
      '`a b ⏎ c ⏎ d e \\u{202e}\\u{0}`',
    );
  });

  it('whatever the text is, it is one code span on one line, and each character that can be seen is in it', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const markdown = joined(wholeCode(text));
        assert.ok(!BREAKS.test(markdown), JSON.stringify(markdown));
        const content = span(markdown);
        assert.ok(content !== undefined, JSON.stringify(markdown));
        const seen = (each: string): string =>
          each.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}⏎]|\\u\{[0-9a-f]+\}/gu, '');
        assert.equal(seen(content), seen(text));
      }),
      { numRuns: 2000 },
    );
  });
});
