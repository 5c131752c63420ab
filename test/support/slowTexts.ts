import { repeated } from './growth';

/** Texts on which the search for credentials took long, or could take long. */
export const SLOW: Readonly<Record<string, (length: number) => string>> = {
  'assignments before a bracket': (length) => `${repeated('A_TOKEN=', length)}(`,
  'assignments before a far bracket': (length) => `${repeated('A_TOKEN=x,', length)}(`,
  'assignments without an end': (length) => repeated('A_TOKEN="', length),
  'quotes that do not close': (length) => repeated('A_TOKEN=\'A_TOKEN="A_TOKEN=`', length),
  'beginnings of a JSON web token': (length) => repeated('eyJ-', length),
  'JSON web tokens without a signature': (length) =>
    `${repeated('eyJabcdefgh-', length)}.${repeated('eyJabcdefgh-', length)}`,
  'a long name': (length) => repeated('A_', length),
  'names that could be secrets’': (length) => repeated('A_TOKEN', length),
  'beginnings of a private key': (length) => repeated('-----BEGIN PRIVATE KEY-----', length),
  'private keys in a private key': (length) =>
    repeated('-----BEGIN PRIVATE KEY-----MIIEpAIBAAKCAQEA', length),
  'beginnings of shortened keys': (length) => repeated('npm_abcd.', length),
  'shortened keys': (length) => repeated('npm_abcd…', length),
  addresses: (length) => repeated('a://b:', length),
  'one long scheme': (length) => `${repeated('a+', length)}://`,
};

/** The text on which the rules for vendors' keys take longest: GitHub app tokens without an end. */
export const SLOW_FOR_VENDORS = (length: number): string =>
  repeated(`${repeated('ghs_1_', 996)}.${repeated('a', 10_000)}`, length);
