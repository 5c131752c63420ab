import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { credentialsOfNoVendor } from '../../../src/results/credentialForms';
import { growth, LINEAR, repeated } from '../../support/growth';

const NAME =
  '\\b(?=[A-Z])[A-Z0-9_]*?(?:SECRET|TOKEN(?!S)|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*[ \\t]{0,10}=[ \\t]{0,10}';
const BEGINNING =
  '(?:gh[pousr]_|github_pat_|glpat-|sk-(?:ant-|proj-)|sk_live_|xox[abprs]-|npm_|AIza|hf_|dckr_pat_|shpat_|SG\\.|eyJ[\\w-]{8,}\\.)';

/** The forms as regular expressions: the expected matches, in any time. The group `secret` is replaced. */
const REFERENCE: readonly RegExp[] = [
  /\b(?:bearer|basic)[ \t]{1,10}(?<secret>[a-z0-9\-._~+/]{16,}=*)/diy,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/dy,
  /\bAIza[\w-]{35}(?![\w-])/dy,
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|[\s'"+,]){0,20}(?<secret>(?:Proc-Type|[a-z0-9+/]{16})(?:(?!-----END)(?:\\[rn]|[\w+/=:,.\s…-]))*)/diy,
  new RegExp(`(?<![\\w-])${BEGINNING}[\\w.-]{4,}…[\\w.-]*`, 'dy'),
  new RegExp(`${NAME}(["'\`])(?<secret>(?:(?!\\1)[^\\n]){6,})\\1`, 'dy'),
  new RegExp(`${NAME}(?<secret>[^\\s"'\`(){}\\[\\]<>;]{6,})(?![^\\s"'\`;]*[({])`, 'dy'),
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:(?<secret>[^\s/@]{3,})@/diy,
];
const NO_SECRET = /^(?:undefined|none|null|nil|true|false|[-+]?[\d_.,]+n?)[;,)]?$/i;

/** The matches of each form from each place of a text, including overlaps. */
function byReference(text: string): boolean[] {
  const found = Array.from(text, () => false).slice(0, text.length);
  while (found.length < text.length) found.push(false);
  for (const pattern of REFERENCE) {
    for (let at = 0; at < text.length; at += 1) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      const [start, end] = match?.indices?.groups?.['secret'] ?? match?.indices?.[0] ?? [0, 0];
      if (pattern.source.includes('PASSPHRASE') && NO_SECRET.test(text.slice(start, end))) continue;
      found.fill(true, start, end);
    }
  }
  return found;
}

function byForms(text: string): boolean[] {
  const found = new Array<boolean>(text.length).fill(false);
  for (const { start, end } of credentialsOfNoVendor(text)) found.fill(true, start, end);
  return found;
}

const marked = (text: string, found: readonly boolean[]): string =>
  Array.from({ length: text.length }, (_, at) => (found[at] === true ? '█' : text.charAt(at))).join(
    '',
  );

/** The parts of the forms, and similar text. */
const FRAGMENTS = [
  'A_TOKEN',
  'TOKENS',
  'TOKEN',
  'DB_PASSWORD',
  'API_KEY',
  'MY_APIKEY_2',
  'X_SECRET',
  'A',
  '_',
  '1',
  'a',
  'z9',
  '=',
  ' = ',
  ' ',
  '\t',
  '           ',
  '"',
  "'",
  '`',
  '(',
  '{',
  ')',
  ']',
  '<',
  ';',
  ',',
  '\n',
  '\u00a0',
  'é',
  '😀',
  'abcdef',
  'undefined',
  'None',
  '-1_000',
  '12345678',
  'correct-horse',
  'eyJ',
  'eyJabcdefgh',
  '.eyJabcdefgh',
  '.',
  '-',
  '.aB3dE6_gH-aB3dE',
  'aB3dE6_gH-aB3dE6',
  'f',
  '…',
  'ghp_',
  'npm_abcd',
  'sk-ant-',
  'SG.',
  'AIza',
  `AIza${repeated('aB3_-', 35)}`,
  'Bearer ',
  'basic\t',
  'bearer',
  'abcdefghijklmnop',
  'dXNlcjpwYXNz+/==',
  'postgres',
  '://',
  ':',
  '@',
  '/',
  '+',
  'app:pa55',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE',
  ' KEY-----',
  '-----END',
  '-----',
  '\\n',
  '\\',
  'MIIEpAIBAAKCAQEA',
  'Proc-Type',
] as const;

const texts = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 })
  .map((parts) => parts.join(''));

describe('forms of credentials that belong to no vendor', () => {
  it('find the same as their regular expressions from any place', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(marked(text, byForms(text)), marked(text, byReference(text)));
      }),
      { numRuns: 30_000 },
    );
  });

  it('take time in proportion to the length of the text, whatever is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 5 }),
        async (parts) => {
          const text = parts.join('');
          const ratio = await growth(
            (length) => repeated(text, length),
            25_000,
            credentialsOfNoVendor,
          );
          assert.ok(ratio < LINEAR, `${ratio} times as long`);
        },
      ),
      // These were slow at some time, or are cases where text is read again.
      {
        numRuns: 60,
        endOnFailure: true,
        examples: [
          [['A_TOKEN', '=']],
          [['A_TOKEN', '=', '"']],
          [['eyJ', '-']],
          [['.eyJabcdefgh']],
          [['-----BEGIN PRIVATE KEY-----', 'MIIEpAIBAAKCAQEA']],
          [['npm_abcd', '…']],
          [['://', 'a', ':']],
        ],
      },
    );
  });

  for (const [what, text, rest] of [
    [
      'an assignment within another’s quotes, which ends behind them',
      "A_TOKEN='x B_SECRET='correct-horse'",
      'horse',
    ],
    ['an assignment in the value of another', 'A_TOKEN=B_SECRET=correct-horse', 'horse'],
    [
      'a bearer token in an assignment that ends before it',
      'A_TOKEN="Bearer abcdefghijklmnop"qrst',
      'mnop',
    ],
    [
      'a JSON web token that another begins in',
      ['eyJabcdefgh', 'eyJabcdefgh', 'eyJabcdefghijklmnop', 'qrstuvwxyzqrstuvwxyz'].join('.'),
      'qrst',
    ],
    [
      'a private key in an assignment without quotes',
      `MY_PRIVATE_KEY=-----BEGIN\u0020PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nqL8fTz0xV1bN4mKc`,
      'qL8f',
    ],
    ['a password with the name of another in it', 'a://b:c_TOKEN=d@e', 'TOKEN'],
  ] as const) {
    it(`leave nothing of ${what}`, () => {
      assert.equal(marked(text, byForms(text)).includes(rest), false, marked(text, byForms(text)));
    });
  }

  it('have no maximum key length', () => {
    for (const text of [
      `A_TOKEN=${repeated('x', 40_000)}`,
      `A_TOKEN='${repeated('x ', 40_000)}'`,
      `Bearer ${repeated('x', 40_000)}`,
      `eyJ${repeated('a', 40_000)}.eyJ${repeated('b', 40_000)}.${repeated('c', 40_000)}`,
      `-----BEGIN\u0020PRIVATE KEY-----${repeated('M', 40_000)}`,
      `a://b:${repeated('x', 40_000)}@`,
    ]) {
      assert.ok(!/x{9}|a{9}|b{9}|c{9}|M{9}/.test(marked(text, byForms(text))), text.slice(0, 40));
    }
  });
});
