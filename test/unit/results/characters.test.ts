import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { beginningOf, Ends, isKind, Kind, Next } from '../../../src/results/characters';

const every = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** The ASCII characters of a kind, in their order. */
const ofKind = (kind: Kind): string =>
  every.filter((_, code) => isKind(every.join(''), code, kind)).join('');

describe('kinds of characters', () => {
  const SPACE = '\t\n\v\f\r ';
  const DIGITS = '0123456789';
  const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const LOWER = 'abcdefghijklmnopqrstuvwxyz';
  const sorted = (text: string): string => Array.from(text).sort().join('');
  const expected: readonly (readonly [name: string, kind: Kind, characters: string])[] = [
    ['blanks', Kind.Blank, '\t '],
    ['letters', Kind.Letter, UPPER + LOWER],
    ['a constant’s name', Kind.Constant, `${DIGITS}${UPPER}_`],
    ['words', Kind.Word, `${DIGITS}${UPPER}_${LOWER}`],
    ['tokens', Kind.Token, `-${DIGITS}${UPPER}_${LOWER}`],
    ['names with dots', Kind.Dotted, `-.${DIGITS}${UPPER}_${LOWER}`],
    ['an address’s scheme', Kind.Scheme, `+-.${DIGITS}${UPPER}${LOWER}`],
    ['what no bare value holds', Kind.NoValue, `${SPACE}"'\`(){}[]<>;`],
    ['what ends a statement’s words', Kind.NoStatement, `${SPACE}"'\`;`],
    ['what opens a block', Kind.Opening, '({'],
    ['the end of a line', Kind.LineEnd, '\n'],
    ['what ends a user’s name', Kind.NoUser, `${SPACE}/:@`],
    ['what ends a password', Kind.NoPassword, `${SPACE}/@`],
    ['what an authorization holds', Kind.Token68, `+-./${DIGITS}${UPPER}_${LOWER}~`],
  ];
  for (const [name, kind, characters] of expected)
    it(name, () => assert.equal(ofKind(kind), sorted(characters)));

  it('include JavaScript’s blanks beyond ASCII, and no other characters beyond ASCII', () => {
    const ends = [Kind.NoValue, Kind.NoStatement, Kind.NoUser, Kind.NoPassword];
    for (const blank of ['\u00a0', '\u2003', '\u3000', '\u2028'])
      for (const kind of ends) assert.equal(isKind(blank, 0, kind), true);
    for (const other of ['é', '漢', '😀'])
      for (const kind of [...ends, Kind.Letter, Kind.Word])
        assert.equal(isKind(other, 0, kind), false);
    assert.equal(isKind('\u00a0', 0, Kind.Blank), false);
  });

  it('include nothing after the end of a text', () => {
    assert.equal(isKind('a', 1, Kind.Letter), false);
    assert.equal(isKind(' ', 1, Kind.NoValue), false);
  });
});

describe('beginningOf', () => {
  it('is after the last character of another kind, or at the beginning of the text', () => {
    assert.equal(beginningOf('a bcd', 5, Kind.Letter), 2);
    assert.equal(beginningOf('abcd', 4, Kind.Letter), 0);
    assert.equal(beginningOf('abcd ', 5, Kind.Letter), 5);
    assert.equal(beginningOf('', 0, Kind.Letter), 0);
  });

  it('is not further away than the limit', () => {
    assert.equal(beginningOf('abcdef', 6, Kind.Letter, 4), 2);
    assert.equal(beginningOf('abcdef', 6, Kind.Letter, 0), 6);
  });
});

describe('Ends', () => {
  it('are at the next character of another kind, or at the end of the text', () => {
    const words = Ends.of('ab cd', Kind.Word);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((place) => words.after(place)),
      [2, 2, 2, 5, 5, 5],
    );
  });

  it('are at the next character of the kind for text before that kind', () => {
    const lines = Ends.before('ab\ncd\n', Kind.LineEnd);
    assert.deepEqual(
      [0, 1, 2, 3, 5, 6].map((place) => lines.after(place)),
      [2, 2, 2, 5, 5, 6],
    );
  });

  it('are found from any place, in any order', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 30 })), (all, places) => {
        const [words, lines] = [Ends.of(all, Kind.Word), Ends.before(all, Kind.LineEnd)];
        const next = new Next(all, ' a');
        for (const place of places.filter((each) => each <= all.length)) {
          const rest = all.slice(place);
          assert.equal(words.after(place), place + (/^a*/.exec(rest)?.[0].length ?? 0));
          assert.equal(lines.after(place), place + (rest.split('\n')[0]?.length ?? 0));
          const found = all.indexOf(' a', place);
          assert.equal(next.after(place), found === -1 ? all.length : found);
        }
      }),
    );
  });
});

describe('Next', () => {
  it('is the next occurrence of a part from a place on, or the end of the text', () => {
    const next = new Next('a, b, c', ', ');
    assert.deepEqual(
      [0, 1, 2, 4, 5, 7].map((place) => next.after(place)),
      [1, 1, 4, 4, 7, 7],
    );
  });
});
