import { strict as assert } from 'node:assert';
import { attacksOn } from './attacks';
import { foundPatterns, patternsIn } from './found';
import { slowCase } from './growth';

const pattern = (
  { source, flags }: RegExp,
  short = false,
): { place: string; source: string; flags: string; short: boolean } => ({
  place: 'test',
  source,
  flags,
  short,
});

/**
 * The text of a project, of a program or of a test runner may be long and hostile. Each regular expression of the
 * sources therefore takes a time that grows as its text does, or reads a short text only (`shortPattern`).
 */
describe('the regular expressions of the sources', function () {
  this.timeout(120_000);

  it('take linear time', () => {
    const found = foundPatterns();
    assert.ok(found.length > 800, `${found.length} patterns`);
    const places = new Map(
      found.map((each) => [JSON.stringify([each.source, each.flags, each.short]), each]),
    );
    const slow = [...places.values()].flatMap((each) => {
      const one = slowCase(each);
      if (one === undefined) return [];
      return [`${each.place} /${each.source}/${each.flags} ${JSON.stringify(one)}`];
    });
    assert.deepEqual(slow, []);
  });

  it('are all found, also those of RegExp, and only constant ones are allowed', () => {
    const text = [
      'const WORD = /a+/g;',
      "const ONE = new RegExp(String.raw`^${PART}\\d$`, 'i');",
      "const PART = 'x';",
      'const TWO = shortPattern(/b/);',
      'export const three = <p title={String(/c/)} />;',
    ].join('\n');
    assert.deepEqual(
      patternsIn('a.tsx', text).map(({ place, source, flags, short }) => [
        place,
        `/${source}/${flags}`,
        short,
      ]),
      [
        ['a.tsx:1', '/a+/g', false],
        ['a.tsx:2', '/^x\\d$/i', false],
        ['a.tsx:4', '/b/', true],
        ['a.tsx:5', '/c/', false],
      ],
    );
    assert.throws(() => patternsIn('a.ts', 'new RegExp(text);'), /no constant/);
  });

  it('are found if they are slow', () => {
    // Each of these was in the sources once.
    for (const slow of [
      /^\s*(?:import|from) unittest\b/m,
      /"((?:[^"\\]|\\.)*)("(\s*:)?|$)/gs,
      /(["'`])(?:\\.|(?!\1).)*\1/g,
      /^(?:[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|[\s,()+\-*/%])+$/u,
      /\$\([^)]*\)\s*/,
      /^ {2}File "(.+)", line (\d+) in (.+)$/,
      /([\w-]+)="([^"]*)"/g,
      /\b(?:raise|throw|panic!?)\b\s*(?:new\s+)?([^;]*);?[\s}]*$/,
      /\\*\|/g,
    ])
      assert.ok(
        // A busy machine may hide the growth once, because both texts take long.
        [1, 2, 3].some(() => slowCase(pattern(slow)) !== undefined),
        String(slow),
      );
  });

  it('are not taken for slow if they are not', () => {
    for (const fast of [/^[ \t]*import\b/m, /(?<!\s)\s*\n\s*/g, /^(?:[\w.]|,)*$/, /"[^"\n]*"/g])
      assert.equal(slowCase(pattern(fast)), undefined, String(fast));
    assert.equal(slowCase(pattern(/"(?:\\.|[^"\\])*"/g, true)), undefined);
  });

  it('are attacked with what their parts repeat', () => {
    const attacks = attacksOn({ source: 'key:\\s*(\\d+)!', flags: '' });
    const has = (prefix: string, pump: string): boolean =>
      attacks.some((each) => each.prefix === prefix && each.pump === pump);
    assert.ok(has('key:', ' ') && has('key:', '0') && has('', 'key:') && has('', '\n'));
  });
});
