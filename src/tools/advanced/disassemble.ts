import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { FrameHandle } from '../../debugger/inspection/handles';
import { countOf, fields, isFields, listOf, textOf } from '../../debugger/protocol';
import { personPath } from '../../debugger/sourcePath';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { maxChars, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';
import { byteOffset } from './bytes';

const instruction = z.object({
  address: z.string(),
  instruction: z.string(),
  bytes: z.string().optional(),
  symbol: z.string().optional(),
  file_path: z.string().optional(),
  line: z.int().optional(),
  current: z.literal(true).optional(),
});

/** The number of frames among which the named frame is searched. */
const FRAMES_READ = 200;

export const disassemble = defineTool({
  name: 'disassemble',
  set: 'advanced',
  effect: 'read',
  title: 'Disassemble',
  userDescription: 'Shows machine instructions of the program',
  modelDescription:
    'Disassemble machine code at memory_reference; without it, at the current instruction of the frame.',
  icon: 'file-code',
  input: z.strictObject({
    memory_reference: z.string().min(1).max(200).optional().describe('An address.'),
    offset: byteOffset,
    instruction_offset: z.int().min(-1000).max(1000).default(0).describe('Negative: before it.'),
    instruction_count: z.int().min(1).max(200).default(20),
    resolve_symbols: z.boolean().default(true),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    instructions: z.array(instruction).readonly().optional(),
    unreadable_instructions: z.int().optional(),
  }),
  needs: 'frame',
  capability: 'supportsDisassembleRequest',
  doing: () => l10n.t('Disassembling'),
  run: async ({ input, target: { session, frame }, services, call }) => {
    const pointer = await pointerOf(services, session, frame, call);
    const memoryReference = input.memory_reference ?? pointer;
    if (memoryReference === undefined) throw noPointer(session);
    const body = await services.inspector.read(
      session,
      frame,
      'disassemble',
      {
        memoryReference,
        offset: input.offset,
        instructionOffset: input.instruction_offset,
        instructionCount: input.instruction_count,
        resolveSymbols: input.resolve_symbols,
      },
      call.signal,
    );
    const valid = listOf(body['instructions'])
      .filter(isFields)
      .slice(0, input.instruction_count)
      .filter((entry) => entry['presentationHint'] !== 'invalid');
    if (valid.length === 0) throw noCode(session, memoryReference);
    // Adapters mark unreadable instructions as invalid, or send fewer instructions.
    const unreadable = input.instruction_count - valid.length;
    return success(
      defined({
        instructions: instructionsOf(valid, pointer),
        unreadable_instructions: unreadable > 0 ? unreadable : undefined,
      }),
    );
  },
});

/**
 * Returns the instructions of a response. An adapter names a file only if it differs from the file of the previous
 * instruction.
 */
function instructionsOf(
  entries: readonly Readonly<Record<string, unknown>>[],
  pointer: string | undefined,
): z.input<typeof instruction>[] {
  return entries.map((entry) => {
    const address = keptText(entry['address']) ?? '';
    const path = textOf(fields(entry['location'])['path']);
    return defined({
      address,
      // Some adapters align the text in columns.
      instruction: (keptText(entry['instruction']) ?? '').trim().replace(/\s+/g, ' '),
      bytes: keptText(entry['instructionBytes'])?.trim(),
      symbol: keptText(entry['symbol']),
      file_path: path === undefined || path === '' ? undefined : personPath(path),
      line: countOf(entry['line']),
      current:
        pointer !== undefined && address.toLowerCase() === pointer.toLowerCase()
          ? (true as const)
          : undefined,
    });
  });
}

/** Returns the address of a frame's next instruction, if its adapter reports it. */
async function pointerOf(
  { inspector }: ToolServices,
  session: SessionState,
  frame: FrameHandle,
  call: Call,
): Promise<string | undefined> {
  const top = await inspector.top(session, frame, call.signal);
  if (top?.id === frame.frameId) return top.instructionPointerReference;
  const { frames } = await inspector.frames(session, frame, 0, FRAMES_READ, call.signal);
  return frames.find(({ id }) => id === frame.frameId)?.instructionPointerReference;
}

function noCode({ type, id }: SessionState, address: string): Failure {
  return new Failure(
    'adapter_error',
    l10n.t('The debug adapter “{0}” has no instructions at {1}.', type, address),
    'Pass an address of code, or leave memory_reference out for the current instruction.',
    { session_id: id },
  );
}

function noPointer({ type, id }: SessionState): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The debug adapter “{0}” does not report the instruction of the frame.', type),
    'Pass memory_reference.',
    { session_id: id },
  );
}
