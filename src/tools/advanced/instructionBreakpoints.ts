import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { defineTool, success } from '../defineTool';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';
import {
  breakpointId,
  chosenAddresses,
  conditions,
  consentFor,
  removalQuestion,
  removeAddresses,
  removeOutput,
  setAddress,
  setOutput,
  stopsAt,
} from './addressBreakpoint';

const reference = z.string().min(1).max(200).describe('Address, as from disassemble.');
const offset = z.int().default(0).describe('Offset in bytes.');

export const setInstructionBreakpoint = defineTool({
  name: 'set_instruction_breakpoint',
  set: 'advanced',
  effect: 'control',
  title: 'Set Instruction Breakpoint',
  userDescription: 'Stops the program at a machine instruction',
  modelDescription: 'Stop at a machine instruction. It ends with its session.',
  icon: 'debug-breakpoint',
  input: z.strictObject({ instruction_reference: reference, offset, ...conditions }),
  output: setOutput,
  needs: 'session',
  capability: 'supportsInstructionBreakpoints',
  doing: () => l10n.t('Setting an instruction breakpoint'),
  consent: ({ input }) => consentFor(input),
  question: ({ input, target: { session } }) => {
    const at =
      input.offset === 0
        ? input.instruction_reference
        : `${input.instruction_reference} ${input.offset < 0 ? '-' : '+'} ${Math.abs(input.offset)}`;
    const where = l10n.t('Stop at the instruction {0}', wholeCode(at));
    return { title: l10n.t('Set instruction breakpoint'), message: stopsAt(where, session, input) };
  },
  run: async ({ input, target: { session }, services, call }) => {
    const requested = {
      kind: 'instruction',
      reference: input.instruction_reference,
      offset: input.offset,
      condition: input.condition,
      hitCondition: input.hit_condition,
    } as const;
    return success(await setAddress(services, session, requested, call));
  },
});

const removeInput = z.strictObject({
  breakpoint_id: breakpointId,
  instruction_reference: reference.optional(),
  offset,
});

export const removeInstructionBreakpoint = defineTool({
  name: 'remove_instruction_breakpoint',
  set: 'advanced',
  effect: 'control',
  title: 'Remove Instruction Breakpoint',
  userDescription: 'Removes an instruction breakpoint that the agent set',
  modelDescription: 'Remove an instruction breakpoint by breakpoint_id or its address.',
  icon: 'debug-breakpoint-unverified',
  input: removeInput,
  output: removeOutput,
  needs: 'nothing',
  doing: () => l10n.t('Removing an instruction breakpoint'),
  question: ({ input, services }) => removalQuestion(services, chosen(services, input)),
  run: async ({ input, services, call }) =>
    success(await removeAddresses(services, chosen(services, input), call)),
});

/** Returns the instruction breakpoints that a call names. @throws Failure `invalid_input`, `breakpoint_not_found` */
function chosen(
  services: ToolServices,
  { breakpoint_id: id, instruction_reference: address, offset }: z.output<typeof removeInput>,
) {
  const find =
    address === undefined
      ? undefined
      : () => services.addressBreakpoints.at('instruction', address, { offset });
  return chosenAddresses(services, 'instruction', id, 'instruction_reference', find);
}
