import { Redactor, type RedactionSettings } from '../../../src/results/redact';

/** Removes the credentials from a result. */
export const redact = (
  result: Record<string, unknown>,
  settings: Partial<RedactionSettings> = {},
): Promise<Record<string, unknown>> =>
  new Redactor(() => ({ enabled: true, patterns: [], ...settings })).redact(result);

// Invented, and joined from parts, so that no scanner of this repository mistakes them for real ones.
export const AWS = ['AKIA', 'IOSFODNN7QZXVBNM'].join('');
export const AWS_SECRET = ['wJalrXUtnFEMI/K7MDENG', 'bPxRfiCYQZXVBNMKEY12'].join('/').slice(0, 40);
export const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
export const KEY = [
  '-----BEGIN RSA PRIVATE',
  'KEY-----\nMIIEpAIBAAKCAQEA1234567890\n-----END RSA PRIVATE',
  'KEY-----',
].join(' ');

export const many = (characters: string, count: number): string =>
  characters.repeat(Math.ceil(count / characters.length)).slice(0, count);
export const JWT = [
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  'eyJzdWIiOiIxMjM0NTY3ODkwIn0',
  many('aB3dE6_gH-', 43),
].join('.');
export const ANTHROPIC = ['sk', 'ant', `api03-${many('aB3dE6gH9j', 93)}AA`].join('-');
export const STRIPE = ['sk', 'live', many('aB3dE6gH9j', 24)].join('_');
export const GITLAB = ['glpat', many('aB3dE6gH9j', 20)].join('-');
export const GOOGLE = ['AI', 'za', many('aB3dE6gH9j', 35)].join('');
export const LONG_KEY = [
  ['-----BEGIN PRIVATE', 'KEY-----'].join(' '),
  many('MIIEpAIBAAKCAQEA', 64),
  many('qL8fTz0xV1bN4mKc', 64),
].join('\\n');

export const SECRETS: readonly (readonly [string, string, string])[] = [
  ['a GitHub token', `'${GITHUB}'`, GITHUB],
  ['a private key', KEY, 'MIIEpAIBAAKCAQEA'],
  ['a password in an address', 'postgres://app:s3cretpass@db.example.com/shop', 's3cretpass'],
  [
    'a bearer token',
    'Authorization: Bearer abcdefghijklmnop0123456789',
    'abcdefghijklmnop0123456789',
  ],
  ['an environment assignment', "DATABASE_PASSWORD='correct-horse'", 'correct-horse'],
  ['an assignment to what is called as its kind', 'API_KEY=correct-horse', 'correct-horse'],
  ['a private key whose end was cut off', `'${LONG_KEY}… (1,704 characters)'`, 'qL8fTz0xV1bN4mKc'],
  ['a JSON web token', `token=${JWT}`, JWT],
  ['a key of Anthropic', ANTHROPIC, ANTHROPIC],
  ['a key of Stripe', `{key: '${STRIPE}'}`, STRIPE],
  ['a token of GitLab', GITLAB, GITLAB],
  ['a key of Google', GOOGLE, GOOGLE],
  [
    'the beginning of a token that was shortened',
    `'Error: bad token ${GITHUB.slice(0, 24)}…'`,
    GITHUB.slice(4, 24),
  ],
  [
    'the ends of a token that was shortened',
    `tok => ${GITHUB.slice(0, 10)}…${GITHUB.slice(-9)}}`,
    GITHUB.slice(-9),
  ],
  [
    'basic credentials',
    'Authorization: Basic dXNlcjpwYXNzd29yZDEyMzQ=',
    'dXNlcjpwYXNzd29yZDEyMzQ=',
  ],
  ['an AWS secret', `aws_secret_access_key = ${AWS_SECRET}`, AWS_SECRET],
];
