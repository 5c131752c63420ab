import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';

export const encoding = z.enum(['hex', 'base64']).default('hex').describe('Of data.');

export const memoryReference = z
  .string()
  .min(1)
  .max(200)
  .describe('memory_reference of a variable, or an address.');

export const byteOffset = z.int().default(0).describe('Offset in bytes.');

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Decodes text. @throws Failure `invalid_input` if it is not in the encoding */
export function bytesOf(data: string, encoding: 'hex' | 'base64'): Buffer {
  const plain = data.replace(/\s+/g, '').replace(encoding === 'hex' ? /^0x/i : /^$/, '');
  const isValid = (encoding === 'hex' ? HEX : BASE64).test(plain);
  if (isValid && plain !== '') return Buffer.from(plain, encoding);
  throw new Failure(
    'invalid_input',
    l10n.t('data is not {0} text, or is empty.', encoding),
    encoding === 'hex'
      ? 'Pass two hexadecimal digits for each byte. Nothing was written.'
      : 'Pass base64 (RFC 4648). Nothing was written.',
  );
}

/** Returns the bytes as text: printable ASCII, and a dot for every other byte. */
export function printable(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
}
