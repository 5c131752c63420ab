import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { AddressBreakpoint } from '../../debugger/breakpoints/addressBreakpoint';
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

const dataId = z.string().min(1).max(2000);

export const setDataBreakpoint = defineTool({
  name: 'set_data_breakpoint',
  set: 'advanced',
  effect: 'control',
  title: 'Set Data Breakpoint',
  userDescription: 'Stops the program when a value is read or written',
  modelDescription: 'Stop when data is read or written. It ends with its session.',
  icon: 'debug-breakpoint-data',
  input: z.strictObject({
    data_id: dataId.describe('From data_breakpoint_info.'),
    access_type: z.enum(['read', 'write', 'readWrite']).optional(),
    description: z.string().max(200).optional().describe('A name for lists.'),
    ...conditions,
  }),
  output: setOutput,
  needs: 'session',
  capability: 'supportsDataBreakpoints',
  doing: () => l10n.t('Setting a data breakpoint'),
  consent: ({ input }) => consentFor(input),
  question: ({ input, target: { session } }) => {
    const where = stopsWhen(wholeCode(input.data_id), input.access_type);
    return { title: l10n.t('Set data breakpoint'), message: stopsAt(where, session, input) };
  },
  run: async ({ input, target: { session }, services, call }) => {
    const requested = {
      kind: 'data',
      reference: input.data_id,
      accessType: input.access_type,
      condition: input.condition,
      hitCondition: input.hit_condition,
      description: input.description,
    } as const;
    return success(await setAddress(services, session, requested, call));
  },
});

const removeInput = z.strictObject({
  breakpoint_id: breakpointId,
  data_id: dataId.optional(),
});

export const removeDataBreakpoint = defineTool({
  name: 'remove_data_breakpoint',
  set: 'advanced',
  effect: 'control',
  title: 'Remove Data Breakpoint',
  userDescription: 'Removes a data breakpoint that the agent set',
  modelDescription: 'Remove a data breakpoint by breakpoint_id or data_id.',
  icon: 'debug-breakpoint-data-unverified',
  input: removeInput,
  output: removeOutput,
  needs: 'nothing',
  doing: () => l10n.t('Removing a data breakpoint'),
  question: ({ input, services }) => removalQuestion(services, chosen(services, input)),
  run: async ({ input, services, call }) =>
    success(await removeAddresses(services, chosen(services, input), call)),
});

/** Returns the data breakpoints that a call names. @throws Failure `invalid_input`, `breakpoint_not_found` */
function chosen(
  services: ToolServices,
  { breakpoint_id: id, data_id: reference }: z.output<typeof removeInput>,
) {
  const { addressBreakpoints } = services;
  const named = (): readonly AddressBreakpoint[] =>
    addressBreakpoints
      .all()
      .filter(({ requested }) => requested.kind === 'data' && requested.reference === reference);
  const find = reference === undefined ? undefined : named;
  return chosenAddresses(services, 'data', id, 'data_id', find);
}

function stopsWhen(data: string, access: 'read' | 'write' | 'readWrite' | undefined): string {
  if (access === 'read') return l10n.t('Stop when {0} is read', data);
  if (access === 'readWrite') return l10n.t('Stop when {0} is read or written', data);
  return l10n.t('Stop when {0} is written', data);
}
