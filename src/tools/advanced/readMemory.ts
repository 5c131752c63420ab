import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { countOf, textOf } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { resultSchema } from '../schemas';
import { byteOffset, bytesOf, encoding, memoryReference, printable } from './bytes';

/** The number of bytes that fit into a result as hexadecimal digits, together with their text. */
const MAX_BYTES = 2048;

export const readMemory = defineTool({
  name: 'read_memory',
  set: 'advanced',
  effect: 'read',
  title: 'Read Memory',
  userDescription: 'Reads bytes of the memory of the program',
  modelDescription:
    'Read bytes of memory at a memory_reference. Returns them in hex or base64, their text, and how many could not be read.',
  icon: 'file-binary',
  input: z.strictObject({
    memory_reference: memoryReference,
    offset: byteOffset,
    count: z.int().min(1).max(MAX_BYTES).describe('Number of bytes, 1 to 2048.'),
    encoding,
  }),
  output: resultSchema(['success'], {
    address: z.string().optional(),
    bytes_read: z.int().optional(),
    unreadable_bytes: z.int().optional(),
    data: z.string().optional(),
    text: z.string().optional(),
  }),
  needs: 'session',
  capability: 'supportsReadMemoryRequest',
  doing: () => l10n.t('Reading memory'),
  run: async ({ input, target: { session }, services, call }) => {
    const body = await services.inspector.send(
      session,
      'readMemory',
      { memoryReference: input.memory_reference, offset: input.offset, count: input.count },
      call.signal,
    );
    const bytes = sentBytes(textOf(body['data']) ?? '', session).subarray(0, input.count);
    // Bytes after the end of an object are missing without being reported as unreadable (js-debug).
    const missing = input.count - bytes.length;
    const unreadable = Math.max(countOf(body['unreadableBytes']) ?? 0, missing);
    const text = printable(bytes);
    // A credential in the text would also be in the hexadecimal digits, so both are withheld.
    const shown = (await services.redactor.redact({ text })).text;
    const isWithheld = shown !== text;
    return success(
      defined({
        message: isWithheld
          ? l10n.t('The memory contains a credential, so its bytes are not shown.')
          : undefined,
        address: keptText(body['address']) ?? input.memory_reference,
        bytes_read: bytes.length,
        unreadable_bytes: unreadable,
        data: isWithheld ? undefined : bytes.toString(input.encoding),
        text: shown,
      }),
    );
  },
});

/**
 * Decodes the response of an adapter.
 * @throws Failure `adapter_error` if the response is not base64, which is not the caller's fault
 */
function sentBytes(data: string, { type, id }: SessionState): Buffer {
  if (data === '') return Buffer.alloc(0);
  try {
    return bytesOf(data, 'base64');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'adapter_error',
      l10n.t('The debug adapter “{0}” sent memory that cannot be read.', type),
      'Read another place. Nothing was changed.',
      { session_id: id },
    );
  }
}
