import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { countOf } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { plain, wholeCode } from '../question';
import { resultSchema } from '../schemas';
import { byteOffset, bytesOf, encoding, memoryReference } from './bytes';

export const writeMemory = defineTool({
  name: 'write_memory',
  set: 'advanced',
  effect: 'change',
  title: 'Write Memory',
  userDescription: 'Writes bytes into the memory of the program',
  modelDescription: 'Write bytes into memory at a memory_reference.',
  icon: 'edit',
  input: z.strictObject({
    memory_reference: memoryReference,
    offset: byteOffset,
    data: z.string().min(1).max(8000),
    encoding,
    allow_partial: z.boolean().optional().describe('Write the part that can be written.'),
  }),
  output: resultSchema(['success'], {
    bytes_written: z.int().optional(),
    first_written: z.int().optional(),
  }),
  needs: 'session',
  capability: 'supportsWriteMemoryRequest',
  doing: () => l10n.t('Writing memory'),
  question: ({ input, target: { session } }) => {
    const bytes = bytesOf(input.data, input.encoding);
    const where =
      input.offset === 0
        ? input.memory_reference
        : `${input.memory_reference} ${input.offset < 0 ? '-' : '+'} ${Math.abs(input.offset)}`;
    return {
      title: l10n.t('Write memory'),
      message: l10n.t(
        'Write {0} bytes at {1} in {2}: {3}',
        bytes.length,
        wholeCode(where),
        `**${plain(session.name)}**`,
        wholeCode(bytes.toString('hex')),
      ),
    };
  },
  run: async ({ input, target: { session }, services, call }) => {
    const bytes = bytesOf(input.data, input.encoding);
    const body = await services.inspector.send(
      session,
      'writeMemory',
      defined({
        memoryReference: input.memory_reference,
        offset: input.offset,
        data: bytes.toString('base64'),
        allowPartial: input.allow_partial,
      }),
      call.signal,
    );
    const first = countOf(body['offset']);
    return success({
      // An adapter that writes either all bytes or none may omit the number of written bytes.
      bytes_written: countOf(body['bytesWritten']) ?? bytes.length,
      ...(first === undefined || first === 0 ? {} : { first_written: first }),
    });
  },
});
